// SPDX-License-Identifier: BSD-3-Clause
// libtorch: every operation, into a tensor made before. Indices that it does not accept are widened
// inside the call, and reversed sources are flipped, as its user would have to.
#include <ATen/Parallel.h>

#include "peers/libtorch_tensor.hpp"
#include "peers/peers.hpp"

namespace bench {

namespace {

/// Turns the dims with negative strides, which libtorch does not have, the other way round; they
/// are left in `flipped`.
array without_negative_strides(array x, std::vector<i64>& flipped) {
  for (std::size_t d = 0; d < x.shape.size(); ++d) {
    if (x.strides[d] >= 0) continue;
    const i64 back = (x.shape[d] - 1) * x.strides[d] * at::elementSize(type_of(x.type));
    x.data = static_cast<char*>(x.data) + back;
    x.strides[d] = -x.strides[d];
    flipped.push_back(static_cast<i64>(d));
  }
  return x;
}

void read(operation op, at::Tensor& out, const at::Tensor& input, i64 dim,
          const at::Tensor& index) {
  switch (op) {
    case operation::gather:
      at::gather_out(out, input, dim, index);
      break;
    case operation::take_along_dim:
      at::take_along_dim_out(out, input, index, dim);
      break;
    case operation::index_select:
      at::index_select_out(out, input, dim, index);
      break;
    case operation::take:
      at::take_out(out, input, index);
      break;
  }
}

}  // namespace

call libtorch(const problem& p) {
  at::set_num_threads(1);
  at::GradMode::set_enabled(false);
  std::vector<i64> flipped;
  const auto input = tensor_of(without_negative_strides(p.input, flipped));
  const bool accepts_index = p.index.type == kind::int64 ||
                             (p.index.type == kind::int32 && p.op == operation::index_select);
  return [=, op = p.op, dim = p.dim, out = tensor_of(p.out), index = tensor_of(p.index)]() mutable {
    at::Tensor forward, wide;
    read(op, out, flipped.empty() ? input : (forward = input.flip(flipped)), dim,
         accepts_index ? index : (wide = index.to(at::kLong)));
  };
}

}  // namespace bench
