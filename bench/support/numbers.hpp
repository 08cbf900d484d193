// SPDX-License-Identifier: BSD-3-Clause
// Numbers that can be compared, and masks, for operations that make indices.
#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <type_traits>

#include <garner/tensor.hpp>

#include "support/data.hpp"

namespace bench {

/// Floats from [-1, 1), integers of random bits.
template <class T, int Rank>
garner::tensor<T, Rank> random_numbers(const garner::dims<Rank>& shape) {
  if constexpr (std::is_same_v<T, float>) {
    return random_floats(shape);
  } else {
    return random_elements<T>(shape);
  }
}

/// The same without two floats alike, for peers that order equal elements as they like.
template <class T, int Rank>
garner::tensor<T, Rank> distinct_numbers(const garner::dims<Rank>& shape) {
  auto result = random_numbers<T>(shape);
  if constexpr (std::is_same_v<T, float>) {
    std::iota(result.begin(), result.end(), 0.0f);
    std::shuffle(result.begin(), result.end(), std::mt19937_64(6));
  }
  return result;
}

/// Bools that are true `percent` times in a hundred.
template <int Rank>
garner::tensor<bool, Rank> random_mask(const garner::dims<Rank>& shape, int percent) {
  garner::tensor<bool, Rank> result(shape);
  std::mt19937_64 next(5);
  for (bool& x : result) x = static_cast<int>(next() % 100) < percent;
  return result;
}

}  // namespace bench
