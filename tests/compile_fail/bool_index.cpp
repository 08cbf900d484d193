// expect: garner: an index holds integers of 8 to 64 bits
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<float, 2> x({3, 4});
  garner::gather(x, 0, garner::tensor<int, 2>({3, 4}));
#ifdef GARNER_MISTAKE
  garner::gather(x, 0, garner::tensor<bool, 2>({3, 4}));
#endif
}
