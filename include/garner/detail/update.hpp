// SPDX-License-Identifier: BSD-3-Clause
// One call of an operation that writes through an index, in the same order as detail/call.hpp:
// arguments, shapes, overlap, every index, and only then the first write.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <garner/detail/call.hpp>
#include <garner/detail/reduce.hpp>
#include <garner/detail/values.hpp>

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
  return checked_update{problem, strides,
                        check_indices<Op, Arch, Policy>(index_argument, index, problem)};
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
    scatter_values<Kind, false, Arch, rules>(self, values, checked.value_strides, index,
                                             checked.problem, options, checked.may_be_negative);
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
    scatter_values<Kind, true, Arch, rules>(self, values, checked.value_strides, index,
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
