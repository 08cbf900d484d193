// expect: garner: out is no tensor
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<float, 2> x({3, 4});
  const garner::tensor<int, 2> index({3, 4});
  garner::tensor<float, 2> out({3, 4});
  int no_tensor = 0;
  garner::gather_into(out, x, 0, index);
#ifdef GARNER_MISTAKE
  garner::gather_into(no_tensor, x, 0, index);
#endif
}
