// SPDX-License-Identifier: BSD-3-Clause
// Sorts packed entries byte by byte of their keys, the lowest first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <garner/detail/kernels/order_key.hpp>

namespace garner::detail {

/// Sorts entries that stand in the order of their indices; `other` has room for as many. The result
/// is in the one of the two that is returned.
template <class Arch>
packed_entry* radix_sort(packed_entry* entries, packed_entry* other, index_t n) {
  constexpr index_t short_line = 80;  // below, the counters do not pay
  if (n < short_line || n >= most_packed) {
    std::sort(entries, entries + n);
    return entries;
  }
  constexpr int digits = 4;
  const auto digit = [](packed_entry x, int d) {
    return static_cast<std::uint8_t>(x >> (32 + 8 * d));
  };
  std::uint32_t counts[digits][256] = {};
  for (index_t i = 0; i < n; ++i) {
    for (int d = 0; d < digits; ++d) ++counts[d][digit(entries[i], d)];
  }
  for (int d = 0; d < digits; ++d) {
    auto& starts = counts[d];
    if (starts[digit(entries[0], d)] == static_cast<std::uint32_t>(n)) continue;  // all alike
    std::uint32_t next = 0;
    for (std::uint32_t& start : starts) next += std::exchange(start, next);
    for (index_t i = 0; i < n; ++i) other[starts[digit(entries[i], d)]++] = entries[i];
    std::swap(entries, other);
  }
  return entries;
}

}  // namespace garner::detail
