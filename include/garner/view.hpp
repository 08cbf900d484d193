// SPDX-License-Identifier: BSD-3-Clause
// view: a pointer, a shape and strides; every way to look at the same elements under another
// layout. The arithmetic of layouts is in detail/layout.hpp.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include <garner/detail/layout.hpp>
#include <garner/error.hpp>
#include <garner/shape.hpp>

namespace garner {

/// As a bound of a slice: all the way. x.slice(1, 1, end)
inline constexpr std::nullopt_t end = std::nullopt;

namespace detail {

/// Says that a layout was derived from a checked one.
struct trusted {};

}  // namespace detail

/// A tensor that lies in somebody else's memory: element (i, j, ...) is data[i * strides[0] + j *
/// strides[1] + ...]. Strides count elements; they may be negative or zero. Copying a view copies
/// no element.
template <class T, int Rank = dynamic_rank>
class view {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  static constexpr int static_rank = Rank;

  /// Row-major. Throws shape_error if an extent is negative or the size overflows.
  constexpr view(T* data, const dims<Rank>& shape)
      : view(data, shape, (detail::check_shape("view", shape), detail::row_major_strides(shape))) {}

  /// Any layout. Throws shape_error if no memory could hold it; that yours does is for you to know,
  /// or for make_view to prove.
  constexpr view(T* data, const dims<Rank>& shape, const dims<Rank>& strides)
      : data_(data), layout_{shape, strides} {
    if (shape.rank() != strides.rank()) {
      detail::fail_shape("view", "shape ", shape, " and strides ", strides, " differ in rank");
    }
    detail::checked_reach("view", layout_, sizeof(T));
    if (!data && !is_empty()) detail::fail_shape("view", "no data for shape ", shape);
  }

  /// Without checks, for layouts derived from a checked one.
  constexpr view(detail::trusted, T* data, const detail::layout<Rank>& layout)
      : data_(data), layout_(layout) {}

  /// Adds const, or forgets the rank.
  template <class U, int R>
    requires(std::convertible_to<U (*)[], T (*)[]> && (R == Rank || Rank == dynamic_rank))
  constexpr view(const view<U, R>& other)
      : data_(other.data()), layout_{other.shape(), other.strides()} {}

  /// Fixes the rank of a view of run-time rank; throws shape_error if it is another.
  template <class U>
    requires(std::convertible_to<U (*)[], T (*)[]> && Rank != dynamic_rank)
  constexpr explicit view(const view<U, dynamic_rank>& other)
      : data_(other.data()), layout_{other.shape(), other.strides()} {}

  constexpr T* data() const noexcept { return data_; }
  constexpr const dims<Rank>& shape() const noexcept { return layout_.shape; }
  constexpr const dims<Rank>& strides() const noexcept { return layout_.strides; }
  constexpr int rank() const noexcept { return layout_.rank(); }
  constexpr index_t extent(index_t dim) const {
    return layout_.shape[detail::normalize_dim("extent", dim, rank())];
  }
  constexpr index_t stride(index_t dim) const {
    return layout_.strides[detail::normalize_dim("stride", dim, rank())];
  }
  constexpr index_t size() const noexcept { return layout_.size(); }
  constexpr bool is_empty() const noexcept { return layout_.is_empty(); }
  constexpr const detail::layout<Rank>& layout() const noexcept { return layout_; }

  /// The element at these coordinates, which are not checked.
  template <integer... I>
  constexpr T& operator()(I... i) const {
    static_assert(Rank == dynamic_rank || static_cast<int>(sizeof...(I)) == Rank,
                  "garner: an element is named by as many coordinates as the view has dims");
    index_t offset = 0;
    std::size_t d = 0;
    ((offset += static_cast<index_t>(i) * layout_.strides[d++]), ...);
    return data_[offset];
  }

  /// The element at these coordinates; throws index_error if one is outside (negative ones are).
  template <integer... I>
  constexpr T& at(I... i) const {
    if (sizeof...(I) != layout_.shape.size()) {
      detail::fail_shape("at", sizeof...(I), " coordinates for a view of ", rank(), " dims");
    }
    index_t d = 0;
    (check_coordinate(d++, i), ...);
    return (*this)(i...);
  }

