// SPDX-License-Identifier: BSD-3-Clause
// Rows in which every element has its own index. `locate` turns a raw index into the address of its
// element, given where its table starts.
#pragma once

#include <type_traits>

#include <garner/detail/kernels/block.hpp>
#include <garner/detail/kernels/cell.hpp>
#include <garner/detail/kernels/merge.hpp>
#include <garner/detail/kernels/simd.hpp>

namespace garner::detail {

template <index_t Value>
using constant = std::integral_constant<index_t, Value>;

/// out[r, i] = table[r][index[r, i]]
template <class Arch, class Cell, class Index, class Locate>
void lookup(const block& b, typename Cell::pointer out, typename Cell::const_pointer src,
            const Index* index, const Locate& locate) {
  merge_rows<Arch, Cell>(b, out, src, index, locate, constant<0>{});
}

/// out[r, i] = src[r, i] at index[r, i] along the axis
template <class Arch, class Cell, class Index, class Locate>
void offset_gather(const block& b, typename Cell::pointer out, typename Cell::const_pointer src,
                   const Index* index, const Locate& locate) {
  if (b.run.src_stride == 1)
    return merge_rows<Arch, Cell>(b, out, src, index, locate, constant<1>{});
  merge_rows<Arch, Cell>(b, out, src, index, locate, b.run.src_stride);
}

/// The same whatever the strides.
template <class Arch, class Cell, class Indices, class Locate>
void strided_gather(const block& b, typename Cell::pointer out, typename Cell::const_pointer src,
                    Indices index, const Locate& locator) {
  const Locate locate = locator;
  const loop rows = b.rows;
  const loop run = b.run;
  for (index_t r = 0; r < rows.extent; ++r) {
    const auto to = Cell::at(out, r * rows.out_stride);
    const auto from = Cell::at(src, r * rows.src_stride);
    const auto at = index + r * rows.index_stride;
    for (index_t i = 0; i < run.extent; ++i) {
      Cell::copy(Cell::at(to, i * run.out_stride),
                 locate(Cell::at(from, i * run.src_stride), at[i * run.index_stride]));
    }
  }
}

/// lookup with one index row for all rows: two rows at a time share its loads.
template <class Arch, class Cell, class Index, class Locate>
void shared_lookup(const block& b, typename Cell::pointer out, typename Cell::const_pointer src,
                   const Index* index, const Locate& locator) {
  const loop rows = b.rows;
  const index_t n = b.run.extent;
  constexpr index_t width = merged<Arch, Cell>;
  index_t r = 0;
  if constexpr (can_merge<Arch, Cell>) {
    const Locate locate = locator;
    for (; n >= width && r + 2 <= rows.extent; r += 2) {
      const auto from = Cell::at(src, r * rows.src_stride);
      const auto next_from = Cell::at(src, (r + 1) * rows.src_stride);
      const auto to = Cell::at(out, r * rows.out_stride);
      const auto next_to = Cell::at(out, (r + 1) * rows.out_stride);
      index_t i = 0;
      for (; i + width <= n; i += width) {
        const auto one = merge<Arch, Cell>([&](index_t k) { return locate(from, index[i + k]); });
        const auto next =
            merge<Arch, Cell>([&](index_t k) { return locate(next_from, index[i + k]); });
        one.store(Cell::at(to, i));
        next.store(Cell::at(next_to, i));
      }
      for (; i < n; ++i) {
        Cell::copy(Cell::at(to, i), locate(from, index[i]));
        Cell::copy(Cell::at(next_to, i), locate(next_from, index[i]));
      }
    }
  }
  if (r == rows.extent) return;
  const loop rest{rows.extent - r, rows.out_stride, rows.src_stride, 0};
  lookup<Arch, Cell>({rest, b.run, b.memory}, Cell::at(out, r * rows.out_stride),
                     Cell::at(src, r * rows.src_stride), index, locator);
}

}  // namespace garner::detail
