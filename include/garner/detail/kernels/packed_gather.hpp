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

inline constexpr index_t packed_bytes = index_t{1} << 15;  // on the stack

/// How many bytes of the tables, which lie side by side in the source, are packed for each entry: a
/// line or half of one.
constexpr index_t packed_step(index_t entries) {
  return entries * line_bytes <= packed_bytes ? line_bytes : line_bytes / 2;
}

/// Whether that pays for `n` lookups in each table, whose elements are `step` bytes apart.
constexpr bool is_worth_packing(index_t entries, index_t size, index_t step, index_t n) {
  constexpr index_t crowded = 1024;
  if (step == 0 || step % crowded != 0 || entries > packed_bytes / (line_bytes / 2)) return false;
  const index_t bytes = packed_step(entries);
  return bytes % size == 0 && bytes / size * n >= 2 * entries;
}

/// out[r, i] = src[r] at index[r, i] along the axis; rows of src are adjacent elements.
template <class Arch, class Cell, class Index, class Locate>
void packed_gather(const block& b, std::byte* out, const std::byte* src, const Index* index,
                   const Locate& locate) {
  const index_t entries = locate.resolve.extent;
  const index_t step = packed_step(entries);
  const auto pack = [&](std::byte* to, const std::byte* from, auto bytes) {
    for (index_t i = 0; i < entries; ++i) {
      std::memcpy(to + i * step, Cell::at(from, i * locate.axis.stride),
                  static_cast<std::size_t>(bytes));
    }
  };
  alignas(line_bytes) std::byte packed[packed_bytes];
  Locate in_packed = locate;
  in_packed.axis.stride = step / Cell::step;
  const index_t tables = in_packed.axis.stride;
  for (index_t r = 0; r < b.rows.extent; r += tables) {
    const index_t left = b.rows.extent - r;
    const loop rows{left < tables ? left : tables, b.rows.out_stride, 1, b.rows.index_stride};
    const auto from = Cell::at(src, r);
    const index_t bytes = rows.extent * Cell::step;
    if (bytes == line_bytes) {
      pack(packed, from, constant<line_bytes>{});
    } else if (bytes == line_bytes / 2) {
      pack(packed, from, constant<line_bytes / 2>{});
    } else {
      pack(packed, from, bytes);
    }
    offset_gather<Arch, Cell>({rows, b.run, hints{}}, Cell::at(out, r * rows.out_stride), packed,
                              index + r * rows.index_stride, in_packed);
  }
}

}  // namespace garner::detail
