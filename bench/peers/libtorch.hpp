// SPDX-License-Identifier: BSD-3-Clause
// libtorch's calls for single operations, each in peers/libtorch_<operation>.cpp. Only where CMake
// found libtorch (GARNER_BENCH_LIBTORCH).
#pragma once

#include "support/compare.hpp"
#include "support/problem.hpp"

namespace bench {

/// A call that returns a tensor, of which `result` tells: gather or take.
contender libtorch_returned(const problem& p);

/// Writes through an index, in place; where `src` has no data, the value 1.
enum class update {
  scatter,
  scatter_add,
  scatter_mean,
  scatter_amax,
  index_add,
  index_copy,
  index_fill,
  put,
  put_add,
};
call libtorch_update(update op, const array& self, int dim, const array& index, const array& src);

/// out = input at coordinates, which the last dim of `indices` holds; or the other way round.
call libtorch_gather_nd(const array& out, const array& input, const array& indices);
call libtorch_scatter_nd(const array& self, const array& indices, const array& updates);
call libtorch_token_log_probs(const array& out, const array& logits, const array& ids);
/// From the logits, as garner: autograd would keep the log_softmax of the forward pass instead.
call libtorch_token_log_probs_backward(const array& gradient, const array& grad_out,
                                       const array& logits, const array& ids);
call libtorch_argmax(const array& out, const array& x, i64 dim);
call libtorch_argsort(const array& out, const array& x, i64 dim);
call libtorch_topk(const array& values, const array& indices, const array& x, i64 k, i64 dim);
call libtorch_masked_select(const array& out, const array& x, const array& mask);
call libtorch_compress(const array& out, const array& mask, const array& x, i64 dim);
call libtorch_embedding(const array& out, const array& weight, const array& ids);

/// mode: 0 sum, 1 mean, 2 max. `factors` may be null.
call libtorch_embedding_bag(const array& out, const array& weight, const array& ids,
                            const array& offsets, int mode, const array* factors);
call libtorch_embedding_bag_backward(const array& out, const array& grad, const array& weight,
                                     const array& ids, const array& offsets, int mode);
call libtorch_per_sample_weights_backward(const array& out, const array& grad, const array& weight,
                                          const array& ids, const array& offsets);
call libtorch_embedding_backward(const array& out, const array& grad, const array& ids);

}  // namespace bench
