// SPDX-License-Identifier: BSD-3-Clause
// What calls on bags of rows take beside tensors: the mode, options of their own, and rows stored
// as small integers. What they do is in ops/embedding_bag.hpp.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <garner/as_view.hpp>
#include <garner/detail/layout.hpp>
#include <garner/half.hpp>
#include <garner/options.hpp>
#include <garner/view.hpp>

namespace garner {

/// What becomes of the rows of a bag.
enum class bag_mode { sum, mean, max };

/// A factor for each id, in the shape of the ids; for bag_mode::sum.
template <class View>
struct per_sample_weights {
  View values;
  template <class X>
  constexpr explicit per_sample_weights(const X& x) : values(as_view(x)) {}
};
template <class X>
per_sample_weights(const X&) -> per_sample_weights<view_of<const X&>>;

/// The row whose ids count for nothing; a negative one counts from the end.
struct padding_idx {
  index_t row;
  constexpr explicit padding_idx(index_t i) : row(i) {}
};

/// The last offset is where the last bag ends, not where one more begins.
struct include_last_offset_t {};
inline constexpr include_last_offset_t include_last_offset{};

/// Rows of small integers: element (r, j) is scale[r] * values[r][j] + bias[r], a float. Rounded
/// after the product and after the sum. Refers to its arguments. Throws shape_error.
template <class T>
class quantized_rows {
  static_assert(std::same_as<T, std::int8_t> || std::same_as<T, std::uint8_t>,
                "garner: quantized rows hold std::int8_t or std::uint8_t");

 public:
  using value_type = T;

  template <class Values, class Scale, class Bias>
  constexpr quantized_rows(Values&& values, Scale&& scale, Bias&& bias)
      : values_(as_view(std::forward<Values>(values))),
        scale_(as_view(std::forward<Scale>(scale))),
        bias_(as_view(std::forward<Bias>(bias))) {
    const index_t rows = values_.extent(0);
    if (scale_.extent(0) != rows || bias_.extent(0) != rows) {
      detail::fail_shape("quantized_rows", rows, " rows, but ", scale_.extent(0), " scales and ",
                         bias_.extent(0), " biases");
    }
  }

  constexpr view<const T, 2> values() const { return values_; }
  constexpr view<const float, 1> scale() const { return scale_; }
  constexpr view<const float, 1> bias() const { return bias_; }

 private:
  view<const T, 2> values_;
  view<const float, 1> scale_;
  view<const float, 1> bias_;
};
template <class Values, class Scale, class Bias>
quantized_rows(Values&&, Scale&&, Bias&&) -> quantized_rows<typename view_of<Values>::value_type>;

namespace detail {

template <class T>
inline constexpr bool is_sample_weights = false;
template <class View>
inline constexpr bool is_sample_weights<per_sample_weights<View>> = true;

template <class T>
inline constexpr bool is_quantized = false;
template <class T>
inline constexpr bool is_quantized<quantized_rows<T>> = true;

template <class T>
inline constexpr bool is_bag_option =
    is_sample_weights<T> || is_one_of<T, padding_idx, include_last_offset_t>;

/// Those of a call's options that say what an index means; the others are the bag's own.
template <class Kept, class... Options>
struct index_options_of {
  using type = Kept;
};
template <class... Kept, class Option, class... Rest>
struct index_options_of<option_set<Kept...>, Option, Rest...>
    : index_options_of<std::conditional_t<is_bag_option<Option>, option_set<Kept...>,
                                          option_set<Kept..., Option>>,
                       Rest...> {};

/// The options of one call on bags.
template <class... Options>
struct bag_options {
  static_assert(((is_option<Options> || is_bag_option<Options>)&&...),
                "garner: an argument is no option; a bag's options are per_sample_weights(w), "
                "padding_idx(i), include_last_offset, checked, wrap, clip, unchecked, "
                "reject_negative, from_end and noalias");
  static_assert((0 + ... + is_sample_weights<Options>) <= 1,
                "garner: more than one per_sample_weights(w)");
  static_assert((0 + ... + is_one_of<Options, padding_idx>) <= 1,
                "garner: more than one padding_idx(i)");
  static_assert(!is_one_of<batch_dims, Options...>, "garner: batch_dims(n) is an option of take");

  using for_index = typename index_options_of<option_set<>, Options...>::type;
  static constexpr bool is_weighted = (false || ... || is_sample_weights<Options>);
  static constexpr bool says_last = is_one_of<include_last_offset_t, Options...>;
  static constexpr bool checks_overlap = !is_one_of<noalias_t, Options...>;
};

/// The option of this type; the caller has made sure that there is one.
template <class Wanted, class First, class... Rest>
constexpr const auto& option_of(const First& first, const Rest&... rest) {
  if constexpr (std::same_as<Wanted, First>) {
    return first;
  } else {
    return option_of<Wanted>(rest...);
  }
}

/// The factors of a weighted call.
template <class First, class... Rest>
constexpr const auto& sample_weights(const First& first, const Rest&... rest) {
  if constexpr (is_sample_weights<First>) {
    return first.values;
  } else {
    return sample_weights(rest...);
  }
}

/// The row that `options` say to skip, or -1.
template <class... Options>
index_t padding_row(const char* op, index_t rows, const Options&... options) {
  if constexpr (!is_one_of<padding_idx, Options...>) {
    return -1;
  } else {
    const index_t row = option_of<padding_idx>(options...).row;
    if (row < -rows || row >= rows) {
      fail_shape(op, "padding_idx(", row, ") is out of range for ", rows, " rows");
    }
    return row < 0 ? row + rows : row;
  }
}

}  // namespace detail
}  // namespace garner
