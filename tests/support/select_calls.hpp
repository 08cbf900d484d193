// SPDX-License-Identifier: BSD-3-Clause
// Random calls of operations whose index is a list that names slices along a dim.
#pragma once

#include <cstddef>

#include "support/random_call.hpp"

namespace test {

struct select_calls {
  static void draw(random_call& c) {
    c.input_shape = random_shape(below<std::size_t>(4), 600);
    draw_dim(c);
    draw_axis(c.input_shape, c.axis());
    if (c.input_shape.empty()) {
      if (once_in(2)) c.index_shape = {1};
      return;
    }
    auto rest = c.input_shape;
    rest[c.axis()] = 1;
    if (!once_in(8)) c.index_shape = {random_axis(600 / std::max<std::int64_t>(count(rest), 1))};
  }
  static reference solve(const random_call& c) {
    return index_select_reference(c.input_shape, c.axis(), c.numbers(), c.meaning);
  }
  static extents values_shape(const extents& shape) { return shape; }
};

}  // namespace test
