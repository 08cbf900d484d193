// expect: garner: an argument is no tensor
// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include <garner/garner.hpp>

void call() {
  garner::take(garner::tensor<bool, 1>{true}, std::vector<int>{0});
#ifdef GARNER_MISTAKE
  garner::take(std::vector<bool>{true}, std::vector<int>{0});
#endif
}
