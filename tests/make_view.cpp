// SPDX-License-Identifier: BSD-3-Clause
// make_view: proves that every element lies inside the span, whatever the numbers.
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <garner/view.hpp>

#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/offsets.hpp"
#include "support/prop.hpp"

using garner::dims;
using garner::index_t;
using garner::make_view;
using garner::shape_error;
using garner::view;
using test::counted;
using test::elements;
using test::index_list;
using test::message_of;
using test::to_list;
using test::uniform;

namespace {

__extension__ typedef __int128 wide;

constexpr index_t lowest = std::numeric_limits<index_t>::min();
constexpr index_t highest = std::numeric_limits<index_t>::max();
constexpr index_t two_to_62 = index_t{1} << 62;

/// Whether each element lies in [0, size), and how many there are fits into index_t.
bool is_inside(const index_list& shape, const index_list& strides, index_t offset, wide size) {
  wide below = offset;
  wide above = offset;
  wide count = 1;
  bool is_empty = false;
  for (index_t extent : shape) {
    if (extent < 0) return false;
    is_empty |= extent == 0;
  }
  if (is_empty) return offset >= 0 && offset <= size;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    count *= shape[d];
    const wide span = wide{shape[d] - 1} * strides[d];
    if (count > highest || span >= size || span <= -size) return false;
    (span < 0 ? below : above) += span;
  }
  return below >= 0 && above < size;
}

template <class T>
void check_make_view() {
  int accepted = 0;
  test::prop("make_view agrees with 128-bit arithmetic", 3000, [&] {
    std::vector<T> data(*uniform<std::size_t>(0, 41));
    const auto rank = *uniform<std::size_t>(0, 5);
    const bool is_wild = *uniform(0, 3) == 0;
    const auto extent = is_wild ? rc::gen::element<index_t>(0, 1, 2, 3, 5, -1, index_t{1} << 31,
                                                            index_t{1} << 32, two_to_62, highest)
                                : rc::gen::element<index_t>(1, 1, 2, 3, 4, 0);
    const auto stride =
        is_wild ? rc::gen::element<index_t>(0, 1, -1, 7, index_t{1} << 31, two_to_62, -two_to_62,
                                            index_t{1} << 61, highest, lowest, lowest + 1)
                : rc::gen::element<index_t>(0, 1, 1, 2, 3, 5, 9, -1, -2, -4);
    const auto places = is_wild
                            ? rc::gen::element<index_t>(0, 1, 40, -1, two_to_62, highest, lowest)
                            : uniform<index_t>(-1, 42);
    const index_list shape = *rc::gen::container<index_list>(rank, extent);
    const index_list strides = *rc::gen::container<index_list>(rank, stride);
    const index_t offset = *places;
    const bool expected = is_inside(shape, strides, offset, static_cast<wide>(data.size()));
    accepted += expected;
    bool actual = true;
    try {
      const auto x = make_view(data, shape, strides, offset);
      RC_ASSERT(x.data() == (data.empty() ? data.data() : data.data() + offset));
      RC_ASSERT(to_list(x.shape()) == shape);
      RC_ASSERT(to_list(x.strides()) == strides);
    } catch (const shape_error&) {
      actual = false;
    }
    RC_LOG() << "shape " << rc::toString(shape) << " strides " << rc::toString(strides)
             << " offset " << offset << " size " << data.size();
    RC_ASSERT(actual == expected);
  });
  CHECK(accepted > test::case_count(3000) / 50);
}

struct big {
  char bytes[24];
};

}  // namespace

TEST_CASE("make_view: what lies inside is accepted", "[make_view]") {
  auto data = counted(10);
  CHECK(elements(make_view(data, {2, 5})) == data);
  CHECK(elements(make_view(data, {2, 2}, {5, 3}, 1)) == std::vector<int>{1, 4, 6, 9});
  CHECK(elements(make_view(data, {2, 2}, {-5, -4}, 9)) == std::vector<int>{9, 5, 4, 0});
  CHECK(elements(make_view(data, {2, 3}, {9, 0})) == std::vector<int>{0, 0, 0, 9, 9, 9});
  CHECK(elements(make_view(data, {2, 2}, {6, -3}, 3)) == std::vector<int>{3, 0, 9, 6});
  CHECK(make_view(data, {10}).size() == 10);
  CHECK(make_view(data, {1, 10, 1}, {lowest, 1, highest}).size() == 10);
  CHECK(make_view(data, dims<0>(), dims<0>(), 9)() == 9);
  static_assert(std::is_same_v<decltype(make_view(data, {2, 5})), view<int, 2>>);
  static_assert(std::is_same_v<decltype(make_view(data, std::vector<int>{2, 5})), view<int>>);
  static_assert(std::is_same_v<decltype(make_view(std::as_const(data), {10})), view<const int, 1>>);
}

TEST_CASE("make_view: data and lists come as any contiguous range", "[make_view][construction]") {
  auto data = counted(6);
  std::array<int, 6> array{};
  int c_array[6] = {};
  const std::vector<std::int64_t> shape{2, 3};
  const std::vector<std::int64_t> strides{3, 1};
  CHECK(make_view(std::span(data), shape, strides).data() == data.data());
  CHECK(make_view(data, shape, std::array{3, 1}).strides() == dims(3, 1));
  CHECK(make_view(array, {2, 3}).data() == array.data());
  CHECK(make_view(c_array, {2, 3}).data() == c_array);
  CHECK(make_view(data, std::span(shape), std::span(strides), 0).shape() == dims(2, 3));
  CHECK(make_view(data, dims(2, 3), dims(1, 2)).strides() == dims(1, 2));
}

