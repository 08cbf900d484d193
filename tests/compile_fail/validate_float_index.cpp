// expect: garner: an index holds integers of 8 to 64 bits
// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include <garner/garner.hpp>

void call() {
  garner::validate(std::vector<int>{1}, 4);
#ifdef GARNER_MISTAKE
  garner::validate(std::vector<double>{1}, 4);
#endif
}
