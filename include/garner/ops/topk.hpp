// SPDX-License-Identifier: BSD-3-Clause
// topk: the k largest elements along a dim, or the k least, in order, and where they stood.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <garner/detail/by_order.hpp>
#include <garner/detail/kernels/least.hpp>
#include <garner/detail/lines.hpp>

namespace garner {

/// topk takes the least elements, the least first.
struct smallest_t {};
inline constexpr smallest_t smallest{};

/// What topk returns: const auto [values, indices] = topk(...).
template <class T, int Rank>
struct topk_result {
  tensor<T, Rank> values;
  tensor<std::int64_t, Rank> indices;
};

namespace detail {

struct topk_op {
  static constexpr const char* name = "topk";

  template <int R>
  static dims<R> shape(const layout<R>& x, const line_layout<R>& lines, index_t k) {
    if (k < 0 || k > lines.extent) {
      fail_shape(name, "k = ", k, " of ", lines.extent, " elements in dim ", lines.dim);
    }
    auto result = x.shape;
    if (x.rank() > 0) {
      result[lines.dim] = k;
    } else if (k != 1) {
      fail_shape(name, "k = ", k, " of an input without dims, which has one element");
    }
    return result;
  }

  /// The k first of n indices, sorted where they are written: as a heap whose worst is replaced.
  template <class Arch, bool Descending, class T>
  static void select_in_place(std::int64_t* out, index_t out_stride, const T* x, index_t stride,
                              index_t n, index_t k) {
    const comes_before<Descending, T> before{x, stride};
    const strided_iterator<std::int64_t> first{out, out_stride};
    const auto last = first + k;
    for (index_t i = 0; i < k; ++i) first[i] = i;
    std::make_heap(first, last, before);
    for (index_t i = k; i < n; ++i) {
      if (!before(i, static_cast<index_t>(*first))) continue;
      std::pop_heap(first, last, before);
      last[-1] = i;
      std::push_heap(first, last, before);
    }
    std::sort_heap(first, last, before);
  }

  /// Whether k of n are so many that sorting all is faster.
  static constexpr bool sorts_all(index_t n, index_t k) {
    return n <= scratch_entries / 2 && k > 32 && 16 * k > n;
  }

  template <class Arch, bool Descending, class T>
  static void select_line(std::int64_t* out, index_t out_stride, const T* x, index_t stride,
                          index_t n, index_t k) {
    if constexpr (keyed<T>) {
      if (sorts_all(n, k)) {
        std::int64_t order[scratch_entries / 2];
        packed_entry scratch[scratch_entries];
        argsort_line<Arch, Descending>(order, 1, x, stride, n, scratch, scratch_entries);
        for (index_t i = 0; i < k; ++i) out[i * out_stride] = order[i];
        return;
      }
      if (k <= most_least && n <= most_packed) {
        entry_for<T> found[most_least];
        least<Arch, Descending>(found, x, stride, n, k);
        for (index_t i = 0; i < k; ++i) out[i * out_stride] = index_of(found[i]);
        return;
      }
    }
    select_in_place<Arch, Descending>(out, out_stride, x, stride, n, k);
  }

  template <class Arch, bool Descending, class T, int R, int V, int Q>
  static void fill(const view<T, V>& values, const view<std::int64_t, Q>& indices,
                   const view<const T, R>& x, const line_layout<R>& lines, index_t k) {
    if (indices.is_empty()) return;
    using cell = cell_of<T>;
    const auto value_lines = lines_along(name, values.layout(), lines.dim);
    const auto index_lines = lines_along(name, indices.layout(), lines.dim);
    for_each_line(
        lines.rest.shape,
        [&](const auto& at) {
          const T* const line = x.data() + at[0];
          T* const value = values.data() + at[1];
          std::int64_t* const index = indices.data() + at[2];
          select_line<Arch, Descending>(index, index_lines.stride, line, lines.stride, lines.extent,
                                        k);
          for (index_t i = 0; i < k; ++i) {
            cell::copy(cell::erase(value + i * value_lines.stride),
                       cell::erase(line + index[i * index_lines.stride] * lines.stride));
          }
        },
        lines.rest.strides, value_lines.rest.strides, index_lines.rest.strides);
  }

  template <class... Options>
  static constexpr bool descends() {
    static_assert((is_one_of<Options, smallest_t, noalias_t> && ...),
                  "garner: the options of topk are smallest and, for the _into form, noalias");
    return !is_one_of<smallest_t, Options...>;
  }
};

}  // namespace detail

/// values[i][j][k] = the j-th largest of input[i][:][k], indices[i][j][k] = where it stands // dim
/// 1 torch.topk. Sorted, the largest first, or the least under `smallest`; of equal elements the
/// first comes first; NaNs count as larger than all others. Throws shape_error unless k is at least
/// 0 and at most the extent. One pass over the input.
template <class Input, integer Count, integer Dim, class... Options,
          class Arch = detail::default_arch>
auto topk(const Input& input, Count k, Dim dim, const Options&...) {
  using op = detail::topk_op;
  const auto x = detail::read_only(input);
  using element = typename decltype(x)::value_type;
  static_assert(std::default_initializable<element>,
                "garner: elements without a default constructor need the _into form");
  const auto lines = detail::lines_along(op::name, x.layout(), detail::to_index(dim));
  auto out = [&]<int R>(const dims<R>& shape) {
    return topk_result<element, R>{tensor<element, R>::uninitialized(shape),
                                   tensor<std::int64_t, R>::uninitialized(shape)};
  }(op::shape(x.layout(), lines, detail::to_index(k)));
  op::fill<Arch, op::descends<Options...>()>(as_view(out.values), as_view(out.indices), x, lines,
                                             detail::to_index(k));
  return out;
}

/// The same into `values`, which holds the input's element type, and `indices`, which holds
/// std::int64_t; allocates nothing, and writes nothing if it throws.
template <class Values, class Indices, class Input, integer Count, integer Dim, class... Options,
          class Arch = detail::default_arch>
void topk_into(Values&& values_argument, Indices&& indices_argument, const Input& input, Count k,
               Dim dim, const Options&...) {
  using op = detail::topk_op;
  constexpr bool checks = !detail::is_one_of<noalias_t, Options...>;
  const auto x = detail::read_only(input);
  const auto values =
      detail::writable<typename decltype(x)::value_type>(std::forward<Values>(values_argument));
  const auto indices = detail::writable_indices(std::forward<Indices>(indices_argument));
  const auto lines = detail::lines_along(op::name, x.layout(), detail::to_index(dim));
  const auto shape = op::shape(x.layout(), lines, detail::to_index(k));
  detail::check_out<false>("topk: values", values, shape, x, x);  // all shapes before any overlap
  detail::check_out<false>("topk: indices", indices, shape, x, x);
  detail::check_out<checks>("topk: values", values, shape, x, x);
  detail::check_out<checks>("topk: indices", indices, shape, x, x);
  if (checks && detail::ranges_meet(values, indices) &&
      detail::may_overlap(detail::footprint_of(values), detail::footprint_of(indices))) {
    detail::fail_shape(op::name, "values overlap the indices");
  }
  op::fill<Arch, op::descends<Options...>()>(values, indices, x, lines, detail::to_index(k));
}

}  // namespace garner
