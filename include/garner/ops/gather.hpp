// SPDX-License-Identifier: BSD-3-Clause
// gather: one element per index, from the index's own place in the input but for `dim`.
#pragma once

#include <utility>

#include <garner/detail/call.hpp>
#include <garner/detail/lower.hpp>

namespace garner {

namespace detail {

struct gather_op : gather_rule<gather_op> {
  static constexpr const char* name = "gather";
  static constexpr const char* table = "input";
  static constexpr bool takes_batch_dims = false;
  using negatives = reject_negative_t;
};

}  // namespace detail

/// out[i][j][k] = input[index[i][j][k]][j][k]   // dim 0; likewise for the others
/// torch.gather. The index has as many dims as the input and may be smaller off `dim`; the result
/// has its shape. Throws shape_error or index_error. Costs one pass over the index, one allocation,
/// one pass over the result.
template <class Input, class Dim, class Index, class... Options, class Arch = detail::default_arch>
auto gather(const Input& input, const Dim& dim, const Index& index, const Options&... options) {
  return detail::read<detail::gather_op, Arch>(input, index, detail::option_set(options...),
                                               detail::dim_of(dim));
}

/// The same into `out`, which has the index's shape; allocates nothing, and writes nothing if it
/// throws.
template <class Out, class Input, class Dim, class Index, class... Options,
          class Arch = detail::default_arch>
void gather_into(Out&& out, const Input& input, const Dim& dim, const Index& index,
                 const Options&... options) {
  detail::read_into<detail::gather_op, Arch>(std::forward<Out>(out), input, index,
                                             detail::option_set(options...), detail::dim_of(dim));
}

}  // namespace garner
