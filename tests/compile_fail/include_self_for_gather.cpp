// expect: garner: include_self(b) is an option of scatter_reduce, alpha(v) of index_add
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  garner::tensor<float, 1> x(3);
  const garner::tensor<int, 1> index(3);
  garner::scatter_reduce_into<garner::reduce::sum>(x, 0, index, 1, garner::include_self(false));
#ifdef GARNER_MISTAKE
  garner::gather(x, 0, index, garner::include_self(false));
#endif
}
