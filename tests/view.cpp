// SPDX-License-Identifier: BSD-3-Clause
// view. Elements hold their own offset in the buffer, so a wrong one tells where it
// came from.
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <garner/view.hpp>

#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/offsets.hpp"
#include "support/prop.hpp"

using garner::dims;
using garner::end;
using garner::index_error;
using garner::index_t;
using garner::shape_error;
using garner::view;
using test::coordinates;
using test::counted;
using test::elements;
using test::index_list;
using test::message_of;
using test::offsets;
using test::product;
using test::to_list;
using test::uniform;

namespace {

__extension__ typedef __int128 wide;

constexpr index_t lowest = std::numeric_limits<index_t>::min();
constexpr index_t highest = std::numeric_limits<index_t>::max();
constexpr index_t two_to_62 = index_t{1} << 62;

/// What a view should be, without strides.
struct model {
  index_list shape;
  std::vector<int> values;

  /// Element c of the result is element from(c) of this.
  template <class From>
  model remap(const index_list& new_shape, const From& from) const {
    model result{new_shape, {}};
    for (const auto& at : coordinates(new_shape)) {
      const index_list old = from(at);
      index_t flat = 0;
      for (std::size_t d = 0; d < shape.size(); ++d) flat = flat * shape[d] + old[d];
      result.values.push_back(values[static_cast<std::size_t>(flat)]);
    }
    return result;
  }
};

using bound = std::optional<index_t>;

/// The coordinates that Python's x[start:stop:step] visits.
index_list python_slice(index_t extent, bound start, bound stop, index_t step) {
  const wide n = extent;
  const wide least = step > 0 ? 0 : -1;
  const wide most = step > 0 ? n : n - 1;
  const auto place = [&](bound b, wide missing) {
    if (!b) return missing;
    const wide at = *b < 0 ? *b + n : wide{*b};
    return std::min(std::max(at, least), most);
  };
  const wide last = place(stop, step > 0 ? most : least);
  index_list result;
  for (wide i = place(start, step > 0 ? least : most); step > 0 ? i < last : i > last; i += step) {
    result.push_back(static_cast<index_t>(i));
  }
  return result;
}

struct base {
  int x;
};
struct derived : base {
  int y;
};

template <class From, class To>
constexpr bool converts = std::is_convertible_v<From, To>;

static_assert(converts<view<int, 2>, view<const int, 2>>);
static_assert(converts<view<int, 2>, view<int>>);
static_assert(converts<view<int, 2>, view<const int>>);
static_assert(converts<view<int>, view<const int>>);
static_assert(!converts<view<const int, 2>, view<int, 2>>);
static_assert(!converts<view<const int>, view<int>>);
static_assert(!std::is_constructible_v<view<int, 2>, view<int, 3>>);
static_assert(!std::is_constructible_v<view<long, 2>, view<int, 2>>);
static_assert(!std::is_constructible_v<view<base, 1>, view<derived, 1>>, "strides would be wrong");
static_assert(std::is_constructible_v<view<int, 2>, view<int>> &&
                  !converts<view<int>, view<int, 2>>,
              "a rank is fixed only on request");
static_assert(std::is_constructible_v<view<const int, 2>, view<int>>);
static_assert(!std::is_constructible_v<view<int, 2>, view<const int>>);
static_assert(std::is_trivially_copyable_v<view<int, 3>> &&
              std::is_trivially_copyable_v<view<int>>);

constexpr int constants[] = {0, 1, 2, 3, 4, 5};
constexpr view<const int, 2> constant(constants, {2, 3});
static_assert(constant(1, 2) == 5 && constant.transpose(0, 1)(2, 1) == 5);
static_assert(constant.slice(1, end, end, -2).at(1, 1) == 3 && constant.flatten()(4) == 4);

}  // namespace

TEST_CASE("view: a shape alone means row-major", "[view][construction]") {
  auto data = counted(24);
  const view<int, 3> x{data.data(), {2, 3, 4}};
  CHECK(x.data() == data.data());
  CHECK(x.shape() == dims(2, 3, 4));
  CHECK(x.strides() == dims(12, 4, 1));
  CHECK(x.rank() == 3);
  CHECK(x.size() == 24);
  CHECK_FALSE(x.is_empty());
  CHECK(elements(x) == data);
  CHECK(view<int, 3>{data.data(), {2, 1, 4}}.strides() == dims(4, 4, 1));
}

