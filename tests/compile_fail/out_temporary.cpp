// expect: no temporary that owns its elements
// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include <garner/garner.hpp>

void call() {
  const std::vector<int> input{1, 2};
  const std::vector<int> index{1};
  std::vector<int> out(1);
  garner::take_into(out, input, index);
#ifdef GARNER_MISTAKE
  garner::take_into(std::vector<int>(1), input, index);
#endif
}
