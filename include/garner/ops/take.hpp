// SPDX-License-Identifier: BSD-3-Clause
// take: an index of any shape in place of one dim of the input, or of the whole flattened input.
#pragma once

#include <utility>

#include <garner/detail/call.hpp>
#include <garner/detail/lower.hpp>

namespace garner {

namespace detail {

struct take_op : take_rule<take_op> {
  static constexpr const char* name = "take";
  static constexpr const char* table = "input";
  static constexpr bool takes_batch_dims = true;
  using negatives = from_end_t;
};

}  // namespace detail

/// out[i][a][b][k] = input[i][index[a][b]][k]      // dim 1, an index of two dims
/// out[i][a][b][k] = input[i][index[i][a][b]][k]   // the same with batch_dims(1)
/// numpy.take, tf.gather, keras.ops.take, ONNX Gather. Negative indices count from the end.
/// The result's shape is input.shape[:dim] + index.shape[batch:] + input.shape[dim+1:]; its rank is
/// known at compile time unless batch_dims is given. Throws shape_error or index_error.
template <class Input, class Index, integer Dim, class... Options,
          class Arch = detail::default_arch>
auto take(const Input& input, const Index& index, Dim dim, const Options&... options) {
  return detail::read<detail::take_op, Arch>(input, index, detail::option_set(options...),
                                             detail::to_index(dim));
}

/// The same into `out`; allocates nothing, and writes nothing if it throws.
template <class Out, class Input, class Index, integer Dim, class... Options,
          class Arch = detail::default_arch>
void take_into(Out&& out, const Input& input, const Index& index, Dim dim,
               const Options&... options) {
  detail::read_into<detail::take_op, Arch>(std::forward<Out>(out), input, index,
                                           detail::option_set(options...), detail::to_index(dim));
}

/// out[a][b] = input.flatten()[index[a][b]], whether or not the input could be flattened without a
/// copy. torch.take, numpy.take without an axis.
template <class Input, class Index, class... Options, class Arch = detail::default_arch>
auto take(const Input& input, const Index& index, const Options&... options) {
  return detail::read<detail::flat_op<detail::take_op>, Arch>(input, index,
                                                              detail::option_set(options...));
}

/// The same into `out`; allocates nothing, and writes nothing if it throws.
template <class Out, class Input, class Index, class... Options, class Arch = detail::default_arch>
void take_into(Out&& out, const Input& input, const Index& index, const Options&... options) {
  detail::read_into<detail::flat_op<detail::take_op>, Arch>(std::forward<Out>(out), input, index,
                                                            detail::option_set(options...));
}

}  // namespace garner
