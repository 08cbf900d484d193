// expect: garner: self is read-only: use the form that returns a tensor
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<float, 1> x(3);
  const garner::tensor<int, 1> index(3);
  garner::scatter(x, 0, index, 1);
#ifdef GARNER_MISTAKE
  garner::scatter_into(x, 0, index, 1);
#endif
}