TEST_CASE("view: any layout by strides", "[view][construction]") {
  auto data = counted(24);
  const view<int, 2> x{data.data() + 19, {2, 3}, {-12, 2}};
  CHECK(elements(x) == std::vector<int>{19, 21, 23, 7, 9, 11});
  CHECK(x(1, 2) == 11);
  const view<int, 2> repeated{data.data() + 5, {2, 2}, {0, 1}};
  CHECK(elements(repeated) == std::vector<int>{5, 6, 5, 6});
  CHECK(x.layout().strides == dims(-12, 2));
}

TEST_CASE("view: a run-time shape comes from any range of integers", "[view][construction]") {
  auto data = counted(6);
  const std::vector<std::int64_t> shape{2, 3};
  const std::vector<std::int64_t> strides{1, 2};
  const view<int> expected(data.data(), {2, 3}, {1, 2});
  const auto same = [&](const view<int>& x) {
    return x.data() == expected.data() && x.layout() == expected.layout();
  };
  CHECK(same(view<int>{data.data(), shape, strides}));
  CHECK(same(view<int>{data.data(), std::span(shape), std::span(strides)}));
  CHECK(same(view<int>{data.data(), std::array{2u, 3u}, std::array<short, 2>{1, 2}}));
  CHECK(same(view<int>{data.data(), shape, {1, 2}}));
  CHECK(same(view<int>{data.data(), {2, 3u}, {std::int8_t{1}, 2ull}}));
  CHECK(same(view<int>{data.data(), dims(2, 3), strides}));
  CHECK(view<int>{data.data(), shape}.strides() == dims(3, 1));
  CHECK(view<int, 2>{data.data(), shape}.strides() == dims(3, 1));
  CHECK(view<int>{data.data(), {6}}.rank() == 1);
  CHECK_THROWS_AS((view<int, 3>{data.data(), shape}), shape_error);
}

TEST_CASE("view: without dims it is one element", "[view][0-d]") {
  int value = 7;
  const view<int, 0> x{&value, {}};
  CHECK(x.rank() == 0);
  CHECK(x.size() == 1);
  CHECK_FALSE(x.is_empty());
  CHECK(x() == 7);
  CHECK(x.at() == 7);
  const view<int> y = x;
  CHECK(y.rank() == 0);
  CHECK(y() == 7);
  y() = 8;
  CHECK(value == 8);
  CHECK(x.unsqueeze(0).shape() == dims(1));
  CHECK(x.unsqueeze(0).strides() == dims(0));
  CHECK(x.flatten().shape() == dims(1));
  CHECK(x.reshape({1, 1})(0, 0) == 8);
  CHECK(elements(x.expand({3})) == std::vector<int>{8, 8, 8});
  CHECK(x.permute({}).rank() == 0);
  CHECK(view<int>{&value, std::vector<int>{}}.size() == 1);
  CHECK_THROWS_AS(x.slice(0, 0), shape_error);
  CHECK_THROWS_AS(x.extent(0), shape_error);
  CHECK_THROWS_AS(y.select(0, 0), shape_error);
  CHECK_THROWS_AS(y.squeeze(0), shape_error);
  CHECK_THROWS_AS(y.flip(-1), shape_error);
}

TEST_CASE("view: nothing is needed where there is nothing", "[view][empty]") {
  const view<int, 2> x{nullptr, {0, 3}};
  CHECK(x.is_empty());
  CHECK(x.size() == 0);
  CHECK(x.data() == nullptr);
  CHECK(view<int>{nullptr, {2, 0, two_to_62}, {lowest, highest, 1}}.size() == 0);
  CHECK(view<int>{nullptr, {two_to_62, two_to_62, 0}}.size() == 0);
  CHECK(x.transpose(0, 1).shape() == dims(3, 0));
  CHECK(x.select(1, -1).shape() == dims(0));
  CHECK(x.select(1, -1).data() == nullptr);
  CHECK(x.slice(1, 1, end, 2).shape() == dims(0, 1));
  CHECK(x.slice(1, 1, end, 2).data() == nullptr);
  CHECK(x.flip(1).flip(0).shape() == dims(0, 3));
  CHECK(x.reshape({5, 0, 7}).shape() == dims(5, 0, 7));
  CHECK(x.flatten().shape() == dims(0));
  CHECK(x.unsqueeze(-1).shape() == dims(0, 3, 1));
  CHECK(x.expand({4, 0, 3}).shape() == dims(4, 0, 3));
  CHECK(message_of<shape_error>([] {
          view<int, 2>{nullptr, {2, 3}};
        }) == "view: no data for shape (2, 3)");
  CHECK_THROWS_AS((view<int, 0>{nullptr, {}}), shape_error);
}

