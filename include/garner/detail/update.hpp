// SPDX-License-Identifier: BSD-3-Clause
// One call of an operation that writes through an index, in the same order as detail/call.hpp:
// arguments, shapes, overlap, every index, and only then the first write. What is done where values
// meet is decided here; the loops are in kernels/combine.hpp and settle.hpp.
#pragma once

#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

#include <garner/detail/call.hpp>
#include <garner/detail/kernels/combine.hpp>
#include <garner/detail/settle.hpp>
#include <garner/half.hpp>

namespace garner::detail {

/// as_view(self), for writing.
template <class Self>
constexpr auto self_view(Self&& self) {
  static_assert(viewable<Self>,
                "garner: self is no tensor: pass a garner view or tensor, or a contiguous range, "
                "but no temporary that owns its elements");
  auto result = as_view(self);
  using element = typename decltype(result)::element_type;
  static_assert(!std::is_const_v<element>,
                "garner: self is read-only: use the form that returns a tensor");
  static_assert(std::is_copy_assignable_v<element>, "garner: the elements cannot be copied");
  return result;
}

/// Whether src is one value for all, rather than a tensor of them.
template <class T, class Src>
inline constexpr bool is_value = std::convertible_to<const Src&, T> || !viewable<const Src&>;

/// Calls run with the view of src's elements, which has no dims where src is a single value.
template <class T, class Src, class Run>
constexpr auto with_values(const Src& src, const Run& run) {
  if constexpr (is_value<T, Src>) {
    static_assert(std::constructible_from<T, const Src&>,
                  "garner: src is neither a tensor nor a value of self's element type");
    const T value = static_cast<T>(src);
    return run(view<const T, 0>(&value, dims<0>{}));
  } else {
    const auto values = read_only(src);
    static_assert(std::same_as<typename decltype(values)::value_type, T>,
                  "garner: src holds another element type than self");
    return run(values);
  }
}

/// Rules for the shape of src: the strides by which it is walked beside the problem.
struct exact_values {
  template <class Op, int Rank, int R>
  static constexpr dims<Rank> strides(const dims<Rank>& shape, const layout<R>& src) {
    static_assert(Rank == dynamic_rank || R == dynamic_rank || R == Rank,
                  "garner: src has another rank than what is indexed");
    if (src.shape != shape) {
      fail_shape(Op::name, Op::values, " has shape ", src.shape, ", but what is indexed has shape ",
                 shape);
    }
    return dims<Rank>(src.strides);
  }
};
struct larger_values {
  template <class Op, int Rank, int R>
  static constexpr dims<Rank> strides(const dims<Rank>& shape, const layout<R>& src) {
    static_assert(Rank == dynamic_rank || R == dynamic_rank || R == Rank,
                  "garner: src must have as many dims as the index");
    bool is_large_enough = src.rank() == shape.rank();
    for (int d = 0; is_large_enough && d < src.rank(); ++d) {
      is_large_enough = src.shape[d] >= shape[d];
    }
    if (!is_large_enough) {
      fail_shape(Op::name, Op::values, " has shape ", src.shape, ", less than the index's ", shape);
    }
    return dims<Rank>(src.strides);
  }
};
struct broadcast_values {
  template <class Op, int Rank, int R>
  static constexpr dims<Rank> strides(const dims<Rank>& shape, const layout<R>& src) {
    auto result = dims<Rank>::of_rank(shape.size());
    const int added = shape.rank() - src.rank();
    bool fits = added >= 0;
    for (int d = 0; fits && d < src.rank(); ++d) {
      if (src.shape[d] == shape[d + added]) {
        result[d + added] = src.strides[d];
      } else {
        fits = src.shape[d] == 1;
      }
    }
    if (!fits) {
      fail_shape(Op::name, Op::values, " of shape ", src.shape, " does not broadcast to ", shape);
    }
    return result;
  }
};

/// Takes steps from one side to the other, in row-major order of the index wherever they meet.
template <class Arch, class Cell, side Written, class Outside, class Negatives, class Table,
          class Values, int Rank, class Index, class Problem, class Step>
void combine(const Table& table, const Values& values, const dims<Rank>& value_strides,
             const Index& index, const Problem& problem, const Step& step) {
  using raw = typename Index::value_type;
  with_axis<raw, Outside, Negatives>(problem, [&](const auto& resolve, const auto& axis) {
    const nest<Rank> loops = make_nest(problem, value_strides, order::kept);
    hints memory;
    memory.is_far = spread(table.shape(), table.strides(), sizeof(*table.data())) > near_bytes;
    const block inner{loops.rows(), loops.run(), memory};
    const bool is_row =
        inner.run.index_stride == 0 && inner.run.src_stride == 1 && inner.run.out_stride == 1;
    auto place = loops.blocks();
    do {
      const auto to = Cell::at(Cell::erase(table.data()), place.src);
      const auto from = Cell::at(Cell::erase(values.data()), place.out);
      const auto at = cursor(index.data(), problem) + place.index;
      if (is_row) {
        combine_run<Arch, Cell, Written>(inner, to, from, at, resolve, axis, step);
      } else {
        combine_each<Arch, Cell, Written>(inner, to, from, at, resolve, axis, step);
      }
    } while (place.next());
  });
}

/// What leaves every x as it is: x = combine(identity, x), bit for bit.
template <reduce Kind, class T>
constexpr T identity() {
  using limits = std::numeric_limits<accumulator_t<T>>;
  constexpr auto top = limits::has_infinity ? limits::infinity() : limits::max();
  if constexpr (Kind == reduce::prod) return static_cast<T>(1);
  if constexpr (Kind == reduce::amax) {
    return static_cast<T>(limits::has_infinity ? -top : limits::lowest());
  }
  if constexpr (Kind == reduce::amin) return static_cast<T>(top);
  if constexpr (std::integral<T>) return 0;
  return static_cast<T>(-accumulator_t<T>{});  // -0.0
}

/// total / count; integers are rounded down.
template <class T>
constexpr T divide(const T& total, index_t count) {
  if constexpr (std::signed_integral<T>) {
    const auto wide = static_cast<std::int64_t>(total);
    return static_cast<T>(wide / count - (wide % count < 0 ? 1 : 0));
  } else if constexpr (std::integral<T>) {
    return static_cast<T>(total / static_cast<std::uint64_t>(count));
  } else if constexpr (requires { typename T::value_type; }) {
    return total / static_cast<typename T::value_type>(count);
  } else {
    return total / static_cast<T>(count);
  }
}

/// How two values become one, under these options.
template <reduce Kind, class T, class Options>
constexpr auto combiner([[maybe_unused]] const Options& options) {
  if constexpr (Options::is_scaled) {
    return scaled_sum<T>{options.template factor<T>()};
  } else if constexpr (Kind == reduce::prod) {
    return product{};
  } else if constexpr (Kind == reduce::amax) {
    return largest{};
  } else if constexpr (Kind == reduce::amin) {
    return smallest{};
  } else {
    return sum{};
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
  run(coordinate_resolver<Raw, Outside, Negatives>{counted, problem.coordinate_stride},
      folded_axis<dynamic_rank>{problem.axis});
}

/// Sums and products of 16-bit floats, rounded once; means of them.
template <reduce Kind, class Arch, class Outside, class Negatives, class Self, class Values,
          int Rank, class Index, class Problem, class Combine>
void reduce_rounded_once(const Self& self, const Values& values, const dims<Rank>& value_strides,
                         const Index& index, const Problem& problem, const Combine& combine,
                         bool includes_self) {
  using element = typename Self::element_type;
  using wide = accumulator_t<element>;
  struct slot {
    wide value{};
    index_t count = 0;
  };
  const split_nest<Rank> loops(make_nest(problem, value_strides, order::kept),
                               [](const loop&) { return true; });
  with_places<typename Index::value_type, Outside, Negatives>(
      problem, [&](const auto& resolve, const auto& axis) {
        settle<Arch, slot>(
            loops, problem.axis_extent(), cursor(index.data(), problem), resolve, axis,
            [&](slot& s, index_t from, index_t to) {
              if (s.count++ == 0) s.value = static_cast<wide>(self.data()[to]);
              s.value = combine(s.value, static_cast<wide>(values.data()[from]));
            },
            [&](const slot& s, index_t to) {
              const index_t count = s.count + (includes_self ? 1 : 0);
              self.data()[to] =
                  static_cast<element>(Kind == reduce::mean ? divide(s.value, count) : s.value);
            });
      });
}

/// Divides sums by how many values each consists of.
template <class Arch, class Outside, class Negatives, class Self, int Rank, class Index,
          class Problem>
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
  with_places<typename Index::value_type, Outside, Negatives>(
      problem, [&](const auto& resolve, const auto& axis) {
        settle<Arch, index_t>(
            loops, problem.axis_extent(), cursor(index.data(), problem), resolve, axis,
            [](index_t& count, index_t, index_t) { ++count; },
            [&](index_t count, index_t to) {
              walker<Rank> each(repeated.loops.data(), repeated.depth);
              do {
                auto& total = self.data()[to + each.src];
                total = divide(total, count + (includes_self ? 1 : 0));
              } while (each.next());
            });
      });
}

/// Puts the values where the indices say; every index is legal.
template <reduce Kind, class Arch, class Policy, class Self, class Values, int Rank, class Index,
          class Problem, class Options>
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
            reduce_rounded_once<Kind, Arch, Outside, Negatives>(self, values, value_strides, index,
                                                                problem, step, includes_self);
          } else {
            put(object<element>{}, values, value_strides, update{step});
            if constexpr (Kind == reduce::mean) {
              divide_by_counts<Arch, Outside, Negatives>(self, value_strides, index, problem,
                                                         includes_self);
            }
          }
        }
      });
}

