// SPDX-License-Identifier: BSD-3-Clause
// argmax and argmin: where the largest or least element stands, along a dim or in all of the
// input.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include <garner/detail/kernels/extreme.hpp>
#include <garner/detail/lines.hpp>

namespace garner {

/// argmax and argmin leave the dim in place, with extent 1.
struct keepdim_t {};
inline constexpr keepdim_t keepdim{};

namespace detail {

template <bool Least>
struct extreme_op {
  static constexpr const char* name = Least ? "argmin" : "argmax";

  /// Whether `a` beats `b`, which comes first.
  template <class T>
  static bool beats(const T& a, const T& b) {
    if constexpr (keyed<T>) {
      return extreme_key<Least>(a) > extreme_key<Least>(b);
    } else if constexpr (std::floating_point<T>) {
      return b == b && (Least ? !(b <= a) : !(a <= b));
    } else {
      return Least ? is_less(a, b) : is_less(b, a);
    }
  }

  template <class Arch, class T>
  static index_t of_line(const T* x, index_t stride, index_t n) {
    if constexpr (keyed<T>) {
      return extreme_of_run<Arch, Least>(x, stride, n);
    } else {
      index_t best = 0;
      for (index_t i = 1; i < n; ++i) {
        if (beats(x[i * stride], x[best * stride])) best = i;
      }
      return best;
    }
  }

  /// The result's shape.
  template <bool Keep, int R>
  static auto shape(const layout<R>& x, const line_layout<R>& lines) {
    if (lines.extent == 0 && !lines.rest.is_empty()) {
      fail_shape(name, "no element in dim ", lines.dim, " of shape ", x.shape);
    }
    if constexpr (Keep) {
      auto result = x.shape;
      if (x.rank() > 0) result[lines.dim] = 1;
      return result;
    } else {
      return lines.rest.shape;
    }
  }

  /// Fills out, whose dim, if kept, has been dropped.
  template <class Arch, class T, int R, class Strides>
  static void fill(std::int64_t* out, const Strides& strides, const T* x,
                   const line_layout<R>& lines) {
    const auto& rest = lines.rest;
    const decltype(rest.shape) out_strides(strides);
    if constexpr (keyed<T>) {
      // A dim of elements side by side that is not this one: columns, all at once.
      for (int d = 0; d < rest.rank(); ++d) {
        if (rest.strides[d] != 1 || rest.shape[d] < 4 || lines.stride == 1 ||
            lines.extent > std::numeric_limits<std::int32_t>::max()) {
          continue;
        }
        auto shape = rest.shape;
        shape[d] = 1;
        return for_each_line(
            shape,
            [&](const auto& at) {
              extreme_of_columns<Arch, Least>(x + at[0], lines.stride, lines.extent, rest.shape[d],
                                              out + at[1], out_strides[d]);
            },
            rest.strides, out_strides);
      }
    }
    for_each_line(
        rest.shape,
        [&](const auto& at) { out[at[1]] = of_line<Arch>(x + at[0], lines.stride, lines.extent); },
        rest.strides, out_strides);
  }

  /// The place in row-major order.
  template <class Arch, class T, int R>
  static index_t in_all(const view<const T, R>& x) {
    if (x.is_empty()) fail_shape(name, "no element in shape ", x.shape());
    const auto rows = rows_of(x.shape(), x.strides(), x.strides());
    const T* best = nullptr;
    index_t best_at = 0;
    index_t first = 0;
    for_each_line(
        rows.shape,
        [&](const auto& at) {
          const T* const row = x.data() + at[0];
          const index_t i = of_line<Arch>(row, rows.stride[0], rows.extent);
          const T* const found = row + i * rows.stride[0];
          if (!best || beats(*found, *best)) {
            best = found;
            best_at = first + i;
          }
          first += rows.extent;
        },
        rows.strides[0]);
    return best_at;
  }

  template <class... Options>
  static constexpr void check_options() {
    static_assert((is_one_of<Options, keepdim_t, noalias_t> && ...),
                  "garner: the options of argmax and argmin are keepdim and, for the _into forms, "
                  "noalias");
  }

