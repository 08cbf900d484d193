// SPDX-License-Identifier: BSD-3-Clause
// The data that benchmarks run on: random, and the same in every run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>

#include <garner/garner.hpp>

namespace bench {

/// Elements of random bits.
template <class T, int Rank>
garner::tensor<T, Rank> elements(const garner::dims<Rank>& shape) {
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

/// Indices drawn evenly from [0, extent).
template <class Index, int Rank>
garner::tensor<Index, Rank> indices(const garner::dims<Rank>& shape, garner::index_t extent) {
  auto result = garner::tensor<Index, Rank>::uninitialized(shape);
  std::mt19937_64 next(2);
  for (Index& index : result) {
    index = static_cast<Index>(next() % static_cast<std::uint64_t>(extent));
  }
  return result;
}

/// A random order of [0, extent) in each row, as an argsort would give.
template <class Index>
garner::tensor<Index, 2> orders(garner::index_t rows, garner::index_t extent) {
  garner::tensor<Index, 2> result({rows, extent});
  std::mt19937_64 next(3);
  for (garner::index_t r = 0; r < rows; ++r) {
    for (garner::index_t i = 0; i < extent; ++i) {
      const auto j = static_cast<garner::index_t>(next() % static_cast<std::uint64_t>(i + 1));
      result(r, i) = result(r, j);
      result(r, j) = static_cast<Index>(i);
    }
  }
  return result;
}

}  // namespace bench
