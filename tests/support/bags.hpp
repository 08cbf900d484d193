// SPDX-License-Identifier: BSD-3-Clause
// Random bags of ids between inaccessible pages, and what becomes of their rows by plain loops.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <rapidcheck.h>

#include <garner/half.hpp>
#include <garner/view.hpp>

#include "support/elements.hpp"
#include "support/fenced.hpp"
#include "support/random_layout.hpp"
#include "support/reference.hpp"

namespace test {

/// Elements of a random layout between inaccessible pages.
template <class T, int Rank>
class placed {
 public:
  placed(const extents& shape, operand use)
      : where_(random_placement(shape, use)),
        memory_(static_cast<std::size_t>(where_.size), where_.side),
        places_(where_.offsets()) {}

  garner::view<T, Rank> view() const {
    T* const origin = where_.is_null ? nullptr : memory_.data() + where_.first;
    return {origin, garner::dims<Rank>(where_.shape), garner::dims<Rank>(where_.strides)};
  }
  garner::view<const T, Rank> read() const { return view(); }
  /// Element k in row-major order.
  T& operator[](std::size_t k) const { return memory_[places_[k]]; }
  std::size_t size() const { return places_.size(); }
  fenced<T>& memory() { return memory_; }
  /// Whether nothing but the elements differs from `before`.
  bool is_kept_between(const std::vector<T>& before) const {
    std::vector<bool> is_element(memory_.size());
    for (auto place : places_) is_element[place] = true;
    for (std::size_t k = 0; k < memory_.size(); ++k) {
      if (!is_element[k] && std::memcmp(&memory_[k], &before[k], sizeof(T)) != 0) return false;
    }
    return true;
  }

 private:
  placement where_;
  fenced<T> memory_;
  std::vector<std::size_t> places_;
};

/// A number with a fraction, often negative; for 8 bits any value.
template <class T>
T random_number(std::uint64_t seed) {
  const std::uint64_t bits = mix(seed);
  if constexpr (sizeof(T) == 1) {
    return static_cast<T>(bits);
  } else {
    if (bits % 31 == 0) return static_cast<T>(-0.0f);
    return static_cast<T>(static_cast<float>(static_cast<std::int64_t>(bits >> 20) % 4001) / 7.0f);
  }
}

/// The product, rounded, whatever the compiler does with sums.
template <class T>
T rounded_product(T a, T b) {
  volatile T result = a * b;
  return result;
}

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Where bags begin and end: random lengths, some of them empty.
inline std::vector<std::int64_t> random_bounds(std::int64_t bags, std::int64_t most) {
  std::vector<std::int64_t> bounds{0};
  for (std::int64_t b = 0; b < bags; ++b) bounds.push_back(bounds.back() + below(most + 1));
  return bounds;
}

}  // namespace test