  template <class Arch, class... Options, class Input>
  static auto make(const Input& input, index_t dim) {
    check_options<Options...>();
    constexpr bool keep = is_one_of<keepdim_t, Options...>;
    const auto x = read_only(input);
    const auto lines = lines_along(name, x.layout(), dim);
    auto out = [&]<int R>(const dims<R>& result) {
      return tensor<std::int64_t, R>::uninitialized(result);
    }(shape<keep>(x.layout(), lines));
    // The result is dense, so a dim of extent 1 more or less does not matter.
    if (!out.is_empty()) {
      fill<Arch>(out.data(), row_major_strides(lines.rest.shape), x.data(), lines);
    }
    return out;
  }

  template <class Arch, class... Options, class Out, class Input>
  static void make_into(Out&& out_argument, const Input& input, index_t dim) {
    check_options<Options...>();
    constexpr bool keep = is_one_of<keepdim_t, Options...>;
    const auto x = read_only(input);
    const auto out = writable_indices(std::forward<Out>(out_argument));
    const auto lines = lines_along(name, x.layout(), dim);
    check_out<!is_one_of<noalias_t, Options...>>(name, out, shape<keep>(x.layout(), lines), x, x);
    if constexpr (keep) {
      fill<Arch>(out.data(), lines_along(name, out.layout(), dim).rest.strides, x.data(), lines);
    } else {
      fill<Arch>(out.data(), out.strides(), x.data(), lines);
    }
  }
};

using argmax_op = extreme_op<false>;
using argmin_op = extreme_op<true>;

}  // namespace detail

/// out[i][k] = the least j with input[i][j][k] == max over j of input[i][j][k]   // dim 1
/// torch.argmax, numpy.argmax. Of equal elements the first counts, and the first NaN before all
/// others. The dim is dropped, or kept with extent 1 under `keepdim`. Throws shape_error. One pass
/// over the input.
template <class Input, integer Dim, class... Options, class Arch = detail::default_arch>
auto argmax(const Input& input, Dim dim, const Options&...) {
  return detail::argmax_op::make<Arch, Options...>(input, detail::to_index(dim));
}

/// The same into `out`, which holds std::int64_t; allocates nothing, and writes nothing if it
/// throws.
template <class Out, class Input, integer Dim, class... Options, class Arch = detail::default_arch>
void argmax_into(Out&& out, const Input& input, Dim dim, const Options&...) {
  detail::argmax_op::make_into<Arch, Options...>(std::forward<Out>(out), input,
                                                 detail::to_index(dim));
}

/// out = the place of the largest element in row-major order, as a tensor without dims.
template <class Input, class Arch = detail::default_arch>
auto argmax(const Input& input) {
  return tensor<std::int64_t, 0>(detail::argmax_op::in_all<Arch>(detail::read_only(input)));
}

/// out[i][k] = the least j with input[i][j][k] == min over j of input[i][j][k]   // dim 1
/// torch.argmin, numpy.argmin; otherwise as argmax: the first NaN counts before all others.
template <class Input, integer Dim, class... Options, class Arch = detail::default_arch>
auto argmin(const Input& input, Dim dim, const Options&...) {
  return detail::argmin_op::make<Arch, Options...>(input, detail::to_index(dim));
}

/// The same into `out`, which holds std::int64_t; allocates nothing, and writes nothing if it
/// throws.
template <class Out, class Input, integer Dim, class... Options, class Arch = detail::default_arch>
void argmin_into(Out&& out, const Input& input, Dim dim, const Options&...) {
  detail::argmin_op::make_into<Arch, Options...>(std::forward<Out>(out), input,
                                                 detail::to_index(dim));
}

/// out = the place of the least element in row-major order, as a tensor without dims.
template <class Input, class Arch = detail::default_arch>
auto argmin(const Input& input) {
  return tensor<std::int64_t, 0>(detail::argmin_op::in_all<Arch>(detail::read_only(input)));
}

}  // namespace garner
