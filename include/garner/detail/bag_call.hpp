// SPDX-License-Identifier: BSD-3-Clause
// What calls on bags of rows have in common: which ids make up a bag, whether offsets, ids and
// factors are legal, and the walk over the bags, a group at a time. Nothing here allocates.
#pragma once

#include <algorithm>
#include <concepts>
#include <type_traits>
#include <utility>

#include <garner/bag.hpp>
#include <garner/detail/call.hpp>
#include <garner/detail/kernels/bag_group.hpp>
#include <garner/detail/kernels/rising.hpp>

namespace garner::detail {

/// x with this rank, or an error.
template <int Rank, class T, int R>
constexpr view<T, Rank> with_rank(const char* op, const char* what, const view<T, R>& x) {
  static_assert(R == dynamic_rank || R == Rank,
                "garner: rows have two dims; ids and offsets have one, or ids has two and there "
                "are no offsets; per-sample weights have as many as ids");
  if (x.rank() != Rank) {
    fail_shape(op, what, " has shape ", x.shape(), ", not ", Rank, Rank == 1 ? " dim" : " dims");
  }
  return view<T, Rank>(x);
}

/// The rows of a table, as a kernel reads them and as they lie in memory.
template <class Weight>
auto rows_of(const char* op, const Weight& weight) {
  if constexpr (is_quantized<Weight>) {
    const auto values = weight.values();
    const plain_rows<const typename Weight::value_type> rows{values.data(), values.stride(0),
                                                             values.stride(1)};
    return std::pair(
        scaled_rows<typename Weight::value_type>{rows, weight.scale().data(),
                                                 weight.scale().stride(0), weight.bias().data(),
                                                 weight.bias().stride(0), rows.step},
        values);
  } else {
    const auto values = with_rank<2>(op, "weight", read_only(weight));
    using element = typename decltype(values)::value_type;
    static_assert(is_one_of<accumulator_t<element>, float, double>,
                  "garner: a bag's rows hold float, double, half or bfloat16, or are "
                  "quantized_rows(values, scale, bias)");
    return std::pair(plain_rows<const element>{values.data(), values.stride(0), values.stride(1)},
                     values);
  }
}

/// The table that gradients are added to.
template <class GradWeight>
auto gradient_rows(const char* op, GradWeight&& target) {
  static_assert(viewable<GradWeight>,
                "garner: grad_weight is no tensor: pass a garner view or tensor, but no temporary "
                "that owns its elements");
  const auto to = with_rank<2>(op, "grad_weight", as_view(target));
  static_assert(is_one_of<typename decltype(to)::element_type, float, double>,
                "garner: grad_weight is a writable float or double: many ids add to one row, and a "
                "16-bit float would be rounded each time");
  return to;
}

/// grad_out, whose elements are summed up as numbers.
template <class Number, class GradOut>
auto gradients(const GradOut& grad_out) {
  const auto grad = read_only(grad_out);
  static_assert(std::same_as<accumulator_t<typename decltype(grad)::value_type>, Number>,
                "garner: grad_out is float, half or bfloat16 for a float gradient, and double for "
                "a double one");
  return grad;
}

/// Throws unless the shapes are equal.
inline void check_extents(const char* op, const char* name, const dims<2>& shape,
                          const dims<2>& expected) {
  if (shape != expected) fail_shape(op, name, " has shape ", shape, ", not ", expected);
}

/// Throws unless `out` has this shape and does not overlap itself.
template <bool CheckOverlap, class T>
void check_rows(const char* op, const char* name, const view<T, 2>& out, const dims<2>& shape) {
  check_extents(op, name, out.shape(), shape);
  if (CheckOverlap) check_distinct(op, name, out);
}

/// An argument that may be offsets: no option.
template <class T>
concept bag_offsets = !is_option<T> && !is_bag_option<T>;

/// Stands for offsets where ids have two dims.
struct no_offsets {};

/// The ids of a call, and the bags that they fall into.
template <class Index, int Rank, class Offset>
struct bag_list {
  view<const Index, Rank> ids;
  view<const Offset, 1> offsets;
  index_t count;  // of bags

  index_t begin(index_t bag) const {
    return bag < offsets.extent(0) ? static_cast<index_t>(offsets(bag)) : ids.extent(0);
  }
  /// begin(bag), begin(bag + 1), ... begin(bag + n - 1) if they lie somewhere like that.
  const index_t* begins(index_t bag, index_t n) const {
    if constexpr (std::same_as<Offset, index_t>) {
      if (offsets.stride(0) == 1 && bag + n <= offsets.extent(0)) return offsets.data() + bag;
    }
    return nullptr;
  }
};
template <class Index>
struct bag_list<Index, 2, no_offsets> {
  view<const Index, 2> ids;
  index_t count;

