// SPDX-License-Identifier: BSD-3-Clause
// Follows a plan: one loop nest, one switch, a kernel per block of rows. Indices are legal by now;
// nothing is checked here.
#pragma once

#include <algorithm>
#include <concepts>
#include <iterator>

#include <garner/detail/kernels/cell.hpp>
#include <garner/detail/kernels/copy_run.hpp>
#include <garner/detail/kernels/lookup.hpp>
#include <garner/detail/kernels/packed_gather.hpp>
#include <garner/detail/kernels/register_lookup.hpp>
#include <garner/detail/layout.hpp>
#include <garner/detail/plan.hpp>
#include <garner/detail/resolve.hpp>

namespace garner::detail {

/// An axis that is a whole layout, counted in row-major order.
template <int Rank>
struct folded_axis {
  layout<Rank> folded;
  GARNER_INLINE constexpr index_t offset(index_t i) const {
    index_t result = 0;
    for (int d = folded.rank() - 1; d > 0; --d) {
      result += i % folded.shape[d] * folded.strides[d];
      i /= folded.shape[d];
    }
    return result + i * folded.strides[0];
  }
};

/// The place that the problem's indices name, for run(resolve, axis): `resolve` maps one to a place
/// on the axis, and the axis that to an offset.
template <class Raw, class Outside, class Negatives, int Rank, int AxisRank, class Run>
GARNER_INLINE void with_axis(const indexed_copy<Rank, AxisRank>& problem, const Run& run) {
  const resolver<Raw, Outside, Negatives> resolve{problem.axis_extent()};
  const auto stride = flat_stride(problem.axis);
  if constexpr (AxisRank == dynamic_rank || AxisRank > 1) {
    if (!stride) return run(resolve, folded_axis<AxisRank>{problem.axis});
  }
  run(resolve, even_axis{*stride});
}
template <class Raw, class Outside, class Negatives, class Run>
void with_axis(const indexed_tuples& problem, const Run& run) {
  const auto& [shape, strides] = problem.axis;
  const auto run_with = [&]<int Rank>(const layout<Rank>& axes) {
    run(coordinate_resolver<Raw, Outside, Negatives, Rank>{axes, problem.coordinate_stride},
        dense_axis{});
  };
  // With a rank that the compiler knows, shape and strides stay in registers: pairs take 1.1 ns in
  // place of 2.7 (Zen 5, g++ 12).
  if (shape.rank() == 1) return run_with(layout<1>{dims<1>(shape), dims<1>(strides)});
  if (shape.rank() == 2) return run_with(layout<2>{dims<2>(shape), dims<2>(strides)});
  if (shape.rank() == 3) return run_with(layout<3>{dims<3>(shape), dims<3>(strides)});
  run_with(problem.axis);
}

/// How a kernel walks the problem's indices.
template <class Raw, int Rank, int AxisRank>
GARNER_INLINE const Raw* cursor(const Raw* index, const indexed_copy<Rank, AxisRank>&) {
  return index;
}
template <class Raw>
coordinate_cursor<Raw> cursor(const Raw* index, const indexed_tuples&) {
  return {index};
}

/// The address of a raw index's element, given where its table starts; or that of the fill value.
template <class Cell, class Resolve, class Axis>
struct locator {
  using const_pointer = typename Cell::const_pointer;
  static constexpr bool is_quick = Resolve::is_quick;

  Resolve resolve;
  Axis axis;
  const_pointer fill;

  template <class Index>
  GARNER_INLINE const_pointer operator()(const_pointer table, Index raw) const {
    const index_t i = resolve(raw);
    if constexpr (Resolve::fills) {
      if (i == Resolve::outside) return fill;
    }
    return Cell::at(table, axis.offset(i));
  }

