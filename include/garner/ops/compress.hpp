// SPDX-License-Identifier: BSD-3-Clause
// compress: the slices along a dim, or the elements of the flattened input, that a list of bools
// keeps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include <garner/detail/kernels/compact.hpp>
#include <garner/detail/lines.hpp>

namespace garner {

namespace detail {

struct compress_op {
  static constexpr const char* name = "compress";

  template <class Mask>
  static auto list(const Mask& mask) {
    return [&]<int R>(const view<const std::uint8_t, R>& x) {
      static_assert(R == 1 || R == dynamic_rank, "garner: compress needs a mask of one dim");
      if (x.rank() != 1) fail_shape(name, "mask has shape ", x.shape(), ", not one dim");
      return view<const std::uint8_t, 1>(x);
    }(mask_view(mask));
  }

  /// How many of the first `extent` are kept.
  template <class Arch>
  static index_t count(const view<const std::uint8_t, 1>& mask, index_t extent) {
    return count_true<Arch>(mask.data(), mask.strides()[0], std::min(extent, mask.size()));
  }

  /// Throws index_error if one past the axis is kept.
  static void check_rest(const view<const std::uint8_t, 1>& mask, index_t extent, index_t dim) {
    for (index_t i = extent; i < mask.size(); ++i) {
      if (mask(i) != 0) raise(index_error(name, std::span(&i, 1), i, dim, extent));
    }
  }

  /// An input without dims counts as one of extent 1, as in NumPy.
  template <class T, int R>
  static auto with_dim(const view<T, R>& x) {
    if constexpr (R == 0) {
      return x.unsqueeze(0);
    } else if constexpr (R == dynamic_rank) {
      return x.rank() == 0 ? view<T>(x.unsqueeze(0)) : x;
    } else {
      return x;
    }
  }

  template <int R>
  static dims<R> shape(const layout<R>& x, int dim, index_t kept) {
    auto result = x.shape;
    result[dim] = kept;
    return result;
  }

  /// The elements of a line that are kept; out has one dim.
  template <class Arch, class T, int S>
  static void fill_line(const view<T, S>& out, const T* x, index_t stride,
                        const view<const std::uint8_t, 1>& mask, index_t extent) {
    using cell = cell_of<T>;
    compact<Arch, cell>(cell::erase(out.data()), out.strides()[0], out.size(), cell::erase(x),
                        stride, mask.data(), mask.strides()[0], std::min(extent, mask.size()));
  }

  /// An index_select, some indices at a time: lower(m) is the problem of m of them, and part(i, m)
  /// its out, the first i being done.
  template <class Arch, class Input, class Lower, class Part>
  static void fill_by_index(const Input& input, const view<const std::uint8_t, 1>& mask,
                            index_t extent, const Lower& lower, const Part& part) {
    constexpr index_t block = 512;
    const index_t n = std::min(extent, mask.size());
    index_t done = 0;
    for (index_t i = 0; i < n;) {
      index_t picked[block];
      index_t m = 0;
      for (; i < n && m < block; ++i) {
        picked[m] = i;
        m += mask(i) != 0;
      }
      if (m == 0) continue;
      solve<Arch, unchecked_t, reject_negative_t>(
          part(done, m), input, view<const index_t, 1>(picked, dims{m}), lower(m));
      done += m;
    }
  }

  template <class Arch, class T, int S, int R>
  static void fill(const view<T, S>& out, const view<const T, R>& x,
                   const view<const std::uint8_t, 1>& mask, int dim) {
    if (out.is_empty()) return;
    const index_t extent = x.shape()[dim];
    if (x.rank() == 1) {
      return fill_line<Arch>(out, x.data(), x.strides()[0], mask, extent);
    }
    const auto lower = [&](index_t m) {
      auto problem = along<R>(name, x.layout(), dim, x.rank());
      problem.shape = shape(x.layout(), dim, m);
      problem.src_strides = x.strides();
      problem.src_strides[dim] = 0;
      problem.index_strides[dim] = 1;
      return problem;
    };
    fill_by_index<Arch>(x, mask, extent, lower,
                        [&](index_t i, index_t m) { return out.slice(dim, i, i + m); });
  }

  template <class Arch, class T, int R>
  static void fill_flat(const view<T, 1>& out, const view<const T, R>& x,
                        const view<const std::uint8_t, 1>& mask) {
    if (out.is_empty()) return;
    if (const auto stride = flat_stride(x.layout())) {
      return fill_line<Arch>(out, x.data(), *stride, mask, x.size());
    }
    const auto lower = [&](index_t m) {
      return indexed_copy<1, R>{dims{m}, dims<1>(0), dims<1>(1), x.layout(), -1};
    };
    fill_by_index<Arch>(x, mask, x.size(), lower,
                        [&](index_t i, index_t m) { return out.slice(0, i, i + m); });
  }

