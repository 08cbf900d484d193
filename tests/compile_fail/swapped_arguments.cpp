// expect: garner: the dim is no integer
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<int, 1> x{1, 2, 3};
  const garner::tensor<int, 1> index{0};
  garner::gather(x, 0, index);
#ifdef GARNER_MISTAKE
  garner::gather(x, index, 0);
#endif
}
