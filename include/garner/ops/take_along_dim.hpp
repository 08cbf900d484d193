// SPDX-License-Identifier: BSD-3-Clause
// take_along_dim: gather with input and indices broadcast against each other off `dim`; without a
// dim, from the flattened input.
#pragma once

#include <utility>

#include <garner/detail/call.hpp>
#include <garner/detail/lower.hpp>

namespace garner {

namespace detail {

struct take_along_dim_op : along_rule<take_along_dim_op> {
  static constexpr const char* name = "take_along_dim";
  static constexpr const char* table = "input";
  static constexpr bool takes_batch_dims = false;
  using negatives = from_end_t;
};

}  // namespace detail

/// out[i][j][k] = input[i][indices[i][j][k]][k]   // dim 1; likewise for the others
/// torch.take_along_dim, numpy.take_along_axis. Equal ranks; off `dim`, extents of 1 are repeated
/// on either side. Negative indices count from the end. Throws shape_error or index_error.
template <class Input, class Index, integer Dim, class... Options,
          class Arch = detail::default_arch>
auto take_along_dim(const Input& input, const Index& indices, Dim dim, const Options&... options) {
  return detail::read<detail::take_along_dim_op, Arch>(
      input, indices, detail::option_set(options...), detail::to_index(dim));
}

/// The same into `out`; allocates nothing, and writes nothing if it throws.
template <class Out, class Input, class Index, integer Dim, class... Options,
          class Arch = detail::default_arch>
void take_along_dim_into(Out&& out, const Input& input, const Index& indices, Dim dim,
                         const Options&... options) {
  detail::read_into<detail::take_along_dim_op, Arch>(std::forward<Out>(out), input, indices,
                                                     detail::option_set(options...),
                                                     detail::to_index(dim));
}

/// out[i][j] = input.flatten()[indices[i][j]], whether or not the input could be flattened without
/// a copy.
template <class Input, class Index, class... Options, class Arch = detail::default_arch>
auto take_along_dim(const Input& input, const Index& indices, const Options&... options) {
  return detail::read<detail::flat_op<detail::take_along_dim_op>, Arch>(
      input, indices, detail::option_set(options...));
}

/// The same into `out`; allocates nothing, and writes nothing if it throws.
template <class Out, class Input, class Index, class... Options, class Arch = detail::default_arch>
void take_along_dim_into(Out&& out, const Input& input, const Index& indices,
                         const Options&... options) {
  detail::read_into<detail::flat_op<detail::take_along_dim_op>, Arch>(
      std::forward<Out>(out), input, indices, detail::option_set(options...));
}

}  // namespace garner
