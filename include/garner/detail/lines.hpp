// SPDX-License-Identifier: BSD-3-Clause
// Walks that are not a plan's: all lines along a dim, and all rows of views in row-major order.
// What the index makers and masks share around them: the indices' out, and which options they take.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <garner/detail/call.hpp>

namespace garner::detail {

/// The rank without one dim; a view without dims has none to lose.
constexpr int rest_rank(int rank) { return rank > 0 ? rank - 1 : rank; }

/// A layout as lines along one dim: one at each coordinate of `rest`.
template <int Rank>
struct line_layout {
  layout<rest_rank(Rank)> rest;
  index_t extent = 1;
  index_t stride = 0;
  int dim = 0;
};

/// A layout without dims is one line of extent 1, along dim 0 or -1.
template <int Rank>
constexpr line_layout<Rank> lines_along(const char* op, const layout<Rank>& x, index_t dim) {
  if (x.rank() == 0 && (dim == 0 || dim == -1)) return {};
  const int d = normalize_dim(op, dim, x.rank());
  if constexpr (Rank == 0) {
    return {};  // normalize_dim has thrown
  } else {
    return {{erase(x.shape, d), erase(x.strides, d)}, x.shape[d], x.strides[d], d};
  }
}

/// Calls visit(offsets), one offset per list of strides, for each coordinate of `shape`.
template <int Rank, class Visit, class... Strides>
void for_each_line(const dims<Rank>& shape, const Visit& visit, const Strides&... strides) {
  all_of_offsets(shape, std::array{dims<Rank>(strides)...}, [&](const auto& at) {
    visit(at);
    return true;
  });
}

/// Rows of two views of one shape in row-major order, as long as their strides allow.
struct row_pair {
  dims<> shape;  // of the coordinates that have a row each
  std::array<dims<>, 2> strides;
  index_t extent = 1;
  std::array<index_t, 2> stride{};
};

template <int Rank>
row_pair rows_of(const dims<Rank>& shape, const dims<Rank>& a, const dims<Rank>& b) {
  std::array<std::array<index_t, 3>, max_rank + 1> fused{};  // extent and strides, innermost first
  std::size_t n = 0;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    if (shape[d] == 1) continue;
    if (n > 0) {
      auto& inner = fused[n - 1];
      if (wrapping_product(inner[0], inner[1]) == a[d] &&
          wrapping_product(inner[0], inner[2]) == b[d]) {
        inner[0] *= shape[d];
        continue;
      }
    }
    fused[n++] = {shape[d], a[d], b[d]};
  }
  if (n == 0) return {};
  const auto rank = n - 1;
  row_pair result{dims<>::of_rank(rank),
                  {dims<>::of_rank(rank), dims<>::of_rank(rank)},
                  fused[0][0],
                  {fused[0][1], fused[0][2]}};
  for (std::size_t k = 0; k < rank; ++k) {
    const auto& from = fused[rank - k];
    result.shape[k] = from[0];
    result.strides[0][k] = from[1];
    result.strides[1][k] = from[2];
  }
  return result;
}

/// as_view(out), for the indices that an operation makes.
template <class Out>
constexpr auto writable_indices(Out&& out) {
  static_assert(viewable<Out>,
                "garner: out is no tensor: pass a garner view or tensor, or a contiguous range, "
                "but no temporary that owns its elements");
  static_assert(std::same_as<typename view_of<Out>::value_type, std::int64_t>,
                "garner: indices are written as std::int64_t");
  return writable<std::int64_t>(std::forward<Out>(out));
}

/// A mask as bytes, those that are not 0 being true: a bool may hold any byte.
template <class Mask>
constexpr auto mask_view(const Mask& mask) {
  const auto result = read_only(mask);
  using element = typename decltype(result)::value_type;
  static_assert(is_one_of<element, bool, std::uint8_t>,
                "garner: a mask holds bool or std::uint8_t");
  return [&]<class T, int Rank>(const view<T, Rank>& x) {
    return view<const std::uint8_t, Rank>(
        trusted{}, reinterpret_cast<const std::uint8_t*>(x.data()), x.layout());
  }(result);
}

}  // namespace garner::detail
