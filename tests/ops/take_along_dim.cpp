// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/take_along_dim.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/agreement.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

namespace {

using garner::take_along_dim;
using garner::take_along_dim_into;
using garner::tensor;
using garner::view;
using test::counted;
using test::index_error_of;
using test::shape_error_of;

using ints = tensor<int, 2>;
using indices = tensor<std::int64_t, 2>;
using list = tensor<int, 1>;

template <int Rank = garner::dynamic_rank>
struct take_along_dim_calls {
  static constexpr const char* name = "take_along_dim";
  static constexpr bool from_end_by_default = true;

  static void draw(test::random_call& c) {
    using namespace test;
    const auto rank =
        Rank == garner::dynamic_rank ? below<std::size_t>(6) : static_cast<std::size_t>(Rank);
    c.input_shape = c.index_shape = random_shape(rank, 2000);
    draw_dim(c);
    for (std::size_t d = 0; d < rank; ++d) {
      if (once_in(3)) (once_in(2) ? c.input_shape : c.index_shape)[d] = 1;
    }
    draw_axis(c.input_shape, c.axis());
    draw_axis(c.index_shape, c.axis());
  }
  static test::reference solve(const test::random_call& c) {
    return test::take_along_dim_reference(c.input_shape, c.axis(), c.numbers(), c.meaning);
  }
  static auto read(const test::random_call& c, const auto& input, const auto& index,
                   const auto&... options) {
    return take_along_dim(input, index, c.dim, options...);
  }
  static void into(const test::random_call& c, const auto& out, const auto& input,
                   const auto& index, const auto&... options) {
    take_along_dim_into(out, input, index, c.dim, options...);
  }
};

template <int Rank = garner::dynamic_rank, int IndexRank = garner::dynamic_rank>
struct flat_calls {
  static constexpr const char* name = "take_along_dim";
  static constexpr bool from_end_by_default = true;

  static void draw(test::random_call& c) {
    using namespace test;
    const auto rank =
        Rank == garner::dynamic_rank ? below<std::size_t>(6) : static_cast<std::size_t>(Rank);
    const auto index_rank = IndexRank == garner::dynamic_rank ? below<std::size_t>(4)
                                                              : static_cast<std::size_t>(IndexRank);
    c.is_flat = true;
    c.input_shape = random_shape(rank, 1000);
    c.index_shape = random_shape(index_rank, 1000);
  }
  static test::reference solve(const test::random_call& c) {
    return test::flat_reference(c.input_shape, c.numbers(), c.meaning);
  }
  static auto read(const test::random_call&, const auto& input, const auto& index,
                   const auto&... options) {
    return take_along_dim(input, index, options...);
  }
  static void into(const test::random_call&, const auto& out, const auto& input, const auto& index,
                   const auto&... options) {
    take_along_dim_into(out, input, index, options...);
  }
};

}  // namespace

TEST_CASE("take_along_dim: random calls agree with the equation", "[take_along_dim][property]") {
  using op = take_along_dim_calls<>;
  test::agree<op>(4000, test::combinations<op, 1, 2>());
}

TEST_CASE("take_along_dim: random calls of static rank agree with the equation",
          "[take_along_dim][property]") {
  using op = take_along_dim_calls<3>;
  test::agree<op>(400, test::static_combinations<op, test::ranks<3, 3, 3>>());
  using flat = flat_calls<2, 1>;
  test::agree<flat>(400, test::static_combinations<flat, test::ranks<2, 1, 1>>());
}

TEST_CASE("take_along_dim: random flat calls agree with the equation",
          "[take_along_dim][flat][property]") {
  using op = flat_calls<>;
  test::agree<op>(2000, test::combinations<op, 0, 3>());
}

