// SPDX-License-Identifier: BSD-3-Clause
// tensor: row-major elements that it owns, and the comparison of tensors and
// views. Everything but ownership is the business of view.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <garner/as_view.hpp>
#include <garner/detail/buffer.hpp>
#include <garner/detail/layout.hpp>
#include <garner/view.hpp>

namespace garner {

namespace detail {

template <class T, int Rank>
struct nested {
  using type = std::initializer_list<typename nested<T, Rank - 1>::type>;
};
template <class T>
struct nested<T, 0> {
  using type = T;
};
template <class T>
struct nested<T, dynamic_rank> {
  struct type;  // a run-time rank cannot be told from braces
};
/// std::initializer_list, `Rank` deep.
template <class T, int Rank>
using nested_list = typename nested<T, Rank>::type;

}  // namespace detail

/// Owns its elements, in row-major order, 64-byte aligned. Converts to a view
/// and has all of a view's methods; those that only change the shape keep the
/// storage when called on a temporary.
template <class T, int Rank = dynamic_rank>
class tensor {
  static_assert(std::same_as<T, std::remove_cv_t<T>>, "garner: a tensor's elements are not const");

 public:
  using element_type = T;
  using value_type = T;

  /// No elements; with rank 0, one.
  tensor() : tensor(no_elements()) {}

  /// Value-initialised elements (zeros). In rank 1, say tensor<T, 1>(n): braces
  /// hold elements, as in std::vector.
  explicit tensor(const dims<Rank>& shape) : tensor(shape, detail::start::at_zero) {}

  /// The same for tensor<T>({3}), which could else be a shape or a tensor.
  template <integer I, std::size_t N>
    requires(Rank == dynamic_rank)
  explicit tensor(const I (&shape)[N]) : tensor(dims<Rank>(std::to_array(shape))) {}

  /// The one element of a tensor without dims.
  explicit tensor(const T& element)
    requires(Rank == 0)
      : tensor() {
    *data() = element;
  }

  /// tensor<int, 2>{{1, 2}, {3, 4}}
  tensor(detail::nested_list<T, Rank> elements)
    requires(Rank > 0)
      : tensor(uninitialized(shape_of(elements))) {
    T* out = data();
    copy_list(elements, out);
  }

  /// A copy of any view's elements.
  template <class U, int R>
    requires(std::same_as<std::remove_cv_t<U>, T> &&
             (R == Rank || R == dynamic_rank || Rank == dynamic_rank))
  explicit tensor(const view<U, R>& from) : tensor(uninitialized(from.shape())) {
    T* out = data();
    if (detail::flat_stride(from.layout()) == 1) {
      std::copy_n(from.data(), size(), out);
      return;
    }
    detail::all_of_offsets(from.shape(), std::array{from.strides()}, [&](const auto& at) {
      *out++ = from.data()[at[0]];
      return true;
    });
  }

  /// A moved-from tensor has no elements; one without dims may only be assigned
  /// to or destroyed.
  tensor(const tensor& other) : tensor(other.as_const()) {}
  tensor(tensor&& other) noexcept
      : shape_(std::exchange(other.shape_, no_elements())), data_(std::move(other.data_)) {}
  tensor& operator=(const tensor& other) {
    *this = tensor(other);
    return *this;
  }
  tensor& operator=(tensor&& other) noexcept {
    shape_ = std::exchange(other.shape_, no_elements());
    data_ = std::move(other.data_);
    return *this;
  }
  ~tensor() = default;

  /// Forgets the rank by itself; fixes a run-time one when told to, or throws shape_error.
  template <int R>
    requires(R != Rank && (Rank == dynamic_rank || R == dynamic_rank))
  explicit(Rank != dynamic_rank) tensor(tensor<T, R>&& other)
      : shape_(other.shape_), data_(std::move(other.data_)) {
    other.shape_ = other.no_elements();
  }
  template <int R>
    requires(R != Rank && (Rank == dynamic_rank || R == dynamic_rank))
  explicit(Rank != dynamic_rank) tensor(const tensor<T, R>& other)
      : tensor(view<const T, R>(other)) {}

  /// Elements without a value, where T has a trivial constructor: for callers
  /// that write each one.
  static tensor uninitialized(const dims<Rank>& shape) {
    return tensor(shape, detail::start::without_value);
  }

