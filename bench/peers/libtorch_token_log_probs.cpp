// SPDX-License-Identifier: BSD-3-Clause
// libtorch's log_softmax and gather, and the gradient of both.
#include <ATen/Parallel.h>

#include "peers/libtorch.hpp"
#include "peers/libtorch_tensor.hpp"

namespace bench {

call libtorch_token_log_probs(const array& out, const array& logits, const array& ids) {
  at::set_num_threads(1);
  at::GradMode::set_enabled(false);
  return [to = tensor_of(out).unsqueeze(-1), x = tensor_of(logits),
          index = tensor_of(ids).unsqueeze(-1)]() mutable {
    at::gather_out(to, at::log_softmax(x, -1), -1, index);
  };
}

call libtorch_token_log_probs_backward(const array& gradient, const array& grad_out,
                                       const array& logits, const array& ids) {
  at::set_num_threads(1);
  at::GradMode::set_enabled(false);
  return [to = tensor_of(gradient), g = tensor_of(grad_out).unsqueeze(-1), x = tensor_of(logits),
          index = tensor_of(ids).unsqueeze(-1)]() mutable {
    at::Tensor step = at::softmax(x, -1).mul_(g).neg_();
    step.scatter_add_(-1, index, g);
    to.add_(step);
  };
}

}  // namespace bench
