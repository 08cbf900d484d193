// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/masked_select.hpp>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/fenced.hpp"
#include "support/placed.hpp"
#include "support/prop.hpp"
#include "support/tensors.hpp"

namespace {

using garner::masked_select;
using garner::masked_select_into;
using garner::tensor;
using garner::view;
using test::counted;
using test::shape_error_of;

using list = tensor<int, 1>;

/// Bytes that are mostly 0, mixed, or mostly not.
test::placed<std::uint8_t> random_bytes(const test::extents& shape) {
  test::placed<std::uint8_t> result(shape, test::operand::read);
  std::mt19937_64 next(test::below<std::uint64_t>(1u << 30));
  const auto percent = std::vector{0, 2, 50, 98, 100}[test::below<std::size_t>(5)];
  for (auto& x : result.memory) {
    const bool is_true = static_cast<int>(next() % 100) < percent;
    x = is_true ? static_cast<std::uint8_t>(next() % 3 ? 1 : 1 + next() % 255) : std::uint8_t{0};
  }
  result.memory.make_read_only();
  return result;
}

/// The shape with some extents set to 1, perhaps without its first dims.
test::extents narrowed(test::extents shape) {
  for (auto& extent : shape) {
    if (test::once_in(4)) extent = 1;
  }
  if (test::once_in(3)) {
    const auto n = test::below(shape.size() + 1);
    shape.erase(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(n));
  }
  return shape;
}

std::size_t within(const test::coordinates& at, const test::extents& shape) {
  test::coordinates own(at.end() - static_cast<std::ptrdiff_t>(shape.size()), at.end());
  for (std::size_t d = 0; d < own.size(); ++d) {
    if (shape[d] == 1) own[d] = 0;
  }
  return static_cast<std::size_t>(test::number_of(own, shape));
}

template <class T, class Mask, int Rank = garner::dynamic_rank>
void agree(int cases) {
  test::prop("masked_select agrees with a loop", cases, [] {
    const auto rank = Rank < 0 ? test::below<std::size_t>(5) : static_cast<std::size_t>(Rank);
    auto shape = test::random_shape(rank, 800);
    const bool keeps_rank = Rank >= 0;
    const auto x = test::random_numbers<T>(keeps_rank ? shape : narrowed(shape));
    const auto bytes = random_bytes(keeps_rank ? shape : narrowed(shape));
    const auto& a = x.where.shape;
    const auto& b = bytes.where.shape;
    test::extents common(std::max(a.size(), b.size()), 1);
    for (const auto* s : {&a, &b}) {
      for (std::size_t d = 0; d < s->size(); ++d) {
        auto& extent = common[common.size() - s->size() + d];
        if ((*s)[d] != 1) extent = (*s)[d];
      }
    }
    const auto values = x.elements();
    const auto stays = bytes.elements();
    std::vector<T> expected;
    test::for_each_place(common, [&](const auto& at) {
      if (stays[within(at, b)] != 0) expected.push_back(values[within(at, a)]);
    });
    const auto in = x.template view<Rank>();
    const auto byte_mask = bytes.template view<Rank>();
    const view<const Mask, Rank> mask(reinterpret_cast<const Mask*>(byte_mask.data()),
                                      byte_mask.shape(), byte_mask.strides());
    const test::extents result_shape{static_cast<std::int64_t>(expected.size())};
    test::check_result(masked_select(in, mask), result_shape, expected);
    const T blank{};
    auto out = test::blank_out<T>(result_shape, blank);
    if (test::once_in(2)) {
      masked_select_into(out.template view<1>(), in, mask, garner::noalias);
    } else {
      masked_select_into(out.view(), in, mask);
    }
    test::check_written(out, expected, blank);
  });
}

}  // namespace

TEST_CASE("masked_select: random calls agree with a loop", "[masked_select][property]") {
  agree<float, bool>(600);
  agree<std::uint8_t, std::uint8_t>(300);
#ifndef GARNER_TEST_LIGHT
  agree<std::int16_t, bool>(200);
  agree<double, std::uint8_t>(200);
#endif
  agree<long double, bool>(100);
  agree<std::string, bool>(200);
}