TEST_CASE("view: a layout that no memory can hold is refused", "[view][construction][error]") {
  double data[1] = {};
  const auto refused = [&](const index_list& shape, const index_list& strides) {
    return message_of<shape_error>([&] { view<double>(data, shape, strides); });
  };
  CHECK(refused({2, -3}, {1, 1}) == "view: extent -3 of dim 1 is negative");
  CHECK(refused({0, -3}, {1, 1}) == "view: extent -3 of dim 1 is negative");
  CHECK(refused({2, 3}, {1}) == "view: shape (2, 3) and strides (1) differ in rank");
  CHECK(refused({two_to_62, 2}, {0, 0}) ==
        "view: shape (4611686018427387904, 2) has too many elements");
  CHECK(refused({2, 2}, {two_to_62, 1}) ==
        "view: shape (2, 2) with strides (4611686018427387904, 1) reaches past all memory");
  CHECK_THROWS_AS(view<double>(data, {2, 2}, {two_to_62, -two_to_62}), shape_error);
  CHECK_THROWS_AS(view<double>(data, {2}, {lowest}), shape_error);
  CHECK_THROWS_AS(view<double>(data, {index_t{1} << 60}), shape_error);
  CHECK(view<double>(data, {(index_t{1} << 60) - 1}).size() == (index_t{1} << 60) - 1);
  CHECK_THROWS_AS((view<double, 2>(data, {index_t{1} << 33, index_t{1} << 32})), shape_error);
  CHECK_THROWS_AS(view<double>(data, {lowest}), shape_error);
}

TEST_CASE("view: the stride of a dim of extent 1 is never used", "[view][construction]") {
  int value = 7;
  const view<int, 2> x{&value, {1, 1}, {lowest, highest}};
  CHECK(x(0, 0) == 7);
  CHECK(elements(x.flip(0).flip(1)) == std::vector<int>{7});
  CHECK(x.slice(0, -1, end, lowest)(0, 0) == 7);
  CHECK(x.slice(0, 0, end, highest)(0, 0) == 7);
  CHECK(x.slice(0, 0, end, 2).strides() == dims(lowest, highest));
  CHECK(x.select(0, -1)(0) == 7);
  CHECK(x.reshape({1, 1, 1})(0, 0, 0) == 7);
  CHECK(x.expand({3, 2})(2, 1) == 7);
  CHECK(x.squeeze(1).squeeze(0)() == 7);
}

TEST_CASE("view: rank and const convert", "[view][conversion]") {
  auto data = counted(6);
  const view<int, 2> x{data.data(), {2, 3}, {1, 2}};
  const view<int> any = x;
  CHECK(any.data() == x.data());
  CHECK(any.shape() == x.shape());
  CHECK(any.strides() == x.strides());
  const view<int, 2> back(any);
  CHECK(back.layout() == x.layout());
  const view<const int, 2> read_only(any);
  CHECK(read_only.data() == x.data());
  CHECK(message_of<shape_error>([&] { view<int, 3> wrong(any); }) ==
        "dims: 2 dims where 3 are needed");
}

TEST_CASE("view: elements are named by coordinates", "[view][access]") {
  auto data = counted(24);
  const view<int, 3> x{data.data(), {2, 3, 4}};
  const view<int> y = x.permute({2, 0, 1});
  for (int i = 0; i < 2; ++i) {
    for (short j = 0; j < 3; ++j) {
      for (std::uint64_t k = 0; k < 4; ++k) {
        const int expected = i * 12 + j * 4 + static_cast<int>(k);
        CHECK(x(i, j, k) == expected);
        CHECK(x.at(i, j, k) == expected);
        CHECK(y(k, i, j) == expected);
        CHECK(y.at(k, i, j) == expected);
      }
    }
  }
  x.at(1, 2, 3) = 99;
  CHECK(data[23] == 99);
  CHECK(x.extent(-1) == 4);
  CHECK(x.extent(0) == 2);
  CHECK(x.stride(-3) == 12);
}