TEST_CASE("take_along_dim: torch's and NumPy's examples", "[take_along_dim][seed]") {
  CHECK(take_along_dim(ints{{10, 20, 30}, {40, 50, 60}}, indices{{2, 1, 0}, {1, 0, 2}}, 1) ==
        ints{{30, 20, 10}, {50, 40, 60}});
  using cube = tensor<int, 3>;
  const cube input{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
  const tensor<std::int64_t, 3> index{{{0, 1}, {1, 0}}, {{0, 0}, {1, 1}}};
  CHECK(take_along_dim(input, index, 2) == cube{{{1, 2}, {4, 3}}, {{5, 5}, {8, 8}}});
  CHECK(take_along_dim(input, index, -1) == cube{{{1, 2}, {4, 3}}, {{5, 5}, {8, 8}}});
}

TEST_CASE("take_along_dim: sorts by the indices of a sort", "[take_along_dim][seed]") {
  const ints x{{30, 10, 20}, {5, 6, 4}};
  const indices order{{1, 2, 0}, {2, 0, 1}};
  CHECK(take_along_dim(x, order, 1) == ints{{10, 20, 30}, {4, 5, 6}});
  CHECK(take_along_dim(x, order.slice(1, 1, garner::end).flip(1), 1) ==
        ints{{30, 20}, {6, 5}});  // the top two
}

TEST_CASE("take_along_dim: extents of 1 off dim are repeated on either side",
          "[take_along_dim][shape]") {
  const ints input{{1, 2, 3}, {4, 5, 6}};
  CHECK(take_along_dim(input, indices{{2, 0}}, 1) == ints{{3, 1}, {6, 4}});
  CHECK(take_along_dim(ints{{1, 2, 3}}, indices{{2, 0}, {1, 1}}, 1) == ints{{3, 1}, {2, 2}});
  CHECK(take_along_dim(input, indices{{1}}, 0) == ints{{4, 5, 6}});
  const auto weights = counted<int>(2, 1, 3, 2);
  const tensor<std::int64_t, 4> rows{{{{2}, {0}}, {{1}, {1}}}};
  CHECK(take_along_dim(weights, rows, 2) == tensor<int, 4>{{{{4, 5}, {0, 1}}, {{2, 3}, {2, 3}}},
                                                           {{{10, 11}, {6, 7}}, {{8, 9}, {8, 9}}}});
}

TEST_CASE("take_along_dim: shapes that do not broadcast are named",
          "[take_along_dim][shape][error]") {
  const auto input = counted<int>(2, 3);
  CHECK(shape_error_of([&] {
          take_along_dim(input, indices{{0}, {0}, {0}}, 1);
        }) ==
        "take_along_dim: input and indices have extents 2 and 3 in dim 0, which do not broadcast");
  // Unlike gather: smaller is not enough.
  CHECK(shape_error_of([&] {
          take_along_dim(input, indices{{0, 1}}, 0);
        }) ==
        "take_along_dim: input and indices have extents 3 and 2 in dim 1, which do not broadcast");
  CHECK_THROWS_AS(take_along_dim(input, indices(garner::dims{0, 1}), 1), garner::shape_error);
  CHECK(shape_error_of([&] { take_along_dim(input, indices{{0}}, 2); }) ==
        "take_along_dim: dim 2 is out of range for a tensor of 2 dims");
  CHECK(shape_error_of([&] { take_along_dim(input, indices{{0}}, -3); }) ==
        "take_along_dim: dim -3 is out of range for a tensor of 2 dims");
  const tensor<std::int64_t, 1> flat{0, 1};
  CHECK(shape_error_of([&] { take_along_dim(input, view<const std::int64_t>(flat), 0); }) ==
        "take_along_dim: input has shape (2, 3) and index (2): they must have equally many dims");
  ints out(garner::dims{1, 2});
  CHECK(shape_error_of([&] {
          take_along_dim_into(out, input, indices{{0, 0}}, 1);
        }) == "take_along_dim: out has shape (1, 2), but the result has shape (2, 2)");
  const int one = 1;
  const std::int64_t zero = 0;
  const garner::index_t huge = garner::index_t{1} << 40;
  CHECK(shape_error_of([&] {
          take_along_dim(view<const int, 2>(&one, {1, huge}, {0, 0}),
                         view<const std::int64_t, 2>(&zero, {huge, 1}, {0, 0}), 0);
        }) == "take_along_dim: shape (1099511627776, 1099511627776) has too many elements");
}

TEST_CASE("take_along_dim: empty extents broadcast too", "[take_along_dim][empty]") {
  const ints nothing(garner::dims{0, 3});
  CHECK(take_along_dim(nothing, indices{{2, 0}}, 1).shape() == garner::dims{0, 2});
  CHECK(take_along_dim(ints{{1, 2, 3}}, indices(garner::dims{0, 2}), 1).shape() ==
        garner::dims{0, 2});
  CHECK(index_error_of([&] {
          take_along_dim(nothing, indices{{2, 3}}, 1);
        }) == "take_along_dim: index[0,1] = 3 is out of range for dim 1 of extent 3");
}

TEST_CASE("take_along_dim: an empty axis has no legal index, whatever the options but fill",
          "[take_along_dim][empty][error]") {
  const ints input(garner::dims{0, 2});
  const indices index{{0, 0}};
  const std::string message =
      "take_along_dim: index[0,0] = 0 is out of range for dim 0 of extent 0";
  CHECK(index_error_of([&] { take_along_dim(input, index, 0); }) == message);
  CHECK(index_error_of([&] { take_along_dim(input, index, 0, garner::wrap); }) == message);
  CHECK(index_error_of([&] { take_along_dim(input, index, 0, garner::clip); }) == message);
  CHECK(index_error_of([&] { take_along_dim(input, index, 0, garner::unchecked); }) == message);
  CHECK(take_along_dim(input, index, 0, garner::fill(5)) == ints{{5, 5}});
}

TEST_CASE("take_along_dim: a 0-d input has one element", "[take_along_dim][zero_d]") {
  const tensor<int, 0> input(42);
  const tensor<std::int64_t, 0> zero(0), last(-1), two(-2);
  CHECK(take_along_dim(input, zero, 0)() == 42);
  CHECK(take_along_dim(input, last, -1)() == 42);
  CHECK(take_along_dim(input, zero)() == 42);
  CHECK(index_error_of([&] { take_along_dim(input, two, 0); }) ==
        "take_along_dim: index = -2 is out of range for dim 0 of extent 1");
  CHECK_THROWS_AS(take_along_dim(input, zero, 1), garner::shape_error);
}

TEST_CASE("take_along_dim: negatives count from the end unless they are rejected",
          "[take_along_dim][negative]") {
  const ints input{{1, 2, 3}, {4, 5, 6}};
  CHECK(take_along_dim(input, indices{{-1, -3}}, 1) == ints{{3, 1}, {6, 4}});
  CHECK(index_error_of([&] {
          take_along_dim(input, indices{{-1, -4}}, 1);
        }) == "take_along_dim: index[0,1] = -4 is out of range for dim 1 of extent 3");
  CHECK(index_error_of([&] {
          take_along_dim(input, indices{{0, -1}}, 1, garner::reject_negative);
        }) == "take_along_dim: index[0,1] = -1 is out of range for dim 1 of extent 3");
}

TEST_CASE("take_along_dim: without a dim the input is read in row-major order",
          "[take_along_dim][flat]") {
  const ints input{{10, 20, 30}, {40, 50, 60}};
  static_assert(std::same_as<decltype(take_along_dim(input, std::vector<std::int64_t>{})), list>);
  CHECK(take_along_dim(input, std::vector<std::int64_t>{5, 0, -2}) == list{60, 10, 50});
  CHECK(take_along_dim(input.transpose(0, 1), std::vector<std::int64_t>{5, 1, 2}) ==
        list{60, 40, 20});
  CHECK(take_along_dim(input, indices{{0}, {3}}) == ints{{10}, {40}});
  CHECK(index_error_of([&] {
          take_along_dim(input, std::vector<std::int64_t>{0, 6});
        }) == "take_along_dim: index[1] = 6 is out of range for extent 6");
  CHECK(take_along_dim(input, std::vector<std::int64_t>{6, -1}, garner::reject_negative,
                       garner::fill(0)) == list{0, 0});
}

TEST_CASE("take_along_dim: a call that throws has written nothing",
          "[take_along_dim][error][promise]") {
  auto memory = counted<int>(4, 3);
  const auto before = memory;
  auto out = memory.slice(0, 0, 2);
  const ints input{{-1, -2, -3}, {-4, -5, -6}};
  const indices index{{0, 1, 2}, {0, 1, 3}};
  CHECK_THROWS_AS(take_along_dim_into(out, input, index, 1), garner::index_error);
  CHECK_THROWS_AS(take_along_dim_into(out, input, index.slice(1, 0, 2), 1), garner::shape_error);
  CHECK_THROWS_AS(take_along_dim_into(out, out, indices{{0, 1, 2}}, 1), garner::shape_error);
  CHECK_THROWS_AS(take_along_dim_into(out, memory.slice(0, 1, 3), indices{{0, 1, 2}}, 1),
                  garner::shape_error);
  CHECK(memory == before);
  take_along_dim_into(out, memory.slice(0, 2), indices{{2, 1, 0}}, 1);
  CHECK(memory == ints{{8, 7, 6}, {11, 10, 9}, {6, 7, 8}, {9, 10, 11}});
}

TEST_CASE("take_along_dim: the rank is static if that of either operand is",
          "[take_along_dim][rank]") {
  const ints input{{1, 2}, {3, 4}};
  const indices index{{1, 0}};
  const view<const int> any_input = input;
  const view<const std::int64_t> any_index = index;
  static_assert(std::same_as<decltype(take_along_dim(input, any_index, 1)), ints>);
  static_assert(std::same_as<decltype(take_along_dim(any_input, index, 1)), ints>);
  static_assert(std::same_as<decltype(take_along_dim(any_input, any_index, 1)), tensor<int>>);
  CHECK(take_along_dim(any_input, any_index, 1) == ints{{2, 1}, {4, 3}});
}
