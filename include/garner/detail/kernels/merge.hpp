// SPDX-License-Identifier: BSD-3-Clause
// merge: elements from anywhere are loaded one by one into a vector, which is stored at once.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <garner/detail/kernels/block.hpp>
#include <garner/detail/kernels/cell.hpp>
#include <garner/detail/kernels/simd.hpp>

namespace garner::detail {

/// Whether Cell's elements can be merged into vectors.
template <class Arch, class Cell>
inline constexpr bool can_merge = has_simd<Arch> && !std::is_void_v<typename lane<Cell>::type>;

/// How many elements are moved at a time: a vector of them, or a few larger ones.
template <class Arch, class Cell>
inline constexpr index_t merged = [] {
  if constexpr (can_merge<Arch, Cell>) {
    return static_cast<index_t>(simd<std::uint8_t, Arch>::size) / Cell::step;
  } else {
    return index_t{bitwise<Cell> ? 4 : 1};
  }
}();

/// The lane that a vector is merged from: one word, or as many small ones as fill 64 bits.
template <class Word>
using lane_of = std::conditional_t<(sizeof(Word) < 4), std::uint64_t, Word>;

/// The lane of *source(first), *source(first + 1), ...
template <class Word, class Source>
GARNER_INLINE lane_of<Word> load_lane(const Source& source, index_t first) {
  constexpr int count = sizeof(lane_of<Word>) / sizeof(Word);
  lane_of<Word> result = 0;
  for (int k = 0; k < count; ++k) {
    Word word;
    std::memcpy(&word, source(first + k), sizeof(Word));
    const int place = std::endian::native == std::endian::little ? k : count - 1 - k;
    result |= static_cast<lane_of<Word>>(word) << (place * 8 * static_cast<int>(sizeof(Word)));
  }
  return result;
}

template <class Vector, class Word, class Source, std::size_t... Lane>
GARNER_INLINE Vector merge_lanes(const Source& source, std::index_sequence<Lane...>) {
  constexpr auto count = static_cast<index_t>(sizeof(lane_of<Word>) / sizeof(Word));
  return Vector::of(load_lane<Word>(source, static_cast<index_t>(Lane) * count)...);
}

/// The vector of *source(0), *source(1), ...
template <class Arch, class Cell, class Source>
GARNER_INLINE auto merge(const Source& source) {
  using word = typename lane<Cell>::type;
  using vector = simd<lane_of<word>, Arch>;
  return merge_lanes<vector, word>(source, std::make_index_sequence<vector::size>{});
}

/// out[k] = *source(k) for as many elements as are moved at a time.
template <class Arch, class Cell, class Source>
GARNER_INLINE void copy_merged(typename Cell::pointer out, const Source& source, bool is_streamed) {
  if constexpr (can_merge<Arch, Cell>) {
    merge<Arch, Cell>(source).store(out, is_streamed);
  } else {
    for (index_t k = 0; k < merged<Arch, Cell>; ++k) Cell::copy(Cell::at(out, k), source(k));
  }
}

/// out[r, i] = *locate(src[r, i], index[r, i]), for runs that are dense in out and in the index and
/// that step through src by `stride`, which may be a constant.
template <class Arch, class Cell, class Index, class Locate, class Stride>
GARNER_INLINE void merge_rows(const block& b, typename Cell::pointer out,
                              typename Cell::const_pointer src, const Index* index,
                              const Locate& locator, const Stride stride) {
  constexpr index_t width = merged<Arch, Cell>;
  const Locate locate = locator;
  const loop rows = b.rows;
  const index_t n = b.run.extent;
  const hints memory = b.memory;
  const bool is_streamed = memory.is_streamed && is_aligned<Arch, Cell>(out, rows.out_stride);
  const look_ahead later(memory, (n + width - 1) / width);
  for (index_t r = 0; r < rows.extent; ++r) {
    const auto to = Cell::at(out, r * rows.out_stride);
    const auto from = Cell::at(src, r * rows.src_stride);
    const Index* const at = index + r * rows.index_stride;
    const auto source_from = [&](index_t i) {
      return [&locate, stride, from = Cell::at(from, i * stride), at = at + i](index_t k) {
        return locate(Cell::at(from, k * stride), at[k]);
      };
    };
    index_t i = 0;
    if constexpr (width > 1) {
      auto next = later.behind(from);
      for (; i + width <= n; i += width) {
        later.ask(next);
        const auto source = source_from(i);
        if (memory.is_scattered && i + ahead + width <= n) {
          for (index_t k = ahead; k < ahead + width; ++k) prefetch(source(k));
        }
        copy_merged<Arch, Cell>(Cell::at(to, i), source, is_streamed);
      }
    }
    for (; i < n; ++i) Cell::copy(Cell::at(to, i), source_from(i)(0));
  }
  if (is_streamed) end_stream();
}

}  // namespace garner::detail
