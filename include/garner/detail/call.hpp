// SPDX-License-Identifier: BSD-3-Clause
// One call of a reading operation, in the order that the promises need: arguments (at compile
// time), shapes, overlap, every index, and only then the first write.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <garner/as_view.hpp>
#include <garner/detail/execute.hpp>
#include <garner/detail/indexed_copy.hpp>
#include <garner/detail/lower.hpp>
#include <garner/detail/overlap.hpp>
#include <garner/detail/plan.hpp>
#include <garner/detail/resolve.hpp>
#include <garner/detail/validate.hpp>
#include <garner/options.hpp>
#include <garner/tensor.hpp>
#include <garner/view.hpp>

namespace garner::detail {

/// as_view(x), for reading.
template <class X>
constexpr auto read_only(const X& x) {
  static_assert(viewable<const X&>,
                "garner: an argument is no tensor: pass a garner view or tensor, a contiguous "
                "range, or a type with "
                "a view_adapter");
  return
      []<class T, int Rank>(const view<T, Rank>& v) { return view<const T, Rank>(v); }(as_view(x));
}

template <class X>
inline constexpr bool is_validated = false;
template <class Index, int Rank, class Negatives>
inline constexpr bool is_validated<validated_index<Index, Rank, Negatives>> = true;

/// The index that a call reads, whether it has been validated or not.
template <class X>
constexpr auto index_view(const X& index) {
  if constexpr (is_validated<X>) {
    return index.index();
  } else {
    auto result = read_only(index);
    static_assert(
        integer<typename decltype(result)::value_type>,
        "garner: an index holds integers of 8 to 64 bits, not bool, characters or floats");
    return result;
  }
}

/// as_view(out), for writing elements of type T.
template <class T, class Out>
constexpr auto writable(Out&& out) {
  static_assert(
      viewable<Out>,
      "garner: out is no tensor: pass a garner view or tensor, or a contiguous range, but "
      "no temporary that owns its elements");
  auto result = as_view(out);
  using element = typename decltype(result)::element_type;
  static_assert(!std::is_const_v<element>, "garner: out is read-only");
  static_assert(std::same_as<element, T>, "garner: out holds another element type than the input");
  static_assert(std::is_copy_assignable_v<T>, "garner: the elements cannot be copied");
  return result;
}

/// A tensor with the elements of a view.
template <class T, int Rank>
auto copy_of(const view<T, Rank>& x) {
  return tensor<std::remove_const_t<T>, Rank>(x);
}

/// The dim that a call names. Returns auto so that its sentence comes before all others.
template <class Dim>
constexpr auto dim_of(const Dim& dim) {
  static_assert(
      integer<Dim>,
      "garner: the dim is no integer; mind the order of the arguments: gather(input, dim, "
      "index), but take(input, index, dim)");
  return to_index(dim);
}

/// What the options and the operation's habits say of an index outside the axis and of a negative
/// one.
template <class Op, class Index, class Options>
struct policy {
  using outside = std::remove_cvref_t<decltype(std::declval<Options>().outside())>;
  using negatives = typename Options::template negatives<typename Op::negatives>;
};

/// A validated index lies within the axis, and has settled what its negatives mean.
template <class Op, class Index, int Rank, class Negatives, class Options>
struct policy<Op, validated_index<Index, Rank, Negatives>, Options> {
  static_assert(
      !Options::says_negatives,
      "garner: reject_negative and from_end are given to validate, not beside its result");
  using outside = checked_t;
  using negatives = Negatives;
};

/// What Op makes of the layouts; throws shape_error. `where` is the dim, or nothing.
template <class Op, class Input, class Index, class Options, class... Where>
constexpr auto lower(const Input& input, const Index& index, const Options& options,
                     Where... where) {
  Options::template check_special<Op>();
  if constexpr (!Options::template has<batch_dims>) {
    return Op::lower(input.layout(), index.layout(), where...);
  } else {
    static_assert(
        Op::takes_batch_dims,
        "garner: batch_dims(n) is an option of take along a dim, gather_nd and scatter_nd only");
    return Op::lower(input.layout(), index.layout(), where..., options.batch());
  }
}

/// The flat form of Op: the axis is the whole input in row-major order.
template <class Op>
struct flat_op : flat_rule<Op> {
  static constexpr const char* name = Op::name;
  static constexpr bool takes_batch_dims = false;
  using negatives = typename Op::negatives;
};

template <class T, int Rank>
footprint<Rank> footprint_of(const view<T, Rank>& x) {
  return {x.data(), x.layout(), sizeof(T)};
}

/// Whether the ranges of bytes that two views lie in have one in common.
template <class Out, class X>
GARNER_INLINE bool ranges_meet(const Out& out, const X& x) {
  return !x.is_empty() && byte_range(out.data(), out.layout(), sizeof(*out.data()))
                              .meets({x.data(), x.layout(), sizeof(*x.data())});
}

/// Throws unless `x`, which is written, hits no element twice; it is called `who`.
template <class T, int Rank>
GARNER_INLINE void check_distinct(const char* op, const char* who, const view<T, Rank>& x) {
  // The quick answer first: it is dense.
  if (flat_stride(x.layout()) != 1 && may_overlap_itself(footprint_of(x))) {
    fail_shape(op, who, " overlaps itself: shape ", x.shape(), " with strides ", x.strides());
  }
}

/// Throws if `x`, which is written, shares memory with `y`, which is read.
template <class X, class Y>
GARNER_INLINE void check_apart(const char* op, const char* who, const X& x, const char* whom,
                               const Y& y) {
  // The quick answer first: one lies before the other.
  if (ranges_meet(x, y) && may_overlap(footprint_of(x), footprint_of(y))) {
    fail_shape(op, who, " overlaps ", whom);
  }
}

/// Throws shape_error unless out has the result's shape and, if asked, keeps apart from itself and
/// the inputs.
template <bool CheckOverlap, class T, int OutRank, int Rank, class Input, class Index>
GARNER_INLINE void check_out(const char* op, const view<T, OutRank>& out, const dims<Rank>& shape,
                             const Input& input, const Index& index) {
  static_assert(Rank == dynamic_rank || OutRank == dynamic_rank || OutRank == Rank,
                "garner: out has another rank than the result");
  if (out.shape() != shape) {
    fail_shape(op, "out has shape ", out.shape(), ", but the result has shape ", shape);
  }
  if (!CheckOverlap || out.is_empty()) return;
  check_distinct(op, "out", out);
  check_apart(op, "out", out, "the input", input);
  check_apart(op, "out", out, "the index", index);
}

/// Throws if an index was validated for a longer axis.
inline void check_proof(const char* op, index_t proven, index_t extent) {
  if (proven > extent) {
    fail_shape(op, "the index was validated for extent ", proven, ", but the axis has extent ",
               extent);
  }
}

/// Throws unless each index is legal on an axis of this extent, or was proven so for one that is no
/// longer. False means that none is negative.
template <class Op, class Arch, class Policy, class Index, class View>
GARNER_INLINE bool check_axis(const Index& argument, const View& index, index_t dim,
                              index_t extent) {
  if constexpr (!is_validated<Index>) {
    return check_index<Arch, typename Policy::outside, typename Policy::negatives>(Op::name, index,
                                                                                   dim, extent);
  } else {
    check_proof(Op::name, argument.extent(), extent);
    return argument.has_negatives();
  }
}

template <class Op, class Arch, class Policy, class Index, class View, int Rank, int AxisRank>
GARNER_INLINE bool check_indices(const Index& argument, const View& index,
                                 const indexed_copy<Rank, AxisRank>& problem) {
  return check_axis<Op, Arch, Policy>(argument, index, problem.dim, problem.axis_extent());
}

/// The same for coordinates: each is checked against its own dim.
template <class Op, class Arch, class Policy, class Index, class View>
bool check_indices(const Index& argument, const View& index, const indexed_tuples& problem) {
  if constexpr (!is_validated<Index>) {
    return check_coordinates<Arch, typename Policy::outside, typename Policy::negatives>(
        Op::name, index, problem.dim, problem.axis.shape);
  } else {
    for (const index_t extent : problem.axis.shape) {
      check_proof(Op::name, argument.extent(), extent);
    }
    return argument.has_negatives();
  }
}

/// Solves the problem; every index is legal.
template <class Arch, class Outside, class Negatives, class Out, class Input, class Index,
          class Problem>
void solve(const Out& out, const Input& input, const Index& index, const Problem& problem,
           const typename Out::element_type* fill = nullptr) {
  using element = typename Out::element_type;
  using cell = cell_of<element>;
  using raw = typename Index::value_type;
  const decltype(problem.shape) out_strides(out.strides());
  with_axis<raw, Outside, Negatives>(
      problem, [&]<class Resolve, class Axis>(const Resolve& resolve, const Axis& axis) {
        const locator<cell, Resolve, Axis> locate{resolve, axis, cell::erase(fill)};
        const auto at = cursor(index.data(), problem);
        if constexpr (rank_of_list<decltype(problem.shape)> != dynamic_rank &&
                      std::same_as<Axis, even_axis>) {
          if (out.size() <= few && !input.is_empty()) {
            return execute_few<cell>(problem, out_strides, cell::erase(out.data()),
                                     cell::erase(input.data()), at, locate);
          }
        }
        auto plan = make_plan(problem, out_strides, sizeof(element));
        if (input.is_empty()) plan.forget_source();  // all is fill
        execute<Arch, cell>(plan, cell::erase(out.data()), cell::erase(input.data()), at, locate);
      });
}

/// Calls solve<Outside, Negatives>() with what the options call for. Legal indices need no
/// resolving unless some are negative.
template <class Policy, class Raw, class Solve>
GARNER_INLINE void with_resolver(bool may_be_negative, const Solve& solve) {
  using outside = typename Policy::outside;
  using negatives = typename Policy::negatives;
  if constexpr (is_fill<outside> || is_one_of<outside, wrap_t, clip_t>) {
    solve.template operator()<outside, negatives>();
  } else {
    if constexpr (resolver<Raw, outside, negatives>::counts_from_end) {
      if (may_be_negative) return solve.template operator()<unchecked_t, from_end_t>();
    }
    solve.template operator()<unchecked_t, reject_negative_t>();
  }
}

/// Solves the problem under the options.
template <class Arch, class Policy, class Out, class Input, class Index, class Problem,
          class Options>
void write(const Out& out, const Input& input, const Index& index, const Problem& problem,
           const Options& options, bool may_be_negative) {
  if (out.is_empty()) return;
  using element = typename Out::element_type;
  const auto run = [&](const element* fill) {
    with_resolver<Policy, typename Index::value_type>(
        may_be_negative, [&]<class Outside, class Negatives>() {
          solve<Arch, Outside, Negatives>(out, input, index, problem, fill);
        });
  };
  if constexpr (is_fill<typename Policy::outside>) {
    const auto& value = options.outside().value;
    static_assert(std::convertible_to<decltype(value), element>,
                  "garner: fill(v) needs a value that converts to the element type");
    const auto fill = static_cast<element>(value);
    run(&fill);
  } else {
    run(nullptr);
  }
}

/// Whether a call checks its index part by part, just before it is used, if nobody else sees out:
/// such an index is too large for the near caches, and is then read once, not twice.
template <class Policy, class Argument, class Index, int Rank>
bool has_parts(const view<const Index, Rank>& index) {
  if constexpr (is_validated<Argument> || !is_one_of<typename Policy::outside, checked_t>) {
    return false;
  } else {
    const index_t size = layout<Rank>{read_once(index), {}}.size();
    return size * static_cast<index_t>(sizeof(Index)) > 2 * near_bytes;
  }
}

/// Checks and solves part by part. False, with out half written, unless all indices lie within [0,
/// extent); or if parts are no good for this problem.
template <class Arch, class Out, class Input, class Index, class Problem>
bool solve_in_parts(const Out& out, const Input& input, const Index& index,
                    const Problem& problem) {
  using element = typename Out::element_type;
  using cell = cell_of<element>;
  using raw = typename Index::value_type;
  constexpr index_t most = near_bytes / static_cast<index_t>(sizeof(raw));
  bool is_solved = false;
  if constexpr (!std::same_as<Problem, indexed_tuples>) {
    if (input.is_empty()) return false;
    const auto bounds = bounds_for<raw, reject_negative_t>(problem.axis_extent());
    const auto accept = [&](const block& part, const raw* first) {
      return all_within<Arch>(view<const raw, 2>(first, {part.rows.extent, part.run.extent},
                                                 {part.rows.index_stride, part.run.index_stride}),
                              bounds);
    };
    const decltype(problem.shape) out_strides(out.strides());
    const auto plan = make_plan(problem, out_strides, sizeof(element));
    if (!plan.has_parts() || bounds.accept_all()) return false;
    with_axis<raw, unchecked_t, reject_negative_t>(
        problem, [&]<class Resolve, class Axis>(const Resolve& resolve, const Axis& axis) {
          is_solved = execute_in_parts<Arch, cell>(
              plan, cell::erase(out.data()), cell::erase(input.data()), index.data(),
              locator<cell, Resolve, Axis>{resolve, axis, nullptr}, most, accept);
        });
  }
  return is_solved;
}

/// The call `op(input, where..., index, options...)` that returns a tensor.
template <class Op, class Arch, class Input, class Index, class Options, class... Where>
auto read(const Input& input_argument, const Index& index_argument, const Options& options,
          Where... where) {
  using rules = policy<Op, Index, Options>;
  const auto input = read_only(input_argument);
  const auto index = index_view(index_argument);
  const auto problem = lower<Op>(input, index, options, where...);
  const bool in_parts = has_parts<rules, Index>(index);
  bool may_be_negative = false;
  const auto check = [&] {
    may_be_negative = check_indices<Op, Arch, rules>(index_argument, index, problem);
  };
  if (!in_parts) check();
  using element = typename decltype(input)::value_type;
  static_assert(std::is_copy_assignable_v<element>, "garner: the elements cannot be copied");
  static_assert(std::default_initializable<element>,
                "garner: elements without a default constructor need the _into form");
  auto out = [&]<int Rank>(const dims<Rank>& shape) {
    return tensor<element, Rank>::uninitialized(shape);
  }(problem.shape);
  if (in_parts) {
    if (solve_in_parts<Arch>(as_view(out), input, index, problem)) return out;
    check();
  }
  write<Arch, rules>(as_view(out), input, index, problem, options, may_be_negative);
  return out;
}

/// The call `op_into(out, input, where..., index, options...)`.
template <class Op, class Arch, class Out, class Input, class Index, class Options, class... Where>
void read_into(Out&& out_argument, const Input& input_argument, const Index& index_argument,
               const Options& options, Where... where) {
  using rules = policy<Op, Index, Options>;
  const auto input = read_only(input_argument);
  const auto index = index_view(index_argument);
  const auto out = writable<typename decltype(input)::value_type>(std::forward<Out>(out_argument));
  const auto problem = lower<Op>(input, index, options, where...);
  check_out<!Options::template has<noalias_t>>(Op::name, out, problem.shape, input, index);
  const bool may_be_negative = check_indices<Op, Arch, rules>(index_argument, index, problem);
  write<Arch, rules>(out, input, index, problem, options, may_be_negative);
}

}  // namespace garner::detail
