// expect: garner: an index holds integers of 8 to 64 bits
// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include <garner/garner.hpp>

void call() {
  const garner::tensor<float, 2> x({3, 4});
  garner::take(x, std::vector<int>{1}, 0);
#ifdef GARNER_MISTAKE
  garner::take(x, std::vector<float>{1}, 0);
#endif
}
