// SPDX-License-Identifier: BSD-3-Clause
// scatter, scatter_add, scatter_reduce: the other way round than gather. Each value goes to its own
// place in self but for `dim`, where the index says.
#pragma once

#include <utility>

#include <garner/detail/lower.hpp>
#include <garner/detail/update.hpp>

namespace garner {

namespace detail {

template <class Op>
struct scatter_rule : gather_rule<Op> {
  static constexpr const char* table = "self";
  static constexpr const char* values = "src";
  static constexpr bool takes_batch_dims = false;
  using negatives = reject_negative_t;
  using rule = larger_values;
};

struct scatter_op : scatter_rule<scatter_op> {
  static constexpr const char* name = "scatter";
};
struct scatter_add_op : scatter_rule<scatter_add_op> {
  static constexpr const char* name = "scatter_add";
};
struct scatter_reduce_op : scatter_rule<scatter_reduce_op> {
  static constexpr const char* name = "scatter_reduce";
  template <class Option>
  static constexpr bool takes = std::same_as<Option, include_self>;
};

}  // namespace detail

/// self[i][index[i][j][k]][k] = src[i][j][k]   // dim 1; likewise for the others
/// torch.scatter_, ONNX ScatterElements. The index has as many dims as self and src and is no
/// larger than self off `dim`, nor than src; src may also be a single value. Where indices meet,
/// the last in row-major order of the index wins. Changes self, allocates nothing, and writes
/// nothing if it throws shape_error or index_error. Under fill(v) an index outside is dropped.
template <class Self, class Dim, class Index, class Src, class... Options,
          class Arch = detail::default_arch>
void scatter_into(Self&& self, const Dim& dim, const Index& index, const Src& src,
                  const Options&... options) {
  detail::update_into<reduce::none, detail::scatter_op, Arch>(
      std::forward<Self>(self), index, src, detail::option_set(options...), detail::dim_of(dim));
}

/// The same on a copy of self, which is returned.
template <class Self, class Dim, class Index, class Src, class... Options,
          class Arch = detail::default_arch>
auto scatter(const Self& self, const Dim& dim, const Index& index, const Src& src,
             const Options&... options) {
  return detail::update_copy<reduce::none, detail::scatter_op, Arch>(
      self, index, src, detail::option_set(options...), detail::dim_of(dim));
}

/// self[i][index[i][j][k]][k] += src[i][j][k]   // dim 1; likewise for the others
/// torch.scatter_add_. Sums are taken in row-major order of the index, so floats have the same bits
/// everywhere; integers wrap around; 16-bit floats are added as floats and rounded once. The rest
/// is as in scatter_into.
template <class Self, class Dim, class Index, class Src, class... Options,
          class Arch = detail::default_arch>
void scatter_add_into(Self&& self, const Dim& dim, const Index& index, const Src& src,
                      const Options&... options) {
  detail::update_into<reduce::sum, detail::scatter_add_op, Arch>(
      std::forward<Self>(self), index, src, detail::option_set(options...), detail::dim_of(dim));
}

/// The same on a copy of self, which is returned.
template <class Self, class Dim, class Index, class Src, class... Options,
          class Arch = detail::default_arch>
auto scatter_add(const Self& self, const Dim& dim, const Index& index, const Src& src,
                 const Options&... options) {
  return detail::update_copy<reduce::sum, detail::scatter_add_op, Arch>(
      self, index, src, detail::option_set(options...), detail::dim_of(dim));
}

/// scatter_reduce_into<reduce::amax>(self, dim, index, src, include_self(false))
/// torch.scatter_reduce_: as scatter_add_into, by sum, prod, mean, amax or amin. Without
/// include_self(false) the values join what self held; with it, they replace it where there are
/// any. A mean of integers is rounded down; amax and amin are NaN where a value is. Means, and sums
/// and products of 16-bit floats, look through the index once for each 2048 elements of `dim`.
template <reduce Kind, class Self, class Dim, class Index, class Src, class... Options,
          class Arch = detail::default_arch>
void scatter_reduce_into(Self&& self, const Dim& dim, const Index& index, const Src& src,
                         const Options&... options) {
  detail::update_into<Kind, detail::scatter_reduce_op, Arch>(
      std::forward<Self>(self), index, src, detail::option_set(options...), detail::dim_of(dim));
}

/// The same on a copy of self, which is returned; a mean along more than 2048 elements allocates a
/// count for each, and looks through the index once.
template <reduce Kind, class Self, class Dim, class Index, class Src, class... Options,
          class Arch = detail::default_arch>
auto scatter_reduce(const Self& self, const Dim& dim, const Index& index, const Src& src,
                    const Options&... options) {
  return detail::update_copy<Kind, detail::scatter_reduce_op, Arch>(
      self, index, src, detail::option_set(options...), detail::dim_of(dim));
}

}  // namespace garner
