// expect: garner: grad_weight is a writable float or double
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  garner::tensor<float, 2> x({3, 4});
  const garner::tensor<int, 2> ids({2, 2});
  garner::tensor<garner::half, 2> y({3, 4});
  garner::embedding_bag_backward(x, x.slice(0, 0, 2).slice(1, 0, 4), ids, garner::noalias);
#ifdef GARNER_MISTAKE
  garner::embedding_bag_backward(y, x.slice(0, 0, 2), ids);
#endif
}
