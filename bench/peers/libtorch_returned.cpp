// SPDX-License-Identifier: BSD-3-Clause
// libtorch's operations that return a tensor.
#include <memory>

#include <ATen/Parallel.h>

#include "peers/libtorch.hpp"
#include "peers/libtorch_tensor.hpp"

namespace bench {

contender libtorch_returned(const problem& p) {
  at::set_num_threads(1);
  at::GradMode::set_enabled(false);
  const auto result = std::make_shared<at::Tensor>();
  const auto run = [=, input = tensor_of(p.input), index = tensor_of(p.index)] {
    *result = p.op == operation::gather ? at::gather(input, p.dim, index) : at::take(input, index);
  };
  return {"libtorch", run, [=] {
            return std::span(static_cast<const std::byte*>(result->data_ptr()), result->nbytes());
          }};
}

}  // namespace bench