TEST_CASE("view: at() refuses each coordinate outside", "[view][access][error]") {
  auto data = counted(6);
  const view<int, 2> x{data.data(), {2, 3}};
  CHECK_THROWS_AS(x.at(2, 0), index_error);
  CHECK_THROWS_AS(x.at(0, 3), index_error);
  CHECK_THROWS_AS(x.at(-1, 0), index_error);
  CHECK_THROWS_AS(x.at(0, -1), std::out_of_range);
  CHECK_THROWS_AS(x.at(0, lowest), index_error);
  CHECK_THROWS_AS(x.at(0, ~std::uint64_t{0}), index_error);
  CHECK(message_of<index_error>([&] { x.at(1, 3); }) ==
        "at: index[1] = 3 is out of range for dim 1 of extent 3");
  CHECK(message_of<index_error>([&] { x.at(~std::uint64_t{0}, 0); }) ==
        "at: index[0] = 18446744073709551615 is out of range for dim 0 of extent 2");
  CHECK(message_of<shape_error>([&] { view<int>(x).at(1); }) ==
        "at: 1 coordinates for a view of 2 dims");
  CHECK(message_of<shape_error>([&] { view<int>(x).at(1, 1, 0); }) ==
        "at: 3 coordinates for a view of 2 dims");
  CHECK_THROWS_AS((view<int, 1>{nullptr, {0}}.at(0)), index_error);
  try {
    x.at(1, 5);
    FAIL();
  } catch (const index_error& error) {
    CHECK(error.dim() == 1);
    CHECK(error.extent() == 3);
    CHECK(error.value() == 5);
  }
}

TEST_CASE("view: each method counts dims from either end and refuses others", "[view][error]") {
  auto data = counted(6);
  const view<int, 2> x{data.data(), {2, 3}};
  const std::pair<const char*, std::function<void(index_t)>> methods[] = {
      {"extent", [&](index_t d) { x.extent(d); }},
      {"stride", [&](index_t d) { x.stride(d); }},
      {"slice", [&](index_t d) { x.slice(d, 0); }},
      {"slice", [&](index_t d) { x.flip(d); }},
      {"select", [&](index_t d) { x.select(d, 0); }},
      {"transpose", [&](index_t d) { x.transpose(d, 0); }},
      {"transpose", [&](index_t d) { x.transpose(1, d); }},
      {"squeeze", [&](index_t d) { x.slice(0, 0, 1).slice(1, 0, 1).squeeze(d); }},
  };
  for (const auto& [name, method] : methods) {
    for (index_t dim : {-2, -1, 0, 1}) CHECK_NOTHROW(method(dim));
    for (index_t dim : {index_t{2}, index_t{-3}, lowest, highest}) {
      CHECK(message_of<shape_error>([&, m = method] { m(dim); }) ==
            std::string(name) + ": dim " + std::to_string(dim) +
                " is out of range for a tensor of 2 dims");
    }
  }
  for (index_t dim : {-3, 2}) CHECK_NOTHROW(x.unsqueeze(dim));
  for (index_t dim : {index_t{3}, index_t{-4}, lowest, highest}) {
    CHECK_THROWS_AS(x.unsqueeze(dim), shape_error);
    CHECK_THROWS_AS(x.permute({dim, 0}), shape_error);
  }
}

TEST_CASE("view: slice follows Python for all small bounds and steps", "[view][slice]") {
  auto data = counted(5);
  std::vector<bound> bounds{end, lowest, lowest + 1, highest - 1, highest};
  for (index_t i = -7; i <= 7; ++i) bounds.push_back(i);
  std::vector<index_t> steps{lowest, lowest + 1, highest};
  for (index_t i = -3; i <= 3; ++i) {
    if (i != 0) steps.push_back(i);
  }
  for (index_t extent = 0; extent <= 5; ++extent) {
    const view<int, 1> x{data.data(), {extent}};
    for (bound start : bounds) {
      for (bound stop : bounds) {
        for (index_t step : steps) {
          const auto sliced = x.slice(0, start, stop, step);
          const index_list expected = python_slice(extent, start, stop, step);
          INFO("extent " << extent << " start " << start.value_or(1234) << " stop "
                         << stop.value_or(1234) << " step " << step);
          const auto actual = elements(sliced);
          REQUIRE(index_list(actual.begin(), actual.end()) == expected);
        }
      }
    }
  }
}

