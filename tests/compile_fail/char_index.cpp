// expect: garner: an index holds integers of 8 to 64 bits
// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include <garner/garner.hpp>

void call() {
  const garner::tensor<float, 2> x({3, 4});
  garner::index_select(x, 0, std::vector<signed char>{1});
#ifdef GARNER_MISTAKE
  garner::index_select(x, 0, std::vector<char>{1});
#endif
}
