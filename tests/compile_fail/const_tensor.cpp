// expect: garner: a tensor's elements are not const
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  garner::tensor<int, 1> x(3);
#ifdef GARNER_MISTAKE
  garner::tensor<const int, 1> y(3);
#endif
}
