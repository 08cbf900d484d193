// SPDX-License-Identifier: BSD-3-Clause
// scatter_nd: elements or slices go into self by several coordinates at once.
#pragma once

#include <utility>

#include <garner/detail/lower.hpp>
#include <garner/detail/update.hpp>

namespace garner {

namespace detail {

struct scatter_nd_op : nd_rule<scatter_nd_op> {
  static constexpr const char* name = "scatter_nd";
  static constexpr const char* table = "self";
  static constexpr const char* values = "updates";
  static constexpr bool takes_batch_dims = true;
  using negatives = from_end_t;
  using rule = exact_values;
  template <class Option>
  static constexpr bool takes = std::same_as<Option, include_self>;
};

}  // namespace detail

/// self[indices[a][b][0]][indices[a][b][1]][k] = updates[a][b][k]   // two coordinates
/// ONNX ScatterND, tf.tensor_scatter_nd_update. Coordinates as in gather_nd, batch_dims(n) too.
/// scatter_nd_into<reduce::sum>(...) and so on: values join what is there, as in scatter_reduce.
/// updates has the shape indices.shape[:-1] + self.shape[batch + coordinates:], or is a single
/// value. Where indices meet, the last in row-major order wins. Changes self, allocates nothing,
/// and writes nothing if it throws shape_error or index_error.
template <reduce Kind = reduce::none, class Self, class Index, class Updates, class... Options,
          class Arch = detail::default_arch>
void scatter_nd_into(Self&& self, const Index& indices, const Updates& updates,
                     const Options&... options) {
  detail::update_into<Kind, detail::scatter_nd_op, Arch>(std::forward<Self>(self), indices, updates,
                                                         detail::option_set(options...));
}

/// The same on a copy of self, which is returned.
template <reduce Kind = reduce::none, class Self, class Index, class Updates, class... Options,
          class Arch = detail::default_arch>
auto scatter_nd(const Self& self, const Index& indices, const Updates& updates,
                const Options&... options) {
  return detail::update_copy<Kind, detail::scatter_nd_op, Arch>(self, indices, updates,
                                                                detail::option_set(options...));
}

}  // namespace garner
