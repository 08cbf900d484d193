// SPDX-License-Identifier: BSD-3-Clause
// argsort: the order of the elements along a dim, as indices.
#pragma once

#include <cstdint>
#include <utility>

#include <garner/detail/buffer.hpp>
#include <garner/detail/by_order.hpp>
#include <garner/detail/lines.hpp>

namespace garner {

/// argsort puts the largest first.
struct descending_t {};
/// Equal elements keep their order. argsort always does so; this only says it.
struct stable_t {};

inline constexpr descending_t descending{};
inline constexpr stable_t stable{};

namespace detail {

struct argsort_op {
  static constexpr const char* name = "argsort";

  template <class Arch, bool Descending, class T, int R, int Q>
  static void fill(const view<std::int64_t, Q>& out, const view<const T, R>& x,
                   const line_layout<R>& lines, bool may_allocate) {
    if (out.is_empty()) return;
    const auto out_lines = lines_along(name, out.layout(), lines.dim);
    const auto each_line = [&](const auto& sort) {
      for_each_line(
          lines.rest.shape,
          [&](const auto& at) {
            sort(out.data() + at[1], out_lines.stride, x.data() + at[0], lines.stride,
                 lines.extent);
          },
          lines.rest.strides, out_lines.rest.strides);
    };
    if constexpr (!keyed<T>) {
      each_line(argsort_in_place<Arch, Descending, T>);
    } else {
      const auto with = [&](packed_entry* scratch, index_t room) {
        each_line([&](auto... line) { argsort_line<Arch, Descending, T>(line..., scratch, room); });
      };
      if (may_allocate && lines.extent > scratch_entries / 2) {
        const buffer<packed_entry> scratch(2 * lines.extent, start::without_value);
        with(scratch.get(), 2 * lines.extent);
      } else {
        packed_entry scratch[scratch_entries];
        with(scratch, scratch_entries);
      }
    }
  }

  template <class... Options>
  static constexpr bool descends() {
    static_assert((is_one_of<Options, descending_t, stable_t, noalias_t> && ...),
                  "garner: the options of argsort are descending, stable and, for the _into form, "
                  "noalias");
    return is_one_of<descending_t, Options...>;
  }
};

}  // namespace detail

/// out[i][j][k] = which element of input[i][:][k] is the j-th in ascending order   // dim 1
/// torch.argsort, numpy.argsort. Equal elements keep their order, also under `descending`; NaNs
/// count as larger than all others. Elements are numbers or have an operator <. Throws shape_error.
/// Numbers are sorted in time proportional to n, with one line of scratch memory.
template <class Input, integer Dim, class... Options, class Arch = detail::default_arch>
auto argsort(const Input& input, Dim dim, const Options&...) {
  using op = detail::argsort_op;
  const auto x = detail::read_only(input);
  const auto lines = detail::lines_along(op::name, x.layout(), detail::to_index(dim));
  auto out = [&]<int R>(const dims<R>& shape) {
    return tensor<std::int64_t, R>::uninitialized(shape);
  }(x.shape());
  op::fill<Arch, op::descends<Options...>()>(as_view(out), x, lines, true);
  return out;
}

/// The same into `out`, which holds std::int64_t; allocates nothing, and writes nothing if it
/// throws. Lines too long for a little memory on the stack are sorted in n log n.
template <class Out, class Input, integer Dim, class... Options, class Arch = detail::default_arch>
void argsort_into(Out&& out_argument, const Input& input, Dim dim, const Options&...) {
  using op = detail::argsort_op;
  const auto x = detail::read_only(input);
  const auto out = detail::writable_indices(std::forward<Out>(out_argument));
  const auto lines = detail::lines_along(op::name, x.layout(), detail::to_index(dim));
  detail::check_out<!detail::is_one_of<noalias_t, Options...>>(op::name, out, x.shape(), x, x);
  op::fill<Arch, op::descends<Options...>()>(out, x, lines, false);
}

}  // namespace garner
