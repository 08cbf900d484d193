// expect: garner: index_select needs an index of one dim
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<float, 2> x({3, 4});
  const garner::tensor<int, 2> index({3, 4});
  garner::take(x, index, 0);
#ifdef GARNER_MISTAKE
  garner::index_select(x, 0, index);
#endif
}
