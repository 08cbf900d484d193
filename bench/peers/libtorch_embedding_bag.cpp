// SPDX-License-Identifier: BSD-3-Clause
// libtorch's embeddings, forwards and back. They return new tensors; only the first call, which is
// the one that is compared, copies its result to out.
#include <ATen/Parallel.h>

#include <utility>

#include "peers/libtorch.hpp"
#include "peers/libtorch_tensor.hpp"

namespace bench {

namespace {

/// Makes `make()` a contender.
template <class Make>
call returning(const array& out, const Make& make) {
  at::set_num_threads(1);
  at::GradMode::set_enabled(false);
  return [make, to = tensor_of(out), is_first = true]() mutable {
    const at::Tensor result = make();
    if (std::exchange(is_first, false)) to.copy_(result);
  };
}

}  // namespace

call libtorch_embedding(const array& out, const array& weight, const array& ids) {
  return returning(out, [weight = tensor_of(weight), ids = tensor_of(ids)] {
    return at::embedding(weight, ids);
  });
}

call libtorch_embedding_bag(const array& out, const array& weight, const array& ids,
                            const array& offsets, int mode, const array* factors) {
  const auto rows = tensor_of(weight);
  const c10::optional<at::Tensor> samples =
      factors ? c10::optional<at::Tensor>(tensor_of(*factors)) : c10::nullopt;
  return returning(out, [=, ids = tensor_of(ids), offsets = tensor_of(offsets)] {
    return std::get<0>(
        at::_embedding_bag_forward_only(rows, ids, offsets, false, mode, false, samples));
  });
}

call libtorch_embedding_bag_backward(const array& out, const array& grad, const array& weight,
                                     const array& ids, const array& offsets, int mode) {
  const auto rows = tensor_of(weight);
  const auto forward =
      at::_embedding_bag(rows, tensor_of(ids), tensor_of(offsets), false, mode, false);
  return returning(out, [=, size = rows.size(0), grad = tensor_of(grad), ids = tensor_of(ids),
                         offsets = tensor_of(offsets)] {
    return at::_embedding_bag_backward(grad, ids, offsets, std::get<1>(forward),
                                       std::get<2>(forward), std::get<3>(forward), size, false,
                                       mode, false, {});
  });
}

call libtorch_per_sample_weights_backward(const array& out, const array& grad, const array& weight,
                                          const array& ids, const array& offsets) {
  const auto rows = tensor_of(weight);
  const auto forward =
      at::_embedding_bag(rows, tensor_of(ids), tensor_of(offsets), false, 0, false);
  return returning(out,
                   [=, grad = tensor_of(grad), ids = tensor_of(ids), offsets = tensor_of(offsets)] {
                     return at::_embedding_bag_per_sample_weights_backward(grad, rows, ids, offsets,
                                                                           std::get<1>(forward), 0);
                   });
}

call libtorch_embedding_backward(const array& out, const array& grad, const array& ids) {
  return returning(out, [rows = out.shape[0], grad = tensor_of(grad), ids = tensor_of(ids)] {
    return at::embedding_dense_backward(grad, ids, rows, -1, false);
  });
}

}  // namespace bench
