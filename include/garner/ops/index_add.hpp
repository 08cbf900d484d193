// SPDX-License-Identifier: BSD-3-Clause
// index_add: whole slices are added to self along `dim`, where a list of indices says.
#pragma once

#include <utility>

#include <garner/detail/lower.hpp>
#include <garner/detail/update.hpp>

namespace garner {

namespace detail {

struct index_add_op : select_rule<index_add_op> {
  static constexpr const char* name = "index_add";
  static constexpr const char* table = "self";
  static constexpr const char* values = "src";
  static constexpr bool takes_batch_dims = false;
  using negatives = reject_negative_t;
  using rule = exact_values;
  template <class Option>
  static constexpr bool takes = is_alpha<Option>;
};

}  // namespace detail

/// self[i][index[j]][k] += alpha * src[i][j][k]   // dim 1; likewise for the others
/// torch.index_add_; the option alpha(v) defaults to 1. The index has one dim (or none: one index),
/// src has self's shape but for `dim`, where it has the index's extent; or it is a single value.
/// Sums are taken in the order of the index. Changes self, allocates nothing, and writes nothing if
/// it throws shape_error or index_error.
template <class Self, class Dim, class Index, class Src, class... Options,
          class Arch = detail::default_arch>
void index_add_into(Self&& self, const Dim& dim, const Index& index, const Src& src,
                    const Options&... options) {
  detail::update_into<reduce::sum, detail::index_add_op, Arch>(
      std::forward<Self>(self), index, src, detail::option_set(options...), detail::dim_of(dim));
}

/// The same on a copy of self, which is returned.
template <class Self, class Dim, class Index, class Src, class... Options,
          class Arch = detail::default_arch>
auto index_add(const Self& self, const Dim& dim, const Index& index, const Src& src,
               const Options&... options) {
  return detail::update_copy<reduce::sum, detail::index_add_op, Arch>(
      self, index, src, detail::option_set(options...), detail::dim_of(dim));
}

}  // namespace garner
