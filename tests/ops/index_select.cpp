// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/index_select.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/agreement.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

namespace {

using garner::index_select;
using garner::index_select_into;
using garner::tensor;
using garner::view;
using test::counted;
using test::index_error_of;
using test::shape_error_of;

using ints = tensor<int, 2>;
using indices = tensor<std::int64_t, 1>;

template <int Rank = garner::dynamic_rank, int IndexRank = garner::dynamic_rank>
struct index_select_calls {
  static constexpr const char* name = "index_select";
  static constexpr bool from_end_by_default = false;

  static void draw(test::random_call& c) {
    using namespace test;
    const auto rank =
        Rank == garner::dynamic_rank ? below<std::size_t>(6) : static_cast<std::size_t>(Rank);
    c.input_shape = random_shape(rank, 2000);
    draw_dim(c);
    draw_axis(c.input_shape, c.axis());
    extents rest = c.input_shape;
    draw_axis(rest, c.axis());
    const bool is_scalar = IndexRank == garner::dynamic_rank ? once_in(8) : IndexRank == 0;
    if (!is_scalar) c.index_shape = {rank ? rest[c.axis()] : 1};
  }
  static test::reference solve(const test::random_call& c) {
    return test::index_select_reference(c.input_shape, c.axis(), c.numbers(), c.meaning);
  }
  static auto read(const test::random_call& c, const auto& input, const auto& index,
                   const auto&... options) {
    return index_select(input, c.dim, index, options...);
  }
  static void into(const test::random_call& c, const auto& out, const auto& input,
                   const auto& index, const auto&... options) {
    index_select_into(out, input, c.dim, index, options...);
  }
};

template <int Rank, int IndexRank>
void agree_for_rank(int cases) {
  using op = index_select_calls<Rank, IndexRank>;
  test::agree<op>(cases, test::static_combinations<op, test::ranks<Rank, IndexRank, Rank>>());
}

}  // namespace

TEST_CASE("index_select: random calls agree with the equation", "[index_select][property]") {
  using op = index_select_calls<>;
  test::agree<op>(4000, test::combinations<op, 1>());
}

TEST_CASE("index_select: random calls of static rank agree with the equation",
          "[index_select][property]") {
  agree_for_rank<0, 1>(100);
  agree_for_rank<2, 0>(100);
  agree_for_rank<3, 1>(400);
}

TEST_CASE("index_select: rows and columns in any order, as often as wanted", "[index_select]") {
  const ints input{{1, 2, 3}, {4, 5, 6}};
  CHECK(index_select(input, 0, indices{1, 0, 1}) == ints{{4, 5, 6}, {1, 2, 3}, {4, 5, 6}});
  CHECK(index_select(input, 1, indices{2, 0}) == ints{{3, 1}, {6, 4}});
  CHECK(index_select(input, -1, indices{2, 0}) == ints{{3, 1}, {6, 4}});
  CHECK(index_select(input.transpose(0, 1), 0, indices{2, 0}) == ints{{3, 6}, {1, 4}});
}

TEST_CASE("index_select: an embedding's rows", "[index_select][seed]") {
  const auto features = counted<float>(10, 128);
  const indices classes{3, 7, 1, 9, 2};
  const auto rows = index_select(features, 0, classes);
  REQUIRE(rows.shape() == garner::dims{5, 128});
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 128; ++j) REQUIRE(rows(i, j) == features(classes(i), j));
  }
}

TEST_CASE("index_select: a 0-d index counts as one index", "[index_select][zero_d]") {
  const ints input{{1, 2, 3}, {4, 5, 6}};
  const tensor<std::int64_t, 0> one(1);
  static_assert(std::same_as<decltype(index_select(input, 0, one)), ints>);
  CHECK(index_select(input, 0, one) == ints{{4, 5, 6}});
  CHECK(index_error_of([&] { index_select(input, 0, tensor<std::int64_t, 0>(2)); }) ==
        "index_select: index = 2 is out of range for dim 0 of extent 2");
}

TEST_CASE("index_select: a 0-d input takes one index, along dim 0 or -1",
          "[index_select][zero_d]") {
  const tensor<int, 0> input(42);
  static_assert(std::same_as<decltype(index_select(input, 0, indices{0})), tensor<int, 0>>);
  CHECK(index_select(input, 0, indices{0})() == 42);
  CHECK(index_select(input, -1, tensor<std::int64_t, 0>(0))() == 42);
  CHECK(index_error_of([&] { index_select(input, 0, indices{1}); }) ==
        "index_select: index[0] = 1 is out of range for dim 0 of extent 1");
  CHECK(shape_error_of([&] {
          index_select(input, 0, indices{0, 0});
        }) == "index_select: 2 indices into an input without dims, which takes one");
  CHECK_THROWS_AS(index_select(input, 0, indices(0)), garner::shape_error);
  CHECK_THROWS_AS(index_select(input, 1, indices{0}), garner::shape_error);
}

