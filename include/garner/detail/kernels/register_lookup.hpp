// SPDX-License-Identifier: BSD-3-Clause
// Lookups in a table that fits into one or two registers: shuffles instead of loads.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <garner/detail/kernels/block.hpp>
#include <garner/detail/kernels/cell.hpp>
#include <garner/detail/kernels/eight_words.hpp>
#include <garner/detail/kernels/simd.hpp>

namespace garner::detail {

/// Whether a table of `entries` elements fits into registers and is worth the way there for `n`
/// lookups, which are a vector at least.
constexpr bool is_register_table(index_t entries, std::size_t element_size, index_t n) {
  const bool is_one_load = element_size == 4 && entries == 8;
  return (element_size == 1 || element_size == 4) && entries <= 16 && n >= (is_one_load ? 8 : 128);
}

/// Whether there are instructions for it: bytes by indices of one byte, or words of four bytes.
template <class Arch, class Cell, class Index>
inline constexpr bool can_register_lookup = [] {
  if constexpr (has_simd<Arch> && std::same_as<Cell, bits<1>>) {
    return sizeof(Index) == 1 && simd<std::uint8_t, Arch>::can_pick;
  } else {
    return has_eight_words<Arch> && std::same_as<Cell, bits<4>>;
  }
}();

/// A register that begins with `bytes` bytes from `from`; they are repeated after `period`.
template <class Vector>
GARNER_INLINE Vector load_table(const std::byte* from, std::size_t bytes, std::size_t period) {
  if (bytes == Vector::bytes) return Vector::load(from);
  std::byte table[Vector::bytes] = {};
  for (std::size_t k = 0; k < Vector::bytes; k += period) std::memcpy(table + k, from, bytes);
  return Vector::load(table);
}

/// out[r, i] = table[r][index[r, i]]; a table has `entries` elements. Runs are a vector at least.
template <class Arch, class Cell, class Index>
void register_lookup(const block& b, std::byte* out, const std::byte* src, const Index* index,
                     index_t entries) {
  using vector =
      std::conditional_t<Cell::step == 1, simd<std::uint8_t, Arch>, eight_words<Arch>>;
  constexpr index_t width = vector::size;
  const loop rows = b.rows;
  const index_t n = b.run.extent;
  const bool is_streamed =
      b.memory.is_streamed && is_aligned<Arch, Cell>(out, rows.out_stride, vector::bytes);
  for (index_t r = 0; r < rows.extent; ++r) {
    const auto to = Cell::at(out, r * rows.out_stride);
    const auto from = Cell::at(src, r * rows.src_stride);
    const Index* const row = index + r * rows.index_stride;
    if (b.memory.asked_bytes != 0) {
      const auto lead = static_cast<std::uintptr_t>(b.memory.asked_from);
      prefetch(reinterpret_cast<std::uintptr_t>(from) + lead);
      prefetch(reinterpret_cast<std::uintptr_t>(row) + lead);
    }
    const auto pick_all = [&](const auto& pick_at) {
      index_t i = 0;
      for (; i + width <= n; i += width) {
        pick_at(row + i).store(Cell::at(to, i), is_streamed);
      }
      if (i < n) pick_at(row + n - width).store(Cell::at(to, n - width));
    };
    if constexpr (Cell::step == 1) {
      const auto table = load_table<vector>(from, static_cast<std::size_t>(entries), 16);
      pick_all([&](const Index* at) { return pick(table, vector::load(at)); });
    } else {
      const auto bytes = static_cast<std::size_t>(entries * Cell::step);
      const auto low = load_table<vector>(from, std::min(bytes, vector::bytes), vector::bytes);
      if (bytes <= vector::bytes) {
        pick_all([&](const Index* at) { return pick(low, vector::load_words(at)); });
      } else {
        const auto high =
            load_table<vector>(from + vector::bytes, bytes - vector::bytes, vector::bytes);
        pick_all([&](const Index* at) {
          const auto places = vector::load_words(at);
          return below_eight(places, pick(low, places), pick(high, places));
        });
      }
    }
  }
  if (is_streamed) end_stream();
}

}  // namespace garner::detail
