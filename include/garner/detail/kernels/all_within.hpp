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

/// Calls visit(stream, i) such that the vectors of `Width` elements at all the i cover [0, n),
/// which is a vector at least; they may overlap. Four streams side by side, for memory gives more
/// to four than to one; from the end to the beginning, for that is where the next reader begins.
template <index_t Width, class Visit>
GARNER_INLINE void for_each_vector(index_t n, const Visit& visit) {
  constexpr index_t block = index_t{1} << 17;
  for (index_t first = (n - 1) / block * block; first >= 0; first -= block) {
    const index_t size = n - first < block ? n - first : block;
    const index_t part = size / (4 * Width) * Width;
    for (index_t i = first + size; i > first + 4 * part; i -= Width) {
      visit(0, i < Width ? 0 : i - Width);
    }
    for (index_t i = first + part - Width; i >= first; i -= Width) {
      visit(0, i);
      visit(1, i + part);
      visit(2, i + 2 * part);
      visit(3, i + 3 * part);
    }
  }
}

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
      const auto lows = vector::broadcast(low);
      const auto highs = vector::broadcast(high);
      const auto none = vector::broadcast(0);
      vector signs[] = {none, none, none, none};
      for_each_vector<width>(n, [&](int stream, index_t i) {
        const auto next = vector::load(index + i);
        signs[stream] = signs[stream] | (next - lows) | (highs - next);
      });
      return !any_less((signs[0] | signs[1]) | (signs[2] | signs[3]), none);
    }
  } else if constexpr (has_simd<Arch>) {
    using vector = simd<fixed_width<Index>, Arch>;
    constexpr index_t width = vector::size;
    if (n >= width) {
      const auto first = vector::load(index);
      vector low[] = {first, first, first, first};
      vector high[] = {first, first, first, first};
      for_each_vector<width>(n, [&](int stream, index_t i) {
        const auto next = vector::load(index + i);
        low[stream] = min(low[stream], next);
        high[stream] = max(high[stream], next);
      });
      const auto least = min(min(low[0], low[1]), min(low[2], low[3]));
      const auto most = max(max(high[0], high[1]), max(high[2], high[3]));
      return !any_less(least, vector::broadcast(lowest)) &&
             !any_less(vector::broadcast(highest), most);
    }
  }
  bool within = true;
  for (index_t i = 0; i < n; ++i) within &= lowest <= index[i] && index[i] <= highest;
  return within;
}

}  // namespace garner::detail
