// SPDX-License-Identifier: BSD-3-Clause
// index_select: whole slices of the input along `dim`, in the order of a list of indices.
#pragma once

#include <utility>

#include <garner/detail/call.hpp>

namespace garner {

namespace detail {

struct index_select_op {
  static constexpr const char* name = "index_select";
  static constexpr bool takes_batch_dims = false;
  using negatives = reject_negative_t;

  template <int R, int Q>
  static constexpr auto lower(const layout<R>& input, const layout<Q>& index, index_t dim) {
    static_assert(Q <= 1, "garner: index_select needs an index of one dim (take accepts any)");
    if (index.rank() > 1) fail_shape(name, "index has shape ", index.shape, ", not one dim");
    const bool is_scalar = index.rank() == 0;
    auto problem = along<R>(name, input, dim, input.rank());
    const index_t count = is_scalar ? 1 : index.shape[0];
    if (input.rank() == 0) {
      if (count != 1)
        fail_shape(name, count, " indices into an input without dims, which takes one");
      return problem;
    }
    problem.shape = input.shape;
    problem.src_strides = input.strides;
    problem.shape[problem.dim] = count;
    problem.src_strides[problem.dim] = 0;
    if (!is_scalar) problem.index_strides[problem.dim] = index.strides[0];
    check_shape(name, problem.shape);
    return problem;
  }
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
