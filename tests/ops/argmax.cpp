// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/argmax.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/placed.hpp"
#include "support/prop.hpp"
#include "support/tensors.hpp"

namespace {

using garner::argmax;
using garner::argmax_into;
using garner::argmin;
using garner::argmin_into;
using garner::keepdim;
using garner::tensor;
using garner::view;
using test::shape_error_of;

using indices = tensor<std::int64_t, 2>;
using list = tensor<std::int64_t, 1>;
using number = tensor<std::int64_t, 0>;
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

template <class T>
bool is_nan(const T& x) {
  if constexpr (test::is_float<T>) return std::isnan(static_cast<long double>(x));
  return false;
}

/// Where NumPy finds it among some elements of `values`.
template <class T>
std::int64_t reference(const std::vector<T>& values, const std::vector<std::size_t>& line,
                       bool least) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const T& a = values[line[i]];
    const T& b = values[line[best]];
    if (is_nan(b)) break;
    if (is_nan(a) || (least ? a < b : b < a)) best = i;
  }
  return static_cast<std::int64_t>(best);
}

template <class T, int Rank = garner::dynamic_rank>
void agree(int cases) {
  test::prop("argmax and argmin agree with a loop", cases, [] {
    constexpr int dropped = Rank > 0 ? Rank - 1 : Rank;
    const auto l = test::random_lined(Rank);
    const auto x = test::random_numbers<T>(l.shape);
    const auto values = x.elements();
    const auto in = x.template view<Rank>();
    const auto result_shape = l.without_dim();
    const std::int64_t blank = -77;
    auto out = test::blank_out<std::int64_t>(result_shape, blank);
    auto kept = test::blank_out<std::int64_t>(l.with_extent(1), blank);
    if (l.extent() == 0 && test::count(result_shape) > 0) {
      RC_ASSERT_THROWS_AS(argmax(in, l.dim), garner::shape_error);
      RC_ASSERT_THROWS_AS(argmin_into(out.template view<dropped>(), in, l.dim),
                          garner::shape_error);
      RC_ASSERT_THROWS_AS(argmax(in), garner::shape_error);
      return;
    }
    const bool least = test::once_in(2);
    std::vector<std::int64_t> expected;
    test::for_each_place(l.with_extent(1), [&](const auto& at) {
      expected.push_back(reference(values, l.line(at), least));
    });
    if (least) {
      test::check_result(argmin(in, l.dim), result_shape, expected);
      test::check_result(argmin(in, l.dim, keepdim), l.with_extent(1), expected);
      argmin_into(out.template view<dropped>(), in, l.dim);
      argmin_into(kept.template view<Rank>(), in, l.dim, keepdim, garner::noalias);
    } else {
      test::check_result(argmax(in, l.dim), result_shape, expected);
      test::check_result(argmax(in, l.dim, keepdim), l.with_extent(1), expected);
      argmax_into(out.template view<dropped>(), in, l.dim, garner::noalias);
      argmax_into(kept.template view<Rank>(), in, l.dim, keepdim);
    }
    test::check_written(out, expected, blank);
    test::check_written(kept, expected, blank);
    if (values.empty()) return;
    std::vector<std::size_t> all(values.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    RC_ASSERT(*argmax(in).data() == reference(values, all, false));
    RC_ASSERT(*argmin(in).data() == reference(values, all, true));
  });
}

}  // namespace

TEST_CASE("argmax: random calls agree with a loop", "[argmax][property]") {
  agree<float>(500);
#ifndef GARNER_TEST_LIGHT
  agree<double>(150);
  agree<std::int8_t>(100);
  agree<std::uint8_t>(100);
  agree<std::int32_t>(150);
#endif
  agree<std::int64_t>(100);
  agree<std::uint64_t>(100);
  agree<garner::half>(100);
  agree<long double>(100);
  agree<std::string>(100);
}

TEST_CASE("argmax: random calls of static rank agree with a loop", "[argmax][property]") {
  agree<float, 0>(20);
  agree<float, 1>(100);
  agree<std::uint16_t, 3>(100);
}