TEST_CASE("make_view: empty views fit anywhere inside, with any strides", "[make_view][empty]") {
  auto data = counted(10);
  CHECK(make_view(data, {0}).is_empty());
  CHECK(make_view(data, {2, 0}, {lowest, highest}, 10).data() == data.data() + 10);
  CHECK(make_view(data, {two_to_62, 0, two_to_62}).is_empty());
  CHECK(make_view(std::span<int>(), {0}).data() == nullptr);
  CHECK(make_view(std::span<int>(), {3, 0}, {lowest, lowest}).data() == nullptr);
  CHECK_THROWS_AS(make_view(data, {0}, {1}, 11), shape_error);
  CHECK_THROWS_AS(make_view(data, {0}, {1}, -1), shape_error);
  CHECK_THROWS_AS(make_view(std::span<int>(), {0}, {1}, 1), shape_error);
  CHECK_THROWS_AS(make_view(std::span<int>(), {1}), shape_error);
  CHECK_THROWS_AS(make_view(std::span<int>(), dims<0>()), shape_error);
}

TEST_CASE("make_view: what leaves the span is refused", "[make_view][error]") {
  auto data = counted(10);
  CHECK(message_of<shape_error>([&] {
          make_view(data, {2, 3}, {5, 2}, 2);
        }) ==
        "make_view: shape (2, 3) with strides (5, 2) at offset 2 leaves the span of 10 elements");
  CHECK_THROWS_AS(make_view(data, {11}), shape_error);
  CHECK_THROWS_AS(make_view(data, {2}, {10}), shape_error);
  CHECK_THROWS_AS(make_view(data, {2}, {-1}), shape_error);
  CHECK_THROWS_AS(make_view(data, {3}, {-5}, 9), shape_error);
  CHECK_THROWS_AS(make_view(data, {1}, {1}, 10), shape_error);
  CHECK_THROWS_AS(make_view(data, {1}, {1}, -1), shape_error);
  CHECK_THROWS_AS(make_view(data, {1}, {1}, highest - 9999), shape_error);
  CHECK_THROWS_AS(make_view(data, {20000}, {1}, highest - 9999), shape_error);
  CHECK_THROWS_AS(make_view(data, {1}, {1}, lowest), shape_error);
  CHECK_THROWS_AS(make_view(data, {-1}), shape_error);
  CHECK_THROWS_AS(make_view(data, {-2, -5}), shape_error);
  CHECK_THROWS_AS(make_view(data, {0, -1}), shape_error);
}

TEST_CASE("make_view: no arithmetic overflows", "[make_view][error]") {
  auto data = counted(10);
  constexpr index_t two_to_32 = index_t{1} << 32;
  SECTION("extents whose product is 2^64, 2^65 or a small number modulo 2^64") {
    CHECK_THROWS_AS(make_view(data, {two_to_32, two_to_32}), shape_error);
    CHECK_THROWS_AS(make_view(data, {2 * two_to_32, two_to_32}, {0, 0}), shape_error);
    CHECK_THROWS_AS(make_view(data, {6148914691236517206, 3}, {0, 0}), shape_error);
    CHECK_THROWS_AS(make_view(data, {two_to_62, 2}, {0, 0}), shape_error);
    CHECK(make_view(data, {two_to_62}, {0}).size() == two_to_62);
  }
  SECTION("strides of 2^62") {
    CHECK_THROWS_AS(make_view(data, {2}, {two_to_62}), shape_error);
    CHECK_THROWS_AS(make_view(data, {5}, {two_to_62}), shape_error);
    CHECK_THROWS_AS(make_view(data, {2, 2, 2, 2}, {two_to_62, two_to_62, two_to_62, two_to_62}),
                    shape_error);
    CHECK_THROWS_AS(make_view(data, {2}, {lowest}), shape_error);
    CHECK_THROWS_AS(make_view(data, {3}, {lowest}), shape_error);
    CHECK_THROWS_AS(make_view(data, {2}, {lowest}, highest), shape_error);
  }
  SECTION("positive and negative spans that cancel") {
    CHECK_THROWS_AS(make_view(data, {2, 2}, {two_to_62, -two_to_62}), shape_error);
    CHECK_THROWS_AS(make_view(data, {2, 2}, {9, -9}), shape_error);
    CHECK_THROWS_AS(make_view(data, {2, 2}, {9, -9}, 9), shape_error);
    CHECK_THROWS_AS(make_view(data, {2, 2}, {10, -5}, 5), shape_error);
  }
  SECTION("elements that fit by number but not by bytes") {
    std::vector<double> doubles(2);
    CHECK_THROWS_AS(make_view(doubles, {index_t{1} << 61}), shape_error);
    CHECK_THROWS_AS(make_view(doubles, {2}, {index_t{1} << 61}), shape_error);
  }
  SECTION("lists of different lengths") {
    const std::vector<int> two{2, 5};
    const std::vector<int> one{1};
    CHECK(message_of<shape_error>([&] { make_view(data, two, one); }) ==
          "make_view: shape (2, 5) and strides (1) differ in rank");
    CHECK_THROWS_AS(make_view(data, std::array{2, 5}, one), shape_error);
    CHECK_THROWS_AS(make_view(data, one, std::array{1, 1}), shape_error);
  }
}

TEST_CASE("make_view: accepts exactly the views inside", "[make_view][property]") {
  check_make_view<char>();
  check_make_view<big>();
}
