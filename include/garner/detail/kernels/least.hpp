// SPDX-License-Identifier: BSD-3-Clause
// The k first entries of a run in sorted order, without sorting the rest.
#pragma once

#include <algorithm>
#include <cstdint>

#include <garner/detail/kernels/order_key.hpp>
#include <garner/detail/kernels/simd.hpp>

namespace garner::detail {

/// A pool of entries that may be among the k first. Once it is full, all but the k first leave, and
/// only what comes before the last of them gets in: soon hardly any element does.
template <class Entry>
struct entry_pool {
  static constexpr index_t block = 32;  // elements that are looked at together
  static constexpr index_t most = 2048;
  Entry entries[most + block];

  /// Whether the pool can find the k first of n.
  static constexpr bool accepts(index_t n, index_t k) {
    return n <= Entry::most && (n <= most || k <= most / 2);
  }
};

/// Leaves the k first of the run's entries sorted at the pool's begin; 0 < k <= n.
template <class Arch, bool Descending, keyed T>
void keep_least(entry_pool<entry_for<T>>& pool, const T* x, index_t stride, index_t n, index_t k) {
  using entry = entry_for<T>;
  using key = order_key_t<T>;
  constexpr index_t block = entry_pool<entry>::block;
  const index_t limit =
      n <= 4 * k ? n : std::clamp<index_t>(4 * k, 4 * block, entry_pool<entry>::most);
  entry* const begin = pool.entries;
  entry* end = begin;
  key bound{};
  bool is_bounded = false;
  const auto keep = [&] {
    if (end - begin > k) std::nth_element(begin, begin + k - 1, end);
    end = begin + k;
  };
  for (index_t i = 0; i < n; i += block) {
    const T* const from = x + i * stride;
    const index_t count = std::min(block, n - i);
    key keys[block];
    if (count == block && stride == 1) {
      for (index_t j = 0; j < block; ++j) keys[j] = sort_key<Descending>(from[j]);
      if (is_bounded) {
        key least = keys[0];
        for (index_t j = 0; j < block; ++j) least = keys[j] < least ? keys[j] : least;
        if (least >= bound) continue;
      }
    } else {
      for (index_t j = 0; j < count; ++j) keys[j] = sort_key<Descending>(from[j * stride]);
    }
    for (index_t j = 0; j < count; ++j) {
      *end = entry::of(keys[j], i + j);
      end += !is_bounded | (keys[j] < bound);
    }
    if (end - begin >= limit && i + block < n) {
      keep();
      bound = static_cast<key>(key_of(begin[k - 1]));
      is_bounded = true;
    }
  }
  keep();
  std::sort(begin, end);
}

}  // namespace garner::detail