TEST_CASE("index_select: shapes that do not fit are named", "[index_select][shape][error]") {
  const auto input = counted<int>(2, 3);
  const tensor<std::int64_t, 2> square(garner::dims{2, 2});
  CHECK(shape_error_of([&] { index_select(input, 0, view<const std::int64_t>(square)); }) ==
        "index_select: index has shape (2, 2), not one dim");
  CHECK(shape_error_of([&] { index_select(input, 2, indices{0}); }) ==
        "index_select: dim 2 is out of range for a tensor of 2 dims");
  CHECK(shape_error_of([&] { index_select(input, -3, indices{0}); }) ==
        "index_select: dim -3 is out of range for a tensor of 2 dims");
  ints out(garner::dims{2, 3});
  CHECK(shape_error_of([&] { index_select_into(out, input, 0, indices{0}); }) ==
        "index_select: out has shape (2, 3), but the result has shape (1, 3)");
  const int one = 1;
  const view<const int, 2> huge(&one, {2, garner::index_t{1} << 61}, {0, 0});
  CHECK(shape_error_of([&] { index_select(huge, 0, indices{0, 1, 0, 1, 0}); }) ==
        "index_select: shape (5, 2305843009213693952) has too many elements");
}

TEST_CASE("index_select: an empty index selects nothing", "[index_select][empty]") {
  const auto input = counted<int>(2, 3);
  CHECK(index_select(input, 1, indices(0)).shape() == garner::dims{2, 0});
  CHECK(index_select(ints(garner::dims{0, 3}), 0, std::vector<std::int64_t>{}).shape() ==
        garner::dims{0, 3});
}

TEST_CASE("index_select: an index into an empty slice is checked all the same",
          "[index_select][empty][error]") {
  const ints no_columns(garner::dims{3, 0});
  CHECK(index_select(no_columns, 0, indices{2, 2}).shape() == garner::dims{2, 0});
  CHECK(index_error_of([&] {
          index_select(no_columns, 0, indices{0, 3});
        }) == "index_select: index[1] = 3 is out of range for dim 0 of extent 3");
}

TEST_CASE("index_select: an empty axis has no legal index, whatever the options but fill",
          "[index_select][empty][error]") {
  const ints input(garner::dims{0, 2});
  const std::string message = "index_select: index[0] = 0 is out of range for dim 0 of extent 0";
  CHECK(index_error_of([&] { index_select(input, 0, indices{0}); }) == message);
  CHECK(index_error_of([&] { index_select(input, 0, indices{0}, garner::wrap); }) == message);
  CHECK(index_error_of([&] { index_select(input, 0, indices{0}, garner::clip); }) == message);
  CHECK(index_error_of([&] { index_select(input, 0, indices{0}, garner::unchecked); }) == message);
  CHECK(index_select(input, 0, indices{0}, garner::fill(5)) == ints{{5, 5}});
  CHECK_THROWS_AS(index_select(ints(garner::dims{0, 0}), 0, indices{0}), garner::index_error);
}

TEST_CASE("index_select: negatives are outside unless they count from the end",
          "[index_select][negative]") {
  const ints input{{1, 2}, {3, 4}};
  CHECK(index_error_of([&] {
          index_select(input, 0, indices{1, -1});
        }) == "index_select: index[1] = -1 is out of range for dim 0 of extent 2");
  CHECK(index_select(input, 0, indices{1, -2}, garner::from_end) == ints{{3, 4}, {1, 2}});
}

TEST_CASE("index_select: wrap, clip and fill act on whole slices", "[index_select][options]") {
  const ints input{{1, 2}, {3, 4}};
  const indices index{-1, 5, std::numeric_limits<std::int64_t>::min()};
  CHECK(index_select(input, 0, index, garner::wrap) == ints{{3, 4}, {3, 4}, {1, 2}});
  CHECK(index_select(input, 0, index, garner::clip) == ints{{1, 2}, {3, 4}, {1, 2}});
  CHECK(index_select(input, 0, index, garner::from_end, garner::clip) ==
        ints{{3, 4}, {3, 4}, {1, 2}});
  CHECK(index_select(input, 1, index, garner::fill(0), garner::from_end) ==
        ints{{2, 0, 0}, {4, 0, 0}});
}

TEST_CASE("index_select: a call that throws has written nothing",
          "[index_select][error][promise]") {
  auto memory = counted<int>(4, 3);
  const auto before = memory;
  auto out = memory.slice(0, 0, 2);
  const ints input{{-1, -2, -3}, {-4, -5, -6}};
  CHECK_THROWS_AS(index_select_into(out, input, 0, indices{1, 2}), garner::index_error);
  CHECK_THROWS_AS(index_select_into(out, input, 0, indices{1}), garner::shape_error);
  CHECK_THROWS_AS(index_select_into(out, out, 0, indices{1, 0}), garner::shape_error);
  CHECK_THROWS_AS(index_select_into(out, memory.slice(0, 1, 3), 0, indices{1, 0}),
                  garner::shape_error);
  CHECK(memory == before);
  index_select_into(out, memory.slice(0, 2), 0, indices{1, 0});
  CHECK(memory == ints{{9, 10, 11}, {6, 7, 8}, {6, 7, 8}, {9, 10, 11}});
}

TEST_CASE("index_select: ranges and run-time ranks go in", "[index_select][as_view][rank]") {
  const std::vector<int> input{10, 20, 30};
  std::array<int, 2> out{};
  const std::array<std::int64_t, 2> index{2, 0};
  index_select_into(out, input, 0, index);
  CHECK(out == std::array{30, 10});
  const ints square{{1, 2}, {3, 4}};
  const view<const int> any = square;
  static_assert(std::same_as<decltype(index_select(any, 0, index)), tensor<int>>);
  const std::vector<std::int64_t> last{1};
  CHECK(index_select(any, 0, last) == ints{{3, 4}});
  CHECK(index_select(square, 0, view<const std::int64_t>(garner::as_view(last))) == ints{{3, 4}});
}
