// expect: garner: an argument is no tensor
// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include <garner/garner.hpp>

void call() {
  const garner::tensor<float, 2> x({3, 4});
  garner::index_select(x, 0, std::vector<int>{1});
#ifdef GARNER_MISTAKE
  garner::index_select(x, 0, 1);
#endif
}
