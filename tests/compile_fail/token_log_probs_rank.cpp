// expect: garner: logits (..., V) must have one dim more than ids (...)
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  const garner::tensor<float, 2> logits({3, 4});
  const garner::tensor<int, 1> ids{1, 2, 3};
  garner::token_log_probs(logits, ids);
#ifdef GARNER_MISTAKE
  garner::token_log_probs(logits, ids.unsqueeze(1));
#endif
}
