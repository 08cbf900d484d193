// SPDX-License-Identifier: BSD-3-Clause
// What is done where values meet: which steps are taken, from where they start, and what must be
// put right at the end. The loops are in kernels/combine.hpp and settle.hpp.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include <garner/detail/call.hpp>
#include <garner/detail/kernels/combine.hpp>
#include <garner/detail/kernels/divide_run.hpp>
#include <garner/detail/settle.hpp>
#include <garner/half.hpp>

namespace garner::detail {

/// Takes steps from one side to the other, in row-major order of the index wherever they meet.
template <class Arch, class Cell, side Written, class Outside, class Negatives, class Table,
          class Values, int Rank, class Index, class Problem, class Step>
void combine(const Table& table, const Values& values, const dims<Rank>& value_strides,
             const Index& index, const Problem& problem, const Step& step) {
  using raw = typename Index::value_type;
  with_axis<raw, Outside, Negatives>(problem, [&](const auto& resolve, const auto& axis) {
    constexpr auto size = static_cast<index_t>(sizeof(*table.data()));
    const nest<Rank> loops = make_nest(problem, value_strides, order::kept);
    const reach_bytes reach = reach_of(problem, size);
    loop run = loops.run();
    const index_t n = run.extent;
    const index_t strip = strip_of(run, reach.table, problem.axis_extent(), size);
    hints memory = hints_for(problem, loops.rows(), run, reach, size);
    if constexpr (std::same_as<Step, assign> && std::decay_t<decltype(resolve)>::is_quick) {
      if (memory.asked_bytes == 0) memory.is_scattered = reach.source > first_bytes;
    }
    if constexpr (Written == side::table && std::same_as<std::decay_t<decltype(axis)>, even_axis>) {
      if (strip >= n) memory.comb = comb_of(run, axis.stride, reach.table, size);
    }
    const block inner{loops.rows(), run, memory};
    const bool is_row = run.index_stride == 0 && run.src_stride == 1 &&
                        (run.out_stride == 1 || (Step::can_repeat && run.out_stride == 0));
    for (index_t done = 0; done < n; done += strip) {
      run.extent = std::min(n - done, strip);
      auto place = loops.blocks();
      do {
        const auto to = Cell::at(Cell::erase(table.data()), place.src + done * run.src_stride);
        const auto from = Cell::at(Cell::erase(values.data()), place.out + done * run.out_stride);
        const auto at = cursor(index.data(), problem) + (place.index + done * run.index_stride);
        if (is_row) {
          combine_run<Arch, Cell, Written>(inner, to, from, at, resolve, axis, step);
        } else {
          combine_each<Arch, Cell, Written>(inner, to, from, at, resolve, axis, step);
        }
      } while (place.next());
    }
  });
}

/// What leaves every x as it is: x = combine(identity, x), bit for bit.
template <reduce Kind, class T>
constexpr T identity() {
  using limits = std::numeric_limits<accumulator_t<T>>;
  constexpr auto top = limits::has_infinity ? limits::infinity() : limits::max();
  if constexpr (Kind == reduce::prod) {
    return static_cast<T>(1);
  } else if constexpr (Kind == reduce::amax) {
    return static_cast<T>(limits::has_infinity ? -top : limits::lowest());
  } else if constexpr (Kind == reduce::amin) {
    return static_cast<T>(top);
  } else if constexpr (std::integral<T>) {
    return 0;
  } else {
    return static_cast<T>(-accumulator_t<T>{});  // -0.0
  }
}

/// How two values become one, under these options.
template <reduce Kind, class T, class Options>
constexpr auto combiner([[maybe_unused]] const Options& options) {
  if constexpr (Options::is_scaled) {
    return plus_times<T>{options.template factor<T>()};
  } else if constexpr (Kind == reduce::prod) {
    return times{};
  } else if constexpr (Kind == reduce::amax) {
    return largest{};
  } else if constexpr (Kind == reduce::amin) {
    return smallest{};
  } else {
    return plus{};
  }
}

/// Calls run(resolve, axis) as with_axis does, such that `resolve` counts the places of the axis in
/// row-major order.
template <class Raw, class Outside, class Negatives, int Rank, int AxisRank, class Run>
void with_places(const indexed_copy<Rank, AxisRank>& problem, const Run& run) {
  with_axis<Raw, Outside, Negatives>(problem, run);
}
template <class Raw, class Outside, class Negatives, class Run>
void with_places(const indexed_tuples& problem, const Run& run) {
  const layout<dynamic_rank> counted{problem.axis.shape, row_major_strides(problem.axis.shape)};
  run(coordinate_resolver<Raw, Outside, Negatives, dynamic_rank>{counted,
                                                                 problem.coordinate_stride},
      folded_axis<dynamic_rank>{problem.axis});
}

/// Sums and products of 16-bit floats, rounded once; means of them.
template <reduce Kind, bool MayAllocate, class Arch, class Outside, class Negatives, class Self,
          class Values, int Rank, class Index, class Problem, class Combine>
void reduce_rounded_once(const Self& self, const Values& values, const dims<Rank>& value_strides,
                         const Index& index, const Problem& problem, const Combine& combine,
                         bool includes_self) {
  using element = typename Self::element_type;
  using wide = accumulator_t<element>;
  struct slot {
    wide value;
    index_t count;
  };
  const split_nest<Rank> loops(make_nest(problem, value_strides, order::kept),
                               [](const loop&) { return true; });
  with_places<typename Index::value_type, Outside, Negatives>(
      problem, [&](const auto& resolve, const auto& axis) {
        settle<Arch, slot, MayAllocate>(
            loops, problem.axis_extent(), cursor(index.data(), problem), resolve,
            [&](slot& s, index_t from, index_t line, index_t place) {
              if (s.count++ == 0) {
                s.value = static_cast<wide>(self.data()[line + axis.offset(place)]);
              }
              s.value = combine(s.value, static_cast<wide>(values.data()[from]));
            },
            [&](std::span<const slot> slots, index_t line, index_t first) {
              for (std::size_t k = 0; k < slots.size(); ++k) {
                if (slots[k].count == 0) continue;
                const index_t count = slots[k].count + (includes_self ? 1 : 0);
                const wide value = slots[k].value;
                self.data()[line + axis.offset(first + static_cast<index_t>(k))] =
                    static_cast<element>(Kind == reduce::mean ? divide(value, count) : value);
              }
            });
      });
}

/// Divides sums by how many values each consists of.
template <bool MayAllocate, class Arch, class Outside, class Negatives, class Self, int Rank,
          class Index, class Problem>
void divide_by_counts(const Self& self, const dims<Rank>& value_strides, const Index& index,
                      const Problem& problem, bool includes_self) {
  const nest<Rank> all = make_nest(problem, value_strides, order::kept);
  const split_nest<Rank> loops(all, [](const loop& l) { return l.index_stride != 0; });
  // Along the other loops all counts are the same.
  nest<Rank> repeated{{{single_row}}, 0};
  for (std::size_t k = 0; k < all.depth; ++k) {
    const loop& l = all.loops[k];
    if (l.extent > 1 && l.index_stride == 0 && l.src_stride != 0) {
      repeated.loops[repeated.depth++] = l;
    }
  }
  const index_t more = includes_self ? 1 : 0;
  with_places<typename Index::value_type, Outside, Negatives>(
      problem, [&]<class Axis>(const auto& resolve, const Axis& axis) {
        settle<Arch, index_t, MayAllocate>(
            loops, problem.axis_extent(), cursor(index.data(), problem), resolve,
            [](index_t& count, index_t, index_t, index_t) { ++count; },
            [&](std::span<const index_t> counts, index_t line, index_t first) {
              const auto n = static_cast<index_t>(counts.size());
              walker<Rank> each(repeated.loops.data(), repeated.depth);
              if constexpr (std::same_as<Axis, even_axis>) {
                if (repeated.depth == 0) {
                  return divide_run<Arch>(self.data() + line + axis.offset(first), axis.stride,
                                          counts.data(), n, more);
                }
              }
              for (index_t k = 0; k < n; ++k) {
                if (counts[static_cast<std::size_t>(k)] == 0) continue;
                const index_t count = counts[static_cast<std::size_t>(k)] + more;
                do {
                  auto& total = self.data()[line + axis.offset(first + k) + each.src];
                  total = divide(total, count);
                } while (each.next());
              }
            });
      });
}

/// Puts the values where the indices say; every index is legal.
template <reduce Kind, bool MayAllocate, class Arch, class Policy, class Self, class Values,
          int Rank, class Index, class Problem, class Options>
void scatter_values(const Self& self, const Values& values, const dims<Rank>& value_strides,
                    const Index& index, const Problem& problem, const Options& options,
                    bool may_be_negative) {
  using element = typename Self::element_type;
  using wide = accumulator_t<element>;
  if (self.is_empty() || layout<Rank>{problem.shape, {}}.is_empty()) return;
  with_resolver<Policy, typename Index::value_type>(
      may_be_negative, [&]<class Outside, class Negatives>() {
        const auto put = [&]<class Cell>(Cell, const auto& from, const auto& strides,
                                         const auto& step) {
          combine<Arch, Cell, side::table, Outside, Negatives>(self, from, strides, index, problem,
                                                               step);
        };
        if constexpr (Kind == reduce::none) {
          put(cell_of<element>{}, values, value_strides, assign{});
        } else {
          const bool includes_self = options.includes_self();
          if (!includes_self) {
            const element start = identity<Kind, element>();
            put(cell_of<element>{}, view<const element, 0>(&start, dims<0>{}),
                dims<Rank>::of_rank(problem.shape.size()), assign{});
          }
          const auto step = combiner<Kind, wide>(options);
          constexpr bool is_exact = Kind == reduce::amax || Kind == reduce::amin;
          if constexpr (!std::same_as<wide, element> && !is_exact) {
            reduce_rounded_once<Kind, MayAllocate, Arch, Outside, Negatives>(
                self, values, value_strides, index, problem, step, includes_self);
          } else {
            put(object<element>{}, values, value_strides, update{step});
            if constexpr (Kind == reduce::mean) {
              divide_by_counts<MayAllocate, Arch, Outside, Negatives>(self, value_strides, index,
                                                                      problem, includes_self);
            }
          }
        }
      });
}

}  // namespace garner::detail
