// expect: garner: an index holds integers of 8 to 64 bits
// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include <garner/garner.hpp>

void call() {
  const std::vector<int> index{1};
  const std::vector<double> floats{1};
  garner::validate(index, 4);
#ifdef GARNER_MISTAKE
  garner::validate(floats, 4);
#endif
}
