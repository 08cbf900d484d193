// expect: garner: shape and strides must name equally many dims
// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include <garner/garner.hpp>

void call() {
  std::vector<int> data(6);
  garner::make_view(data, {2, 3}, {3, 1});
#ifdef GARNER_MISTAKE
  garner::make_view(data, {2, 3}, {1});
#endif
}
