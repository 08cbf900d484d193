// expect: garner: a view of 0 dims has no dim to select from
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<int, 1> x{1};
  static_cast<void>(x.select(0, 0));
#ifdef GARNER_MISTAKE
  static_cast<void>(x.select(0, 0).select(0, 0));
#endif
}
