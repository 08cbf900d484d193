// expect: garner: include_self(b) is an option of scatter_reduce, alpha(v) of index_add
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  garner::tensor<float, 1> x(3);
  const garner::tensor<int, 1> index(3);
  garner::index_add_into(x, 0, index, 1, garner::alpha(2));
#ifdef GARNER_MISTAKE
  garner::scatter_add_into(x, 0, index, 1, garner::alpha(2));
#endif
}
