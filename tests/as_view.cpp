// SPDX-License-Identifier: BSD-3-Clause
// as_view: what counts as a tensor.
#include <array>
#include <deque>
#include <forward_list>
#include <initializer_list>
#include <list>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <garner/as_view.hpp>
#include <garner/tensor.hpp>

#include "support/catch.hpp"

using garner::as_view;
using garner::dims;
using garner::tensor;
using garner::view;
using garner::view_of;
using garner::viewable;

namespace {

/// Column-major, with padded columns: a stand-in for another library's matrix.
template <class T>
struct matrix {
  std::vector<T> storage;
  int rows;
  int columns;
  int padded_rows;
};

/// Gives the same view whether const or not, as a handle does.
struct handle {
  float* data;
};

struct unadapted {
  int* data;
};

}  // namespace

template <class T>
struct garner::view_adapter<matrix<T>> {
  static view<T, 2> to_view(matrix<T>& m) {
    return {m.storage.data(), {m.rows, m.columns}, {1, m.padded_rows}};
  }
  static view<const T, 2> to_view(const matrix<T>& m) {
    return {m.storage.data(), {m.rows, m.columns}, {1, m.padded_rows}};
  }
};

template <>
struct garner::view_adapter<handle> {
  static constexpr bool is_borrowed = true;
  static view<float> to_view(const handle& h) { return {h.data, {1, 1}}; }
};

namespace {

template <class X, class View>
constexpr bool gives = std::is_same_v<view_of<X>, View>;

static_assert(gives<std::vector<int>&, view<int, 1>>);
static_assert(gives<const std::vector<int>&, view<const int, 1>>);
static_assert(gives<std::span<float>, view<float, 1>>);
static_assert(gives<const std::span<float>&, view<float, 1>>,
              "a const span is not a span of const");
static_assert(gives<std::span<const float, 4>, view<const float, 1>>);
static_assert(gives<std::array<short, 3>&, view<short, 1>>);
static_assert(gives<const std::array<short, 3>&, view<const short, 1>>);
static_assert(gives<int (&)[3], view<int, 1>>);
static_assert(gives<const int (&)[3], view<const int, 1>>);
static_assert(gives<std::string&, view<char, 1>>);
static_assert(gives<view<int, 3>, view<int, 3>>);
static_assert(gives<const view<int>&, view<int>>);
static_assert(gives<view<const int, 0>, view<const int, 0>>);
static_assert(gives<tensor<int, 2>&, view<int, 2>>);
static_assert(gives<const tensor<int, 2>&, view<const int, 2>>);
static_assert(gives<tensor<int>&, view<int>>);
static_assert(gives<matrix<double>&, view<double, 2>>);
static_assert(gives<const matrix<double>&, view<const double, 2>>);
static_assert(gives<const handle&, view<float>>);
static_assert(gives<handle, view<float>>);

static_assert(viewable<std::initializer_list<int>&>);
static_assert(!viewable<std::vector<int>> && !viewable<const std::vector<int>>, "it would dangle");
static_assert(!viewable<tensor<int, 2>>, "it would dangle");
static_assert(!viewable<std::array<int, 3>>, "it would dangle");
static_assert(!viewable<std::vector<bool>>);
static_assert(!viewable<const std::vector<bool>&>);
static_assert(!viewable<std::list<int>>);
static_assert(!viewable<std::deque<int>&>);
static_assert(!viewable<std::forward_list<int>&>);
static_assert(!viewable<int>);
static_assert(!viewable<int*>);
static_assert(!viewable<double&>);
static_assert(!viewable<const char*>);
static_assert(!viewable<unadapted&>);
static_assert(!viewable<std::nullptr_t>);

}  // namespace

TEST_CASE("as_view: a contiguous range is one dense dim over the same memory", "[as_view]") {
  std::vector<int> vector{1, 2, 3};
  const auto check = [](const auto& x, const auto* data, garner::index_t size) {
    CHECK(x.data() == data);
    CHECK(x.shape() == dims(size));
    CHECK(x.strides() == dims(1));
  };
  check(as_view(vector), vector.data(), 3);
  check(as_view(std::as_const(vector)), vector.data(), 3);
  check(as_view(std::span(vector).subspan(1)), vector.data() + 1, 2);
  std::array<int, 3> array{4, 5, 6};
  check(as_view(array), array.data(), 3);
  int c_array[] = {7, 8};
  check(as_view(c_array), c_array, 2);
  as_view(vector)(1) = 20;
  CHECK(vector[1] == 20);
  CHECK(as_view(std::span<int>()).data() == nullptr);
  std::vector<int> empty;
  CHECK(as_view(empty).is_empty());
  std::array<int, 0> none;
  CHECK(as_view(none).size() == 0);
}

TEST_CASE("as_view: views and tensors are themselves", "[as_view]") {
  tensor<int, 2> x{{1, 2}, {3, 4}};
  CHECK(as_view(x).data() == x.data());
  CHECK(as_view(std::as_const(x)).shape() == dims(2, 2));
  const auto transposed = x.transpose(0, 1);
  CHECK(as_view(transposed).layout() == transposed.layout());
  CHECK(as_view(transposed).data() == x.data());
}

TEST_CASE("as_view: a const temporary would dangle too", "[as_view]") {
  CHECK_FALSE(viewable<const tensor<int, 2>>);
}

TEST_CASE("as_view: another library's type by its adapter", "[as_view][adapter]") {
  matrix<double> m{{1, 2, 0, 3, 4, 0, 5, 6, 0}, 2, 3, 3};
  CHECK(as_view(m) == tensor<double, 2>{{1, 3, 5}, {2, 4, 6}});
  as_view(m)(1, 2) = 60;
  CHECK(m.storage[7] == 60);
  CHECK(as_view(std::as_const(m)).data() == m.storage.data());
  float value = 7;
  const handle h{&value};
  as_view(h)(0, 0) = 8;
  CHECK(value == 8);
}

namespace {

struct derived : tensor<float, 2> {
  using tensor::tensor;
};

}  // namespace

TEST_CASE("as_view: what has strides is no list of its elements", "[as_view]") {
  CHECK_FALSE(viewable<derived&>);
  CHECK_FALSE(viewable<const derived&>);
}

TEST_CASE("as_view: an adapter's temporary dangles unless the adapter says otherwise",
          "[as_view][adapter]") {
  CHECK(viewable<matrix<double>&>);
  CHECK(viewable<const matrix<double>&>);
  CHECK_FALSE(viewable<matrix<double>>);
}
