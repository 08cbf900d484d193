// SPDX-License-Identifier: BSD-3-Clause
// indexed_copy: the one problem that every reading operation is lowered to.
//   for each coordinate c of out:
//     out[c . out_strides] = src[c . src_strides + axis(index[c . index_strides])]
#pragma once

#include <garner/detail/layout.hpp>

namespace garner::detail {

/// All of the problem but the data and out's strides. `axis` is what an index counts along: one dim
/// of the source or, in the flat forms, all of them in row-major order.
template <int Rank, int AxisRank = 1>
struct indexed_copy {
  dims<Rank> shape;
  dims<Rank> src_strides;
  dims<Rank> index_strides;
  layout<AxisRank> axis;
  index_t dim;  // which dim the axis is, for messages; -1 if it is no single one

  constexpr index_t axis_extent() const { return axis.size(); }
};

/// The same where an index is one coordinate for each dim of `axis`, `coordinate_stride` apart;
/// `dim` is the first of these dims in the table.
struct indexed_tuples : indexed_copy<dynamic_rank, dynamic_rank> {
  index_t coordinate_stride;
};

/// A problem whose shape and strides are still to be filled in, with its axis: dim `dim` of
/// `input`. An input without dims counts as one of extent 1 along dim 0, as in torch.
template <int Rank, int R>
constexpr indexed_copy<Rank> along(const char* op, const layout<R>& input, index_t dim, int rank) {
  const bool is_scalar = input.rank() == 0 && (dim == 0 || dim == -1);
  const int d = is_scalar ? 0 : normalize_dim(op, dim, input.rank());
  const auto zeros = dims<Rank>::of_rank(static_cast<std::size_t>(rank));
  indexed_copy<Rank> problem{zeros, zeros, zeros, {dims<1>(1), dims<1>(0)}, d};
  if (!is_scalar) problem.axis = {dims<1>(input.shape[d]), dims<1>(input.strides[d])};
  return problem;
}

/// The rank of what is as large as both: static if either is.
constexpr int common_rank(int a, int b) { return a == dynamic_rank ? b : a; }

}  // namespace garner::detail