  /// Forgets the rank by itself; fixes a run-time one when told to, or throws shape_error.
  template <int R>
    requires(R == Rank || R == dynamic_rank || Rank == dynamic_rank)
  explicit(R != Rank && R != dynamic_rank) operator view<T, R>() & {
    return view<T, R>(as_mutable());
  }
  template <int R>
    requires(R == Rank || R == dynamic_rank || Rank == dynamic_rank)
  explicit(R != Rank && R != dynamic_rank) operator view<const T, R>() const {
    return view<const T, R>(as_const());
  }

  T* data() noexcept { return data_.get(); }
  const T* data() const noexcept { return data_.get(); }
  T* begin() noexcept { return data(); }
  const T* begin() const noexcept { return data(); }
  T* end() noexcept { return data() + size(); }
  const T* end() const noexcept { return data() + size(); }
  const dims<Rank>& shape() const noexcept { return shape_; }
  dims<Rank> strides() const { return detail::row_major_strides(shape_); }
  int rank() const noexcept { return shape_.rank(); }
  index_t extent(index_t dim) const { return as_const().extent(dim); }
  index_t stride(index_t dim) const { return as_const().stride(dim); }
  index_t size() const noexcept { return detail::layout<Rank>{shape_, {}}.size(); }
  bool is_empty() const noexcept { return size() == 0; }

  /// As in view.
  template <integer... I>
  T& operator()(I... i) {
    return as_mutable()(i...);
  }
  template <integer... I>
  const T& operator()(I... i) const {
    return as_const()(i...);
  }
  template <integer... I>
  T& at(I... i) {
    return as_mutable().at(i...);
  }
  template <integer... I>
  const T& at(I... i) const {
    return as_const().at(i...);
  }

  using bound = std::optional<index_t>;
  auto slice(index_t dim, bound start, bound stop = garner::end, index_t step = 1) & {
    return as_mutable().slice(dim, start, stop, step);
  }
  auto slice(index_t dim, bound start, bound stop = garner::end, index_t step = 1) const& {
    return as_const().slice(dim, start, stop, step);
  }
  auto select(index_t dim, index_t i) & { return as_mutable().select(dim, i); }
  auto select(index_t dim, index_t i) const& { return as_const().select(dim, i); }
  auto transpose(index_t a, index_t b) & { return as_mutable().transpose(a, b); }
  auto transpose(index_t a, index_t b) const& { return as_const().transpose(a, b); }
  auto permute(const dims<Rank>& order) & { return as_mutable().permute(order); }
  auto permute(const dims<Rank>& order) const& { return as_const().permute(order); }
  auto flip(index_t dim) & { return as_mutable().flip(dim); }
  auto flip(index_t dim) const& { return as_const().flip(dim); }
  template <integer_list Shape>
  auto expand(const Shape& shape) & {
    return as_mutable().expand(shape);
  }
  template <integer_list Shape>
  auto expand(const Shape& shape) const& {
    return as_const().expand(shape);
  }
  template <std::size_t N>
  auto expand(const index_t (&shape)[N]) & {
    return as_mutable().expand(shape);
  }
  template <std::size_t N>
  auto expand(const index_t (&shape)[N]) const& {
    return as_const().expand(shape);
  }

  // A view into a temporary would dangle: name the tensor first.
  void slice(index_t, bound, bound = garner::end, index_t = 1) const&& = delete;
  void select(index_t, index_t) const&& = delete;
  void transpose(index_t, index_t) const&& = delete;
  void permute(const dims<Rank>&) const&& = delete;
  void flip(index_t) const&& = delete;
  void unsqueeze(index_t) const&& = delete;
  void squeeze(index_t) const&& = delete;
  void flatten() const&& = delete;
  template <class Shape>
  void expand(const Shape&) const&& = delete;
  template <class Shape>
  void reshape(const Shape&) const&& = delete;
  template <std::size_t N>
  void expand(const index_t (&)[N]) const&& = delete;
  template <std::size_t N>
  void reshape(const index_t (&)[N]) const&& = delete;

