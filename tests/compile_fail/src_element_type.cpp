// expect: garner: src holds another element type than self
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  garner::tensor<float, 1> x(3);
  const garner::tensor<int, 1> index(3);
  garner::scatter_into(x, 0, index, garner::tensor<float, 1>(3));
#ifdef GARNER_MISTAKE
  garner::scatter_into(x, 0, index, garner::tensor<double, 1>(3));
#endif
}
