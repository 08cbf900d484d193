// expect: garner: an element is named by as many coordinates as the view has dims
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  float data[6] = {};
  const garner::view<float, 2> x{data, {2, 3}};
  static_cast<void>(x(1, 2));
#ifdef GARNER_MISTAKE
  static_cast<void>(x(1, 2, 0));
#endif
}
