// SPDX-License-Identifier: BSD-3-Clause
// libtorch's operations that write through an index, in place, and its indexing by coordinates.
#include <ATen/Parallel.h>

#include "peers/libtorch.hpp"
#include "peers/libtorch_tensor.hpp"

namespace bench {

namespace {

/// The coordinates as one index tensor for each dim, as libtorch wants them: views of the last dim.
c10::List<c10::optional<at::Tensor>> by_dim(const at::Tensor& indices) {
  c10::List<c10::optional<at::Tensor>> result;
  for (const at::Tensor& one : indices.unbind(-1)) result.push_back(one);
  return result;
}

}  // namespace

call libtorch_update(update op, const array& self_array, int dim, const array& index_array,
                     const array& src_array) {
  at::set_num_threads(1);
  at::GradMode::set_enabled(false);
  const auto src = src_array.data ? tensor_of(src_array) : at::Tensor();
  return [=, self = tensor_of(self_array), index = tensor_of(index_array)]() mutable {
    const at::Tensor wide = index.scalar_type() == at::kLong ? index : index.to(at::kLong);
    switch (op) {
      case update::scatter:
        src.defined() ? self.scatter_(dim, wide, src) : self.scatter_(dim, wide, 1);
        break;
      case update::scatter_add:
        self.scatter_add_(dim, wide, src);
        break;
      case update::scatter_mean:
        self.scatter_reduce_(dim, wide, src, "mean", true);
        break;
      case update::scatter_amax:
        self.scatter_reduce_(dim, wide, src, "amax", true);
        break;
      case update::index_add:
        self.index_add_(dim, wide, src);
        break;
      case update::index_copy:
        self.index_copy_(dim, wide, src);
        break;
      case update::index_fill:
        self.index_fill_(dim, wide, 1);
        break;
      case update::put:
        self.put_(wide, src, false);
        break;
      case update::put_add:
        self.put_(wide, src, true);
        break;
    }
  };
}

call libtorch_gather_nd(const array& out, const array& input, const array& indices) {
  at::set_num_threads(1);
  at::GradMode::set_enabled(false);
  return [out = tensor_of(out), input = tensor_of(input), index = tensor_of(indices)]() mutable {
    at::index_out(out, input, by_dim(index));
  };
}

call libtorch_scatter_nd(const array& self, const array& indices, const array& updates) {
  at::set_num_threads(1);
  at::GradMode::set_enabled(false);
  return [self = tensor_of(self), index = tensor_of(indices),
          updates = tensor_of(updates)]() mutable { self.index_put_(by_dim(index), updates); };
}

}  // namespace bench
