// expect: garner: an argument is no option
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  garner::tensor<float, 2> x({3, 4});
  const garner::tensor<int, 2> ids({2, 2});
  garner::gather(x, 0, ids);
#ifdef GARNER_MISTAKE
  garner::gather(x, 0, ids, garner::padding_idx(1));
#endif
}
