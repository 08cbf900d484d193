// SPDX-License-Identifier: BSD-3-Clause
// gather_nd: elements or slices of the input by several coordinates at once.
#pragma once

#include <utility>

#include <garner/detail/call.hpp>
#include <garner/detail/lower.hpp>

namespace garner {

namespace detail {

struct gather_nd_op : nd_rule<gather_nd_op> {
  static constexpr const char* name = "gather_nd";
  static constexpr const char* table = "input";
  static constexpr bool takes_batch_dims = true;
  using negatives = from_end_t;
};

}  // namespace detail

/// out[a][b][k] = input[indices[a][b][0]][indices[a][b][1]][k]      // two coordinates
/// out[i][a][k] = input[i][indices[i][a][0]][indices[i][a][1]][k]   // the same with batch_dims(1)
/// tf.gather_nd, ONNX GatherND. The last dim of the indices holds the coordinates: any number from
/// none, which picks the whole input, to one for each dim after the batch dims. Each counts along a
/// dim of its own and is checked against that; negative ones count from the end. The result's shape
/// is indices.shape[:-1] + input.shape[batch + coordinates:], its rank is known at run time only.
/// Throws shape_error or index_error. Costs one pass over the indices, one allocation, one pass
/// over the result.
template <class Input, class Index, class... Options, class Arch = detail::default_arch>
auto gather_nd(const Input& input, const Index& indices, const Options&... options) {
  return detail::read<detail::gather_nd_op, Arch>(input, indices, detail::option_set(options...));
}

/// The same into `out`; allocates nothing, and writes nothing if it throws.
template <class Out, class Input, class Index, class... Options, class Arch = detail::default_arch>
void gather_nd_into(Out&& out, const Input& input, const Index& indices,
                    const Options&... options) {
  detail::read_into<detail::gather_nd_op, Arch>(std::forward<Out>(out), input, indices,
                                                detail::option_set(options...));
}

}  // namespace garner
