// expect: garner: the index must have as many dims as the input
// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include <garner/garner.hpp>

void call() {
  const garner::tensor<float, 2> x({3, 4});
  const std::vector<int> index{1};
  garner::take(x, index, 0);
#ifdef GARNER_MISTAKE
  garner::take_along_dim(x, index, 0);
#endif
}
