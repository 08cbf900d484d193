// expect: garner: src must have as many dims as the index
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  garner::tensor<float, 2> x(garner::dims{3, 3});
  const garner::tensor<int, 2> index(garner::dims{3, 3});
  garner::scatter_into(x, 0, index, 1);
#ifdef GARNER_MISTAKE
  garner::scatter_into(x, 0, index, garner::tensor<float, 1>(3));
#endif
}
