// SPDX-License-Identifier: BSD-3-Clause
// put, put_along_dim: values go into self where indices say, counted in row-major order or along a
// dim.
#pragma once

#include <utility>

#include <garner/detail/lower.hpp>
#include <garner/detail/update.hpp>

namespace garner {

namespace detail {

struct put_op : flat_rule<put_op> {
  static constexpr const char* name = "put";
  static constexpr const char* table = "self";
  static constexpr const char* values = "src";
  static constexpr bool takes_batch_dims = false;
  using negatives = from_end_t;
  using rule = broadcast_values;
  template <class Option>
  static constexpr bool takes = std::same_as<Option, accumulate_t>;
};

/// As in take_along_dim, but self is not repeated: its elements would be written more than once.
struct put_along_dim_op {
  static constexpr const char* name = "put_along_dim";
  static constexpr const char* table = "self";
  static constexpr const char* values = "values";
  static constexpr bool takes_batch_dims = false;
  using negatives = from_end_t;
  using rule = broadcast_values;

  template <int R, int Q>
  static constexpr auto lower(const layout<R>& self, const layout<Q>& index, index_t dim) {
    auto problem = along_rule<put_along_dim_op>::lower(self, index, dim);
    for (int d = 0; d < self.rank(); ++d) {
      if (d != problem.dim && problem.shape[d] != self.shape[d]) {
        fail_shape(name, "indices have extent ", index.shape[d], " in dim ", d,
                   ", but self only 1");
      }
    }
    return problem;
  }
};
struct put_along_flat_op : flat_rule<put_along_flat_op> {
  static constexpr const char* name = "put_along_dim";
  static constexpr const char* table = "self";
  static constexpr const char* values = "values";
  static constexpr bool takes_batch_dims = false;
  using negatives = from_end_t;
  using rule = broadcast_values;
};

template <class... Options>
inline constexpr reduce put_kind = is_one_of<accumulate_t, Options...> ? reduce::sum : reduce::none;

}  // namespace detail

/// self.flatten()[index[a][b]] = src[a][b]; += with the option accumulate
/// torch.put_, numpy.put. src broadcasts to the index's shape, or is a single value. Negative
/// indices count from the end. Where indices meet, the last in row-major order of the index wins.
/// Changes self, whatever its layout, allocates nothing, and writes nothing if it throws
/// shape_error or index_error.
template <class Self, class Index, class Src, class... Options, class Arch = detail::default_arch>
void put_into(Self&& self, const Index& index, const Src& src, const Options&... options) {
  detail::update_into<detail::put_kind<Options...>, detail::put_op, Arch>(
      std::forward<Self>(self), index, src, detail::option_set(options...));
}

/// The same on a copy of self, which is returned.
template <class Self, class Index, class Src, class... Options, class Arch = detail::default_arch>
auto put(const Self& self, const Index& index, const Src& src, const Options&... options) {
  return detail::update_copy<detail::put_kind<Options...>, detail::put_op, Arch>(
      self, index, src, detail::option_set(options...));
}

/// self[i][indices[i][j][k]][k] = values[i][j][k]   // dim 1; likewise for the others
/// numpy.put_along_axis. Equal ranks; off `dim`, the indices' extents of 1 are repeated; values
/// broadcast to the indices' shape after that, or are a single value. The rest is as in put_into.
template <class Self, class Index, class Values, integer Dim, class... Options,
          class Arch = detail::default_arch>
void put_along_dim_into(Self&& self, const Index& indices, const Values& values, Dim dim,
                        const Options&... options) {
  detail::update_into<reduce::none, detail::put_along_dim_op, Arch>(
      std::forward<Self>(self), indices, values, detail::option_set(options...),
      detail::to_index(dim));
}

/// The same on a copy of self, which is returned.
template <class Self, class Index, class Values, integer Dim, class... Options,
          class Arch = detail::default_arch>
auto put_along_dim(const Self& self, const Index& indices, const Values& values, Dim dim,
                   const Options&... options) {
  return detail::update_copy<reduce::none, detail::put_along_dim_op, Arch>(
      self, indices, values, detail::option_set(options...), detail::to_index(dim));
}

/// self.flatten()[indices[i][j]] = values[i][j]
template <class Self, class Index, class Values, class... Options,
          class Arch = detail::default_arch>
void put_along_dim_into(Self&& self, const Index& indices, const Values& values,
                        const Options&... options) {
  detail::update_into<reduce::none, detail::put_along_flat_op, Arch>(
      std::forward<Self>(self), indices, values, detail::option_set(options...));
}

/// The same on a copy of self, which is returned.
template <class Self, class Index, class Values, class... Options,
          class Arch = detail::default_arch>
auto put_along_dim(const Self& self, const Index& indices, const Values& values,
                   const Options&... options) {
  return detail::update_copy<reduce::none, detail::put_along_flat_op, Arch>(
      self, indices, values, detail::option_set(options...));
}

}  // namespace garner
