// SPDX-License-Identifier: BSD-3-Clause
// dims: lists of one integer per dim.
#include <array>
#include <cstdint>
#include <limits>
#include <list>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <garner/shape.hpp>

#include "support/catch.hpp"
#include "support/errors.hpp"

using garner::dims;
using garner::index_t;
using garner::shape_error;
using test::message_of;

namespace {

static_assert(std::is_constructible_v<dims<2>, int, long>);
static_assert(!std::is_constructible_v<dims<2>, int>);
static_assert(!std::is_constructible_v<dims<2>, int, int, int>);
static_assert(!std::is_constructible_v<dims<2>, int, double>);
static_assert(sizeof(dims<2>) == 2 * sizeof(index_t), "a static rank takes no room");
static_assert(dims(7, 8, 9).rank() == 3);
static_assert(std::is_same_v<decltype(dims(7, 8u, short{9})), dims<3>>);
static_assert(dims<>().rank() == 0 && dims<0>().size() == 0);
static_assert(dims<3>() == dims(0, 0, 0));

static_assert(garner::integer_list<std::vector<std::int64_t>>);
static_assert(garner::integer_list<std::span<const unsigned char>>);
static_assert(garner::integer_list<std::array<int, 3>>);
static_assert(garner::integer_list<std::list<short>>);
static_assert(garner::integer_list<dims<>>);
static_assert(!garner::integer_list<std::vector<double>>);
static_assert(!garner::integer_list<int>);

}  // namespace

TEST_CASE("dims: any range of any integers gives the same list", "[shape]") {
  const dims<> expected(2, 3, 5);
  const std::vector<std::int64_t> vector{2, 3, 5};
  const std::array<std::uint8_t, 3> array{2, 3, 5};
  const std::list<short> list{2, 3, 5};
  CHECK(dims<>(vector) == expected);
  CHECK(dims<>(std::span(vector)) == expected);
  CHECK(dims<>(array) == expected);
  CHECK(dims<>(list) == expected);
  CHECK(dims<3>(vector) == expected);
  CHECK(dims<3>(expected) == expected);
  CHECK(dims<>(dims<3>(array)) == expected);
  CHECK(dims<>(2u, std::int8_t{3}, 5ull) == expected);
  CHECK(expected[0] == 2);
  CHECK(expected[1u] == 3);
  CHECK(std::vector<index_t>(expected.begin(), expected.end()) == std::vector<index_t>{2, 3, 5});
}

TEST_CASE("dims: texts and bools are no lists of integers", "[shape]") {
  CHECK_FALSE(garner::integer_list<std::string>);
  CHECK_FALSE(garner::integer_list<char[5]>);
  CHECK_FALSE(garner::integer_list<std::vector<bool>>);
  CHECK_FALSE(std::is_constructible_v<dims<>, bool>);
}

TEST_CASE("dims: lists are equal if their ranks and entries are", "[shape]") {
  CHECK(dims(1, 2) == dims<>(1, 2));
  CHECK(dims<>(1, 2) == dims(1, 2));
  CHECK(dims(1, 2) != dims(1, 3));
  CHECK(dims(1, 2) != dims<>(1, 2, 0));
  CHECK(dims<>(1, 2, 0) != dims(1, 2));
  CHECK(dims<0>() == dims<>());
}

TEST_CASE("dims: a loop can change all entries", "[shape]") {
  dims<> list(2, 3, 5);
  for (auto& extent : list) extent *= 2;
  CHECK(list == dims(4, 6, 10));
}

TEST_CASE("dims: a list of another length is refused", "[shape][error]") {
  const std::vector<int> three{1, 2, 3};
  CHECK(message_of<shape_error>([&] { dims<2> d(three); }) == "dims: 3 dims where 2 are needed");
  CHECK(message_of<shape_error>([] { dims<0> d(dims<>(1)); }) == "dims: 1 dims where 0 are needed");
  CHECK(dims<>(std::vector<int>(16)).rank() == 16);
  CHECK(message_of<shape_error>([] { dims<> d(std::vector<int>(17)); }) ==
        "dims: 17 dims are more than 16");
  CHECK_THROWS_AS(dims<2>::of_rank(3), shape_error);
  CHECK(dims<>::of_rank(3) == dims(0, 0, 0));
}

TEST_CASE("dims: an entry that does not fit into index_t is refused", "[shape][error]") {
  constexpr auto largest = std::numeric_limits<index_t>::max();
  CHECK(dims<>(std::uint64_t{largest})[0] == largest);
  CHECK(dims<>(std::numeric_limits<index_t>::min())[0] == std::numeric_limits<index_t>::min());
  CHECK(message_of<shape_error>([] { dims<> d(std::uint64_t{1} << 63); }) ==
        "dims: 9223372036854775808 does not fit into index_t");
  CHECK_THROWS_AS(dims<1>(std::vector<std::uint64_t>{~std::uint64_t{0}}), shape_error);
}

TEST_CASE("dims: erase and insert take one entry out and put one in", "[shape]") {
  const dims<> list(2, 3, 5);
  CHECK(garner::detail::erase(list, 0) == dims(3, 5));
  CHECK(garner::detail::erase(list, 1) == dims(2, 5));
  CHECK(garner::detail::erase(list, 2) == dims(2, 3));
  CHECK(garner::detail::insert(list, 0, 7) == dims(7, 2, 3, 5));
  CHECK(garner::detail::insert(list, 1, 7) == dims(2, 7, 3, 5));
  CHECK(garner::detail::insert(list, 3, 7) == dims(2, 3, 5, 7));
  static_assert(std::is_same_v<decltype(garner::detail::erase(dims(2, 3), 0)), dims<1>>);
  static_assert(std::is_same_v<decltype(garner::detail::insert(dims<0>(), 0, 4)), dims<1>>);
  const dims<> longest(std::vector<int>(16, 1));
  CHECK_THROWS_AS(garner::detail::insert(longest, 0, 1), shape_error);
}
