// SPDX-License-Identifier: BSD-3-Clause
// The values that an operation writes through an index: a tensor or a single one, and the rules for
// its shape beside what is indexed.
#pragma once

#include <concepts>

#include <garner/as_view.hpp>
#include <garner/detail/call.hpp>
#include <garner/detail/layout.hpp>
#include <garner/view.hpp>

namespace garner::detail {

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

}  // namespace garner::detail
