// expect: garner: the elements cannot be copied
// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <vector>

#include <garner/garner.hpp>

void call() {
  const std::vector<int> index{0};
  const std::vector<std::shared_ptr<int>> shared(1);
  garner::take(shared, index);
#ifdef GARNER_MISTAKE
  const std::vector<std::unique_ptr<int>> unique(1);
  garner::take(unique, index);
#endif
}
