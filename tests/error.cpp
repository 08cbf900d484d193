// SPDX-License-Identifier: BSD-3-Clause
// Errors: their texts, their parts, and the handler that stands in where exceptions are off.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <garner/error.hpp>
#include <garner/shape.hpp>

#include "support/catch.hpp"
#include "support/errors.hpp"

using garner::index_error;
using garner::index_t;
using garner::index_value;
using garner::shape_error;
using test::message_of;

namespace {

static_assert(std::is_base_of_v<std::invalid_argument, shape_error>);
static_assert(std::is_base_of_v<std::out_of_range, index_error>);
static_assert(std::is_nothrow_copy_constructible_v<shape_error>);
static_assert(std::is_nothrow_copy_constructible_v<index_error>,
              "an exception is copied while thrown");

index_error make_error(std::initializer_list<index_t> position, index_value value, index_t dim,
                       index_t extent) {
  return {"gather", std::span(position.begin(), position.size()), value, dim, extent};
}

std::string last_message;

}  // namespace

TEST_CASE("index_value: 2^64-1 is not -1", "[error][index_value]") {
  constexpr auto largest = std::numeric_limits<std::uint64_t>::max();
  CHECK(index_value(largest) != index_value(-1));
  CHECK(index_value(largest).text() == "18446744073709551615");
  CHECK(index_value(-1).text() == "-1");
  CHECK(index_value(std::int8_t{-1}) == index_value(std::int64_t{-1}));
  CHECK(index_value(std::uint8_t{200}) == index_value(200));
  CHECK(index_value(std::uint8_t{255}) != index_value(std::int8_t{-1}));
  CHECK(index_value(std::numeric_limits<std::int64_t>::min()).text() == "-9223372036854775808");
  CHECK(index_value(std::numeric_limits<std::int64_t>::max()).text() == "9223372036854775807");
  CHECK(index_value() == 0);
  CHECK(index_value(7) == 7u);
  CHECK(index_value(7) != 8);
}

TEST_CASE("index_error: the text names the place, the value, the dim and the extent", "[error]") {
  CHECK(make_error({1, 4}, 9, 1, 3).what() ==
        std::string("gather: index[1,4] = 9 is out of range for dim 1 of extent 3"));
  CHECK(make_error({5}, -1, 0, 300).what() ==
        std::string("gather: index[5] = -1 is out of range for dim 0 of extent 300"));
  CHECK(make_error({}, 1, 0, 1).what() ==
        std::string("gather: index = 1 is out of range for dim 0 of extent 1"));
  CHECK(make_error({2}, ~std::uint64_t{0}, -1, 6).what() ==
        std::string("gather: index[2] = 18446744073709551615 is out of range for extent 6"));
}

TEST_CASE("index_error: its parts can be read by a program", "[error]") {
  const auto error = make_error({1, 4}, std::int8_t{-3}, 1, 3);
  const auto copy = error;
  CHECK(std::string(copy.op()) == "gather");
  CHECK(std::vector<index_t>(copy.position().begin(), copy.position().end()) ==
        std::vector<index_t>{1, 4});
  CHECK(copy.position().data() != error.position().data());
  CHECK(copy.value() == -3);
  CHECK_FALSE(copy.value() == 3);
  CHECK_FALSE(garner::index_value(-1) == ~std::uint64_t{0});
  CHECK(copy.dim() == 1);
  CHECK(copy.extent() == 3);
  CHECK(make_error({}, 0, 0, 0).position().empty());
  const std::vector<index_t> deep(garner::max_rank, 2);
  CHECK(index_error("take", deep, 0, -1, 0).position().size() == 16);
}

TEST_CASE("errors: caught as the standard's own", "[error]") {
  CHECK_THROWS_AS(garner::detail::raise(make_error({}, 0, 0, 0)), std::out_of_range);
  CHECK_THROWS_AS(garner::detail::raise(make_error({}, 0, 0, 0)), index_error);
  CHECK_THROWS_AS(garner::detail::raise(shape_error("text")), std::invalid_argument);
  CHECK_THROWS_AS(garner::detail::fail_shape("take", "text"), shape_error);
  CHECK_THROWS_AS(garner::detail::fail_shape("take", "text"), std::logic_error);
}

TEST_CASE("fail_shape: joins texts, integers and lists", "[error]") {
  using garner::detail::fail_shape;
  const garner::dims<> shape(2, -3);
  CHECK(message_of<shape_error>([&] { fail_shape("op", "a ", 1, " b ", shape, " c ", -2); }) ==
        "op: a 1 b (2, -3) c -2");
  CHECK(message_of<shape_error>([] { fail_shape("op", garner::dims<0>(), garner::dims(7)); }) ==
        "op: ()(7)");
  CHECK(message_of<shape_error>([] {
          fail_shape("op", ~std::uint64_t{0}, ' ' + std::string("x"));
        }) == "op: 18446744073709551615 x");
}

TEST_CASE("set_error_handler: gives back the former handler", "[error][handler]") {
  const auto record = [](const char* message) { last_message = message; };
  const garner::error_handler mine = record;
  const auto first = garner::set_error_handler(mine);
  REQUIRE(first != nullptr);
  CHECK(first != mine);
  garner::detail::current_error_handler()("hello");
  CHECK(last_message == "hello");
  CHECK(garner::set_error_handler(first) == mine);
  CHECK(garner::set_error_handler(first) == first);
}

TEST_CASE("set_error_handler: by default a message is printed", "[error][handler]") {
  std::FILE* const file = std::tmpfile();
  REQUIRE(file != nullptr);
  const int before = ::dup(STDERR_FILENO);
  REQUIRE(before >= 0);
  ::dup2(::fileno(file), STDERR_FILENO);
  garner::detail::current_error_handler()("hello");
  std::fflush(stderr);
  ::dup2(before, STDERR_FILENO);
  ::close(before);
  std::rewind(file);
  char text[16] = {};
  const auto size = std::fread(text, 1, sizeof(text), file);
  std::fclose(file);
  CHECK(std::string(text, size) == "hello\n");
}