  GARNER_INLINE bool is_fill(const_pointer element) const {
    return Resolve::fills && element == fill;
  }
};

/// What is done without a plan, which would cost more: this many elements.
inline constexpr index_t few = 32;

/// Moves a few elements, dim by dim from `Dim` on.
template <class Cell, int Dim = 0, class Index, class Locate, int Rank, int AxisRank>
GARNER_INLINE void execute_few(const indexed_copy<Rank, AxisRank>& problem,
                               const dims<Rank>& out_strides, typename Cell::pointer out,
                               typename Cell::const_pointer src, const Index* index,
                               const Locate& locate) {
  if constexpr (Dim == Rank) {
    Cell::copy(out, locate(src, *index));
  } else {
    for (index_t i = 0; i < problem.shape[Dim]; ++i) {
      execute_few<Cell, Dim + 1>(problem, out_strides, Cell::at(out, i * out_strides[Dim]),
                                 Cell::at(src, i * problem.src_strides[Dim]),
                                 index + i * problem.index_strides[Dim], locate);
    }
  }
}

/// One block by the plan's kernel, or by a simpler one where that is as good: an index that is
/// resolved by more than a sign, or an axis without a stride, costs more than the loop around it.
template <class Arch, class Cell, class Indices, class Resolve, class Axis>
void execute_block(kernel chosen, const block& b, typename Cell::pointer out,
                   typename Cell::const_pointer src, Indices index,
                   const locator<Cell, Resolve, Axis>& locate) {
  if constexpr (bitwise<Cell>) {
    if (chosen == kernel::copy_run) return copy_run<Arch, Cell>(b, out, src, index, locate);
  }
  if constexpr (Resolve::is_quick && std::same_as<Axis, even_axis>) {
    const locator<Cell, Resolve, dense_axis> in_dense_axis{locate.resolve, {}, locate.fill};
    switch (chosen) {
      case kernel::copy_run:
      case kernel::strided_run:
        return strided_run<Arch, Cell>(b, out, src, index, locate);
      case kernel::register_lookup:
        if constexpr (Resolve::is_identity &&
                      can_register_lookup<Arch, Cell, std::iter_value_t<Indices>>) {
          return register_lookup<Arch, Cell>(b, out, src, index, locate.resolve.extent);
        }
        [[fallthrough]];
      case kernel::lookup:
        return lookup<Arch, Cell>(b, out, src, index, in_dense_axis);
      case kernel::shared_lookup:
        return shared_lookup<Arch, Cell>(b, out, src, index, in_dense_axis);
      case kernel::packed_gather:
        if constexpr (bitwise<Cell>) {
          return packed_gather<Arch, Cell>(b, out, src, index, locate);
        }
        [[fallthrough]];
      case kernel::offset_gather:
        return offset_gather<Arch, Cell>(b, out, src, index, locate);
      case kernel::strided_gather:
        break;
    }
  } else if (chosen == kernel::copy_run || chosen == kernel::strided_run) {
    return strided_run<Arch, Cell>(b, out, src, index, locate);
  }
  strided_gather<Arch, Cell>(b, out, src, index, locate);
}

/// Calls visit(block, out, src, index) for each block of the plan, with the offsets where it
/// begins, until it returns false; returns what it returned last.
template <int Rank, class Visit>
GARNER_INLINE bool for_each_block(const plan<Rank>& plan, const Visit& visit) {
  const index_t n = plan.run().extent;
  loop strip = plan.run();
  const block inner{plan.rows(), strip, plan.memory};
  for (index_t done = 0; done < n; done += strip.extent) {
    strip.extent = std::min(n - done, plan.strip);
    auto place = plan.blocks();
    do {
      if (!visit(inner, place.out + done * strip.out_stride, place.src + done * strip.src_stride,
                 place.index + done * strip.index_stride)) {
        return false;
      }
    } while (place.next());
  }
  return true;
}

/// Moves the elements. `locate.fill` is read only where an index is outside.
template <class Arch, class Cell, class Indices, class Locate, int Rank>
void execute(const plan<Rank>& plan, typename Cell::pointer out, typename Cell::const_pointer src,
             Indices index, const Locate& locate) {
  for_each_block(plan, [&](const block& b, index_t to, index_t from, index_t at) {
    execute_block<Arch, Cell>(plan.inner, b, Cell::at(out, to), Cell::at(src, from), index + at,
                              locate);
    return true;
  });
}

/// The same in parts of `most` indices or a few more, each after accept(block, indices) has seen
/// it. False, with out half written, where it returned false. The plan must allow it.
template <class Arch, class Cell, class Index, class Locate, int Rank, class Accept>
bool execute_in_parts(const plan<Rank>& plan, typename Cell::pointer out,
                      typename Cell::const_pointer src, const Index* index, const Locate& locate,
                      index_t most, const Accept& accept) {
  const auto part_of = [](index_t rest, index_t size) { return rest < 2 * size ? rest : size; };
  return for_each_block(plan, [&](const block& b, index_t to, index_t from, index_t at) {
    const bool is_constant = b.run.index_stride == 0;
    const index_t columns = is_constant ? b.run.extent : most;
    const index_t lines = is_constant ? most : std::max<index_t>(most / b.run.extent, 1);
    loop rows = b.rows;
    loop run = b.run;
    hints memory = b.memory;
    for (index_t r = 0; r < b.rows.extent; r += rows.extent) {
      rows.extent = part_of(b.rows.extent - r, lines);
      for (index_t i = 0; i < b.run.extent; i += run.extent) {
        run.extent = part_of(b.run.extent - i, columns);
        if (run.extent < b.run.extent) {
          memory.asked_bytes = b.memory.asked_bytes / b.run.extent * run.extent;
        }
        const block part{rows, run, memory};
        const Index* const indices = index + at + r * rows.index_stride + i * run.index_stride;
        if (!accept(part, indices)) return false;
        execute_block<Arch, Cell>(
            plan.inner, part, Cell::at(out, to + r * rows.out_stride + i * run.out_stride),
            Cell::at(src, from + r * rows.src_stride + i * run.src_stride), indices, locate);
      }
    }
    return true;
  });
}

}  // namespace garner::detail
