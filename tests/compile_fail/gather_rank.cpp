// expect: garner: the index must have as many dims as the input
// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include <garner/garner.hpp>

void call() {
  const garner::tensor<float, 2> x({3, 4});
  const std::vector<int> index{1};
  garner::index_select(x, 0, index);
#ifdef GARNER_MISTAKE
  garner::gather(x, 0, index);
#endif
}
