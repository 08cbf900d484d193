// expect: garner: bool has no sums, products or extremes here; use std::uint8_t
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  garner::tensor<bool, 1> x(3);
  const garner::tensor<int, 1> index(3);
  garner::scatter_into(x, 0, index, true);
#ifdef GARNER_MISTAKE
  garner::scatter_add_into(x, 0, index, true);
#endif
}
