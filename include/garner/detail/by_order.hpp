// SPDX-License-Identifier: BSD-3-Clause
// What the standard's algorithms need to sort indices where they lie, by the elements they name.
#pragma once

#include <cstddef>
#include <iterator>

#include <garner/detail/kernels/order_key.hpp>

namespace garner::detail {

/// Whether element a of a line comes before element b: by value, then by place.
template <bool Descending, class T>
struct comes_before {
  const T* line;
  index_t stride;

  constexpr bool operator()(index_t a, index_t b) const {
    const T& x = line[a * stride];
    const T& y = line[b * stride];
    if (Descending ? is_less(y, x) : is_less(x, y)) return true;
    return a < b && !(Descending ? is_less(x, y) : is_less(y, x));
  }
};

/// Elements `stride` apart.
template <class T>
struct strided_iterator {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = index_t;
  using pointer = T*;
  using reference = T&;

  T* data = nullptr;
  index_t stride = 1;
  index_t at = 0;  // counted apart: a pointer must not be moved past the end by a stride

  constexpr T& operator*() const { return data[at * stride]; }
  constexpr T& operator[](index_t i) const { return data[(at + i) * stride]; }
  constexpr strided_iterator& operator+=(index_t n) {
    at += n;
    return *this;
  }
  constexpr strided_iterator& operator-=(index_t n) { return *this += -n; }
  constexpr strided_iterator& operator++() { return *this += 1; }
  constexpr strided_iterator& operator--() { return *this += -1; }
  constexpr strided_iterator operator++(int) {
    const auto before = *this;
    ++at;
    return before;
  }
  constexpr strided_iterator operator--(int) {
    const auto before = *this;
    --at;
    return before;
  }
  friend constexpr strided_iterator operator+(strided_iterator x, index_t n) { return x += n; }
  friend constexpr strided_iterator operator+(index_t n, strided_iterator x) { return x += n; }
  friend constexpr strided_iterator operator-(strided_iterator x, index_t n) { return x += -n; }
  friend constexpr index_t operator-(const strided_iterator& a, const strided_iterator& b) {
    return a.at - b.at;
  }
  friend constexpr bool operator==(const strided_iterator& a, const strided_iterator& b) {
    return a.at == b.at;
  }
  friend constexpr auto operator<=>(const strided_iterator& a, const strided_iterator& b) {
    return a.at <=> b.at;
  }
};

}  // namespace garner::detail