  template <bool Checks, class Out, int S, class Input>
  static void check(const Out& out, const dims<S>& shape, const Input& x,
                    const view<const std::uint8_t, 1>& mask) {
    check_out<Checks>(name, out, shape, x, x);
    if (Checks && !out.is_empty()) check_apart(name, "out", out, "the mask", mask);
  }

  template <class T>
  static constexpr void check_element() {
    static_assert(std::is_copy_assignable_v<T>, "garner: the elements cannot be copied");
    static_assert(std::default_initializable<T>,
                  "garner: elements without a default constructor need the _into form");
  }

  template <class... Options>
  static constexpr bool checks_overlap() {
    static_assert((is_one_of<Options, noalias_t> && ...),
                  "garner: the option of compress_into is noalias");
    return sizeof...(Options) == 0;
  }
};

}  // namespace detail

/// out[i][n][k] = input[i][the n-th j with mask[j]][k]   // dim 1; likewise for the others
/// numpy.compress. The mask has one dim of bool or std::uint8_t, of which all but 0 is true; where
/// it is shorter than the dim, the rest is dropped. Throws shape_error, or index_error if it is
/// true past the dim's end. Costs two passes over the mask, one allocation, one pass over the
/// result.
template <class Mask, class Input, integer Dim, class Arch = detail::default_arch>
auto compress(const Mask& mask_argument, const Input& input, Dim dim_argument) {
  using op = detail::compress_op;
  const auto x = op::with_dim(detail::read_only(input));
  const auto mask = op::list(mask_argument);
  using element = typename decltype(x)::value_type;
  op::check_element<element>();
  const int dim = detail::normalize_dim(op::name, detail::to_index(dim_argument), x.rank());
  const index_t extent = x.shape()[dim];
  op::check_rest(mask, extent, dim);
  auto out = [&]<int R>(const dims<R>& shape) {
    return tensor<element, R>::uninitialized(shape);
  }(op::shape(x.layout(), dim, op::count<Arch>(mask, extent)));
  op::fill<Arch>(as_view(out), x, mask, dim);
  return out;
}

/// The same into `out`; allocates nothing, and writes nothing if it throws.
template <class Out, class Mask, class Input, integer Dim, class... Options,
          class Arch = detail::default_arch>
void compress_into(Out&& out_argument, const Mask& mask_argument, const Input& input,
                   Dim dim_argument, const Options&...) {
  using op = detail::compress_op;
  const auto x = op::with_dim(detail::read_only(input));
  const auto mask = op::list(mask_argument);
  const auto out =
      detail::writable<typename decltype(x)::value_type>(std::forward<Out>(out_argument));
  const int dim = detail::normalize_dim(op::name, detail::to_index(dim_argument), x.rank());
  const index_t extent = x.shape()[dim];
  op::check<op::checks_overlap<Options...>()>(
      out, op::shape(x.layout(), dim, op::count<Arch>(mask, extent)), x, mask);
  op::check_rest(mask, extent, dim);
  op::fill<Arch>(out, x, mask, dim);
}

/// out[n] = input.flatten()[the n-th j with mask[j]], whether or not the input could be flattened
/// without a copy.
template <class Mask, class Input, class Arch = detail::default_arch>
auto compress(const Mask& mask_argument, const Input& input) {
  using op = detail::compress_op;
  const auto x = detail::read_only(input);
  const auto mask = op::list(mask_argument);
  using element = typename decltype(x)::value_type;
  op::check_element<element>();
  op::check_rest(mask, x.size(), -1);
  auto out = tensor<element, 1>::uninitialized(dims{op::count<Arch>(mask, x.size())});
  op::fill_flat<Arch>(as_view(out), x, mask);
  return out;
}

/// The same into `out`; allocates nothing, and writes nothing if it throws.
template <class Out, class Mask, class Input, class... Options, class Arch = detail::default_arch>
void compress_into(Out&& out_argument, const Mask& mask_argument, const Input& input,
                   const Options&...) {
  using op = detail::compress_op;
  const auto x = detail::read_only(input);
  const auto mask = op::list(mask_argument);
  using element = typename decltype(x)::value_type;
  const auto out = detail::writable<element>(std::forward<Out>(out_argument));
  op::check<op::checks_overlap<Options...>()>(out, dims{op::count<Arch>(mask, x.size())}, x, mask);
  op::check_rest(mask, x.size(), -1);
  op::fill_flat<Arch>(view<element, 1>(out), x, mask);
}

}  // namespace garner