TEST_CASE("view: slices as Python prints them", "[view][slice]") {
  auto data = counted(6);
  const view<int, 1> x{data.data(), {6}};
  CHECK(elements(x.slice(0, 2)) == std::vector<int>{2, 3, 4, 5});
  CHECK(elements(x.slice(0, -2)) == std::vector<int>{4, 5});
  CHECK(elements(x.slice(0, 0, -4)) == std::vector<int>{0, 1});
  CHECK(elements(x.slice(0, 1, 5, 3)) == std::vector<int>{1, 4});
  CHECK(elements(x.slice(0, end, end, -1)) == std::vector<int>{5, 4, 3, 2, 1, 0});
  CHECK(elements(x.slice(0, end, 2, -1)) == std::vector<int>{5, 4, 3});
  CHECK(elements(x.slice(0, 4, end, -2)) == std::vector<int>{4, 2, 0});
  CHECK(elements(x.slice(0, 4, 100)) == std::vector<int>{4, 5});
  CHECK(elements(x.slice(0, 100, -100, -3)) == std::vector<int>{5, 2});
  CHECK(elements(x.slice(0, 4, 2)).empty());
  CHECK(elements(x.slice(0, 6)).empty());
  CHECK(message_of<shape_error>([&] { x.slice(0, 0, 1, 0); }) == "slice: step must not be 0");
}

TEST_CASE("view: select drops a dim", "[view][select]") {
  auto data = counted(24);
  const view<int, 3> x{data.data(), {2, 3, 4}};
  static_assert(std::is_same_v<decltype(x.select(0, 0)), view<int, 2>>);
  static_assert(std::is_same_v<decltype(view<int>(x).select(0, 0)), view<int>>);
  CHECK(elements(x.select(1, 1)) == std::vector<int>{4, 5, 6, 7, 16, 17, 18, 19});
  CHECK(elements(x.select(-1, -1)) == std::vector<int>{3, 7, 11, 15, 19, 23});
  CHECK(x.select(0, 1).select(0, 2).select(0, 3)() == 23);
  CHECK(message_of<index_error>([&] { x.select(1, 3); }) ==
        "select: index = 3 is out of range for dim 1 of extent 3");
  CHECK_NOTHROW(x.select(1, -3));
  CHECK_THROWS_AS(x.select(1, -4), index_error);
  CHECK_THROWS_AS(x.select(1, lowest), index_error);
  CHECK_THROWS_AS(x.select(1, highest), index_error);
  CHECK_THROWS_AS((view<int, 1>{nullptr, {0}}.select(0, 0)), index_error);
}

TEST_CASE("view: transpose and permute reorder dims", "[view][permute]") {
  auto data = counted(24);
  const view<int, 3> x{data.data(), {2, 3, 4}};
  CHECK(x.transpose(0, -1).shape() == dims(4, 3, 2));
  CHECK(x.transpose(0, -1).strides() == dims(1, 4, 12));
  CHECK(x.transpose(1, 1).layout() == x.layout());
  CHECK(x.permute({1, 2, 0}).shape() == dims(3, 4, 2));
  CHECK(x.permute({1, 2, 0}).strides() == dims(4, 1, 12));
  CHECK(x.permute({-1, 0, -2}).shape() == dims(4, 2, 3));
  CHECK(message_of<shape_error>([&] {
          x.permute({0, 1, 1});
        }) == "permute: order (0, 1, 1) names a dim twice");
  CHECK_THROWS_AS(x.permute({0, 2, -1}), shape_error);
  CHECK(message_of<shape_error>([&] {
          view<int>(x).permute({1, 0});
        }) == "permute: order (1, 0) is not one of 3 dims");
  std::vector<int> one{7};
  const view<int> deep(one.data(), std::vector<int>(16, 1));
  auto order = dims<>::of_rank(16);
  for (int d = 0; d < 16; ++d) order[d] = 15 - d;
  CHECK(deep.permute(order).rank() == 16);
  CHECK_THROWS_AS(deep.unsqueeze(0), shape_error);
}

