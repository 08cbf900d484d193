// SPDX-License-Identifier: BSD-3-Clause
// The options that may end any call, in any order, and what a set of them adds up to.
// What each does to an index is in detail/resolve.hpp.
#pragma once

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

#include <garner/error.hpp>

namespace garner {

/// What an index outside the axis does: an error (the default) ...
struct checked_t {};
/// ... counts modulo the extent, as a true modulo: -1 is the last element ...
struct wrap_t {};
/// ... means the nearest end ...
struct clip_t {};
/// ... stands for a value ...
template <class Value>
struct fill {
  Value value;
  constexpr explicit fill(Value v) : value(std::move(v)) {}
};
/// ... or never occurs: the caller vouches for it, and undefined behaviour is the price of a
/// mistake.
struct unchecked_t {};

/// What a negative index means: it is outside the axis ...
struct reject_negative_t {};
/// ... or counts from the end: -1 is the last element.
struct from_end_t {};

/// The caller vouches that `out` overlaps neither itself nor an input.
struct noalias_t {};

/// How many leading dims `take`, `gather_nd` and `scatter_nd` share between input and index.
struct batch_dims {
  index_t count;
  constexpr explicit batch_dims(index_t n) : count(n) {}
};

/// How values that meet in one element become one.
enum class reduce {
  none,  // the last one stays
  sum,
  prod,
  mean,  // of integers: rounded down
  amax,  // NaN if any is
  amin,
};

/// Whether what an element held before takes part in `scatter_reduce`.
struct include_self {
  bool value;
  constexpr explicit include_self(bool v) : value(v) {}
};

/// What `index_add` multiplies each value by.
template <class Value>
struct alpha {
  Value value;
  constexpr explicit alpha(Value v) : value(std::move(v)) {}
};

/// `put` adds to what is there.
struct accumulate_t {};

inline constexpr accumulate_t accumulate{};
inline constexpr checked_t checked{};
inline constexpr wrap_t wrap{};
inline constexpr clip_t clip{};
inline constexpr unchecked_t unchecked{};
inline constexpr reject_negative_t reject_negative{};
inline constexpr from_end_t from_end{};
inline constexpr noalias_t noalias{};

namespace detail {

template <class T>
inline constexpr bool is_fill = false;
template <class Value>
inline constexpr bool is_fill<fill<Value>> = true;

template <class T, class... List>
inline constexpr bool is_one_of = (std::same_as<T, List> || ...);

template <class T>
inline constexpr bool is_outside_option =
    is_one_of<T, checked_t, wrap_t, clip_t, unchecked_t> || is_fill<T>;
template <class T>
inline constexpr bool is_negative_option = is_one_of<T, reject_negative_t, from_end_t>;
template <class T>
inline constexpr bool is_alpha = false;
template <class Value>
inline constexpr bool is_alpha<alpha<Value>> = true;

/// Options of few operations, which say so by `takes`.
template <class T>
inline constexpr bool is_special_option = is_one_of<T, include_self, accumulate_t> || is_alpha<T>;

template <class T>
inline constexpr bool is_option = is_outside_option<T> || is_negative_option<T> ||
                                  is_special_option<T> || is_one_of<T, noalias_t, batch_dims>;

template <class Op, class Option>
inline constexpr bool takes_option = false;
template <class Op, class Option>
requires(Op::template takes<Option>) inline constexpr bool takes_option<Op, Option> = true;

/// The options of one call, each kind at most once; refers to the call's arguments.
template <class... Options>
class option_set {
  static_assert(
      (is_option<Options> && ...),
      "garner: an argument is no option; the options are checked, wrap, clip, fill(v), unchecked, "
      "reject_negative, from_end, noalias and, for some operations, batch_dims(n), "
      "include_self(b), alpha(v), accumulate");
  static_assert((0 + ... + is_outside_option<Options>) <= 1,
                "garner: more than one of checked, wrap, clip, fill(v), unchecked");
  static_assert((0 + ... + is_negative_option<Options>) <= 1,
                "garner: both reject_negative and from_end");
  static_assert((0 + ... + is_one_of<Options, batch_dims>) <= 1,
                "garner: more than one batch_dims(n)");
  static_assert((0 + ... + is_one_of<Options, include_self>) <= 1 &&
                    (0 + ... + is_alpha<Options>) <= 1,
                "garner: more than one include_self(b) or alpha(v)");

 public:
  constexpr explicit option_set(const Options&... options) : options_(options...) {}

  template <class Option>
  static constexpr bool has = is_one_of<Option, Options...>;

  static constexpr bool is_scaled = (false || ... || is_alpha<Options>);
  static constexpr bool says_negatives = (false || ... || is_negative_option<Options>);

  /// The option that says what an index outside the axis does.
  constexpr const auto& outside() const {
    return std::apply(
        [](const auto&... options) -> const auto& { return first_outside(options..., checked); },
        options_);
  }

  /// Fails to compile if there are options that only other operations than Op take.
  template <class Op>
  static constexpr void check_special() {
    static_assert(((!is_special_option<Options> || takes_option<Op, Options>)&&...),
                  "garner: include_self(b) is an option of scatter_reduce, alpha(v) of index_add, "
                  "and accumulate of put only");
  }

  constexpr bool includes_self() const {
    if constexpr (has<include_self>) {
      return std::get<const include_self&>(options_).value;
    } else {
      return true;
    }
  }

  /// The value of alpha(v), or 1.
  template <class T>
  constexpr T factor() const {
    T result = static_cast<T>(1);
    const auto look = [&]<class Option>(const Option& option) {
      if constexpr (is_alpha<Option>) {
        static_assert(std::convertible_to<decltype(option.value), T> ||
                          std::constructible_from<T, decltype(option.value)>,
                      "garner: alpha(v) needs a value that converts to the element type");
        result = static_cast<T>(option.value);
      }
    };
    std::apply([&](const auto&... options) { (look(options), ...); }, options_);
    return result;
  }

  /// What a negative index means, where the operation's own habit is `Default`.
  template <class Default>
  using negatives =
      std::conditional_t<has<from_end_t>, from_end_t,
                         std::conditional_t<has<reject_negative_t>, reject_negative_t, Default>>;

  constexpr index_t batch() const requires has<batch_dims> {
    return std::get<const batch_dims&>(options_).count;
  }

 private:
  template <class First, class... Rest>
  static constexpr const auto& first_outside(const First& first, const Rest&... rest) {
    if constexpr (is_outside_option<First>) {
      return first;
    } else {
      return first_outside(rest...);
    }
  }

  std::tuple<const Options&...> options_;
};

}  // namespace detail
}  // namespace garner
