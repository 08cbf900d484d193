// expect: garner: an argument is no option; the options are checked, wrap, clip, fill(v)
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<float, 2> x({3, 4});
  const garner::tensor<int, 2> index({3, 4});
  garner::gather(x, 0, index, garner::wrap);
#ifdef GARNER_MISTAKE
  garner::gather(x, 0, index, "wrap");
#endif
}
