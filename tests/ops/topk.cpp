// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/topk.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/placed.hpp"
#include "support/prop.hpp"
#include "support/tensors.hpp"

namespace {

using garner::smallest;
using garner::tensor;
using garner::topk;
using garner::topk_into;
using garner::view;
using test::shape_error_of;

using indices = tensor<std::int64_t, 2>;
using list = tensor<std::int64_t, 1>;
using garner::detail::topk_op;

// All are sorted if there are at most 2048 of them, and more than 32 and a sixteenth are wanted.
static_assert(topk_op::sorts_all(2048, 129) && topk_op::sorts_all(500, 33));
static_assert(!topk_op::sorts_all(2048, 128) && !topk_op::sorts_all(500, 32));
static_assert(!topk_op::sorts_all(2049, 2049));

template <class T, int Rank = garner::dynamic_rank>
void agree(int cases) {
  test::prop("topk agrees with counting", cases, [] {
    const auto l = test::random_lined(Rank);
    const auto x = test::random_numbers<T>(l.shape);
    const auto values = x.elements();
    const bool least = test::once_in(2);
    const auto k = l.shape.empty() ? 1 : test::below(l.extent() + 1);
    const auto shape = l.with_extent(k);
    std::vector<std::int64_t> expected(static_cast<std::size_t>(test::count(shape)));
    std::vector<T> expected_values(expected.size());
    if (!expected.empty()) {
      test::for_each_place(l.with_extent(1), [&](auto at) {
        const auto line = l.line(at);
        const auto order = test::reference_order(values, line, !least);
        for (std::int64_t i = 0; i < k; ++i) {
          if (!at.empty()) at[l.axis] = i;
          const auto to = static_cast<std::size_t>(test::number_of(at, shape));
          expected[to] = order[static_cast<std::size_t>(i)];
          expected_values[to] = values[line[static_cast<std::size_t>(expected[to])]];
        }
      });
    }
    const auto in = x.template view<Rank>();
    const std::int64_t blank = -77;
    T blank_value{};
    auto out = test::blank_out<std::int64_t>(shape, blank);
    auto best = test::blank_out<T>(shape, blank_value);
    const auto check = [&](const auto& result) {
      test::check_result(result.values, shape, expected_values);
      test::check_result(result.indices, shape, expected);
    };
    if (least) {
      check(topk(in, k, l.dim, smallest));
      topk_into(best.template view<Rank>(), out.template view<Rank>(), in, k, l.dim, smallest,
                garner::noalias);
    } else {
      check(topk(in, k, l.dim));
      topk_into(best.template view<Rank>(), out.template view<Rank>(), in, k, l.dim);
    }
    test::check_written(out, expected, blank);
    test::check_written(best, expected_values, blank_value);
  });
}

/// Lines longer than what is sorted on the stack, and k on both sides of what is kept there.
template <class T>
void agree_on_long_lines() {
  std::mt19937_64 next(9);
  std::vector<T> x(5000);
  for (T& e : x) e = test::random_value<T>(next);
  std::vector<std::int64_t> order(x.size());
  const auto at = [&](std::int64_t i) { return x[static_cast<std::size_t>(i)]; };
  for (const bool least : {false, true}) {
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
      return least ? test::is_below(at(a), at(b)) : test::is_below(at(b), at(a));
    });
    for (const int k : {1, 2, 31, 33, 100, 1000, 1024, 1025, 4000, 5000}) {
      const auto result = least ? topk(x, k, 0, smallest) : topk(x, k, 0);
      REQUIRE(std::equal(result.indices.begin(), result.indices.end(), order.begin(),
                         order.begin() + k));
      for (int i = 0; i < k; ++i) {
        REQUIRE(test::is_same_value(result.values(i), at(result.indices(i))));
      }
    }
  }
}

}  // namespace

TEST_CASE("topk: random calls agree with counting", "[topk][property]") {
  agree<float>(500);
#ifndef GARNER_TEST_LIGHT
  agree<double>(200);
  agree<std::uint8_t>(100);
  agree<std::int32_t>(150);
#endif
  agree<std::uint64_t>(100);
  agree<garner::bfloat16>(100);
  agree<long double>(100);
  agree<std::string>(100);
}

TEST_CASE("topk: random calls of static rank agree with counting", "[topk][property]") {
  agree<float, 0>(20);
  agree<std::int64_t, 1>(100);
  agree<std::int16_t, 3>(100);
}

TEST_CASE("topk: long lines, few and many of them", "[topk][large]") {
  agree_on_long_lines<float>();
#ifndef GARNER_TEST_LIGHT
  agree_on_long_lines<double>();
  agree_on_long_lines<std::int64_t>();
#endif
  agree_on_long_lines<std::int16_t>();
  agree_on_long_lines<long double>();
}

TEST_CASE("topk: torch's example, with structured bindings", "[topk]") {
  const tensor<float, 1> x{1, 2, 3, 4, 5};
  const auto [values, at] = topk(x, 3, 0);
  static_assert(std::same_as<decltype(values), const tensor<float, 1>>);
  CHECK(values == tensor<float, 1>{5, 4, 3});
  CHECK(at == list{4, 3, 2});
  const auto least = topk(x, 2, -1, smallest);
  CHECK(least.values == tensor<float, 1>{1, 2});
  CHECK(least.indices == list{0, 1});
}

TEST_CASE("topk: along the first dim", "[topk][dims]") {
  const tensor<int, 2> x{{1, 6}, {5, 2}, {3, 4}};
  const auto result = topk(x, 2, 0);
  CHECK(result.values == tensor<int, 2>{{5, 6}, {3, 4}});
  CHECK(result.indices == indices{{1, 0}, {2, 2}});
}