TEST_CASE("view: unsqueeze and squeeze put a dim in and take it out", "[view][squeeze]") {
  auto data = counted(6);
  const view<int, 2> x{data.data(), {2, 3}};
  static_assert(std::is_same_v<decltype(x.unsqueeze(0)), view<int, 3>>);
  static_assert(std::is_same_v<decltype(x.unsqueeze(0).squeeze(0)), view<int, 2>>);
  CHECK(x.unsqueeze(0).shape() == dims(1, 2, 3));
  CHECK(x.unsqueeze(1).shape() == dims(2, 1, 3));
  CHECK(x.unsqueeze(2).shape() == dims(2, 3, 1));
  CHECK(x.unsqueeze(-1).shape() == dims(2, 3, 1));
  CHECK(x.unsqueeze(-3).shape() == dims(1, 2, 3));
  for (index_t d : {0, 1, 2, -1}) CHECK(x.unsqueeze(d).squeeze(d).layout() == x.layout());
  CHECK(elements(x.unsqueeze(1)) == data);
  CHECK(message_of<shape_error>([&] { x.squeeze(-1); }) == "squeeze: dim 1 has extent 3, not 1");
}

TEST_CASE("view: expand repeats without a copy", "[view][expand]") {
  auto data = counted(3);
  const view<int, 2> x{data.data(), {3, 1}};
  static_assert(std::is_same_v<decltype(x.expand({3, 2})), view<int, 2>>);
  static_assert(std::is_same_v<decltype(x.expand(std::vector<int>{})), view<int>>);
  CHECK(elements(x.expand({3, 2})) == std::vector<int>{0, 0, 1, 1, 2, 2});
  CHECK(elements(x.expand({2, -1, -1})) == std::vector<int>{0, 1, 2, 0, 1, 2});
  CHECK(x.expand({2, -1, 4}).strides() == dims(0, 1, 0));
  CHECK(x.expand(std::vector<std::int64_t>{2, 3, 4}).shape() == dims(2, 3, 4));
  CHECK(x.expand({3, 0}).shape() == dims(3, 0));
  CHECK(x.expand({3, 1}).layout() == x.layout());
  CHECK(message_of<shape_error>([&] {
          x.expand({4, 1});
        }) == "expand: extent 3 cannot become 4 in dim 0");
  CHECK(message_of<shape_error>([&] { x.expand({3}); }) ==
        "expand: shape (3) has fewer dims than (3, 1)");
  CHECK(message_of<shape_error>([&] {
          x.expand({-1, 3, 1});
        }) == "expand: extent -1 of dim 0 is negative");
  CHECK_THROWS_AS(x.expand({3, -2}), shape_error);
  CHECK_THROWS_AS(x.expand({two_to_62, 3, 1}), shape_error);
}

TEST_CASE("view: reshape is a view or an error", "[view][reshape]") {
  auto data = counted(24);
  const view<int, 3> x{data.data(), {2, 3, 4}};
  static_assert(std::is_same_v<decltype(x.reshape({6, 4})), view<int, 2>>);
  CHECK(elements(x.reshape({4, 6})) == data);
  CHECK(x.reshape({4, -1}).shape() == dims(4, 6));
  CHECK(x.reshape({-1}).shape() == dims(24));
  CHECK(x.reshape(std::vector<int>{2, 12}).strides() == dims(12, 1));
  CHECK(x.slice(2, 0, end, 2).reshape({3, 4}).strides() == dims(8, 2));
  CHECK(x.slice(1, 0, 2).reshape({2, 8}).strides() == dims(12, 1));
  CHECK(elements(x.flip(0).flip(1).flip(2).flatten())[0] == 23);
  CHECK(x.select(0, 0).slice(0, 0, 1).expand({6, 4}).slice(1, 0, 1).flatten().strides() == dims(0));
  CHECK(message_of<shape_error>([&] { x.transpose(0, 1).flatten(); }) ==
        "reshape: shape (3, 2, 4) with strides (4, 12, 1) cannot become (24) without a copy");
  CHECK_THROWS_AS(x.slice(2, 0, 3).reshape({9, 2}), shape_error);
  CHECK_THROWS_AS(x.reshape({5, 5}), shape_error);
  CHECK_THROWS_AS(x.reshape({5, -1}), shape_error);
  CHECK_THROWS_AS(x.reshape({-1, 24, -1}), shape_error);
  CHECK_THROWS_AS(x.reshape({-2, -12}), shape_error);
  CHECK_THROWS_AS(x.reshape({two_to_62, 4}), shape_error);
  CHECK_THROWS_AS(x.reshape({0, -1}), shape_error);
  const view<int, 2> none{nullptr, {0, 3}};
  CHECK(none.reshape({-1, 5}).shape() == dims(0, 5));
  CHECK_THROWS_AS(none.reshape({0, -1}), shape_error);
  CHECK_THROWS_AS(none.reshape({-1, 0}), shape_error);
  CHECK_THROWS_AS(none.reshape({1}), shape_error);
}

