// SPDX-License-Identifier: BSD-3-Clause
// Columns of a wide matrix, as of a transposed source: the elements of a table lie so far apart,
// and so evenly, that they compete for the same few places in the cache.
#pragma once

#include <cstddef>
#include <cstring>

#include <garner/detail/kernels/block.hpp>
#include <garner/detail/kernels/cell.hpp>
#include <garner/detail/kernels/lookup.hpp>

namespace garner::detail {

inline constexpr index_t packed_entries = 1024;  // 64 KB on the stack

/// Whether it pays to pack a line for each entry, of tables that lie side by side in the source,
/// before `n` lookups in each; their elements are `step` bytes apart.
constexpr bool is_worth_packing(index_t entries, index_t size, index_t step, index_t n) {
  constexpr index_t crowded = 1024;
  return step != 0 && step % crowded == 0 && entries <= packed_entries && line_bytes % size == 0 &&
         line_bytes / size * n >= 2 * entries;
}

/// out[r, i] = src[r] at index[r, i] along the axis; rows of src are adjacent elements.
template <class Arch, class Cell, class Index, class Locate>
void packed_gather(const block& b, std::byte* out, const std::byte* src, const Index* index,
                   const Locate& locate) {
  const index_t entries = locate.resolve.extent;
  const auto pack = [&](std::byte* to, const std::byte* from, auto bytes) {
    for (index_t i = 0; i < entries; ++i) {
      std::memcpy(to + i * line_bytes, Cell::at(from, i * locate.axis.stride),
                  static_cast<std::size_t>(bytes));
    }
  };
  alignas(line_bytes) std::byte packed[packed_entries * line_bytes];
  Locate in_packed = locate;
  const index_t tables = line_bytes / Cell::step;
  in_packed.axis.stride = tables;
  for (index_t r = 0; r < b.rows.extent; r += tables) {
    const index_t left = b.rows.extent - r;
    const loop rows{left < tables ? left : tables, b.rows.out_stride, 1, b.rows.index_stride};
    const auto from = Cell::at(src, r);
    const index_t bytes = rows.extent * Cell::step;
    if (bytes == line_bytes) {
      pack(packed, from, constant<line_bytes>{});
    } else {
      pack(packed, from, bytes);
    }
    offset_gather<Arch, Cell>({rows, b.run, hints{}}, Cell::at(out, r * rows.out_stride), packed,
                              index + r * rows.index_stride, in_packed);
  }
}

}  // namespace garner::detail
