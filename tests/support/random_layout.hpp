// SPDX-License-Identifier: BSD-3-Clause
// Random shapes, and random places in memory for the elements of a shape: dense, permuted, sliced,
// padded, reversed, expanded. To be called inside a RapidCheck property or rc::gen::exec; every
// choice shrinks to the plain.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "support/fenced.hpp"
#include "support/reference.hpp"

namespace test {

/// Below `n`, all alike (a RapidCheck range grows with the number of cases run); shrinks to 0.
template <class Integer>
Integer below(Integer n) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<Integer>(0, n));
}

/// True once in `n`, and false when shrunk.
inline bool once_in(int n) { return below(n) == n - 1; }

template <class T>
const T& one_of(const std::vector<T>& list) {
  return list[below(list.size())];
}

/// An extent near a vector's width, at most `most`; sometimes 0.
inline std::int64_t random_extent(std::int64_t most) {
  static const extents around{1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33};
  if (most == 0 || once_in(24)) return 0;
  const auto end = std::upper_bound(around.begin(), around.end(), most);
  return around[below(static_cast<std::size_t>(end - around.begin()))];
}

/// The extent of an axis: also one near the largest value of a small index type.
inline std::int64_t random_axis(std::int64_t most) {
  static const extents large{63, 64, 65, 127, 128, 129, 255, 256, 257, 300};
  if (most >= large.back() && once_in(6)) return one_of(large);
  return random_extent(most);
}

/// A shape of `rank` dims that holds at most `most` elements.
inline extents random_shape(std::size_t rank, std::int64_t most) {
  extents shape(rank, 1);
  const bool last_first = rank > 1 && once_in(2);
  for (std::size_t k = 0; k < rank; ++k) {
    auto& extent = shape[last_first ? rank - 1 - k : k];
    extent = random_extent(std::max<std::int64_t>(most, 1));
    if (extent > 0) most /= extent;
  }
  return shape;
}

/// Where each element of a shape lies in a buffer.
struct placement {
  extents shape;
  extents strides;
  std::int64_t first = 0;  // where the element at the origin lies
  std::int64_t size = 0;   // of the buffer, which no element could be spared of at either end
  flush side = flush::begin;
  bool is_null = false;

  /// The place of each element in the buffer, in row-major order.
  std::vector<std::size_t> offsets() const {
    std::vector<std::size_t> result;
    for_each_place(shape, [&](const coordinates& at) {
      std::int64_t offset = first;
      for (std::size_t d = 0; d < at.size(); ++d) {
        if (shape[d] > 1) offset += at[d] * strides[d];
      }
      result.push_back(static_cast<std::size_t>(offset));
    });
    return result;
  }
};

enum class operand { read, written };

/// What is written never lies twice in one place; what is read may.
inline placement random_placement(const extents& shape, operand use) {
  placement result{shape, extents(shape.size()), 0, 1, {}, false};
  std::vector<std::size_t> order(shape.size());  // innermost first
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  if (shape.size() > 1 && once_in(2)) {
    for (std::size_t k = order.size() - 1; k > 0; --k) {
      std::swap(order[k], order[k - below(k + 1)]);
    }
  }
  const bool is_dense = once_in(3);
  std::int64_t room = 1;  // how many elements the inner dims take up
  for (const std::size_t d : order) {
    auto& stride = result.strides[d];
    if (shape[d] <= 1) {  // never used, so it may be anything
      static const extents odd{1, 0, -1, 77, std::int64_t{1} << 40, -(std::int64_t{1} << 62)};
      stride = is_dense ? room : one_of(odd);
      continue;
    }
    if (use == operand::read && once_in(6)) {
      stride = 0;
      continue;
    }
    stride = room;
    if (is_dense) {
      room *= shape[d];
    } else {
      if (once_in(4) && room < 4000) stride *= 2 + below(2);  // sliced
      if (once_in(4)) stride += 1 + below(3);                 // padded
      room = once_in(2) ? stride * shape[d] : room + stride * (shape[d] - 1);
    }
    const std::int64_t span = stride * (shape[d] - 1);
    result.size += span;
    if (!is_dense && once_in(4)) {  // reversed
      result.first += span;
      stride = -stride;
    }
  }
  if (count(shape) == 0) {
    result.first = 0;
    result.size = 0;
    result.is_null = once_in(2);
  }
  result.side = once_in(2) ? flush::end : flush::begin;
  return result;
}

}  // namespace test