TEST_CASE("argmax: every place of lines around a block, and of columns", "[argmax]") {
  for (const garner::index_t n : {1, 2, 7, 8, 9, 127, 128, 129, 255, 256, 257, 1000}) {
    tensor<float, 1> x(n);
    tensor<float, 2> columns({garner::index_t{2}, n});
    tensor<float, 2> pairs({n, garner::index_t{2}});
    for (garner::index_t i = 0; i < n; ++i) {
      x(i) = 1;
      columns(1, i) = 1;
      pairs(i, 1) = 1;
      REQUIRE(argmax(pairs.select(1, 1), 0) == number(i));
      pairs(i, 1) = 0;
      REQUIRE(argmax(x, 0) == number(i));
      REQUIRE(argmax(columns, 0)(i) == 1);
      REQUIRE(argmin(columns, 0)(i) == 0);
      x(i) = not_a_number;
      REQUIRE(argmin(x, 0) == number(i));
      x(i) = 0;
      columns(1, i) = 0;
      REQUIRE(argmax(columns, 0)(i) == 0);
    }
  }
}

TEST_CASE("argmax: the types of the results", "[argmax][rank]") {
  const tensor<int, 2> x{{1, 5, 2}, {9, 0, 3}};
  static_assert(std::same_as<decltype(argmax(x, 1)), list>);
  static_assert(std::same_as<decltype(argmax(x, 1, keepdim)), indices>);
  static_assert(std::same_as<decltype(argmax(x)), number>);
  static_assert(std::same_as<decltype(argmax(view<const int>(x), 1)), tensor<std::int64_t>>);
  CHECK(argmax(x, 1) == list{1, 0});
  CHECK(argmax(x, 0) == list{1, 0, 1});
  CHECK(argmax(x, 1, keepdim) == indices{{1}, {0}});
  CHECK(argmax(x, -2, keepdim) == indices{{1, 0, 1}});
  CHECK(argmax(x) == number(3));
  CHECK(argmin(x) == number(4));
  CHECK(argmax(x.transpose(0, 1)) == number(1));
}

TEST_CASE("argmax: the first of equal elements, and the first NaN", "[argmax][nan]") {
  CHECK(argmax(std::vector{2, 3, 3}, 0) == number(1));
  CHECK(argmin(std::vector{2, 3, 2}, 0) == number(0));
  CHECK(argmax(std::vector{0.0f, -0.0f}, 0) == number(0));
  CHECK(argmax(std::vector{-0.0f, 0.0f}, 0) == number(0));
  CHECK(argmin(std::vector{0.0f, -0.0f}, 0) == number(0));
  const std::vector<float> x{1, not_a_number, 5, -not_a_number};
  CHECK(argmax(x, 0) == number(1));
  CHECK(argmin(x, 0) == number(1));
  CHECK(argmin(std::vector<float>{1, -not_a_number, not_a_number}) == number(1));
}

TEST_CASE("argmax: an empty axis is an error unless the result is empty", "[argmax][empty]") {
  CHECK(shape_error_of([] {
          argmax(tensor<int, 2>({2, 0}), 1);
        }) == "argmax: no element in dim 1 of shape (2, 0)");
  CHECK(shape_error_of([] {
          argmin(tensor<int, 2>({2, 0}), -1, keepdim);
        }) == "argmin: no element in dim 1 of shape (2, 0)");
  CHECK(shape_error_of([] { argmax(tensor<int, 1>(0)); }) == "argmax: no element in shape (0)");
  CHECK(argmax(tensor<int, 2>({2, 0}), 0).shape() == garner::dims{0});
  CHECK(argmax(tensor<int, 2>({0, 0}), 0, keepdim).shape() == garner::dims{1, 0});
}

TEST_CASE("argmax: 0-d", "[argmax][empty]") {
  static_assert(std::same_as<decltype(argmax(tensor<int, 0>(5), 0, keepdim)), number>);
  CHECK(argmax(tensor<int, 0>(5), -1) == number(0));
  CHECK(argmax(tensor<int, 0>(5)) == number(0));
  number out(7);
  argmax_into(out, tensor<int, 0>(5), 0, keepdim);
  CHECK(out == number(0));
}

TEST_CASE("argmax: errors, before anything is written", "[argmax][error][promise]") {
  auto x = test::counted<std::int64_t>(2, 3);
  list out{7, 7, 7};
  CHECK(shape_error_of([&] { argmax_into(out, x, 1); }) ==
        "argmax: out has shape (3), but the result has shape (2)");
  CHECK(shape_error_of([&] { argmax_into(out, x, 3); }) ==
        "argmax: dim 3 is out of range for a tensor of 2 dims");
  CHECK(shape_error_of([&] { argmax_into(x.select(0, 1), x, 0); }) ==
        "argmax: out overlaps the input");
  CHECK(shape_error_of([&] { argmin_into(out.slice(0, 0, 1).expand({3}), x, 0); }) ==
        "argmin: out overlaps itself: shape (3) with strides (0)");
  CHECK(out == list{7, 7, 7});
  CHECK(x == test::counted<std::int64_t>(2, 3));
}
