// SPDX-License-Identifier: BSD-3-Clause
// The k first entries of a run in sorted order, without sorting the rest.
#pragma once

#include <algorithm>
#include <cstdint>

#include <garner/detail/kernels/order_key.hpp>
#include <garner/detail/kernels/radix_sort.hpp>

namespace garner::detail {

/// How many entries `least` can find at most.
inline constexpr index_t most_least = 1024;

/// The k first of the run's entries, sorted; 0 < k <= n, and k is at most most_least. Those found
/// so far stay sorted, and the last of them is the bound that an element must come before: soon
/// hardly any does, and whole blocks are passed over at a glance.
template <class Arch, bool Descending, keyed T>
void least(entry_for<T>* found, const T* x, index_t stride, index_t n, index_t k) {
  using entry = entry_for<T>;
  using key = order_key_t<T>;
  constexpr index_t block = 32;
  for (index_t i = 0; i < k; ++i)
    found[i] = entry_of<entry>(sort_key<Descending>(x[i * stride]), i);
  std::sort(found, found + k);
  auto bound = static_cast<key>(key_of(found[k - 1]));
  const auto offer = [&](key next, index_t i) {
    if (next >= bound) return;  // of equal keys the first stays
    const auto mine = entry_of<entry>(next, i);
    entry* const last = found + k - 1;
    entry* at = last;
    if (k > 32) {
      at = std::upper_bound(found, last, mine);
      std::move_backward(at, last, last + 1);
    } else {
      for (; at > found && mine < at[-1]; --at) *at = at[-1];
    }
    *at = mine;
    bound = static_cast<key>(key_of(found[k - 1]));
  };
  index_t i = k;
  for (; n - i >= block; i += block) {
    const T* const from = x + i * stride;
    key keys[block];
    if (stride == 1) {
      for (index_t j = 0; j < block; ++j) keys[j] = sort_key<Descending>(from[j]);
    } else {
      for (index_t j = 0; j < block; ++j) keys[j] = sort_key<Descending>(from[j * stride]);
    }
    key first = keys[0];
    for (const key next : keys) first = next < first ? next : first;
    if (first >= bound) continue;
    for (index_t j = 0; j < block; ++j) offer(keys[j], i + j);
  }
  for (; i < n; ++i) offer(sort_key<Descending>(x[i * stride]), i);
}

}  // namespace garner::detail