template <reduce Kind, class T>
constexpr void check_reducible() {
  static_assert(Kind == reduce::none || !std::same_as<T, bool>,
                "garner: bool has no sums, products or extremes here; use std::uint8_t");
  static_assert(
      Kind == reduce::none || requires(const T& a) { static_cast<T>(a + a); } ||
          requires(const T& a) { a < a; },
      "garner: the elements are no numbers");
}

template <class Problem, int Rank>
struct checked_update {
  Problem problem;
  dims<Rank> value_strides;
  bool may_be_negative;
};
template <class Problem, int Rank>
checked_update(Problem, dims<Rank>, bool) -> checked_update<Problem, Rank>;

/// What stands between a call and its writes: shapes, overlap if asked, and every index.
template <class Op, class Arch, class Policy, bool CheckOverlap, class Table, class Values,
          class IndexArgument, class Index, class Options, class... Where>
auto check_update(const Table& table, const Values& values, const IndexArgument& index_argument,
                  const Index& index, const Options& options, Where... where) {
  const auto problem = lower<Op>(table, index, options, where...);
  using rule = std::conditional_t<Values::static_rank == 0, broadcast_values, typename Op::rule>;
  const auto strides = rule::template strides<Op>(problem.shape, values.layout());
  if constexpr (CheckOverlap) {
    if (!table.is_empty()) {
      check_distinct(Op::name, Op::table, table);
      check_apart(Op::name, Op::table, table, Op::values, values);
      check_apart(Op::name, Op::table, table, "the index", index);
    }
  }
  return checked_update{
      problem, strides, check_indices<Op, Arch, Policy>(index_argument, index, problem)};
}

