// SPDX-License-Identifier: BSD-3-Clause
// The data that benchmarks run on: random, and the same in every run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>

#include <garner/tensor.hpp>

namespace bench {

/// Elements of random bits.
template <class T, int Rank>
garner::tensor<T, Rank> random_elements(const garner::dims<Rank>& shape) {
  auto result = garner::tensor<T, Rank>::uninitialized(shape);
  auto* bytes = reinterpret_cast<unsigned char*>(result.data());
  std::mt19937_64 next(1);
  const auto n = static_cast<std::size_t>(result.size()) * sizeof(T);
  for (std::size_t i = 0; i < n; i += 8) {
    const std::uint64_t bits = next();
    std::memcpy(bytes + i, &bits, std::min<std::size_t>(8, n - i));
  }
  return result;
}

/// Floats drawn evenly from [-1, 1), for operations that compute.
template <int Rank>
garner::tensor<float, Rank> random_floats(const garner::dims<Rank>& shape) {
  auto result = garner::tensor<float, Rank>::uninitialized(shape);
  std::mt19937_64 next(4);
  for (float& x : result) x = static_cast<float>(next() >> 40) * 0x1p-23f - 1;
  return result;
}

/// Indices drawn evenly from [0, extent).
template <class Index, int Rank>
garner::tensor<Index, Rank> random_indices(const garner::dims<Rank>& shape,
                                           garner::index_t extent) {
  auto result = garner::tensor<Index, Rank>::uninitialized(shape);
  std::mt19937_64 next(2);
  for (Index& index : result) {
    index = static_cast<Index>(next() % static_cast<std::uint64_t>(extent));
  }
  return result;
}

/// Fills each row with its coordinates in a random order, as an argsort would.
template <class Index>
void draw_orders(garner::tensor<Index, 2>& index) {
  std::mt19937_64 next(3);
  for (garner::index_t r = 0; r < index.extent(0); ++r) {
    for (garner::index_t i = 0; i < index.extent(1); ++i) {
      const auto j = static_cast<garner::index_t>(next() % static_cast<std::uint64_t>(i + 1));
      index(r, i) = index(r, j);
      index(r, j) = static_cast<Index>(i);
    }
  }
}

}  // namespace bench