  /// Elements start, start + step, ... before `stop` along `dim`, by Python's rules.
  constexpr view slice(index_t dim, std::optional<index_t> start, std::optional<index_t> stop = end,
                       index_t step = 1) const {
    const int d = detail::normalize_dim("slice", dim, rank());
    const auto range = detail::resolve_slice(layout_.shape[d], start, stop, step);
    auto result = layout_;
    result.shape[d] = range.count;
    const bool is_moved = !is_empty() && range.count > 0;
    if (is_moved) result.strides[d] *= range.step;
    return {detail::trusted{}, data_ + (is_moved ? range.start * layout_.strides[d] : 0), result};
  }

  /// The view without `dim`, at coordinate `i` there; a negative `i` counts from the end.
  constexpr auto select(index_t dim, index_t i) const {
    static_assert(Rank != 0, "garner: a view of 0 dims has no dim to select from");
    const int d = detail::normalize_dim("select", dim, rank());
    const index_t extent = layout_.shape[d];
    if (i < -extent || i >= extent) detail::raise(index_error("select", {}, i, d, extent));
    const index_t offset = is_empty() ? 0 : (i < 0 ? i + extent : i) * layout_.strides[d];
    return drop(d, data_ + offset);
  }

  constexpr view transpose(index_t a, index_t b) const {
    const int x = detail::normalize_dim("transpose", a, rank());
    const int y = detail::normalize_dim("transpose", b, rank());
    auto result = layout_;
    std::swap(result.shape[x], result.shape[y]);
    std::swap(result.strides[x], result.strides[y]);
    return {detail::trusted{}, data_, result};
  }

  /// Dim k of the result is dim order[k] of this view.
  constexpr view permute(const dims<Rank>& order) const {
    if (order.rank() != rank()) {
      detail::fail_shape("permute", "order ", order, " is not one of ", rank(), " dims");
    }
    auto result = layout_;
    unsigned seen = 0;
    for (int k = 0; k < rank(); ++k) {
      const int d = detail::normalize_dim("permute", order[k], rank());
      if (seen >> d & 1u) detail::fail_shape("permute", "order ", order, " names a dim twice");
      seen |= 1u << d;
      result.shape[k] = layout_.shape[d];
      result.strides[k] = layout_.strides[d];
    }
    return {detail::trusted{}, data_, result};
  }

  /// A new dim of extent 1 before dim `dim`; -1 puts it last.
  constexpr auto unsqueeze(index_t dim) const {
    constexpr int new_rank = detail::plus_rank(Rank, 1);
    const int d = detail::normalize_dim("unsqueeze", dim, rank() + 1);
    return view<T, new_rank>(
        detail::trusted{}, data_,
        {detail::insert(layout_.shape, d, 1), detail::insert(layout_.strides, d, 0)});
  }

  /// The view without `dim`, whose extent must be 1.
  constexpr auto squeeze(index_t dim) const {
    static_assert(Rank != 0, "garner: a view of 0 dims has no dim to squeeze");
    const int d = detail::normalize_dim("squeeze", dim, rank());
    if (layout_.shape[d] != 1) {
      detail::fail_shape("squeeze", "dim ", d, " has extent ", layout_.shape[d], ", not 1");
    }
    return drop(d, data_);
  }

  /// Repeats dims of extent 1 without a copy; -1 keeps an extent; new dims come first.
  template <integer_list Shape>
  constexpr auto expand(const Shape& shape) const {
    constexpr int new_rank = detail::rank_of_list<Shape>;
    return view<T, new_rank>(detail::trusted{}, data_,
                             detail::expand(layout_, dims<new_rank>(shape)));
  }
  template <std::size_t N>
  constexpr auto expand(const index_t (&shape)[N]) const {
    return expand(std::to_array(shape));
  }

  /// The elements along `dim` in reverse order.
  constexpr view flip(index_t dim) const { return slice(dim, end, end, -1); }

