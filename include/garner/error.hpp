// SPDX-License-Identifier: BSD-3-Clause
// What goes wrong and how it is told: shape_error, index_error, and the one place that throws.
// Which checks are made, and when, is up to the callers.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <garner/config.hpp>

namespace garner {

/// The signed type of every extent, stride and offset.
using index_t = std::ptrdiff_t;

/// An integer type that may count or index: 8 to 64 bits, no bool, no character type.
template <class T>
concept integer =
    std::integral<T> && sizeof(T) <= 8 && !std::same_as<T, bool> && !std::same_as<T, char> &&
    !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> && !std::same_as<T, char16_t> &&
    !std::same_as<T, char32_t>;

/// The most dims that a view may have; every list of dims lives inside its object, never on the
/// heap.
inline constexpr int max_rank = 16;

/// Shapes, ranks, dims or options do not fit together, or `out` overlaps something.
class shape_error : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// An integer of at most 64 bits, as the caller wrote it: 2^64-1 is not -1.
class index_value {
 public:
  constexpr index_value() = default;
  constexpr index_value(integer auto value)
      : bits_(static_cast<std::uint64_t>(value)), is_negative_(std::cmp_less(value, 0)) {}

  friend constexpr bool operator==(const index_value&, const index_value&) = default;

  GARNER_COLD std::string text() const {
    return is_negative_ ? std::to_string(static_cast<std::int64_t>(bits_)) : std::to_string(bits_);
  }

 private:
  std::uint64_t bits_ = 0;
  bool is_negative_ = false;
};

/// An index outside its axis.
class index_error : public std::out_of_range {
 public:
  /// `dim` is -1 where the axis is no single dim of the input, as in a flat take.
  index_error(const char* op, std::span<const index_t> position, index_value value, index_t dim,
              index_t extent)
      : std::out_of_range(message(op, position, value, dim, extent)),
        op_(op),
        rank_(position.size()),
        value_(value),
        dim_(dim),
        extent_(extent) {
    for (std::size_t d = 0; d < rank_; ++d) position_[d] = position[d];
  }

  /// The operation that was called.
  const char* op() const noexcept { return op_; }
  /// The coordinates of the first bad index, in row-major order, within the index tensor.
  std::span<const index_t> position() const noexcept { return {position_.data(), rank_}; }
  /// The bad index itself.
  index_value value() const noexcept { return value_; }
  /// The dim of the input that the index counts along.
  index_t dim() const noexcept { return dim_; }
  /// How many elements there are along it.
  index_t extent() const noexcept { return extent_; }

 private:
  GARNER_COLD static std::string message(const char* op, std::span<const index_t> position,
                                         index_value value, index_t dim, index_t extent) {
    std::string text = op;  // grown by +=: g++ 12 warns of "literal" + string
    text += ": index";
    for (std::size_t d = 0; d < position.size(); ++d) {
      text += d ? "," : "[";
      text += index_value(position[d]).text();
    }
    text += position.empty() ? " = " : "] = ";
    text += value.text();
    text += " is out of range for ";
    if (dim >= 0) {
      text += "dim ";
      text += index_value(dim).text();
      text += " of ";
    }
    text += "extent ";
    text += index_value(extent).text();
    return text;
  }

  const char* op_;
  std::array<index_t, max_rank> position_{};
  std::size_t rank_;
  index_value value_;
  index_t dim_;
  index_t extent_;
};

/// Called with the error's text where exceptions are off; the program aborts when it returns.
using error_handler = void (*)(const char* message);

namespace detail {

inline error_handler& current_error_handler() {
  static error_handler handler = [](const char* message) { std::fprintf(stderr, "%s\n", message); };
  return handler;
}

template <class Error>
[[noreturn]] GARNER_COLD void raise(const Error& error) {
#if GARNER_HAS_EXCEPTIONS
  throw error;
#else
  current_error_handler()(error.what());
  std::abort();
#endif
}

/// What a message is made of: a text, an integer, a list of integers. Refers to them and owns
/// nothing: what many callers make of it should be little code.
class message_part {
 public:
  message_part(const char* text) : kind_(kind::text), text_(text) {}
  message_part(const std::string& text) : message_part(text.c_str()) {}
  message_part(integer auto value) : kind_(kind::integer), value_(value) {}
  template <class List>
    requires requires(const List& list) { std::span<const index_t>(list.data(), list.size()); }
  message_part(const List& list) : kind_(kind::list), list_(list.data(), list.size()) {}

  GARNER_COLD std::string text() const {
    if (kind_ == kind::text) return text_;
    if (kind_ == kind::integer) return value_.text();
    std::string text = "(";
    for (std::size_t d = 0; d < list_.size(); ++d) {
      if (d) text += ", ";
      text += index_value(list_[d]).text();
    }
    text += ')';
    return text;
  }

 private:
  enum class kind { text, integer, list };
  kind kind_;
  const char* text_ = nullptr;
  index_value value_;
  std::span<const index_t> list_;
};

[[noreturn]] GARNER_COLD inline void fail_shape_with(const char* op,
                                                     std::initializer_list<message_part> parts) {
  std::string text = op;
  text += ": ";
  for (const message_part& part : parts) text += part.text();
  raise(shape_error(text));
}

/// Throws shape_error("op: " + the parts). Takes them by value: what a caller passes by reference
/// must lie in memory, on the way without an error too.
template <class... Parts>
[[noreturn]] GARNER_COLD void fail_shape(const char* op, Parts... parts) {
  fail_shape_with(op, {message_part(parts)...});
}

}  // namespace detail

/// Sets what is called before abort() where exceptions are off; returns the former handler.
inline error_handler set_error_handler(error_handler handler) {
  return std::exchange(detail::current_error_handler(), handler);
}

}  // namespace garner
