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
  if constexpr (!Options::template has<batch_dims>) {
    return Op::lower(input.layout(), index.layout(), where...);
  } else {
    static_assert(Op::takes_batch_dims,
                  "garner: batch_dims(n) is an option of take along a dim only");
    return Op::lower(input.layout(), index.layout(), where..., options.batch());
  }
}

/// The flat form of Op: the axis is the whole input in row-major order.
template <class Op>
struct flat_op {
  static constexpr const char* name = Op::name;
  static constexpr bool takes_batch_dims = false;
  using negatives = typename Op::negatives;

  template <int R, int Q>
  static constexpr indexed_copy<Q, R> lower(const layout<R>& input, const layout<Q>& index) {
    return {index.shape, dims<Q>::of_rank(index.shape.size()), index.strides, input, -1};
  }
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
  // The quick answers first: out is dense, and lies before or behind the others.
  if (flat_stride(out.layout()) != 1 && may_overlap_itself(footprint_of(out))) {
    fail_shape(op, "out overlaps itself: shape ", out.shape(), " with strides ", out.strides());
  }
  if (ranges_meet(out, input) && may_overlap(footprint_of(out), footprint_of(input))) {
    fail_shape(op, "out overlaps the input");
  }
  if (ranges_meet(out, index) && may_overlap(footprint_of(out), footprint_of(index))) {
    fail_shape(op, "out overlaps the index");
  }
}

/// Throws unless each index is legal, or proven so for an axis that is no longer than the
/// problem's. False means that none is negative.
template <class Op, class Arch, class Policy, class Index, class View, class Problem>
GARNER_INLINE bool check_indices(const Index& argument, const View& index, const Problem& problem) {
  const index_t extent = problem.axis_extent();
  if constexpr (!is_validated<Index>) {
    return check_index<Arch, typename Policy::outside, typename Policy::negatives>(
        Op::name, index, problem.dim, extent);
  } else if (argument.extent() > extent) {
    fail_shape(Op::name, "the index was validated for extent ", argument.extent(),
               ", but the axis has extent ", extent);
  } else {
    return argument.has_negatives();
  }
}

/// Solves the problem; every index is legal.
template <class Arch, class Resolve, class Out, class Input, class Index, int Rank, int AxisRank>
void solve(const Out& out, const Input& input, const Index& index,
           const indexed_copy<Rank, AxisRank>& problem,
           const typename Out::element_type* fill = nullptr) {
  using element = typename Out::element_type;
  using cell = cell_of<element>;
  const dims<Rank> out_strides(out.strides());
  const auto run = [&]<class Axis>(const Axis& axis) {
    const locator<cell, Resolve, Axis> locate{{problem.axis_extent()}, axis, cell::erase(fill)};
    if constexpr (Rank != dynamic_rank && std::same_as<Axis, even_axis>) {
      if (out.size() <= few && !input.is_empty()) {
        return execute_few<cell>(problem, out_strides, cell::erase(out.data()),
                                 cell::erase(input.data()), index.data(), locate);
      }
    }
    auto plan = make_plan(problem, out_strides, sizeof(element));
    if (input.is_empty()) plan.forget_source();  // all is fill
    execute<Arch, cell>(plan, cell::erase(out.data()), cell::erase(input.data()), index.data(),
                        locate);
  };
  const auto stride = flat_stride(problem.axis);
  if constexpr (AxisRank == dynamic_rank || AxisRank > 1) {
    if (!stride) return run(folded_axis<AxisRank>{problem.axis});
  }
  run(even_axis{*stride});
}

/// The same with the resolver that the options call for. Legal indices need none unless some are
/// negative.
template <class Arch, class Policy, class Out, class Input, class Index, class Problem,
          class Options>
void write(const Out& out, const Input& input, const Index& index, const Problem& problem,
           const Options& options, bool may_be_negative) {
  using raw = typename Index::value_type;
  using outside = typename Policy::outside;
  using negatives = typename Policy::negatives;
  if (out.is_empty()) return;
  if constexpr (is_fill<outside>) {
    using element = typename Out::element_type;
    const auto& value = options.outside().value;
    static_assert(std::convertible_to<decltype(value), element>,
                  "garner: fill(v) needs a value that converts to the element type");
    const auto fill = static_cast<element>(value);
    solve<Arch, resolver<raw, outside, negatives>>(out, input, index, problem, &fill);
  } else if constexpr (is_one_of<outside, wrap_t, clip_t>) {
    solve<Arch, resolver<raw, outside, negatives>>(out, input, index, problem);
  } else {
    if constexpr (resolver<raw, outside, negatives>::counts_from_end) {
      if (may_be_negative) {
        return solve<Arch, resolver<raw, unchecked_t, from_end_t>>(out, input, index, problem);
      }
    }
    solve<Arch, resolver<raw, unchecked_t, reject_negative_t>>(out, input, index, problem);
  }
}

/// The call `op(input, where..., index, options...)` that returns a tensor.
template <class Op, class Arch, class Input, class Index, class Options, class... Where>
auto read(const Input& input_argument, const Index& index_argument, const Options& options,
          Where... where) {
  using rules = policy<Op, Index, Options>;
  const auto input = read_only(input_argument);
  const auto index = index_view(index_argument);
  const auto problem = lower<Op>(input, index, options, where...);
  const bool may_be_negative = check_indices<Op, Arch, rules>(index_argument, index, problem);
  using element = typename decltype(input)::value_type;
  static_assert(std::is_copy_assignable_v<element>, "garner: the elements cannot be copied");
  static_assert(std::default_initializable<element>,
                "garner: elements without a default constructor need the _into form");
  auto out = [&]<int Rank>(const dims<Rank>& shape) {
    return tensor<element, Rank>::uninitialized(shape);
  }(problem.shape);
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