/// The call `op_into(self, where..., index, src, options...)`.
template <reduce Kind, class Op, class Arch, class Self, class Index, class Src, class Options,
          class... Where>
void update_into(Self&& self_argument, const Index& index_argument, const Src& src,
                 const Options& options, Where... where) {
  using rules = policy<Op, Index, Options>;
  const auto self = self_view(std::forward<Self>(self_argument));
  using element = typename decltype(self)::element_type;
  check_reducible<Kind, element>();
  const auto index = index_view(index_argument);
  with_values<element>(src, [&](const auto& values) {
    const auto checked = check_update<Op, Arch, rules, !Options::template has<noalias_t>>(
        self, values, index_argument, index, options, where...);
    scatter_values<Kind, Arch, rules>(self, values, checked.value_strides, index, checked.problem,
                                      options, checked.may_be_negative);
  });
}

/// The call `op(self, where..., index, src, options...)` that returns a changed copy of self.
template <reduce Kind, class Op, class Arch, class Self, class Index, class Src, class Options,
          class... Where>
auto update_copy(const Self& self_argument, const Index& index_argument, const Src& src,
                 const Options& options, Where... where) {
  using rules = policy<Op, Index, Options>;
  const auto from = read_only(self_argument);
  using element = typename decltype(from)::value_type;
  check_reducible<Kind, element>();
  const auto index = index_view(index_argument);
  return with_values<element>(src, [&](const auto& values) {
    const auto checked = check_update<Op, Arch, rules, false>(from, values, index_argument, index,
                                                              options, where...);
    auto result = copy_of(from);
    const auto self = as_view(result);
    scatter_values<Kind, Arch, rules>(self, values, checked.value_strides, index,
                                      lower<Op>(self, index, options, where...), options,
                                      checked.may_be_negative);
    return result;
  });
}

/// The call `op(out, input, where..., index, options...)` that adds what it reads to `out`.
template <class Op, class Arch, class Out, class Input, class Index, class Options, class... Where>
void add_read(Out&& out_argument, const Input& input_argument, const Index& index_argument,
              const Options& options, Where... where) {
  using rules = policy<Op, Index, Options>;
  const auto input = read_only(input_argument);
  using element = typename decltype(input)::value_type;
  check_reducible<reduce::sum, element>();
  const auto out = writable<element>(std::forward<Out>(out_argument));
  const auto index = index_view(index_argument);
  const auto problem = lower<Op>(input, index, options, where...);
  const auto strides = Op::rule::template strides<Op>(problem.shape, out.layout());
  if constexpr (!Options::template has<noalias_t>) {
    if (!out.is_empty()) {
      check_distinct(Op::name, Op::values, out);
      check_apart(Op::name, Op::values, out, Op::table, input);
      check_apart(Op::name, Op::values, out, "the index", index);
    }
  }
  const bool may_be_negative = check_indices<Op, Arch, rules>(index_argument, index, problem);
  if (input.is_empty() ||
      layout<rank_of_list<decltype(problem.shape)>>{problem.shape, {}}.is_empty())
    return;
  with_resolver<rules, typename decltype(index)::value_type>(
      may_be_negative, [&]<class Outside, class Negatives>() {
        combine<Arch, object<element>, side::values, Outside, Negatives>(
            input, out, strides, index, problem,
            update{combiner<reduce::sum, accumulator_t<element>>(options)});
      });
}

}  // namespace garner::detail
