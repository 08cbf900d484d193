// expect: garner: fill(v) needs a value that converts to the element type
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<float, 2> x({3, 4});
  const garner::tensor<int, 2> index({3, 4});
  garner::gather(x, 0, index, garner::fill(1));
#ifdef GARNER_MISTAKE
  garner::gather(x, 0, index, garner::fill("none"));
#endif
}
