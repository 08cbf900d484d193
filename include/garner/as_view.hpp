// SPDX-License-Identifier: BSD-3-Clause
// as_view: the customization point through which every operation takes its tensors.
// Adapters for other libraries specialise view_adapter.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <garner/view.hpp>

namespace garner {

/// Specialise this with `static view<T, Rank> to_view(const X&)`, and with `to_view(X&)` if that
/// gives another type, to make X an argument of every operation. If the view may outlive X, as that
/// of a handle may, add `static constexpr bool is_borrowed = true`.
template <class X>
struct view_adapter;

namespace detail {

template <class T>
inline constexpr bool is_view = false;
template <class T, int Rank>
inline constexpr bool is_view<view<T, Rank>> = true;

template <class X>
concept adapted = requires(X& x) { view_adapter<std::remove_cvref_t<X>>::to_view(x); } &&
                  (std::is_lvalue_reference_v<X> ||
                   requires { requires view_adapter<std::remove_cvref_t<X>>::is_borrowed; });

/// What has strides is no list: its adapter is missing.
template <class X>
concept flat_range = span_like<X> && !requires(X& x) { x.strides(); };

struct as_view_fn {
  template <class X>
    requires(is_view<std::remove_cvref_t<X>> || adapted<X> || flat_range<X>)
  constexpr auto operator()(X&& x) const {
    if constexpr (is_view<std::remove_cvref_t<X>>) {
      return x;
    } else if constexpr (adapted<X>) {
      return view_adapter<std::remove_cvref_t<X>>::to_view(x);
    } else {
      const auto span = to_span(x);
      return view<typename decltype(span)::element_type, 1>(span.data(), dims{span.size()});
    }
  }
};

}  // namespace detail

/// as_view(x) is the view<T, Rank> of a garner view or tensor, of anything contiguous (rank 1:
/// std::vector, std::span, std::array, a C array), or of a type with a view_adapter. Copies no
/// element, so it takes no temporary that owns its elements.
inline constexpr detail::as_view_fn as_view{};

/// Anything that as_view accepts.
template <class X>
concept viewable = requires(X&& x) { as_view(static_cast<X&&>(x)); };

/// The view type that X gives.
template <viewable X>
using view_of = decltype(as_view(std::declval<X>()));

}  // namespace garner