TEST_CASE("view: what reshape refuses is told as the caller wrote it", "[view][reshape][error]") {
  auto data = counted(6);
  const view<int, 1> x{data.data(), {6}};
  CHECK(message_of<shape_error>([&] {
          x.reshape({4, 2});
        }) == "reshape: shape (6) cannot become (4, 2)");
  CHECK(message_of<shape_error>([&] {
          x.reshape({4, -1});
        }) == "reshape: shape (6) cannot become (4, -1)");
  CHECK(message_of<shape_error>([&] {
          x.reshape({-1, -1});
        }) == "reshape: shape (-1, -1) leaves two extents open");
}

TEST_CASE("view: reshape succeeds exactly where strides for it exist",
          "[view][reshape][property]") {
  auto data = counted(1001);
  int refused = 0;
  int accepted = 0;
  test::prop("reshape agrees with brute force", 3000, [&] {
    const auto rank = *uniform<std::size_t>(0, 5);
    index_list shape(rank);
    index_list strides(rank);
    index_t stride = *rc::gen::element<index_t>(1, 1, 1, 2, -1, 0);
    for (std::size_t d = rank; d-- > 0;) {
      shape[d] = *rc::gen::element<index_t>(1, 2, 2, 3, 4, 6);
      strides[d] = shape[d] == 1 || *uniform(0, 4) == 0 ? *uniform<index_t>(-20, 21) : stride;
      stride = strides[d] * shape[d];
      if (stride < -30 || stride > 30) stride = 1;
    }
    index_list new_shape;
    index_t rest = product(shape);
    while (rest > 1 || *uniform(0, 3) == 0) {
      index_list factors;
      for (index_t f = 1; f <= rest; ++f) {
        if (rest % f == 0) factors.push_back(f);
      }
      new_shape.push_back(*rc::gen::elementOf(factors));
      rest /= new_shape.back();
      if (new_shape.size() > 7) {
        new_shape.push_back(rest);
        break;
      }
    }

    const view<int> x(data.data() + 500, shape, strides);
    const auto expected = offsets(shape, strides);
    index_list wanted(new_shape.size());
    index_t inner = 1;
    for (std::size_t k = new_shape.size(); k-- > 0;) {
      if (new_shape[k] > 1) wanted[k] = expected[static_cast<std::size_t>(inner)];
      inner *= new_shape[k];
    }
    const bool exists = offsets(new_shape, wanted) == expected;
    (exists ? accepted : refused)++;
    RC_LOG() << "shape " << rc::toString(shape) << " strides " << rc::toString(strides) << " to "
             << rc::toString(new_shape);
    try {
      const auto y = x.reshape(new_shape);
      RC_ASSERT(exists);
      RC_ASSERT(y.data() == x.data());
      RC_ASSERT(to_list(y.shape()) == new_shape);
      RC_ASSERT(offsets(new_shape, to_list(y.strides())) == expected);
    } catch (const shape_error&) {
      RC_ASSERT(!exists);
    }
  });
  CHECK(refused > test::case_count(3000) / 50);
  CHECK(accepted > test::case_count(3000) / 50);
}

