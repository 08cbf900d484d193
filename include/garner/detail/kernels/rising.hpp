// SPDX-License-Identifier: BSD-3-Clause
// One pass over a dense run of offsets: do they never decrease?
#pragma once

#include <cstdint>
#include <type_traits>

#include <garner/detail/kernels/all_within.hpp>
#include <garner/detail/kernels/simd.hpp>
#include <garner/error.hpp>

namespace garner::detail {

/// Whether list[0] <= list[1] <= ... <= list[n - 1] < 2^63; list[0] is 0, or the caller refuses it.
template <class Arch, class T>
bool is_rising(const T* list, index_t n) {
  index_t i = 1;
  bool rises = true;
  if constexpr (has_simd<Arch>) {
    using word = std::conditional_t<sizeof(T) == 8, std::int64_t, fixed_width<T>>;
    using vector = simd<word, Arch>;
    constexpr index_t width = vector::size;
    if constexpr (sizeof(T) == 8) {
      // Few architectures compare 64 bits at once. No difference of two that are not negative
      // overflows.
      const auto none = vector::broadcast(0);
      vector signs = none;
      for (; i + width <= n; i += width) {
        const auto next = vector::load(list + i);
        signs = signs | next | (next - vector::load(list + i - 1));
      }
      rises = !any_less(signs, none);
    } else {
      for (; i + width <= n; i += width) {
        rises = rises && !any_less(vector::load(list + i), vector::load(list + i - 1));
      }
    }
  }
  for (; i < n; ++i) rises = rises && list[i - 1] <= list[i];
  return rises;
}

}  // namespace garner::detail