  /// The same elements in row-major order under another shape, one extent of which may be -1.
  /// Throws shape_error where that would take a copy.
  template <integer_list Shape>
  constexpr auto reshape(const Shape& shape) const {
    constexpr int new_rank = detail::rank_of_list<Shape>;
    return view<T, new_rank>(detail::trusted{}, data_,
                             detail::reshape(layout_, dims<new_rank>(shape)));
  }
  template <std::size_t N>
  constexpr auto reshape(const index_t (&shape)[N]) const {
    return reshape(std::to_array(shape));
  }

  /// reshape to one dim.
  constexpr auto flatten() const { return reshape(dims{size()}); }

 private:
  constexpr auto drop(int d, T* data) const {
    return view<T, detail::plus_rank(Rank, -1)>(
        detail::trusted{}, data,
        {detail::erase(layout_.shape, d), detail::erase(layout_.strides, d)});
  }

  constexpr void check_coordinate(index_t d, integer auto i) const {
    const index_t extent = layout_.shape[d];
    if (std::cmp_less(i, 0) || std::cmp_greater_equal(i, extent)) {
      detail::raise(index_error("at", std::span(&d, 1), i, d, extent));
    }
  }

  T* data_;
  detail::layout<Rank> layout_;
};

namespace detail {

template <class T, int Rank>
constexpr auto prove_inside(std::span<T> data, const dims<Rank>& shape, const dims<Rank>& strides,
                            index_t offset) {
  if (shape.rank() != strides.rank()) {
    fail_shape("make_view", "shape ", shape, " and strides ", strides, " differ in rank");
  }
  const reach reach = checked_reach("make_view", layout<Rank>{shape, strides}, sizeof(T));
  const bool is_empty = layout<Rank>{shape, strides}.is_empty();
  // An empty view has no element, yet its offset must not leave the span.
  const auto first = static_cast<std::size_t>(offset);
  const bool is_inside =
      offset >= 0 && first >= reach.below &&
      (is_empty ? first <= data.size() : first < data.size() && reach.above < data.size() - first);
  if (!is_inside) {
    fail_shape("make_view", "shape ", shape, " with strides ", strides, " at offset ", offset,
               " leaves the span of ", data.size(), " elements");
  }
  return view<T, Rank>(is_empty && !data.data() ? nullptr : data.data() + offset, shape, strides);
}

template <class Range>
concept span_like =
    std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
    std::ranges::borrowed_range<Range> && !std::is_array_v<std::ranges::range_value_t<Range>>;

template <span_like Range>
constexpr auto to_span(Range&& range) {
  return std::span(std::ranges::data(range), std::ranges::size(range));
}

}  // namespace detail

/// A view of `data` (anything contiguous) that is proven to stay inside it, or a shape_error.
template <detail::span_like Range, integer_list Shape>
constexpr auto make_view(Range&& data, const Shape& shape) {
  const dims<detail::rank_of_list<Shape>> extents(shape);
  detail::check_shape("make_view", extents);
  return detail::prove_inside(detail::to_span(data), extents, detail::row_major_strides(extents),
                              0);
}
template <detail::span_like Range, integer_list Shape, integer_list Strides>
constexpr auto make_view(Range&& data, const Shape& shape, const Strides& strides,
                         index_t offset = 0) {
  constexpr int rank = detail::rank_of_list<Shape>;
  static_assert(rank == dynamic_rank || detail::rank_of_list<Strides> == dynamic_rank ||
                    detail::rank_of_list<Strides> == rank,
                "garner: shape and strides must name equally many dims");
  return detail::prove_inside(detail::to_span(data), dims<rank>(shape), dims<rank>(strides),
                              offset);
}
template <detail::span_like Range, std::size_t N>
constexpr auto make_view(Range&& data, const index_t (&shape)[N]) {
  return make_view(data, std::to_array(shape));
}
template <detail::span_like Range, std::size_t N, std::size_t M>
constexpr auto make_view(Range&& data, const index_t (&shape)[N], const index_t (&strides)[M],
                         index_t offset = 0) {
  return make_view(data, std::to_array(shape), std::to_array(strides), offset);
}

}  // namespace garner
