// SPDX-License-Identifier: BSD-3-Clause
// Layouts, mostly at compile time; what views do with them is tested in ../view.cpp.
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <garner/detail/layout.hpp>

#include "support/catch.hpp"
#include "support/errors.hpp"

using garner::dims;
using garner::dynamic_rank;
using garner::index_t;
using garner::shape_error;
using namespace garner::detail;
using test::message_of;

namespace {

constexpr index_t lowest = std::numeric_limits<index_t>::min();
constexpr index_t highest = std::numeric_limits<index_t>::max();
constexpr index_t two_to_62 = index_t{1} << 62;

template <int Rank>
constexpr layout<Rank> dense(const dims<Rank>& shape) {
  return {shape, row_major_strides(shape)};
}

static_assert(magnitude(0) == 0 && magnitude(5) == 5 && magnitude(-5) == 5);
static_assert(magnitude(highest) == std::size_t{highest});
static_assert(magnitude(lowest) == std::size_t{1} << 63);

static_assert(wrapping_product(-3, 7) == -21);
static_assert(wrapping_product(two_to_62, 4) == 0);
static_assert(wrapping_product(two_to_62, 2) == lowest);

static_assert(is_product_safe(index_t{1} << 31, index_t{1} << 31));
static_assert(!is_product_safe((index_t{1} << 32) - 1, (index_t{1} << 32) - 1));

static_assert(dense(dims(2, 3, 4)).size() == 24);
static_assert(dense(dims<0>()).size() == 1 && !dense(dims<0>()).is_empty());
static_assert(dense(dims(two_to_62, two_to_62, 0)).size() == 0);
static_assert(dense(dims(0, 5)).is_empty());

static_assert(row_major_strides(dims(2, 3, 4)) == dims(12, 4, 1));
static_assert(row_major_strides(dims(2, 1, 4)) == dims(4, 4, 1));
static_assert(row_major_strides(dims(2, 0, 4)) == dims(4, 4, 1));
static_assert(row_major_strides(dims<0>()) == dims<0>());
static_assert(row_major_strides(dims(0, two_to_62, two_to_62)) == dims(0, two_to_62, 1),
              "0 where the product does not fit");

constexpr bool reaches(const layout<2>& x, std::size_t element, std::size_t below,
                       std::size_t above) {
  const reach r = checked_reach("test", x, element);
  return r.below == below && r.above == above;
}
static_assert(reaches({dims(2, 3), dims(3, 1)}, 4, 0, 5));
static_assert(reaches({dims(2, 3), dims(-3, 1)}, 4, 3, 2));
static_assert(reaches({dims(2, 3), dims(-3, -1)}, 4, 5, 0));
static_assert(reaches({dims(1, 3), dims(lowest, 0)}, 4, 0, 0));
static_assert(reaches({dims(0, 3), dims(lowest, highest)}, 4, 0, 0));
static_assert(reaches({dims(2, 2), dims(two_to_62, two_to_62 - 2)}, 1, 0, highest - 1));
static_assert(reaches({dims(two_to_62, 1), dims(1, 1)}, 1, 0, two_to_62 - 1));

static_assert(normalize_dim("test", 1, 2) == 1 && normalize_dim("test", -1, 2) == 1);
static_assert(normalize_dim("test", -2, 2) == 0 && normalize_dim("test", -16, 16) == 0);

static_assert(flat_stride(dense(dims(2, 3, 4))) == 1);
static_assert(flat_stride(dense(dims<0>())) == 1);
static_assert(flat_stride(layout<1>{dims(5), dims(-3)}) == -3);
static_assert(flat_stride(layout<2>{dims(5, 4), dims(8, 2)}) == 2);
static_assert(flat_stride(layout<3>{dims(5, 1, 4), dims(-8, 99, -2)}) == -2);
static_assert(flat_stride(layout<2>{dims(5, 4), dims(0, 0)}) == 0);
static_assert(flat_stride(layout<2>{dims(5, 1), dims(7, 1)}) == 7);
static_assert(flat_stride(layout<2>{dims(2, 3), dims(1, 2)}) == std::nullopt);
static_assert(flat_stride(layout<2>{dims(2, 3), dims(4, 1)}) == std::nullopt);
static_assert(flat_stride(layout<2>{dims(2, 3), dims(0, 1)}) == std::nullopt);
static_assert(flat_stride(layout<3>{dims(2, 2, 2), dims(8, 2, 1)}) == std::nullopt);
static_assert(flat_stride(layout<2>{dims(0, 3), dims(7, 5)}) == 1);

static_assert(expand(layout<1>{dims(1), dims(5)}, dims(2, 3)) == layout<2>{dims(2, 3), dims(0, 0)});
static_assert(expand(layout<1>{dims(3), dims(5)}, dims(2, -1)) ==
              layout<2>{dims(2, 3), dims(0, 5)});

static_assert(reshape(dense(dims(2, 3, 4)), dims(6, -1)) == dense(dims(6, 4)));
static_assert(reshape(layout<2>{dims(2, 6), dims(20, 2)}, dims(2, 3, 2)).strides == dims(20, 4, 2));
static_assert(reshape(layout<2>{dims(4, 6), dims(6, 1)}, dims(2, 1, 12)).strides[2] == 1);
static_assert(reshape(layout<3>{dims(2, 1, 3), dims(3, 99, 1)}, dims(6)).strides == dims(1));
static_assert(reshape(dense(dims<0>()), dims(1, 1)).shape == dims(1, 1));

constexpr auto sliced(index_t extent, std::optional<index_t> start, std::optional<index_t> stop,
                      index_t step) {
  const slice_range r = resolve_slice(extent, start, stop, step);
  return std::array{r.start, r.count, r.step};
}
static_assert(sliced(10, 2, 7, 2) == std::array<index_t, 3>{2, 3, 2});
static_assert(sliced(10, {}, {}, -1) == std::array<index_t, 3>{9, 10, -1});
static_assert(sliced(10, 5, 5, 1) == std::array<index_t, 3>{0, 0, 1});
static_assert(sliced(highest, {}, {}, 2)[1] == two_to_62);
static_assert(sliced(highest, {}, {}, -1) == std::array<index_t, 3>{highest - 1, highest, -1});
static_assert(sliced(highest, lowest, highest, highest)[1] == 1);
static_assert(sliced(highest, highest, lowest, lowest) ==
              std::array<index_t, 3>{highest - 1, 1, 1});

/// The offsets that all_of_offsets visits.
template <int Rank>
std::vector<index_t> visited(const layout<Rank>& x) {
  std::vector<index_t> result;
  all_of_offsets(x.shape, std::array{x.strides}, [&](const auto& at) {
    result.push_back(at[0]);
    return true;
  });
  return result;
}

}  // namespace

