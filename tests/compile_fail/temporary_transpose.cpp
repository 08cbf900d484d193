// expect: deleted
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<int, 2> x{{1, 2}};
  static_cast<void>(x.transpose(0, 1));
#ifdef GARNER_MISTAKE
  static_cast<void>(garner::tensor<int, 2>{{1, 2}}.transpose(0, 1));
#endif
}
