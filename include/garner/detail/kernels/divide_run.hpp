// SPDX-License-Identifier: BSD-3-Clause
// Sums become means: each is divided by how many values it consists of.
#pragma once

#include <concepts>
#include <cstdint>

#include <garner/detail/kernels/simd.hpp>
#include <garner/error.hpp>

namespace garner::detail {

/// total / count; integers are rounded down.
template <class T>
constexpr T divide(const T& total, index_t count) {
  if constexpr (std::signed_integral<T>) {
    const auto wide = static_cast<std::int64_t>(total);
    return static_cast<T>(wide / count - (wide % count < 0 ? 1 : 0));
  } else if constexpr (std::integral<T>) {
    return static_cast<T>(total / static_cast<std::uint64_t>(count));
  } else if constexpr (requires { typename T::value_type; }) {
    return total / static_cast<typename T::value_type>(count);
  } else {
    return total / static_cast<T>(count);
  }
}

/// totals[i * stride] /= counts[i] + more, where counts[i] > 0.
template <class Arch, class T>
void divide_run(T* totals, index_t stride, const index_t* counts, index_t n, index_t more) {
  index_t i = 0;
  if constexpr (has_simd<Arch> && (std::same_as<T, float> || std::same_as<T, double>)) {
    // Without a branch, for nobody could foresee it: g++ 12 makes one of a conditional expression.
    using vector = simd<T, Arch>;
    constexpr index_t width = vector::size;
    const auto none = vector::broadcast(T{0});
    for (; stride == 1 && i + width <= n; i += width) {
      T divisors[width];
      for (index_t k = 0; k < width; ++k) {
        const index_t count = counts[i + k];
        divisors[k] = static_cast<T>(count + (more & -index_t{count > 0}));
      }
      const auto divisor = vector::load(divisors);
      const auto total = vector::load(totals + i);
      select_first(divisor == none, total, quotient(total, divisor)).store(totals + i);
    }
  }
  for (; i < n; ++i) {
    if (counts[i] > 0) totals[i * stride] = divide(totals[i * stride], counts[i] + more);
  }
}

}  // namespace garner::detail
