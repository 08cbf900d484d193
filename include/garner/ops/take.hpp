// SPDX-License-Identifier: BSD-3-Clause
// take: an index of any shape in place of one dim of the input, or of the whole flattened input.
#pragma once

#include <utility>

#include <garner/detail/call.hpp>

namespace garner {

namespace detail {

struct take_op {
  static constexpr const char* name = "take";
  static constexpr bool takes_batch_dims = true;
  using negatives = from_end_t;

  template <int R, int Q>
  static constexpr auto lower(const layout<R>& input, const layout<Q>& index, index_t dim) {
    constexpr int replaced = R == 0 ? 0 : 1;
    constexpr int rank = Q == dynamic_rank ? dynamic_rank : plus_rank(R, Q - replaced);
    return lower_to<rank>(input, index, dim, 0);
  }

  template <int R, int Q>
  static constexpr auto lower(const layout<R>& input, const layout<Q>& index, index_t dim,
                              index_t batch) {
    return lower_to<dynamic_rank>(input, index, dim, batch);
  }

 private:
  template <int Rank, int R, int Q>
  static constexpr auto lower_to(const layout<R>& input, const layout<Q>& index, index_t dim,
                                 index_t batch) {
    if (batch < 0 || batch > index.rank() || batch > input.rank()) {
      fail_shape(name, "batch_dims(", batch, ") for input ", input.shape, " and index ",
                 index.shape);
    }
    const int shared = static_cast<int>(batch);
    const int after = input.rank() == 0 ? 0 : input.rank() - 1;
    auto problem = along<Rank>(name, input, dim, after + index.rank() - shared);
    if (problem.dim < batch)
      fail_shape(name, "dim ", problem.dim, " is one of ", batch, " batch dims");

    int k = 0;
    for (int d = 0; d < problem.dim; ++d, ++k) {
      problem.shape[k] = input.shape[d];
      problem.src_strides[k] = input.strides[d];
      if (d >= shared) continue;
      problem.index_strides[k] = index.strides[d];
      if (index.shape[d] != input.shape[d]) {
        fail_shape(name, "input and index have extents ", input.shape[d], " and ", index.shape[d],
                   " in batch dim ", d);
      }
    }
    for (int d = shared; d < index.rank(); ++d, ++k) {
      problem.shape[k] = index.shape[d];
      problem.index_strides[k] = index.strides[d];
    }
    for (int d = static_cast<int>(problem.dim) + 1; d < input.rank(); ++d, ++k) {
      problem.shape[k] = input.shape[d];
      problem.src_strides[k] = input.strides[d];
    }
    check_shape(name, problem.shape);
    return problem;
  }
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
