// SPDX-License-Identifier: BSD-3-Clause
// Runs in which every element has its own index. Elements are loaded one by one, merged into a
// vector and stored at once. `locate` turns a raw index into the address of its element, given
// where its table starts.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include <garner/detail/kernels/cell.hpp>
#include <garner/detail/kernels/simd.hpp>

namespace garner::detail {

template <class Vector, class Word, class Source, std::size_t... Lane>
GARNER_INLINE Vector merge(const Source& source, index_t i, std::index_sequence<Lane...>) {
  const auto load = [&](index_t k) {
    Word word;
    std::memcpy(&word, source(k), sizeof(Word));
    return word;
  };
  return Vector::of(load(i + static_cast<index_t>(Lane))...);
}

/// out[i] = *source(i)
template <class Arch, class Cell, class Source>
GARNER_INLINE void merge_run(typename Cell::pointer out, index_t n, const Source& source) {
  using word = typename lane<Cell>::type;
  index_t i = 0;
  if constexpr (has_simd<Arch> && !std::is_void_v<word>) {
    using vector = simd<word, Arch>;
    constexpr index_t width = vector::size;
    for (; i + width <= n; i += width) {
      merge<vector, word>(source, i, std::make_index_sequence<vector::size>{})
          .store(Cell::at(out, i));
    }
  }
  for (; i < n; ++i) Cell::copy(Cell::at(out, i), source(i));
}

/// out[i * out_stride] = table[axis(index[i * index_stride])]
template <class Arch, class Cell, class Index, class Locate>
void lookup(typename Cell::pointer out, index_t out_stride, typename Cell::const_pointer table,
            const Index* index, index_t index_stride, index_t n, const Locate& locate) {
  if (out_stride == 1 && index_stride == 1) {
    return merge_run<Arch, Cell>(out, n, [&](index_t i) { return locate(table, index[i]); });
  }
  for (index_t i = 0; i < n; ++i) {
    Cell::copy(Cell::at(out, i * out_stride), locate(table, index[i * index_stride]));
  }
}

/// out[i * out_stride] = src[i * src_stride + axis(index[i * index_stride])]
template <class Arch, class Cell, class Index, class Locate>
void offset_gather(typename Cell::pointer out, index_t out_stride, typename Cell::const_pointer src,
                   index_t src_stride, const Index* index, index_t index_stride, index_t n,
                   const Locate& locate) {
  if (out_stride == 1 && index_stride == 1) {
    return merge_run<Arch, Cell>(
        out, n, [&](index_t i) { return locate(Cell::at(src, i * src_stride), index[i]); });
  }
  for (index_t i = 0; i < n; ++i) {
    Cell::copy(Cell::at(out, i * out_stride),
               locate(Cell::at(src, i * src_stride), index[i * index_stride]));
  }
}

}  // namespace garner::detail
