// expect: deleted
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<int, 1> x{1, 2, 3};
  static_cast<void>(x.slice(0, 1));
#ifdef GARNER_MISTAKE
  static_cast<void>(garner::tensor<int, 1>{1, 2, 3}.slice(0, 1));
#endif
}
