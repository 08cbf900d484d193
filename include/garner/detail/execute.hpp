// SPDX-License-Identifier: BSD-3-Clause
// Follows a plan: one loop nest, one switch, a kernel per run. Indices are legal by now; nothing is
// checked here.
#pragma once

#include <cstddef>

#include <garner/detail/kernels/cell.hpp>
#include <garner/detail/kernels/copy_run.hpp>
#include <garner/detail/kernels/lookup.hpp>
#include <garner/detail/layout.hpp>
#include <garner/detail/plan.hpp>

namespace garner::detail {

/// An axis of evenly spaced elements.
struct even_axis {
  index_t stride;
  constexpr index_t offset(index_t i) const { return i * stride; }
};

/// An axis that is a whole layout, counted in row-major order.
template <int Rank>
struct folded_axis {
  layout<Rank> folded;
  constexpr index_t offset(index_t i) const {
    index_t result = 0;
    for (int d = folded.rank() - 1; d > 0; --d) {
      result += i % folded.shape[d] * folded.strides[d];
      i /= folded.shape[d];
    }
    return result + i * folded.strides[0];
  }
};

/// Moves the elements. `fill` is read only where `resolve` says that an index is outside.
template <class Arch, class Cell, class Index, class Resolve, class Axis, int Rank>
void execute(const plan<Rank>& plan, typename Cell::pointer out, typename Cell::const_pointer src,
             const Index* index, const Resolve& resolve, const Axis& axis,
             typename Cell::const_pointer fill) {
  const loop run = plan.run();
  const auto locate = [&](typename Cell::const_pointer table, Index raw) {
    const index_t i = resolve(raw);
    if constexpr (Resolve::fills) {
      if (i == Resolve::outside) return fill;
    }
    return Cell::at(table, axis.offset(i));
  };
  auto place = plan.runs();
  do {
    const auto to = Cell::at(out, place.out);
    const Index* const at = index + place.index;
    if (Resolve::fills && resolve.extent == 0) {  // there is no src to point into
      strided_run<Arch, Cell>(to, run.out_stride, fill, 0, run.extent);
      continue;
    }
    const auto from = Cell::at(src, place.src);
    switch (plan.inner) {
      case kernel::copy_run:
      case kernel::strided_run: {
        const auto row = locate(from, *at);
        const bool is_filled = Resolve::fills && row == fill;
        if (plan.inner == kernel::copy_run && !is_filled) {
          copy_run<Arch, Cell>(to, row, run.extent);
        } else {
          strided_run<Arch, Cell>(to, run.out_stride, row, is_filled ? 0 : run.src_stride,
                                  run.extent);
        }
        break;
      }
      case kernel::lookup:
        lookup<Arch, Cell>(to, run.out_stride, from, at, run.index_stride, run.extent, locate);
        break;
      case kernel::offset_gather:
        offset_gather<Arch, Cell>(to, run.out_stride, from, run.src_stride, at, run.index_stride,
                                  run.extent, locate);
        break;
    }
  } while (place.next());
}

}  // namespace garner::detail
