// expect: garner: validate takes checked, reject_negative or from_end only
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<int, 2> index({3, 4});
  garner::validate(index, 3, garner::from_end);
#ifdef GARNER_MISTAKE
  garner::validate(index, 3, garner::clip);
#endif
}
