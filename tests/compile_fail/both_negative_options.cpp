// expect: garner: both reject_negative and from_end
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<float, 2> x({3, 4});
  const garner::tensor<int, 2> index({3, 4});
  garner::gather(x, 0, index, garner::from_end);
#ifdef GARNER_MISTAKE
  garner::gather(x, 0, index, garner::from_end, garner::wrap, garner::reject_negative);
#endif
}