TEST_CASE("masked_select: random calls of static rank agree with a loop",
          "[masked_select][property]") {
  agree<float, bool, 1>(400);
  agree<float, std::uint8_t, 3>(200);
}

TEST_CASE("masked_select: torch's example", "[masked_select]") {
  const tensor<float, 2> x{{0.5f, -1, 2}, {3, -4, 0.25f}};
  const tensor<bool, 2> mask{{true, false, true}, {true, false, false}};
  static_assert(std::same_as<decltype(masked_select(x, mask)), tensor<float, 1>>);
  CHECK(masked_select(x, mask) == tensor<float, 1>{0.5f, 2, 3});
}

TEST_CASE("masked_select: input and mask broadcast", "[masked_select][broadcast]") {
  const auto x = counted<int>(2, 3);
  CHECK(masked_select(x, std::vector<std::uint8_t>{0, 1, 1}) == list{1, 2, 4, 5});
  CHECK(masked_select(x, tensor<bool, 2>{{false}, {true}}) == list{3, 4, 5});
  CHECK(masked_select(std::vector{7, 8}, tensor<bool, 2>{{true, false}, {true, true}}) ==
        list{7, 7, 8});
  CHECK(masked_select(x, tensor<bool, 0>(true)) == list{0, 1, 2, 3, 4, 5});
  CHECK(masked_select(tensor<int, 0>(4), std::vector<std::uint8_t>{1, 0, 1}) == list{4, 4});
  CHECK(masked_select(tensor<int, 0>(4), tensor<bool, 0>(false)) == list(0));
}

TEST_CASE("masked_select: any byte but 0 is true, in a bool too", "[masked_select][bool]") {
  const std::vector<std::uint8_t> bytes{2, 0, 255, 0x80, 0, 0x7f, 1, 0, 0, 3};
  const view<const bool, 1> mask(reinterpret_cast<const bool*>(bytes.data()), {10});
  const list expected{0, 2, 3, 5, 6, 9};
  CHECK(masked_select(counted<int>(10), mask) == expected);
  CHECK(masked_select(counted<int>(10), bytes) == expected);
}

TEST_CASE("masked_select: long masks are counted right", "[masked_select][large]") {
  for (const garner::index_t n : {2015, 2016, 2017, 4095, 70000}) {
    tensor<std::uint8_t, 1> mask(n);
    std::fill(mask.begin(), mask.end(), std::uint8_t{200});
    const auto x = counted<int>(n);
    REQUIRE(masked_select(x, mask) == x);
    mask(n / 2) = 0;
    REQUIRE(masked_select(x, mask).size() == n - 1);
    REQUIRE(masked_select(x, mask)(n / 2) == n / 2 + 1);
  }
}

TEST_CASE("masked_select: nothing is written behind out, however many rows there are",
          "[masked_select][rows]") {
  const auto wide = counted<int>(3, 16);
  const auto x = wide.slice(1, 0, 9);
  tensor<bool, 2> mask({3, 9});
  for (bool& stays : mask) stays = true;
  const test::fenced<int> out(27, test::flush::end);
  masked_select_into(out.span(), x, mask);
  for (int k = 0; k < 27; ++k) CHECK(out[static_cast<std::size_t>(k)] == k / 9 * 16 + k % 9);
  for (int j = 1; j < 9; ++j) mask(2, j) = false;
  const test::fenced<int> fewer(19, test::flush::end);
  masked_select_into(fewer.span(), x, mask);
  for (int k = 0; k < 19; ++k) CHECK(fewer[static_cast<std::size_t>(k)] == k / 9 * 16 + k % 9);
}

TEST_CASE("masked_select: rows of which one stride is the other's square", "[masked_select][rows]") {
  const auto memory = counted<int>(9);
  const view<const int, 2> x(memory.data(), {2, 3}, {4, 2});
  CHECK(masked_select(x, tensor<bool, 2>{{true, true, true}, {true, true, true}}) ==
        list{0, 2, 4, 4, 6, 8});
}

