// expect: garner: more than one batch_dims(n)
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<int, 2> input{{1, 2}};
  const garner::tensor<int, 1> index{0};
  garner::take(input, index, 1, garner::batch_dims(1));
#ifdef GARNER_MISTAKE
  garner::take(input, index, 1, garner::batch_dims(1), garner::batch_dims(1));
#endif
}
