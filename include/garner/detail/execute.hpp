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
  const auto for_each = [&](const auto& body) {
    for_each_run(plan, [&](index_t to, index_t from, index_t at) {
      body(Cell::at(out, to), from, index + at);
    });
  };
  if (Resolve::fills && resolve.extent == 0) {  // there is no src to point into
    return for_each([&](auto to, index_t, const Index*) {
      strided_run<Arch, Cell>(to, run.out_stride, fill, 0, run.extent);
    });
  }
  switch (plan.inner) {
    case kernel::copy_run:
      return for_each([&](auto to, index_t from, const Index* at) {
        const auto row = locate(Cell::at(src, from), *at);
        if (Resolve::fills && row == fill)
          return strided_run<Arch, Cell>(to, 1, fill, 0, run.extent);
        copy_run<Arch, Cell>(to, row, run.extent);
      });
    case kernel::strided_run:
      return for_each([&](auto to, index_t from, const Index* at) {
        const auto row = locate(Cell::at(src, from), *at);
        const index_t src_stride = Resolve::fills && row == fill ? 0 : run.src_stride;
        strided_run<Arch, Cell>(to, run.out_stride, row, src_stride, run.extent);
      });
    case kernel::lookup:
      return for_each([&](auto to, index_t from, const Index* at) {
        lookup<Arch, Cell>(to, run.out_stride, Cell::at(src, from), at, run.index_stride,
                           run.extent, locate);
      });
    case kernel::offset_gather:
      return for_each([&](auto to, index_t from, const Index* at) {
        offset_gather<Arch, Cell>(to, run.out_stride, Cell::at(src, from), run.src_stride, at,
                                  run.index_stride, run.extent, locate);
      });
  }
}

}  // namespace garner::detail
