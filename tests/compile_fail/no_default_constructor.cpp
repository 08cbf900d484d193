// expect: garner: elements without a default constructor need the _into form
// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

struct marked {
  explicit marked(int m) : mark(m) {}
  int mark;
};

#include <garner/garner.hpp>

void call() {
  std::vector<marked> x{marked(1)};
  std::vector<marked> out{marked(2)};
  const std::vector<int> index{0};
  garner::take_into(out, x, index);
#ifdef GARNER_MISTAKE
  garner::take(x, index);
#endif
}
