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

/// The shortest text that reads back as `value`, cut to 8 digits after the point: "1.", "1.5e-07".
template <std::floating_point T>
std::string float_text(T value, bool is_scientific) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
  const auto format = is_scientific ? std::chars_format::scientific : std::chars_format::fixed;
  char buffer[5000];  // long double's largest has 4933 digits before the point
  char* const end = buffer + sizeof(buffer);
  std::string text(buffer, std::to_chars(buffer, end, value, format).ptr);
  const auto point = [&] { return std::min(text.find('.'), text.size()); };
  const auto exponent = [&] { return std::min(text.find('e'), text.size()); };
  if (exponent() > point() + 9)
    text.assign(buffer, std::to_chars(buffer, end, value, format, 8).ptr);
  if (point() == text.size()) text.insert(exponent(), 1, '.');
  const std::size_t digits = text.find_last_not_of('0', exponent() - 1) + 1;
  return text.erase(digits, exponent() - digits);
}

/// All values as texts of one width, with their points in one column; `plus` marks positive ones.
template <std::floating_point T>
std::vector<std::string> float_column(const std::vector<T>& values, bool plus) {
  T largest = 0;
  T smallest = 0;
  for (const T value : values) {
    const T size = std::abs(value);
    if (!std::isfinite(size) || size == 0) continue;
    largest = std::max(largest, size);
    smallest = smallest == 0 ? size : std::min(smallest, size);
  }
  const bool is_scientific =
      largest >= T(1e8) || (smallest > 0 && (smallest < T(1e-4) || largest / smallest > T(1000)));

  // A number is its whole part, its decimals from the point on, and its exponent.
  struct number {
    std::string whole, decimals, exponent;
  };
  std::vector<number> numbers;
  std::size_t decimals = 0;
  std::size_t exponent = 0;
  for (const T value : values) {
    std::string text = float_text(value, is_scientific);
    if (plus && text[0] != '-') text.insert(0, 1, '+');
    const std::size_t point = std::min(text.find('.'), text.size());
    const std::size_t e = std::min(text.find('e', point), text.size());
    numbers.push_back({text.substr(0, point), text.substr(point, e - point), text.substr(e)});
    decimals = std::max(decimals, numbers.back().decimals.size());
    exponent = std::max(exponent, numbers.back().exponent.size());
  }
  std::vector<std::string> texts;
  std::size_t width = 0;
  for (auto& n : numbers) {
    if (!n.decimals.empty()) {  // nan and inf have none, and end where the numbers end
      n.decimals.resize(decimals, is_scientific ? '0' : ' ');
      if (is_scientific) n.exponent.insert(2, exponent - n.exponent.size(), '0');
    }
    texts.push_back(n.whole + n.decimals + n.exponent);
    width = std::max(width, texts.back().size());
  }
  for (auto& t : texts) t.insert(0, width - t.size(), ' ');
  return texts;
}

/// All elements as texts; numbers are of one width.
template <class T>
std::vector<std::string> column_of(const std::vector<const T*>& elements) {
  std::vector<std::string> texts;
  if constexpr (std::floating_point<T>) {
    std::vector<T> values;
    values.reserve(elements.size());
    for (const T* element : elements) values.push_back(*element);
    return float_column(values, false);
  } else if constexpr (requires(T value) { float_column(std::vector{value.imag()}, true); }) {
    std::vector<decltype(T().real())> real, imaginary;
    for (const T* element : elements) {
      real.push_back(element->real());
      imaginary.push_back(element->imag());
    }
    texts = float_column(real, false);
    const auto right = float_column(imaginary, true);
    for (std::size_t k = 0; k < texts.size(); ++k) {
      texts[k] += right[k];
      texts[k].insert(texts[k].find_last_not_of(' ') + 1, 1, 'j');
    }
    return texts;
  } else {
    std::size_t width = 0;
    for (const T* element : elements) {
      std::ostringstream out;
      if constexpr (std::same_as<T, bool>) {
        unsigned char byte;  // a bool's byte may be neither 0 nor 1
        std::memcpy(&byte, element, sizeof(byte));
        out << (byte ? "True" : "False");
      } else if constexpr (std::integral<T>) {
        out << +*element;
      } else if constexpr (std::convertible_to<T, std::string_view>) {
        out << '\'' << std::string_view(*element) << '\'';
      } else if constexpr (requires { out << *element; }) {
        out << *element;
      } else {
        out << '?';
      }
      texts.push_back(out.str());
      width = std::max(width, texts.back().size());
    }
    if constexpr (std::integral<T>) {
      for (auto& t : texts) t.insert(0, width - t.size(), ' ');
    }
    return texts;
  }
}

/// Writes the shown elements of a view between brackets.
template <class T>
class printer {
 public:
  explicit printer(const view<const T>& x) : x_(x), is_elided_(x.size() > print_all_up_to) {
    std::vector<const T*> shown;
    if (!x.is_empty()) collect(0, 0, shown);
    texts_ = column_of(shown);
  }

  std::string text() {
    if (x_.is_empty()) return "[]";
    if (x_.rank() > 0) return dim_text(0);
    const bool ends_in_point = std::floating_point<T> && texts_[0].back() == '.';
    return texts_[0] + (ends_in_point ? "0" : "");
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
    if (d == x_.rank()) return shown.push_back(x_.data() + offset);
    for_each_shown(d, [&](index_t i) { collect(d + 1, offset + i * x_.strides()[d], shown); });
  }

  std::string dim_text(int d) {
    const auto rank = static_cast<std::size_t>(x_.rank());
    const auto indent = static_cast<std::size_t>(d) + 1;
    const bool is_last = indent == rank;
    const std::string separator =
        is_last ? " " : std::string(rank - indent, '\n') + std::string(indent, ' ');
    std::string result = "[";
    std::size_t column = indent;
    const auto put = [&](const std::string& entry) {
      if (is_last && column > indent && column + entry.size() > print_columns - rank) {
        result.erase(result.find_last_not_of(' ') + 1);
        result += '\n' + std::string(indent, ' ');
        column = indent;
      } else if (column > indent) {
        result += separator;
      }
      result += entry;
      column += entry.size() + 1;
    };
    for_each_shown(d, [&](index_t i) {
      put(is_last ? texts_[next_++] : dim_text(d + 1));
      if (skips_after(d, i)) put("...");
    });
    return result + ']';
  }

  view<const T> x_;
  bool is_elided_;
  std::vector<std::string> texts_;
  std::size_t next_ = 0;
};

}  // namespace detail

/// (2, 3)
template <int Rank>
std::ostream& operator<<(std::ostream& out, const dims<Rank>& list) {
  return out << detail::message_part(list).text();
}

/// [[1 2]
///  [3 4]]
template <detail::view_or_tensor X>
std::ostream& operator<<(std::ostream& out, const X& x) {
  using element = typename X::value_type;
  return out << detail::printer<element>(view<const element>(as_view(x))).text();
}

}  // namespace garner
