// SPDX-License-Identifier: BSD-3-Clause
// The gradients of the operations that move or add elements, each added to a buffer of the
// caller's: those of reading operations write through the index, those of writing ones read.
#pragma once

#include <utility>

#include <garner/detail/lower.hpp>
#include <garner/detail/update.hpp>

namespace garner {

namespace detail {

template <class Op, template <class> class Rule, class Negatives, bool TakesBatchDims = false>
struct adjoint : Rule<Op> {
  static constexpr const char* table = "grad_input";
  static constexpr const char* values = "grad_out";
  static constexpr bool takes_batch_dims = TakesBatchDims;
  using negatives = Negatives;
  using rule = exact_values;
};

struct gather_backward_op : adjoint<gather_backward_op, gather_rule, reject_negative_t> {
  static constexpr const char* name = "gather_backward";
};
struct take_along_dim_backward_op : adjoint<take_along_dim_backward_op, along_rule, from_end_t> {
  static constexpr const char* name = "take_along_dim_backward";
};
struct index_select_backward_op
    : adjoint<index_select_backward_op, select_rule, reject_negative_t> {
  static constexpr const char* name = "index_select_backward";
};
struct take_backward_op : adjoint<take_backward_op, take_rule, from_end_t, true> {
  static constexpr const char* name = "take_backward";
};
struct flat_take_backward_op : adjoint<flat_take_backward_op, flat_rule, from_end_t> {
  static constexpr const char* name = "take_backward";
};
struct flat_take_along_dim_backward_op
    : adjoint<flat_take_along_dim_backward_op, flat_rule, from_end_t> {
  static constexpr const char* name = "take_along_dim_backward";
};
struct gather_nd_backward_op : adjoint<gather_nd_backward_op, nd_rule, from_end_t, true> {
  static constexpr const char* name = "gather_nd_backward";
};

/// What reads: the roles are the other way round.
template <class Op, template <class> class Rule>
struct reading_adjoint : Rule<Op> {
  static constexpr const char* table = "grad_out";
  static constexpr const char* values = "grad_src";
  static constexpr bool takes_batch_dims = false;
  using negatives = reject_negative_t;
};
struct scatter_add_backward_op : reading_adjoint<scatter_add_backward_op, gather_rule> {
  static constexpr const char* name = "scatter_add_backward";
  using rule = larger_values;
};
struct index_add_backward_op : reading_adjoint<index_add_backward_op, select_rule> {
  static constexpr const char* name = "index_add_backward";
  using rule = exact_values;
  template <class Option>
  static constexpr bool takes = is_alpha<Option>;
};

}  // namespace detail

/// grad_input[i][index[i][j][k]][k] += grad_out[i][j][k]   // dim 1; likewise for the others
/// The gradient of gather(input, dim, index). grad_out has the index's shape. Under clip, wrap and
/// fill(v) it goes where gather read; what was filled has none. Sums are taken in row-major order
/// of the index. Allocates nothing, and writes nothing if it throws shape_error or index_error.
template <class GradInput, class GradOut, class Dim, class Index, class... Options,
          class Arch = detail::default_arch>
void gather_backward(GradInput&& grad_input, const GradOut& grad_out, const Dim& dim,
                     const Index& index, const Options&... options) {
  detail::update_into<reduce::sum, detail::gather_backward_op, Arch>(
      std::forward<GradInput>(grad_input), index, grad_out, detail::option_set(options...),
      detail::dim_of(dim));
}

/// The gradient of take_along_dim(input, indices, dim); it is summed over the dims that the input
/// was repeated along.
template <class GradInput, class GradOut, class Index, integer Dim, class... Options,
          class Arch = detail::default_arch>
void take_along_dim_backward(GradInput&& grad_input, const GradOut& grad_out, const Index& indices,
                             Dim dim, const Options&... options) {
  detail::update_into<reduce::sum, detail::take_along_dim_backward_op, Arch>(
      std::forward<GradInput>(grad_input), indices, grad_out, detail::option_set(options...),
      detail::to_index(dim));
}

/// The gradient of take_along_dim(input, indices).
template <class GradInput, class GradOut, class Index, class... Options,
          class Arch = detail::default_arch>
void take_along_dim_backward(GradInput&& grad_input, const GradOut& grad_out, const Index& indices,
                             const Options&... options) {
  detail::update_into<reduce::sum, detail::flat_take_along_dim_backward_op, Arch>(
      std::forward<GradInput>(grad_input), indices, grad_out, detail::option_set(options...));
}

/// The gradient of index_select(input, dim, index).
template <class GradInput, class GradOut, class Dim, class Index, class... Options,
          class Arch = detail::default_arch>
void index_select_backward(GradInput&& grad_input, const GradOut& grad_out, const Dim& dim,
                           const Index& index, const Options&... options) {
  detail::update_into<reduce::sum, detail::index_select_backward_op, Arch>(
      std::forward<GradInput>(grad_input), index, grad_out, detail::option_set(options...),
      detail::dim_of(dim));
}

/// The gradient of take(input, index, dim), batch_dims(n) included.
template <class GradInput, class GradOut, class Index, integer Dim, class... Options,
          class Arch = detail::default_arch>
void take_backward(GradInput&& grad_input, const GradOut& grad_out, const Index& index, Dim dim,
                   const Options&... options) {
  detail::update_into<reduce::sum, detail::take_backward_op, Arch>(
      std::forward<GradInput>(grad_input), index, grad_out, detail::option_set(options...),
      detail::to_index(dim));
}

/// The gradient of take(input, index).
template <class GradInput, class GradOut, class Index, class... Options,
          class Arch = detail::default_arch>
void take_backward(GradInput&& grad_input, const GradOut& grad_out, const Index& index,
                   const Options&... options) {
  detail::update_into<reduce::sum, detail::flat_take_backward_op, Arch>(
      std::forward<GradInput>(grad_input), index, grad_out, detail::option_set(options...));
}

/// The gradient of gather_nd(input, indices).
template <class GradInput, class GradOut, class Index, class... Options,
          class Arch = detail::default_arch>
void gather_nd_backward(GradInput&& grad_input, const GradOut& grad_out, const Index& indices,
                        const Options&... options) {
  detail::update_into<reduce::sum, detail::gather_nd_backward_op, Arch>(
      std::forward<GradInput>(grad_input), indices, grad_out, detail::option_set(options...));
}

/// grad_src[i][j][k] += grad_out[i][index[i][j][k]][k]   // dim 1; likewise for the others
/// The gradient of scatter_add(self, dim, index, src) with respect to src; that with respect to
/// self is grad_out itself.
template <class GradSrc, class GradOut, class Dim, class Index, class... Options,
          class Arch = detail::default_arch>
void scatter_add_backward(GradSrc&& grad_src, const GradOut& grad_out, const Dim& dim,
                          const Index& index, const Options&... options) {
  detail::add_read<detail::scatter_add_backward_op, Arch>(std::forward<GradSrc>(grad_src), grad_out,
                                                          index, detail::option_set(options...),
                                                          detail::dim_of(dim));
}

/// grad_src[i][j][k] += alpha * grad_out[i][index[j]][k]   // dim 1; likewise for the others
/// The gradient of index_add(self, dim, index, src, alpha(v)) with respect to src.
template <class GradSrc, class GradOut, class Dim, class Index, class... Options,
          class Arch = detail::default_arch>
void index_add_backward(GradSrc&& grad_src, const GradOut& grad_out, const Dim& dim,
                        const Index& index, const Options&... options) {
  detail::add_read<detail::index_add_backward_op, Arch>(std::forward<GradSrc>(grad_src), grad_out,
                                                        index, detail::option_set(options...),
                                                        detail::dim_of(dim));
}

}  // namespace garner
