// SPDX-License-Identifier: BSD-3-Clause
// operator<< for views and tensors, in NumPy's manner: nested brackets, aligned columns, the middle
// left out when there are more than 1000 elements.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <garner/as_view.hpp>
#include <garner/tensor.hpp>
#include <garner/view.hpp>

namespace garner {

namespace detail {

inline constexpr index_t print_all_up_to = 1000;
inline constexpr index_t print_at_each_end = 3;
inline constexpr std::size_t print_columns = 75;

/// At most 8 digits after the point, without trailing zeros: "1.", "0.5", "1.5e-07".
template <std::floating_point T>
std::string float_text(T value, bool is_scientific) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
  char text[5000];  // long double's largest has 4933 digits before the point
  const auto format = is_scientific ? std::chars_format::scientific : std::chars_format::fixed;
  const char* last = std::to_chars(text, text + sizeof(text), value, format, 8).ptr;
  const std::string_view all(text, static_cast<std::size_t>(last - text));
  const std::string_view exponent = all.substr(std::min(all.find('e'), all.size()));
  const std::string_view digits = all.substr(0, all.size() - exponent.size());
  return std::string(digits.substr(0, digits.find_last_not_of('0') + 1)) + std::string(exponent);
}

/// Writes the shown elements of a view: first as texts, then padded to one width, then between
/// brackets.
template <class T>
class printer {
 public:
  explicit printer(const view<const T>& x) : x_(x), is_elided_(x.size() > print_all_up_to) {
    std::vector<const T*> shown;
    collect(0, 0, shown);
    if constexpr (std::floating_point<T>) {
      format_floats(shown);
    } else {
      for (const T* element : shown) texts_.push_back(text(*element));
    }
    for (const auto& t : texts_) width_ = std::max(width_, t.size());
  }

  void print(std::ostream& out) {
    next_ = 0;
    if (x_.is_empty()) {
      out << "[]";
    } else {
      print_dim(out, 0);
    }
  }

 private:
  bool skips_after(int d, index_t i) const {
    return is_elided_ && x_.shape()[d] > 2 * print_at_each_end && i + 1 == print_at_each_end;
  }

  /// Calls body(i) for each shown coordinate of dim d.
  template <class Body>
  void for_each_shown(int d, const Body& body) const {
    const index_t extent = x_.shape()[d];
    for (index_t i = 0; i < extent; ++i) {
      body(i);
      if (skips_after(d, i)) i = extent - print_at_each_end - 1;
    }
  }

  void collect(int d, index_t offset, std::vector<const T*>& shown) const {
    if (x_.is_empty()) return;
    if (d == x_.rank()) return shown.push_back(x_.data() + offset);
    for_each_shown(d, [&](index_t i) { collect(d + 1, offset + i * x_.strides()[d], shown); });
  }

  void format_floats(const std::vector<const T*>& shown) {
    T largest = 0;
    T smallest = 0;
    for (const T* element : shown) {
      const T size = std::abs(*element);
      if (!std::isfinite(size) || size == 0) continue;
      largest = std::max(largest, size);
      smallest = smallest == 0 ? size : std::min(smallest, size);
    }
    const bool is_scientific =
        largest >= T(1e8) || (smallest > 0 && (smallest < T(1e-4) || largest / smallest > T(1000)));
    std::size_t decimals = 0;  // of the longest, point included
    const auto parts = [](const std::string& t) {
      const std::size_t point = std::min(t.find('.'), t.size());
      const std::size_t exponent = std::min(t.find('e'), t.size());
      return std::pair(exponent, point < exponent ? exponent - point : 0);
    };
    for (const T* element : shown) {
      texts_.push_back(float_text(*element, is_scientific));
      decimals = std::max(decimals, parts(texts_.back()).second);
    }
    for (auto& t : texts_) {  // points in one column; "nan" and "inf" end where the numbers end
      const auto [exponent, own] = parts(t);
      if (own > 0) t.insert(exponent, decimals - own, is_scientific ? '0' : ' ');
    }
  }

  static std::string text(const T& value) {
    std::ostringstream out;
    if constexpr (std::same_as<T, bool>) {
      unsigned char byte;  // a bool's byte may be neither 0 nor 1
      std::memcpy(&byte, &value, 1);
      out << (byte ? "True" : "False");
    } else if constexpr (std::integral<T>) {
      out << +value;
    } else if constexpr (requires { value.real(), value.imag(); }) {
      const std::string imaginary = float_text(value.imag(), false);
      out << float_text(value.real(), false) << (imaginary[0] == '-' ? "" : "+") << imaginary
          << 'j';
    } else if constexpr (std::convertible_to<T, std::string_view>) {
      out << '\'' << std::string_view(value) << '\'';
    } else if constexpr (requires { out << value; }) {
      out << value;
    } else {
      out << '?';
    }
    return out.str();
  }

  void print_dim(std::ostream& out, int d) {
    if (d == x_.rank()) {
      out << texts_[next_++];
      return;
    }
    const bool is_last = d + 1 == x_.rank();
    const auto indent = static_cast<std::size_t>(d + 1);
    const std::string separator =
        is_last ? " "
                : std::string(static_cast<std::size_t>(x_.rank() - d - 1), '\n') +
                      std::string(indent, ' ');
    std::size_t column = indent;
    const auto put = [&](const std::string& t) {
      if (is_last && column > indent && column + t.size() >= print_columns) {
        out << '\n' << std::string(indent, ' ');
        column = indent;
      } else if (column > indent) {
        out << separator;
      }
      out << t;
      column += t.size() + 1;
    };
    out << '[';
    for_each_shown(d, [&](index_t i) {
      if (is_last) {
        const std::string& t = texts_[next_++];
        put(std::string(width_ - t.size(), ' ') + t);
      } else {
        put("");
        print_dim(out, d + 1);
      }
      if (skips_after(d, i)) put("...");
    });
    out << ']';
  }

  view<const T> x_;
  bool is_elided_;
  std::vector<std::string> texts_;
  std::size_t width_ = 0;
  std::size_t next_ = 0;
};

}  // namespace detail

/// (2, 3)
template <int Rank>
std::ostream& operator<<(std::ostream& out, const dims<Rank>& list) {
  std::string text;
  detail::append(text, list);
  return out << text;
}

/// [[1 2]
///  [3 4]]
template <detail::view_or_tensor X>
std::ostream& operator<<(std::ostream& out, const X& x) {
  using element = typename X::value_type;
  detail::printer<element>(view<const element>(as_view(x))).print(out);
  return out;
}

}  // namespace garner
