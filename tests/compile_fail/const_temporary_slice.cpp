// expect: deleted
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

const garner::tensor<int, 1> make();

void call() {
  const auto x = make();
  static_cast<void>(x.slice(0, 1));
#ifdef GARNER_MISTAKE
  static_cast<void>(make().slice(0, 1));
#endif
}
