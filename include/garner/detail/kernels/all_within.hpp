// SPDX-License-Identifier: BSD-3-Clause
// One pass over a dense run of indices: do all of them lie within bounds?
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <garner/detail/kernels/cell.hpp>
#include <garner/detail/kernels/simd.hpp>
#include <garner/error.hpp>

namespace garner::detail {

/// std::intN_t or std::uintN_t of T's size and sign: xsimd knows no long long beside long.
template <std::integral T>
using fixed_width = std::conditional_t<std::signed_integral<T>, std::make_signed_t<word<sizeof(T)>>,
                                       word<sizeof(T)>>;

/// Whether lowest <= index[i] <= highest for all i in [0, n).
template <class Arch, class Index>
bool all_within(const Index* index, index_t n, Index lowest, Index highest) {
  if constexpr (has_simd<Arch> && sizeof(Index) == 8) {
    // Few architectures compare 64 bits at once. Instead: an index is outside if index - lowest or
    // highest - index is negative. Within 2^62 the differences that matter do not overflow.
    using vector = simd<std::int64_t, Arch>;
    constexpr index_t width = vector::size;
    constexpr auto safe = std::int64_t{1} << 62;
    const auto low = static_cast<std::int64_t>(lowest);
    const auto high = static_cast<std::int64_t>(highest);
    if (n >= width && low >= -safe && high >= 0 && high < safe) {
      const auto signs_at = [lows = vector::broadcast(low),
                             highs = vector::broadcast(high)](const Index* at) {
        const vector next = vector::load(at);
        return (next - lows) | (highs - next);
      };
      vector signs = signs_at(index + n - width);  // the tail, overlapping the last whole vector
      for (index_t i = 0; i + width <= n; i += width) signs = signs | signs_at(index + i);
      return !any_less(signs, vector::broadcast(0));
    }
  } else if constexpr (has_simd<Arch>) {
    using vector = simd<fixed_width<Index>, Arch>;
    constexpr index_t width = vector::size;
    if (n >= width) {
      vector low = vector::load(index + n - width);
      vector high = low;
      for (index_t i = 0; i + width <= n; i += width) {
        const vector next = vector::load(index + i);
        low = min(low, next);
        high = max(high, next);
      }
      return !any_less(low, vector::broadcast(lowest)) &&
             !any_less(vector::broadcast(highest), high);
    }
  }
  bool within = true;
  for (index_t i = 0; i < n; ++i) within &= lowest <= index[i] && index[i] <= highest;
  return within;
}

}  // namespace garner::detail
