// expect: garner: reject_negative and from_end are given to validate, not beside its result
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<float, 2> x({3, 4});
  const garner::tensor<int, 2> index({3, 4});
  const auto proven = garner::validate(index, 3, garner::from_end);
  garner::gather(x, 0, proven);
#ifdef GARNER_MISTAKE
  garner::gather(x, 0, proven, garner::from_end);
#endif
}
