// expect: garner: batch_dims(n) is an option of take along a dim, gather_nd and scatter_nd only
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<float, 2> x({3, 4});
  const garner::tensor<int, 2> index({3, 4});
  garner::take(x, index, 1, garner::batch_dims(1));
#ifdef GARNER_MISTAKE
  garner::gather(x, 1, index, garner::batch_dims(1));
#endif
}
