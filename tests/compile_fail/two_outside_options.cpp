// expect: garner: more than one of checked, wrap, clip, fill(v), unchecked
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<float, 2> x({3, 4});
  const garner::tensor<int, 2> index({3, 4});
  garner::gather(x, 0, index, garner::clip, garner::noalias);
#ifdef GARNER_MISTAKE
  garner::gather(x, 0, index, garner::clip, garner::noalias, garner::fill(0.f));
#endif
}