TEST_CASE("masked_select: one mask for all, into every other element", "[masked_select]") {
  list out(6);
  masked_select_into(out.slice(0, 0, garner::end, 2), list{7, 8, 9}, tensor<bool, 0>(true));
  CHECK(out == list{7, 0, 8, 0, 9, 0});
}

TEST_CASE("masked_select: a single element, wherever it stands", "[masked_select]") {
  const auto x = counted<int>(20);
  for (int k = 0; k < 20; ++k) {
    tensor<std::uint8_t, 1> mask(20);
    mask(k) = 1;
    CHECK(masked_select(x, mask) == list{k});
  }
}

TEST_CASE("masked_select: empty", "[masked_select][empty]") {
  CHECK(masked_select(tensor<int, 2>({0, 3}), tensor<bool, 1>{true, true, false}) == list(0));
  CHECK(masked_select(tensor<int, 1>(1), tensor<bool, 1>(0)) == list(0));
  list none(0);
  masked_select_into(none, counted<int>(3), tensor<bool, 1>(3));
}

TEST_CASE("masked_select: out and mask in one memory", "[masked_select][overlap][noalias]") {
  tensor<std::uint8_t, 1> memory{9, 1, 9, 9, 1};
  const tensor<std::uint8_t, 1> x{4, 5};
  const auto mask = memory.slice(0, 1, 5, 3);
  const auto out = memory.slice(0, 0, 3, 2);  // apart, but too twisted for the check to see
  CHECK(shape_error_of([&] { masked_select_into(out, x, mask); }) ==
        "masked_select: out overlaps the mask");
  masked_select_into(out, x, mask, garner::noalias);
  CHECK(memory == tensor<std::uint8_t, 1>{4, 1, 5, 9, 1});
  tensor<std::uint8_t, 1> none{0, 0};
  masked_select_into(none.slice(0, 0, 0), x, none);  // no element overlaps nothing
}

TEST_CASE("masked_select: errors, before anything is written", "[masked_select][error][promise]") {
  auto x = counted<int>(2, 3);
  const tensor<bool, 1> mask{true, false, true};
  list out{9, 9, 9};
  CHECK(shape_error_of([&] { masked_select(x, tensor<bool, 1>(2)); }) ==
        "masked_select: input has shape (2, 3) and mask (2), which do not broadcast");
  CHECK(shape_error_of([&] { masked_select_into(out, x, mask); }) ==
        "masked_select: out has shape (3), but the result has shape (4)");
  CHECK(shape_error_of([&] { masked_select_into(view<int>(x), x, mask); }) ==
        "masked_select: out has shape (2, 3), but the result has shape (4)");
  const auto flat = x.flatten();
  CHECK(shape_error_of([&] { masked_select_into(flat.slice(0, 1, 5), x, mask); }) ==
        "masked_select: out overlaps the input");
  CHECK(shape_error_of([&] { masked_select_into(out.slice(0, 0, 1).expand({4}), x, mask); }) ==
        "masked_select: out overlaps itself: shape (4) with strides (0)");
  tensor<std::uint8_t, 1> bytes{1, 0, 1};
  CHECK(shape_error_of([&] {
          masked_select_into(bytes.slice(0, 0, 2), tensor<std::uint8_t, 1>{4, 5, 6}, bytes);
        }) == "masked_select: out overlaps the mask");
  const garner::index_t huge = garner::index_t{1} << 40;
  const int one = 1;
  const bool yes = true;
  CHECK(shape_error_of([&] {
          masked_select(view<const int, 2>(&one, {huge, garner::index_t{1}}, {0, 0}),
                        view<const bool, 1>(&yes, {huge}, {0}));
        }) == "masked_select: shape (1099511627776, 1099511627776) has too many elements");
  CHECK(out == list{9, 9, 9});
  CHECK(x == counted<int>(2, 3));
  CHECK(bytes == tensor<std::uint8_t, 1>{1, 0, 1});
}
