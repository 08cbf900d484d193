// expect: deleted
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<int, 1> x{1};
  static_cast<void>(x.expand({2, 1}));
#ifdef GARNER_MISTAKE
  static_cast<void>(garner::tensor<int, 1>{1}.expand({2, 1}));
#endif
}
