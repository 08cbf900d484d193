// SPDX-License-Identifier: BSD-3-Clause
// masked_select: the elements whose mask is true, side by side.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <garner/detail/kernels/compact.hpp>
#include <garner/detail/lines.hpp>

namespace garner {

namespace detail {

struct masked_select_op {
  static constexpr const char* name = "masked_select";

  /// Input and mask as rows of their common shape.
  template <int R, int Q>
  static row_pair rows(const layout<R>& input, const layout<Q>& mask) {
    constexpr int rank = R == dynamic_rank || Q == dynamic_rank ? dynamic_rank : std::max(R, Q);
    const int n = std::max(input.rank(), mask.rank());
    auto shape = dims<rank>::of_rank(static_cast<std::size_t>(n));
    auto input_strides = shape;
    auto mask_strides = shape;
    for (int d = 0; d < n; ++d) {
      const int i = d - (n - input.rank());
      const int m = d - (n - mask.rank());
      const index_t a = i < 0 ? 1 : input.shape[i];
      const index_t b = m < 0 ? 1 : mask.shape[m];
      if (a != b && a != 1 && b != 1) {
        fail_shape(name, "input has shape ", input.shape, " and mask ", mask.shape,
                   ", which do not broadcast");
      }
      shape[d] = a == 1 ? b : a;
      if (a != 1) input_strides[d] = input.strides[i];
      if (b != 1) mask_strides[d] = mask.strides[m];
    }
    check_shape(name, shape);
    return layout<rank>{shape, {}}.is_empty() ? row_pair{{}, {}, 0, {}}
                                              : rows_of(shape, input_strides, mask_strides);
  }

  template <class Arch, class Mask>
  static index_t count(const row_pair& rows, const Mask& mask) {
    index_t result = 0;
    for_each_line(
        rows.shape,
        [&](const auto& at) {
          result += count_true<Arch>(mask.data() + at[0], rows.stride[1], rows.extent);
        },
        rows.strides[1]);
    return result;
  }

  template <class Arch, class T, int S, class Input, class Mask>
  static void fill(const view<T, S>& out, const Input& input, const Mask& mask,
                   const row_pair& rows) {
    if (out.is_empty()) return;
    using cell = cell_of<T>;
    const index_t size = out.size();
    const index_t stride = out.strides()[0];
    index_t done = 0;
    for_each_line(
        rows.shape,
        [&](const auto& at) {
          done +=
              compact<Arch, cell>(cell::erase(out.data() + done * (done < size ? stride : 0)),
                                  stride, size - done, cell::erase(input.data() + at[0]),
                                  rows.stride[0], mask.data() + at[1], rows.stride[1], rows.extent);
        },
        rows.strides[0], rows.strides[1]);
  }
};

}  // namespace detail

/// out[n] = the n-th element of `input`, in row-major order, where `mask` is true
/// torch.masked_select, numpy's input[mask]. The two broadcast against each other; the mask holds
/// bool or std::uint8_t, of which all but 0 is true. The result has one dim. Throws shape_error.
/// Costs two passes over the mask, one over the input, and one allocation.
template <class Input, class Mask, class Arch = detail::default_arch>
auto masked_select(const Input& input, const Mask& mask) {
  using op = detail::masked_select_op;
  const auto x = detail::read_only(input);
  const auto m = detail::mask_view(mask);
  using element = typename decltype(x)::value_type;
  static_assert(std::is_copy_assignable_v<element>, "garner: the elements cannot be copied");
  static_assert(std::default_initializable<element>,
                "garner: elements without a default constructor need the _into form");
  const auto rows = op::rows(x.layout(), m.layout());
  auto out = tensor<element, 1>::uninitialized(dims{op::count<Arch>(rows, m)});
  op::fill<Arch>(as_view(out), x, m, rows);
  return out;
}

/// The same into `out`, which has one dim of just as many elements; allocates nothing, and writes
/// nothing if it throws.
template <class Out, class Input, class Mask, class... Options, class Arch = detail::default_arch>
void masked_select_into(Out&& out_argument, const Input& input, const Mask& mask,
                        const Options&...) {
  using op = detail::masked_select_op;
  static_assert((detail::is_one_of<Options, noalias_t> && ...),
                "garner: the option of masked_select_into is noalias");
  constexpr bool checks = sizeof...(Options) == 0;
  const auto x = detail::read_only(input);
  const auto m = detail::mask_view(mask);
  const auto out =
      detail::writable<typename decltype(x)::value_type>(std::forward<Out>(out_argument));
  const auto rows = op::rows(x.layout(), m.layout());
  detail::check_out<checks>(op::name, out, dims{op::count<Arch>(rows, m)}, x, x);
  if (checks && !out.is_empty()) detail::check_apart(op::name, "out", out, "the mask", m);
  op::fill<Arch>(out, x, m, rows);
}

}  // namespace garner
