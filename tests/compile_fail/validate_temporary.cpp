// expect: garner: validate keeps a view of the index: give the index a name first
// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include <garner/garner.hpp>

void call() {
  const std::vector<int> index{1};
  garner::validate(index, 4);
#ifdef GARNER_MISTAKE
  garner::validate(std::vector<int>{1}, 4);
#endif
}
