// SPDX-License-Identifier: BSD-3-Clause
// index_copy, index_fill: whole slices of self along `dim` are written, where a list of indices
// says.
#pragma once

#include <utility>

#include <garner/detail/lower.hpp>
#include <garner/detail/update.hpp>

namespace garner {

namespace detail {

struct index_copy_op : select_rule<index_copy_op> {
  static constexpr const char* name = "index_copy";
  static constexpr const char* table = "self";
  static constexpr const char* values = "src";
  static constexpr bool takes_batch_dims = false;
  using negatives = reject_negative_t;
  using rule = exact_values;
};
struct index_fill_op : select_rule<index_fill_op> {
  static constexpr const char* name = "index_fill";
  static constexpr const char* table = "self";
  static constexpr const char* values = "value";
  static constexpr bool takes_batch_dims = false;
  using negatives = from_end_t;
  using rule = broadcast_values;
};

}  // namespace detail

/// self[i][index[j]][k] = src[i][j][k]   // dim 1; likewise for the others
/// torch.index_copy_. The index has one dim (or none: one index), src has self's shape but for
/// `dim`, where it has the index's extent. Where indices meet, the last wins. Changes self,
/// allocates nothing, and writes nothing if it throws shape_error or index_error.
template <class Self, class Dim, class Index, class Src, class... Options,
          class Arch = detail::default_arch>
void index_copy_into(Self&& self, const Dim& dim, const Index& index, const Src& src,
                     const Options&... options) {
  detail::update_into<reduce::none, detail::index_copy_op, Arch>(
      std::forward<Self>(self), index, src, detail::option_set(options...), detail::dim_of(dim));
}

/// The same on a copy of self, which is returned.
template <class Self, class Dim, class Index, class Src, class... Options,
          class Arch = detail::default_arch>
auto index_copy(const Self& self, const Dim& dim, const Index& index, const Src& src,
                const Options&... options) {
  return detail::update_copy<reduce::none, detail::index_copy_op, Arch>(
      self, index, src, detail::option_set(options...), detail::dim_of(dim));
}

/// self[i][index[j]][k] = value   // dim 1; likewise for the others
/// torch.index_fill_. `value` is a single value, or a tensor that broadcasts. Negative indices
/// count from the end. The rest is as in index_copy_into.
template <class Self, class Dim, class Index, class Value, class... Options,
          class Arch = detail::default_arch>
void index_fill_into(Self&& self, const Dim& dim, const Index& index, const Value& value,
                     const Options&... options) {
  detail::update_into<reduce::none, detail::index_fill_op, Arch>(
      std::forward<Self>(self), index, value, detail::option_set(options...), detail::dim_of(dim));
}

/// The same on a copy of self, which is returned.
template <class Self, class Dim, class Index, class Value, class... Options,
          class Arch = detail::default_arch>
auto index_fill(const Self& self, const Dim& dim, const Index& index, const Value& value,
                const Options&... options) {
  return detail::update_copy<reduce::none, detail::index_fill_op, Arch>(
      self, index, value, detail::option_set(options...), detail::dim_of(dim));
}

}  // namespace garner