TEST_CASE("topk: the first of equal elements, NaN above all", "[topk][nan]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x{1, 7, nan, 7, -nan, 0, -0.0f};
  CHECK(topk(x, 4, 0).indices == list{2, 4, 1, 3});
  CHECK(topk(x, 5, 0, smallest).indices == list{5, 6, 0, 1, 3});
}

TEST_CASE("topk: the few largest of long lines, whatever lies between their elements", "[topk]") {
  const auto x = test::counted<int>(1000, 3);
  for (const std::int64_t k : {2, 33, 40, 70}) {
    const auto result = topk(x, k, 0);
    const auto least = topk(x.transpose(0, 1), k, 1, smallest);
    int wrong = 0;
    for (std::int64_t i = 0; i < k; ++i) {
      for (std::int64_t j = 0; j < 3; ++j) {
        wrong += result.indices(i, j) != 999 - i || least.indices(j, i) != i;
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("topk: values and indices may lie between each other", "[topk]") {
  const auto x = test::counted<std::int64_t>(2, 3);
  tensor<std::int64_t, 2> both({2, 4});
  topk_into(both.slice(1, 0, garner::end, 2), both.slice(1, 1, garner::end, 2), x, 2, 1);
  CHECK(both == indices{{2, 2, 1, 1}, {5, 2, 4, 1}});
}

TEST_CASE("topk: values and indices that look as if they overlapped", "[topk][overlap][noalias]") {
  const list x{30, 10, 20};
  list both{-1, -1, -1, -1, -1};
  const auto values = both.slice(0, 0, 3, 2);  // apart, but too twisted for the check to see
  const auto at = both.slice(0, 1, 5, 3);
  CHECK(shape_error_of([&] { topk_into(values, at, x, 2, 0); }) ==
        "topk: values overlap the indices");
  topk_into(values, at, x, 2, 0, garner::noalias);
  CHECK(both == list{30, 0, 20, -1, 2});
  topk_into(both.slice(0, 0, 0), both.slice(0, 0, 0), x, 0, 0);  // no element overlaps nothing
}

TEST_CASE("topk: lines that no stack would hold", "[topk][large]") {
  const auto x = test::counted<int>(1 << 20);
  for (const std::int64_t k : {1, 40, 2000}) {
    const auto result = topk(x, k, 0);
    int wrong = 0;
    for (std::int64_t i = 0; i < k; ++i) wrong += result.indices(i) != x.size() - 1 - i;
    CHECK(wrong == 0);
  }
}

TEST_CASE("topk: k may be 0 and the extent, not less or more", "[topk][error]") {
  const tensor<int, 2> x{{1, 6, 3}, {5, 2, 4}};
  CHECK(topk(x, 0, 1).values.shape() == garner::dims{2, 0});
  CHECK(topk(x, 3, 1).indices == indices{{1, 2, 0}, {0, 2, 1}});
  CHECK(shape_error_of([&] { topk(x, 4, 1); }) == "topk: k = 4 of 3 elements in dim 1");
  CHECK(shape_error_of([&] { topk(x, -1, 0); }) == "topk: k = -1 of 2 elements in dim 0");
  CHECK(shape_error_of([&] { topk(x, 1, 2); }) ==
        "topk: dim 2 is out of range for a tensor of 2 dims");
  CHECK(topk(tensor<int, 2>({0, 3}), 0, 0).values.shape() == garner::dims{0, 3});
}

TEST_CASE("topk: 0-d has one element", "[topk][empty]") {
  const auto result = topk(tensor<int, 0>(5), 1, 0);
  static_assert(std::same_as<decltype(result), const garner::topk_result<int, 0>>);
  CHECK(result.values == tensor<int, 0>(5));
  CHECK(result.indices == tensor<std::int64_t, 0>(0));
  CHECK(shape_error_of([] { topk(tensor<int, 0>(5), 0, 0); }) ==
        "topk: k = 0 of an input without dims, which has one element");
  CHECK(shape_error_of([] { topk(tensor<int, 0>(5), 2, 0); }) ==
        "topk: k = 2 of 1 elements in dim 0");
}

TEST_CASE("topk: errors, before anything is written", "[topk][error][promise]") {
  auto x = test::counted<std::int64_t>(2, 3);
  indices values({2, 2});
  indices at({2, 2});
  CHECK(shape_error_of([&] { topk_into(values, at, x, 1, 1); }) ==
        "topk: values: out has shape (2, 2), but the result has shape (2, 1)");
  CHECK(shape_error_of([&] { topk_into(values, at.slice(1, 1), x, 2, 1); }) ==
        "topk: indices: out has shape (2, 1), but the result has shape (2, 2)");
  CHECK(shape_error_of([&] { topk_into(values, x.slice(1, 1), x, 2, 1); }) ==
        "topk: indices: out overlaps the input");
  CHECK(shape_error_of([&] { topk_into(x.slice(1, 1), at, x, 2, 1); }) ==
        "topk: values: out overlaps the input");
  CHECK(shape_error_of([&] { topk_into(x.slice(1, 1), at.slice(1, 1), x, 2, 1); }) ==
        "topk: indices: out has shape (2, 1), but the result has shape (2, 2)");
  CHECK(shape_error_of([&] { topk_into(at, at, x, 2, 1); }) == "topk: values overlap the indices");
  CHECK(values == indices({2, 2}));
  CHECK(at == indices({2, 2}));
  CHECK(x == test::counted<std::int64_t>(2, 3));
}