  auto unsqueeze(index_t dim) & { return as_mutable().unsqueeze(dim); }
  auto unsqueeze(index_t dim) const& { return as_const().unsqueeze(dim); }
  auto unsqueeze(index_t dim) && { return std::move(*this).keep(as_const().unsqueeze(dim)); }
  auto squeeze(index_t dim) & { return as_mutable().squeeze(dim); }
  auto squeeze(index_t dim) const& { return as_const().squeeze(dim); }
  auto squeeze(index_t dim) && { return std::move(*this).keep(as_const().squeeze(dim)); }
  auto flatten() & { return as_mutable().flatten(); }
  auto flatten() const& { return as_const().flatten(); }
  auto flatten() && { return std::move(*this).keep(as_const().flatten()); }
  template <integer_list Shape>
  auto reshape(const Shape& shape) & {
    return as_mutable().reshape(shape);
  }
  template <integer_list Shape>
  auto reshape(const Shape& shape) const& {
    return as_const().reshape(shape);
  }
  template <integer_list Shape>
  auto reshape(const Shape& shape) && {
    return std::move(*this).keep(as_const().reshape(shape));
  }
  template <std::size_t N>
  auto reshape(const index_t (&shape)[N]) & {
    return as_mutable().reshape(shape);
  }
  template <std::size_t N>
  auto reshape(const index_t (&shape)[N]) const& {
    return as_const().reshape(shape);
  }
  template <std::size_t N>
  auto reshape(const index_t (&shape)[N]) && {
    return std::move(*this).keep(as_const().reshape(shape));
  }

 private:
  template <class, int>
  friend class tensor;

  tensor(const dims<Rank>& shape, detail::start first)
      : shape_((detail::check_shape("tensor", shape), shape)), data_(size(), first) {}

  tensor(const dims<Rank>& shape, detail::buffer<T>&& data)
      : shape_(shape), data_(std::move(data)) {}

  view<T, Rank> as_mutable() { return {detail::trusted{}, data(), {shape_, strides()}}; }
  view<const T, Rank> as_const() const { return {detail::trusted{}, data(), {shape_, strides()}}; }

  /// This storage under the shape of another row-major view of it.
  template <int R>
  tensor<T, R> keep(const view<const T, R>& shaped) && {
    tensor<T, R> result(shaped.shape(), std::move(data_));
    shape_ = no_elements();
    return result;
  }

  static dims<Rank> no_elements() {
    if constexpr (Rank == dynamic_rank) {
      return dims<Rank>(0);
    } else {
      return {};
    }
  }

  template <class List>
  static dims<Rank> shape_of(const List& list) {
    dims<Rank> shape;
    measure(list, shape, 0);
    return shape;
  }
  template <class Entry>
  static void measure(const std::initializer_list<Entry>& list, dims<Rank>& shape, int d) {
    shape[d] = static_cast<index_t>(list.size());
    if constexpr (!std::same_as<Entry, T>) {
      if (list.size() > 0) measure(*list.begin(), shape, d + 1);
    }
  }
  template <class Entry>
  void copy_list(const std::initializer_list<Entry>& list, T*& out, int d = 0) {
    if (static_cast<index_t>(list.size()) != shape_[d]) {
      detail::fail_shape("tensor", "the braces hold ", list.size(), " entries where ", shape_[d],
                         " are needed in dim ", d);
    }
    for (const auto& entry : list) {
      if constexpr (std::same_as<Entry, T>) {
        *out++ = entry;
      } else {
        copy_list(entry, out, d + 1);
      }
    }
  }

  dims<Rank> shape_;
  detail::buffer<T> data_;
};

template <class T, int Rank>
struct view_adapter<tensor<T, Rank>> {
  static view<T, Rank> to_view(tensor<T, Rank>& x) { return x; }
  static view<const T, Rank> to_view(const tensor<T, Rank>& x) { return x; }
};

namespace detail {

template <class X>
inline constexpr bool is_tensor = false;
template <class T, int Rank>
inline constexpr bool is_tensor<tensor<T, Rank>> = true;

template <class X>
concept view_or_tensor = is_view<X> || is_tensor<X>;

}  // namespace detail

/// Equal shapes and equal elements, whatever the layouts.
template <detail::view_or_tensor A, detail::view_or_tensor B>
constexpr bool operator==(const A& a, const B& b) {
  const view<const typename A::value_type> x = as_view(a);
  const view<const typename B::value_type> y = as_view(b);
  return x.shape() == y.shape() &&
         detail::all_of_offsets(
             x.shape(), std::array{x.strides(), y.strides()},
             [&](const auto& at) { return static_cast<bool>(x.data()[at[0]] == y.data()[at[1]]); });
}

}  // namespace garner
