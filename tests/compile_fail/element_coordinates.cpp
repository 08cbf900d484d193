// expect: garner: an element is named by as many coordinates as the view has dims
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<float, 2> x({3, 4});
  static_cast<void>(x(1, 2));
#ifdef GARNER_MISTAKE
  static_cast<void>(x(1));
#endif
}
