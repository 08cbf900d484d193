// SPDX-License-Identifier: BSD-3-Clause
// Where the first largest element of a run stands, or of each of many columns side by side.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include <garner/detail/kernels/order_key.hpp>
#include <garner/detail/kernels/simd.hpp>

namespace garner::detail {

/// The key that the largest is looked for by: the least element has the largest, unless there is a
/// NaN, which has it always.
template <bool Least, keyed T>
GARNER_INLINE order_key_t<T> extreme_key(const T& x) {
  using key = order_key_t<T>;
  const key result = order_key(x);
  if constexpr (!Least) {
    return result;
  } else if constexpr (infinity_bits<T> != 0) {
    // One less than the complement, which wraps round for NaN alone.
    return static_cast<key>(static_cast<word<sizeof(T)>>(~result) - 1u);
  } else {
    return static_cast<key>(~result);
  }
}

/// The first of the largest keys among x[0], x[stride], ... of n > 0 elements.
template <class Arch, bool Least, keyed T>
index_t extreme_of_run(const T* x, index_t stride, index_t n) {
  using key = order_key_t<T>;
  constexpr index_t block = 128;
  constexpr key largest = std::numeric_limits<key>::max();
  const auto most_of = [](const T* from, index_t step, index_t count) {
    key result = std::numeric_limits<key>::min();
    for (index_t j = 0; j < count; ++j) {
      const key next = extreme_key<Least>(from[j * step]);
      result = next > result ? next : result;
    }
    return result;
  };
  key best = extreme_key<Least>(x[0]);
  index_t at = 0;  // the block that has it
  for (index_t i = 0; i < n && best != largest; i += block) {
    const T* const from = x + i * stride;
    const bool is_whole = stride == 1 && n - i >= block;
    const key most =
        is_whole ? most_of(from, 1, block) : most_of(from, stride, n - i < block ? n - i : block);
    if (most > best) {
      best = most;
      at = i;
    }
  }
  while (extreme_key<Least>(x[at * stride]) != best) ++at;
  return at;
}

/// out[j] = the first of the largest keys among x[j], x[stride + j], ...; n > 0 rows of m columns.
template <class Arch, bool Least, keyed T>
void extreme_of_columns(const T* x, index_t stride, index_t n, index_t m, std::int64_t* out,
                        index_t out_stride) {
  using key = std::conditional_t<sizeof(T) <= 4, std::int32_t, std::int64_t>;
  constexpr index_t width = 256;
  for (index_t first = 0; first < m; first += width) {
    const index_t count = m - first < width ? m - first : width;
    key best[width];
    key at[width] = {};  // n fits: the caller saw to it
    for (index_t j = 0; j < count; ++j) best[j] = extreme_key<Least>(x[first + j]);
    for (index_t r = 1; r < n; ++r) {
      const T* const row = x + r * stride + first;
      for (index_t j = 0; j < count; ++j) {
        const key next = extreme_key<Least>(row[j]);
        const bool is_better = next > best[j];
        best[j] = is_better ? next : best[j];
        at[j] = is_better ? static_cast<key>(r) : at[j];
      }
    }
    for (index_t j = 0; j < count; ++j) out[(first + j) * out_stride] = at[j];
  }
}

}  // namespace garner::detail
