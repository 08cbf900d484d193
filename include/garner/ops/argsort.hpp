// SPDX-License-Identifier: BSD-3-Clause
// argsort: the order of the elements along a dim, as indices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <garner/detail/buffer.hpp>
#include <garner/detail/by_order.hpp>
#include <garner/detail/kernels/radix_sort.hpp>
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

  /// What a stack may well hold: the entries of two lines, as a radix sort needs them.
  static constexpr index_t stack_bytes = 32768;
  template <class Entry>
  static constexpr auto stack_entries = stack_bytes / static_cast<index_t>(sizeof(Entry));

  /// One line of out. `scratch` has room for `room` entries.
  template <class Arch, bool Descending, keyed T>
  static void sort_line(std::int64_t* out, index_t out_stride, const T* x, index_t stride,
                        index_t n, entry_for<T>* scratch, index_t room) {
    using entry = entry_for<T>;
    if (n <= room / 2 && n <= entry::most) {
      for (index_t i = 0; i < n; ++i) {
        scratch[i] = entry::of(sort_key<Descending>(x[i * stride]), i);
      }
      const entry* const sorted =
          radix_sort<Arch, static_cast<int>(sizeof(T))>(scratch, scratch + n, n);
      for (index_t i = 0; i < n; ++i) out[i * out_stride] = index_of(sorted[i]);
    } else {
      sort_in_place<Arch, Descending>(out, out_stride, x, stride, n);
    }
  }

  template <class Arch, bool Descending, class T>
  static void sort_in_place(std::int64_t* out, index_t out_stride, const T* x, index_t stride,
                            index_t n) {
    const strided_iterator<std::int64_t> first{out, out_stride};
    for (index_t i = 0; i < n; ++i) first[i] = i;
    std::sort(first, first + n, comes_before<Descending, T>{x, stride});
  }

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
      each_line(sort_in_place<Arch, Descending, T>);
    } else {
      using entry = entry_for<T>;
      const auto with = [&](entry* scratch, index_t room) {
        each_line([&](auto... line) { sort_line<Arch, Descending, T>(line..., scratch, room); });
      };
      constexpr index_t usual = stack_entries<entry>;
      if (may_allocate && lines.extent > usual / 2) {
        const buffer<entry> scratch(2 * lines.extent, start::without_value);
        with(scratch.get(), 2 * lines.extent);
      } else {
        entry scratch[usual];
        with(scratch, usual);
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
