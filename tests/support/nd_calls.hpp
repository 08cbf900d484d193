// SPDX-License-Identifier: BSD-3-Clause
// Random calls of operations whose index is a list of coordinates.
#pragma once

#include <algorithm>
#include <cstddef>

#include "support/random_call.hpp"

namespace test {

inline void draw_nd(random_call& c) {
  c.input_shape = random_shape(below<std::size_t>(5), 1000);
  const std::size_t rank = c.input_shape.size();
  const std::size_t batch = below(std::min<std::size_t>(rank, 2) + 1);
  const std::size_t count = below(rank - batch + 1);
  c.batch = static_cast<std::int64_t>(batch);
  const auto first = c.input_shape.begin() + static_cast<std::ptrdiff_t>(batch);
  c.index_shape.assign(c.input_shape.begin(), first);
  for (const auto extent : random_shape(below<std::size_t>(3), 40)) c.index_shape.push_back(extent);
  c.index_shape.push_back(static_cast<std::int64_t>(count));
  c.coordinates.assign(first, first + static_cast<std::ptrdiff_t>(count));
}

inline reference solve_nd(const random_call& c) {
  return gather_nd_reference(c.input_shape, static_cast<std::size_t>(c.batch), c.numbers(),
                             c.meaning);
}

}  // namespace test
