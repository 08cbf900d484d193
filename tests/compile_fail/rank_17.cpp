// expect: garner: a rank is between 0 and 16
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  float data[1] = {};
  garner::view<float, 3>{data, {1, 1, 1}};
#ifdef GARNER_MISTAKE
  using too_deep = garner::view<float, 17>;
  too_deep{data, {1, 1, 1}};
#endif
}
