// expect: garner: out has another rank than the result
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<float, 2> x({3, 4});
  const garner::tensor<int, 2> index({3, 4});
  garner::tensor<float, 2> out({3, 4});
  garner::tensor<float, 1> flat(12);
  garner::gather_into(out, x, 0, index);
#ifdef GARNER_MISTAKE
  garner::gather_into(flat, x, 0, index);
#endif
}
