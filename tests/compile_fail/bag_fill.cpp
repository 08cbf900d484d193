// expect: garner: fill(v) has no meaning in a bag
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  garner::tensor<float, 2> x({3, 4});
  const garner::tensor<int, 2> ids({2, 2});
  garner::embedding_bag(x, ids, garner::clip);
#ifdef GARNER_MISTAKE
  garner::embedding_bag(x, ids, garner::fill(1));
#endif
}