  index_t begin(index_t bag) const { return bag * ids.extent(1); }
  static constexpr const index_t* begins(index_t, index_t) { return nullptr; }
};

/// Throws unless offsets begin at 0, never decrease, and end within `size` ids.
template <class Arch, class Offset>
void check_offsets(const char* op, const view<const Offset, 1>& offsets, index_t size) {
  const index_t n = offsets.extent(0);
  if (n == 0) return;
  bool rises = true;
  if (offsets.stride(0) == 1) {
    rises = is_rising<Arch>(offsets.data(), n);
  } else {
    for (index_t i = 1; i < n; ++i) rises = rises && offsets(i - 1) <= offsets(i);
  }
  if (rises && offsets(0) == 0 && std::cmp_less_equal(offsets(n - 1), size)) return;
  if (offsets(0) != 0) fail_shape(op, "offsets[0] = ", offsets(0), " is not 0");
  for (index_t i = 1;; ++i) {
    if (offsets(i) < offsets(i - 1)) {
      fail_shape(op, "offsets[", i, "] = ", offsets(i), " is less than offsets[", i - 1,
                 "] = ", offsets(i - 1));
    }
    if (std::cmp_greater(offsets(i), size)) {
      fail_shape(op, "offsets[", i, "] = ", offsets(i), " is past the end of ", size, " ids");
    }
  }
}

/// The bags of a call; throws shape_error.
template <class Arch, bool SaysLast, class Ids, class Offsets>
auto make_bags(const char* op, const Ids& ids, const Offsets& offsets_argument) {
  using index = typename Ids::value_type;
  if constexpr (std::same_as<Offsets, no_offsets>) {
    static_assert(!SaysLast, "garner: include_last_offset without offsets");
    const auto square = with_rank<2>(op, "ids", ids);
    return bag_list<index, 2, no_offsets>{square, square.extent(0)};
  } else {
    const auto list = with_rank<1>(op, "ids", ids);
    const auto offsets = with_rank<1>(op, "offsets", index_view(offsets_argument));
    if (SaysLast && offsets.is_empty()) {
      fail_shape(op, "offsets is empty, but its last one is where the last bag ends");
    }
    check_offsets<Arch>(op, offsets, list.extent(0));
    using offset = typename decltype(offsets)::value_type;
    return bag_list<index, 1, offset>{list, offsets, offsets.extent(0) - SaysLast};
  }
}

/// The factors of a call, in the shape of its ids; throws shape_error.
template <class Number, int Rank, class Index, class... Options>
auto make_weights(const char* op, const view<const Index, Rank>& ids, const Options&... options) {
  if constexpr (!bag_options<Options...>::is_weighted) {
    return view<const unweighted, Rank>(trusted{}, nullptr, {ids.shape(), {}});
  } else {
    const auto weights =
        with_rank<Rank>(op, "per_sample_weights", read_only(sample_weights(options...)));
    static_assert(
        std::same_as<accumulator_t<typename decltype(weights)::value_type>, Number>,
        "garner: per_sample_weights are float for float results, half and bfloat16 included, and "
        "double for double ones");
    if (weights.shape() != ids.shape()) {
      fail_shape(op, "per_sample_weights has shape ", weights.shape(), ", but ids has ",
                 ids.shape());
    }
    return weights;
  }
}

/// Throws index_error unless each id names one of the rows; false means that none is negative.
template <class Op, class Arch, class Rules, class Ids, class View>
bool check_ids(const Ids& argument, const View& ids, index_t rows) {
  return check_axis<Op, Arch, Rules>(argument, ids, 0, rows);
}

/// Whether rows lie further away than the second level of the cache.
template <class T>
bool is_far(const view<T, 2>& rows) {
  const auto bytes = static_cast<index_t>(magnitude(rows.stride(0)) * sizeof(T));
  return !rows.is_empty() && (rows.extent(0) - 1) * bytes > near_bytes;
}

/// Calls f(resolver) with the one that the options call for.
template <class Index, class Policy, class F>
void with_resolver(index_t extent, bool may_be_negative, const F& f) {
  with_resolver<Policy, Index>(may_be_negative, [&]<class Outside, class Negatives>() {
    f(resolver<Index, Outside, Negatives>{extent});
  });
}

/// Calls f(group, number of its first bag) for all bags, a few at a time: the rows of a group are
/// still in the cache when their next columns are read.
template <class Bags, class Weight, int Rank, class F>
void for_each_group(const Bags& bags, const view<Weight, Rank>& weights, const F& f) {
  using index = typename decltype(bags.ids)::value_type;
  using group = bag_group<index, Weight>;
  constexpr index_t most_ids = 64;
  const auto stride = flat_stride(bags.ids.layout());
  const auto weight_stride = flat_stride(weights.layout());
  index_t bounds[group::most_bags + 1];
  if constexpr (Rank == 2) {
    if (!stride || !weight_stride) {
      bounds[0] = 0;
      bounds[1] = bags.ids.extent(1);
      for (index_t b = 0; b < bags.count; ++b) {
        f(group{bags.ids.data() + b * bags.ids.stride(0), bags.ids.stride(1),
                weights.data() + b * weights.stride(0), weights.stride(1), bounds, 1, bounds[1]},
          b);
      }
      return;
    }
  }
  for (index_t first = 0; first < bags.count;) {
    const index_t most = std::min(group::most_bags, bags.count - first);
    // Where the caller keeps them, or a copy.
    const index_t* const given = bags.begins(first, most + 1);
    const auto begin = [&](index_t b) {
      return given ? given[b] : bounds[b] = bags.begin(first + b);
    };
    const index_t start = begin(0);
    index_t count = 0;
    while (begin(++count) - start < most_ids && count < most) continue;
    f(group{bags.ids.data(), *stride, weights.data(), *weight_stride, given ? given : bounds,
            count, bags.ids.size()},
      first);
    first += count;
  }
}

}  // namespace garner::detail