TEST_CASE("view: a chain of views shows the elements it should and no others", "[view][property]") {
  test::prop("each step agrees with a copy", 1500, [] {
    const index_list shape = *rc::gen::resize(
        4, rc::gen::container<index_list>(*uniform<std::size_t>(0, 4), uniform<index_t>(0, 5)));
    auto data = counted(static_cast<std::size_t>(product(shape)));
    view<int> x(data.data(), shape);
    model expected{shape, data};
    const int steps = *uniform(1, 7);
    for (int step = 0; step < steps; ++step) {
      const auto rank = expected.shape.size();
      const int kind = *uniform(0, 7);
      if (rank == 0 && kind != 4 && kind != 6) continue;
      const auto d = rank == 0 ? 0 : *uniform<std::size_t>(0, rank);
      const auto e = rank == 0 ? 0 : *uniform<std::size_t>(0, rank);
      const index_t dim =
          static_cast<index_t>(d) - (*rc::gen::arbitrary<bool>() ? static_cast<index_t>(rank) : 0);
      index_list next = expected.shape;
      if (kind == 0) {
        const auto bounds = rc::gen::weightedOneOf<bound>(
            {{1, rc::gen::just(bound{})},
             {4, rc::gen::map(uniform<index_t>(-6, 7), [](index_t i) { return bound{i}; })}});
        const bound start = *bounds;
        const bound stop = *bounds;
        const index_t by = *rc::gen::element<index_t>(1, 1, 2, 3, -1, -2);
        const index_list kept = python_slice(next[d], start, stop, by);
        next[d] = static_cast<index_t>(kept.size());
        expected = expected.remap(next, [&](index_list at) {
          at[d] = kept[static_cast<std::size_t>(at[d])];
          return at;
        });
        x = x.slice(dim, start, stop, by);
      } else if (kind == 1) {
        if (next[d] == 0) continue;
        const index_t at_d = *uniform<index_t>(0, next[d]);
        const index_t i = *rc::gen::arbitrary<bool>() ? at_d - next[d] : at_d;
        next.erase(next.begin() + static_cast<index_t>(d));
        expected = expected.remap(next, [&](index_list at) {
          at.insert(at.begin() + static_cast<index_t>(d), at_d);
          return at;
        });
        x = x.select(dim, i);
      } else if (kind == 2) {
        std::swap(next[d], next[e]);
        expected = expected.remap(next, [&](index_list at) {
          std::swap(at[d], at[e]);
          return at;
        });
        x = x.transpose(dim, static_cast<index_t>(e));
      } else if (kind == 3) {
        expected = expected.remap(next, [&](index_list at) {
          at[d] = next[d] - 1 - at[d];
          return at;
        });
        x = x.flip(dim);
      } else if (kind == 4) {
        if (rank > 5) continue;
        next.insert(next.begin() + static_cast<index_t>(d), 1);
        expected.shape = next;
        x = x.unsqueeze(static_cast<index_t>(d));
      } else if (kind == 5) {
        if (next[d] != 1) continue;
        next.erase(next.begin() + static_cast<index_t>(d));
        expected.shape = next;
        x = x.squeeze(dim);
      } else {
        if (expected.values.size() > 200) continue;
        index_list to = next;
        index_list asked = next;
        for (std::size_t k = 0; k < rank; ++k) {
          if (*uniform(0, 2) == 0) asked[k] = -1;
          if (next[k] == 1 && *uniform(0, 2) == 0) asked[k] = to[k] = *uniform<index_t>(0, 4);
        }
        const bool adds = rank < 5 && *rc::gen::arbitrary<bool>();
        if (adds) {
          to.insert(to.begin(), 2);
          asked.insert(asked.begin(), 2);
        }
        expected = expected.remap(to, [&](index_list at) {
          if (adds) at.erase(at.begin());
          for (std::size_t k = 0; k < rank; ++k) {
            if (next[k] == 1) at[k] = 0;
          }
          return at;
        });
        x = x.expand(asked);
      }
      RC_LOG() << "step " << step << " kind " << kind << " shape " << rc::toString(expected.shape);
      RC_ASSERT(to_list(x.shape()) == expected.shape);
      const auto at = offsets(to_list(x.shape()), to_list(x.strides()));
      const index_t first = x.data() - data.data();
      for (index_t offset : at) {
        const bool is_inside =
            first + offset >= 0 && first + offset < static_cast<index_t>(data.size());
        RC_ASSERT(is_inside);
      }
      RC_ASSERT(first >= 0);
      RC_ASSERT(first <= static_cast<index_t>(data.size()));
      RC_ASSERT(elements(x) == expected.values);
    }
  });
}
