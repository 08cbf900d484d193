// SPDX-License-Identifier: BSD-3-Clause
// Numbers that tests compute with, and what becomes of those that meet in one element, in plain
// loops.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include <garner/half.hpp>
#include <garner/options.hpp>

#include "support/elements.hpp"
#include "support/reference.hpp"

namespace test {

using garner::reduce;

template <class T>
inline constexpr bool is_short_float =
    std::is_same_v<T, garner::half> || std::is_same_v<T, garner::bfloat16>;
template <class T>
inline constexpr bool is_float = std::is_floating_point_v<T> || is_short_float<T>;

/// Element number n: for floats also NaN, infinities and -0.
template <class T>
T draw_number(std::uint64_t n) {
  const std::uint64_t bits = mix(n + 1);
  if constexpr (is_float<T>) {
    constexpr float special[] = {std::numeric_limits<float>::quiet_NaN(),
                                 std::numeric_limits<float>::infinity(), -0.0f, 0.0f};
    if (bits % 41 < 4) return static_cast<T>(special[bits % 41]);
    return static_cast<T>(static_cast<float>(static_cast<int>(bits >> 8 & 0xffff) - 0x8000) / 4096);
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    return {static_cast<float>(bits & 0xff), -static_cast<float>(bits >> 8 & 0xff)};
  } else {
    return make<T>(static_cast<std::int64_t>(bits >> 3));
  }
}

template <class T>
bool is_same_number(const T& a, const T& b) {
  if constexpr (is_float<T>) {
    if (std::isnan(static_cast<double>(a)) && std::isnan(static_cast<double>(b))) return true;
  }
  if constexpr (std::is_trivially_copyable_v<T>) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
  } else {
    return a == b;
  }
}

/// What `values` become together with `start`, if there is one, in order.
template <reduce Kind, class T>
T reduced(std::vector<T> values, const T* start) {
  if constexpr (Kind == reduce::none) {
    T last{};
    for (const T& v : values) last = v;
    return last;
  }
  if (start) values.insert(values.begin(), *start);
  if constexpr (Kind == reduce::amax || Kind == reduce::amin) {
    T result = values[0];
    for (const T& v : values) {
      if (result != result) break;
      if (v != v || (Kind == reduce::amax ? v > result : v < result)) result = v;
    }
    return result;
  } else if constexpr (std::is_integral_v<T>) {
    wide total = Kind == reduce::prod;
    for (const T v : values) {
      total = Kind == reduce::prod ? total * v : total + v;
      total = static_cast<T>(total);  // wraps around
    }
    if constexpr (Kind == reduce::mean) {
      const auto n = static_cast<wide>(values.size());
      total = (total - ((total % n) + n) % n) / n;
    }
    return static_cast<T>(total);
  } else if constexpr (Kind != reduce::none) {
    using sum_type = std::conditional_t<is_short_float<T>, float, T>;
    auto total = static_cast<sum_type>(values[0]);
    for (std::size_t k = 1; k < values.size(); ++k) {
      const auto v = static_cast<sum_type>(values[k]);
      total = Kind == reduce::prod ? total * v : total + v;
    }
    if (Kind == reduce::mean) total /= static_cast<sum_type>(static_cast<float>(values.size()));
    return static_cast<T>(total);
  }
}

}  // namespace test