TEST_CASE("layout: equal where shape and strides are", "[layout]") {
  const layout<1> x{dims(2), dims(3)};
  CHECK(x == layout<1>{dims(2), dims(3)});
  CHECK_FALSE(x == layout<1>{dims(2), dims(1)});
  CHECK_FALSE(x == layout<1>{dims(3), dims(3)});
}

TEST_CASE("check_shape: negative extents and too many elements are refused", "[layout][error]") {
  const auto check = [](const dims<>& shape) {
    return message_of<shape_error>([&] { check_shape("test", shape); });
  };
  CHECK(check({2, 3}) == "nothing was thrown");
  CHECK(check({highest, 1}) == "nothing was thrown");
  CHECK(check({0, two_to_62, 8}) == "nothing was thrown");
  CHECK(check({two_to_62, 8, 0}) == "nothing was thrown");
  CHECK(check({two_to_62, 2}) == "test: shape (4611686018427387904, 2) has too many elements");
  CHECK(check({3, 3074457345618258602}) == "nothing was thrown");
  CHECK(check({3, 3074457345618258603}) ==
        "test: shape (3, 3074457345618258603) has too many elements");
  CHECK(check({two_to_62, 8, -1}) == "test: extent -1 of dim 2 is negative");
  CHECK(check({lowest}) == "test: extent -9223372036854775808 of dim 0 is negative");
}

TEST_CASE("checked_reach: counts bytes and sums both directions", "[layout][error]") {
  const auto fits = [](const dims<>& shape, const dims<>& strides, std::size_t element) {
    try {
      checked_reach("test", layout<dynamic_rank>{shape, strides}, element);
      return true;
    } catch (const shape_error&) {
      return false;
    }
  };
  CHECK(fits({highest}, {1}, 1));
  CHECK(fits({2}, {highest - 1}, 1));
  CHECK_FALSE(fits({2}, {highest}, 1));
  CHECK_FALSE(fits({2}, {lowest}, 1));
  CHECK_FALSE(fits({3}, {two_to_62}, 1));
  CHECK_FALSE(fits({2, 2}, {two_to_62, two_to_62}, 1));
  CHECK_FALSE(fits({2, 2}, {two_to_62, -two_to_62}, 1));
  CHECK(fits({2, 2}, {two_to_62, 2 - two_to_62}, 1));
  CHECK(fits({2}, {(index_t{1} << 60) - 2}, 8));
  CHECK_FALSE(fits({2}, {(index_t{1} << 60) - 1}, 8));
  CHECK_FALSE(fits({5, 1, 5}, {two_to_62, 1, two_to_62}, 1));
}

TEST_CASE("all_of_offsets: row-major order, all lists of strides at once, stops at false",
          "[layout]") {
  CHECK(visited(layout<2>{dims(2, 3), dims(10, -1)}) == std::vector<index_t>{0, -1, -2, 10, 9, 8});
  CHECK(visited(layout<0>{}) == std::vector<index_t>{0});
  CHECK(visited(layout<2>{dims(3, 0), dims(1, 1)}).empty());
  CHECK(visited(layout<dynamic_rank>{dims<>(2, 2), dims<>(0, 5)}) ==
        std::vector<index_t>{0, 5, 0, 5});

  std::vector<std::array<index_t, 2>> pairs;
  const bool all =
      all_of_offsets(dims(2, 2), std::array{dims(2, 1), dims(1, 2)}, [&](const auto& at) {
        pairs.push_back(at);
        return pairs.size() < 3;
      });
  CHECK_FALSE(all);
  CHECK(pairs == std::vector<std::array<index_t, 2>>{{0, 0}, {1, 2}, {2, 1}});
  CHECK(all_of_offsets(dims(0), std::array{dims(1)}, [](const auto&) { return false; }));
}
