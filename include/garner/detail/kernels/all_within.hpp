// SPDX-License-Identifier: BSD-3-Clause
// One pass over a dense run of indices: do all of them lie within bounds?
#pragma once

#include <concepts>
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
  index_t i = 0;
  if constexpr (has_simd<Arch>) {
    using vector = simd<fixed_width<Index>, Arch>;
    constexpr index_t width = vector::size;
    if (n >= width) {
      vector low = vector::load(index + n - width);  // the tail, overlapping the last whole vector
      vector high = low;
      for (; i + width <= n; i += width) {
        const vector next = vector::load(index + i);
        low = min(low, next);
        high = max(high, next);
      }
      return !any_less(low, vector::broadcast(lowest)) &&
             !any_less(vector::broadcast(highest), high);
    }
  }
  bool within = true;
  for (; i < n; ++i) within &= lowest <= index[i] && index[i] <= highest;
  return within;
}

}  // namespace garner::detail
