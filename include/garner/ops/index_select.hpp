// SPDX-License-Identifier: BSD-3-Clause
// index_select: whole slices of the input along `dim`, in the order of a list of indices.
#pragma once

#include <utility>

#include <garner/detail/call.hpp>
#include <garner/detail/lower.hpp>

namespace garner {

namespace detail {

struct index_select_op : select_rule<index_select_op> {
  static constexpr const char* name = "index_select";
  static constexpr const char* table = "input";
  static constexpr bool takes_batch_dims = false;
  using negatives = reject_negative_t;
};

}  // namespace detail

/// out[i][j][k] = input[i][index[j]][k]   // dim 1; likewise for the others
/// torch.index_select. The index has one dim (or none: one index). Throws shape_error or
/// index_error.
template <class Input, class Dim, class Index, class... Options, class Arch = detail::default_arch>
auto index_select(const Input& input, const Dim& dim, const Index& index,
                  const Options&... options) {
  return detail::read<detail::index_select_op, Arch>(input, index, detail::option_set(options...),
                                                     detail::dim_of(dim));
}

/// The same into `out`; allocates nothing, and writes nothing if it throws.
template <class Out, class Input, class Dim, class Index, class... Options,
          class Arch = detail::default_arch>
void index_select_into(Out&& out, const Input& input, const Dim& dim, const Index& index,
                       const Options&... options) {
  detail::read_into<detail::index_select_op, Arch>(
      std::forward<Out>(out), input, index, detail::option_set(options...), detail::dim_of(dim));
}

}  // namespace garner
