// expect: garner: an argument is no tensor
// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include <garner/garner.hpp>

void call() {
  garner::take(std::vector<int>{1}, std::vector<int>{0});
#ifdef GARNER_MISTAKE
  garner::take(7, std::vector<int>{0});
#endif
}
