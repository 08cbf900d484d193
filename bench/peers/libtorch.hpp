// SPDX-License-Identifier: BSD-3-Clause
// libtorch's calls for single operations, each in peers/libtorch_<operation>.cpp. Only where CMake
// found libtorch (GARNER_BENCH_LIBTORCH).
#pragma once

#include "support/problem.hpp"

namespace bench {

call libtorch_token_log_probs(const array& out, const array& logits, const array& ids);
/// From the logits, as garner: autograd would keep the log_softmax of the forward pass instead.
call libtorch_token_log_probs_backward(const array& gradient, const array& grad_out,
                                       const array& logits, const array& ids);

}  // namespace bench
