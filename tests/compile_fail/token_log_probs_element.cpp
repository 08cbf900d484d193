// expect: garner: logits are float, double, half or bfloat16
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<double, 2> logits({3, 4});
  const garner::tensor<int, 1> ids{1, 2, 3};
  garner::token_log_probs(logits, ids);
#ifdef GARNER_MISTAKE
  const garner::tensor<int, 2> counts({3, 4});
  garner::token_log_probs(counts, ids);
#endif
}
