// expect: garner: out is read-only
// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include <garner/garner.hpp>

void call() {
  const std::vector<float> x{1};
  const std::vector<int> index{0};
  std::vector<float> out(1);
  garner::gather_into(out, x, 0, index);
#ifdef GARNER_MISTAKE
  const std::vector<float>& read_only = out;
  garner::gather_into(read_only, x, 0, index);
#endif
}
