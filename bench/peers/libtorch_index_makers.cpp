// SPDX-License-Identifier: BSD-3-Clause
// libtorch: argmax, argsort, topk, masked_select, and compress as an index of bools.
#include <ATen/Parallel.h>

#include "peers/libtorch.hpp"
#include "peers/libtorch_tensor.hpp"

namespace bench {

namespace {

void use_one_thread() {
  at::set_num_threads(1);
  at::GradMode::set_enabled(false);
}

at::Tensor mask_of(const array& x) {
  return at::from_blob(x.data, x.shape, x.strides, at::TensorOptions(at::kBool));
}

}  // namespace

call libtorch_argmax(const array& out, const array& x, i64 dim) {
  use_one_thread();
  return [=, to = tensor_of(out), from = tensor_of(x)]() mutable {
    at::argmax_out(to, from, dim, false);
  };
}

call libtorch_argsort(const array& out, const array& x, i64 dim) {
  use_one_thread();
  const auto from = tensor_of(x);
  return [=, to = tensor_of(out), values = at::empty_like(from)]() mutable {
    at::sort_out(values, to, from, true, dim, false);
  };
}

call libtorch_topk(const array& values, const array& indices, const array& x, i64 k, i64 dim) {
  use_one_thread();
  return [=, best = tensor_of(values), at = tensor_of(indices), from = tensor_of(x)]() mutable {
    at::topk_out(best, at, from, k, dim, true, true);
  };
}

call libtorch_masked_select(const array& out, const array& x, const array& mask) {
  use_one_thread();
  return [=, to = tensor_of(out), from = tensor_of(x), m = mask_of(mask)]() mutable {
    at::masked_select_out(to, from, m);
  };
}

call libtorch_compress(const array& out, const array& mask, const array& x, i64 dim) {
  use_one_thread();
  return [=, to = tensor_of(out), from = tensor_of(x), m = mask_of(mask)]() mutable {
    at::index_select_out(to, from, dim, m.nonzero().squeeze(1));
  };
}

}  // namespace bench
