// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/take.hpp>

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

using garner::batch_dims;
using garner::take;
using garner::take_into;
using garner::tensor;
using garner::view;
using test::counted;
using test::index_error_of;
using test::shape_error_of;

using ints = tensor<int, 2>;
using list = tensor<int, 1>;
using indices = tensor<std::int64_t, 1>;

std::size_t drawn_rank(int fixed, std::size_t end) {
  return fixed == garner::dynamic_rank ? test::below(end) : static_cast<std::size_t>(fixed);
}

template <int Rank = garner::dynamic_rank, int IndexRank = garner::dynamic_rank>
struct take_calls {
  static constexpr const char* name = "take";
  static constexpr bool from_end_by_default = true;

  static void draw(test::random_call& c) { draw(c, false); }
  static void draw(test::random_call& c, bool is_batched) {
    using namespace test;
    c.input_shape = random_shape(drawn_rank(Rank, 5), 1000);
    draw_dim(c);
    draw_axis(c.input_shape, c.axis());
    if (is_batched) c.batch = below(static_cast<std::int64_t>(c.axis()) + 1);
    c.index_shape = extents(c.input_shape.begin(), c.input_shape.begin() + c.batch);
    extents rest = c.input_shape;
    if (!rest.empty()) rest[c.axis()] = 1;
    const auto room = std::max<std::int64_t>(2000 / std::max<std::int64_t>(count(rest), 1), 1);
    for (auto extent : random_shape(drawn_rank(IndexRank, 4), room))
      c.index_shape.push_back(extent);
  }
  static test::reference solve(const test::random_call& c) {
    return test::take_reference(c.input_shape, c.axis(), static_cast<std::size_t>(c.batch),
                                c.numbers(), c.meaning);
  }
  static auto read(const test::random_call& c, const auto& input, const auto& index,
                   const auto&... options) {
    return take(input, index, c.dim, options...);
  }
  static void into(const test::random_call& c, const auto& out, const auto& input,
                   const auto& index, const auto&... options) {
    take_into(out, input, index, c.dim, options...);
  }
};

struct batched_calls : take_calls<> {
  static void draw(test::random_call& c) { take_calls::draw(c, true); }
  static auto read(const test::random_call& c, const auto& input, const auto& index,
                   const auto&... options) {
    return take(input, index, c.dim, batch_dims(c.batch), options...);
  }
  static void into(const test::random_call& c, const auto& out, const auto& input,
                   const auto& index, const auto&... options) {
    take_into(out, input, index, c.dim, options..., batch_dims(c.batch));
  }
};

struct flat_calls {
  static constexpr const char* name = "take";
  static constexpr bool from_end_by_default = true;

  static void draw(test::random_call& c) {
    c.is_flat = true;
    c.input_shape = test::random_shape(test::below<std::size_t>(6), 1000);
    c.index_shape = test::random_shape(test::below<std::size_t>(4), 1000);
  }
  static test::reference solve(const test::random_call& c) {
    return test::flat_reference(c.input_shape, c.numbers(), c.meaning);
  }
  static auto read(const test::random_call&, const auto& input, const auto& index,
                   const auto&... options) {
    return take(input, index, options...);
  }
  static void into(const test::random_call&, const auto& out, const auto& input, const auto& index,
                   const auto&... options) {
    take_into(out, input, index, options...);
  }
};

}  // namespace

TEST_CASE("take: random calls along a dim agree with the equation", "[take][property]") {
  using op = take_calls<>;
  test::agree<op>(3000, test::combinations<op, 0, 2>());
}

TEST_CASE("take: random calls with batch dims agree with the equation",
          "[take][batch_dims][property]") {
  test::agree<batched_calls>(2000, test::combinations<batched_calls, 0, 6>());
}

TEST_CASE("take: random flat calls agree with the equation", "[take][flat][property]") {
  test::agree<flat_calls>(2000, test::combinations<flat_calls, 1, 3>());
}

TEST_CASE("take: random calls of static rank agree with the equation", "[take][property]") {
  using op = take_calls<2, 2>;
  test::agree<op>(400, test::static_combinations<op, test::ranks<2, 2, 3>>());
}

TEST_CASE("take: Keras's examples", "[take][seed]") {
  const ints reference{{1, 2, 3}, {4, 5, 6}};
  CHECK(take(reference, indices{0}, 0) == ints{{1, 2, 3}});
  CHECK(take(reference, indices{1}, 0) == ints{{4, 5, 6}});
  CHECK(take(reference, indices{0, 1, 0}, 0) == ints{{1, 2, 3}, {4, 5, 6}, {1, 2, 3}});
}

TEST_CASE("take: an embedding of each token of a batch", "[take][seed]") {
  const auto embeddings = counted<int>(7, 4);
  const tensor<std::int64_t, 2> ids{{6, 0, 3}, {3, 3, 1}};
  const auto embedded = take(embeddings, ids, 0);
  static_assert(std::same_as<decltype(embedded), const tensor<int, 3>>);
  REQUIRE(embedded.shape() == garner::dims{2, 3, 4});
  for (int b = 0; b < 2; ++b) {
    for (int l = 0; l < 3; ++l) {
      for (int d = 0; d < 4; ++d) CHECK(embedded(b, l, d) == embeddings(ids(b, l), d));
    }
  }
}

TEST_CASE("take: the index's dims stand where the dim stood", "[take][shape]") {
  const auto input = counted<int>(2, 3, 4);
  const tensor<std::int64_t, 2> index{{2, 0}};
  const auto result = take(input, index, 1);
  REQUIRE(result.shape() == garner::dims{2, 1, 2, 4});
  CHECK(result(1, 0, 0, 3) == input(1, 2, 3));
  CHECK(result(1, 0, 1, 3) == input(1, 0, 3));
  CHECK(take(input, index, -2) == result);
  CHECK(take(input, index, 2).shape() == garner::dims{2, 3, 1, 2});
}

TEST_CASE("take: a 0-d index removes the dim", "[take][zero_d]") {
  const ints input{{1, 2, 3}, {4, 5, 6}};
  const tensor<std::int64_t, 0> last(-1);
  const auto row = take(input, last, 0);
  static_assert(std::same_as<decltype(row), const list>);
  CHECK(row == list{4, 5, 6});
  CHECK(take(input, last)() == 6);
  CHECK(index_error_of([&] { take(input, tensor<std::int64_t, 0>(2), 0); }) ==
        "take: index = 2 is out of range for dim 0 of extent 2");
}

TEST_CASE("take: a 0-d input has one element, as often as wanted", "[take][zero_d]") {
  const tensor<int, 0> input(42);
  static_assert(std::same_as<decltype(take(input, indices{0}, 0)), list>);
  CHECK(take(input, indices{0, -1}, 0) == list{42, 42});
  CHECK(take(input, indices{0, -1}, -1) == list{42, 42});
  CHECK(take(input, indices{0, -1}) == list{42, 42});
  CHECK_THROWS_AS(take(input, indices{0}, 1), garner::shape_error);
  CHECK(index_error_of([&] {
          take(input, indices{0, 1}, 0);
        }) == "take: index[1] = 1 is out of range for dim 0 of extent 1");
}

TEST_CASE("take: batch dims are shared", "[take][batch_dims]") {
  const ints input{{1, 2, 3}, {4, 5, 6}};
  const tensor<std::int64_t, 2> index{{2, 0}, {1, 1}};
  const auto result = take(input, index, 1, batch_dims(1));
  static_assert(std::same_as<decltype(result), const tensor<int>>);
  CHECK(result == ints{{3, 1}, {5, 5}});
  CHECK(take(input, index, 1, batch_dims(0)).shape() == garner::dims{2, 2, 2});
  const auto cube = counted<int>(2, 3, 4);
  const auto rows = take(cube, index, -2, garner::checked, batch_dims(1));
  REQUIRE(rows.shape() == garner::dims{2, 2, 4});
  CHECK(rows(0, 0, 1) == cube(0, 2, 1));
  CHECK(rows(1, 1, 3) == cube(1, 1, 3));
  // batch < dim: the dims between belong to the input alone
  const auto last = take(cube, index, 2, batch_dims(1));
  REQUIRE(last.shape() == garner::dims{2, 3, 2});
  CHECK(last(1, 2, 0) == cube(1, 2, 1));
  // an index that is all batch
  const indices one_each{2, 0};
  CHECK(take(input, one_each, 1, batch_dims(1)) == list{3, 4});
}

TEST_CASE("take: batch dims that do not fit are named", "[take][batch_dims][error]") {
  const auto input = counted<int>(2, 3);
  const tensor<std::int64_t, 2> index{{2, 0}, {1, 1}};
  CHECK(shape_error_of([&] { take(input, index, 1, batch_dims(10)); }) ==
        "take: batch_dims(10) for input (2, 3) and index (2, 2)");
  CHECK(shape_error_of([&] { take(input, index, 1, batch_dims(-1)); }) ==
        "take: batch_dims(-1) for input (2, 3) and index (2, 2)");
  CHECK(shape_error_of([&] { take(input, index, 0, batch_dims(1)); }) ==
        "take: dim 0 is one of 1 batch dims");
  CHECK_THROWS_AS(take(input, index, -1, batch_dims(2)), garner::shape_error);
  CHECK(shape_error_of([&] { take(input, index.unsqueeze(2), 1, batch_dims(3)); }) ==
        "take: batch_dims(3) for input (2, 3) and index (2, 2, 1)");
  CHECK(shape_error_of([&] { take(input, index.slice(0, 1), 1, batch_dims(1)); }) ==
        "take: input and index have extents 2 and 1 in batch dim 0");
}

TEST_CASE("take: shapes that do not fit are named", "[take][shape][error]") {
  const auto input = counted<int>(2, 3);
  CHECK(shape_error_of([&] { take(input, indices{0}, 2); }) ==
        "take: dim 2 is out of range for a tensor of 2 dims");
  CHECK(shape_error_of([&] { take(input, indices{0}, -3); }) ==
        "take: dim -3 is out of range for a tensor of 2 dims");
  ints out(garner::dims{2, 3});
  CHECK(shape_error_of([&] { take_into(out, input, indices{0}, 0); }) ==
        "take: out has shape (2, 3), but the result has shape (1, 3)");
  CHECK(shape_error_of([&] {
          take_into(out, input, tensor<std::int64_t, 2>(garner::dims{3, 2}));
        }) == "take: out has shape (2, 3), but the result has shape (3, 2)");
  const int one = 1;
  const std::int64_t zero = 0;
  const garner::index_t huge = garner::index_t{1} << 32;
  const view<const int, 2> wide(&one, {2, huge}, {0, 0});
  const view<const std::int64_t, 1> many(&zero, {huge}, {0});
  CHECK(shape_error_of([&] { take(wide, many, 0); }) ==
        "take: shape (4294967296, 4294967296) has too many elements");
  const view<const int> deep(&one, std::vector<int>(9, 1));
  const view<const std::int64_t> deep_index(&zero, std::vector<int>(9, 1));
  CHECK_THROWS_AS(take(deep, deep_index, 0), garner::shape_error);
}

TEST_CASE("take: an index into an empty slice is checked all the same", "[take][empty][error]") {
  const ints no_columns(garner::dims{3, 0});
  CHECK(take(no_columns, indices{-3, 2}, 0).shape() == garner::dims{2, 0});
  CHECK(index_error_of([&] {
          take(no_columns, indices{0, 3}, 0);
        }) == "take: index[1] = 3 is out of range for dim 0 of extent 3");
  CHECK(take(no_columns, indices(0), 1).shape() == garner::dims{3, 0});
}

TEST_CASE("take: an empty axis has no legal index, whatever the options but fill",
          "[take][empty][error]") {
  const ints input(garner::dims{0, 2});
  const std::string along = "take: index[0] = 0 is out of range for dim 0 of extent 0";
  const std::string flat = "take: index[0] = 0 is out of range for extent 0";
  CHECK(index_error_of([&] { take(input, indices{0}, 0); }) == along);
  CHECK(index_error_of([&] { take(input, indices{0}, 0, garner::wrap); }) == along);
  CHECK(index_error_of([&] { take(input, indices{0}, 0, garner::clip); }) == along);
  CHECK(index_error_of([&] { take(input, indices{0}, 0, garner::unchecked); }) == along);
  CHECK(take(input, indices{0}, 0, garner::fill(5)) == ints{{5, 5}});
  CHECK(index_error_of([&] { take(input, indices{0}); }) == flat);
  CHECK(index_error_of([&] { take(input, indices{0}, garner::unchecked); }) == flat);
  CHECK(take(input, indices{0, 3}, garner::fill(5)) == list{5, 5});
  CHECK(take(input, indices(0)).is_empty());
}

TEST_CASE("take: negatives count from the end unless they are rejected", "[take][negative]") {
  const ints input{{1, 2, 3}, {4, 5, 6}};
  CHECK(take(input, indices{-1, -2}, 0) == ints{{4, 5, 6}, {1, 2, 3}});
  CHECK(index_error_of([&] {
          take(input, indices{-1, -3}, 0);
        }) == "take: index[1] = -3 is out of range for dim 0 of extent 2");
  CHECK(index_error_of([&] {
          take(input, indices{0, -1}, 0, garner::reject_negative);
        }) == "take: index[1] = -1 is out of range for dim 0 of extent 2");
  CHECK(take(counted<int>(300), tensor<std::int8_t, 1>{-1}, 0) == list{299});
}

TEST_CASE("take: flat reads in row-major order from any layout", "[take][flat][views]") {
  const auto input = counted<int>(4, 6);
  const indices index{0, 1, 5, -1};
  CHECK(take(input, index) == list{0, 1, 5, 23});
  CHECK(take(input.transpose(0, 1), index) == list{0, 6, 7, 23});  // 0 6 12 18 | 1 7 ...
  const auto sliced = input.slice(0, 1, 3).slice(1, 0, 6, 2);      // 6 8 10 | 12 14 16
  CHECK(take(sliced, index) == list{6, 8, 16, 16});
  CHECK(take(sliced.flip(1), index) == list{10, 8, 12, 12});
  CHECK(take(view<const int, 2>(input.select(0, 1).unsqueeze(0).expand({3, 6})), indices{6, 17}) ==
        list{6, 11});
  CHECK(index_error_of([&] {
          take(sliced, indices{5, 6});
        }) == "take: index[1] = 6 is out of range for extent 6");
  CHECK(take(sliced, indices{6, -7, 13}, garner::wrap) == list{6, 16, 8});
}

TEST_CASE("take: wrap, clip and fill", "[take][options]") {
  const ints input{{1, 2}, {3, 4}};
  const indices index{-1, 5, std::numeric_limits<std::int64_t>::min()};
  CHECK(take(input, index, 0, garner::wrap) == ints{{3, 4}, {3, 4}, {1, 2}});
  CHECK(take(input, index, 0, garner::clip) == ints{{3, 4}, {3, 4}, {1, 2}});
  CHECK(take(input, index, 0, garner::reject_negative, garner::clip) ==
        ints{{1, 2}, {3, 4}, {1, 2}});
  CHECK(take(input, index, 1, garner::fill(0)) == ints{{2, 0, 0}, {4, 0, 0}});
}

TEST_CASE("take: a call that throws has written nothing", "[take][error][promise]") {
  auto memory = counted<int>(4, 3);
  const auto before = memory;
  auto out = memory.slice(0, 0, 2);
  const ints input{{-1, -2, -3}, {-4, -5, -6}};
  CHECK_THROWS_AS(take_into(out, input, indices{1, 2}, 0), garner::index_error);
  CHECK_THROWS_AS(take_into(out, input, indices{1}, 0), garner::shape_error);
  CHECK_THROWS_AS(take_into(out, input, indices{1, 0}, 0, batch_dims(1)), garner::shape_error);
  CHECK_THROWS_AS(take_into(out, out, indices{1, 0}, 0), garner::shape_error);
  CHECK_THROWS_AS(take_into(out, memory.slice(0, 1, 3), indices{1, 0}, 0), garner::shape_error);
  CHECK_THROWS_AS(take_into(out, memory, tensor<std::int64_t, 2>(garner::dims{2, 3})),
                  garner::shape_error);
  CHECK(memory == before);
  take_into(out, memory.slice(0, 2), indices{-1, 0}, 0);
  CHECK(memory == ints{{9, 10, 11}, {6, 7, 8}, {6, 7, 8}, {9, 10, 11}});
}

TEST_CASE("take: ranges and run-time ranks go in", "[take][as_view][rank]") {
  const std::vector<int> input{10, 20, 30};
  const std::array<std::int64_t, 2> index{-1, 0};
  int out[2] = {};
  take_into(out, input, index);
  CHECK((out[0] == 30 && out[1] == 10));
  take_into(out, input, std::vector<std::int64_t>{1, 1}, 0);
  CHECK((out[0] == 20 && out[1] == 20));
  const ints square{{1, 2}, {3, 4}};
  const view<const int> any = square;
  const tensor<std::int64_t, 2> grid{{0, 1}};
  const view<const std::int64_t> any_grid = grid;
  static_assert(std::same_as<decltype(take(any, index, 0)), tensor<int>>);
  static_assert(std::same_as<decltype(take(square, any_grid, 0)), tensor<int>>);
  static_assert(std::same_as<decltype(take(any, grid)), ints>);
  CHECK(take(any, index, 0) == ints{{3, 4}, {1, 2}});
  CHECK(take(square, any_grid, 0) == tensor<int, 3>{{{1, 2}, {3, 4}}});
  CHECK(take(any, grid) == ints{{1, 2}});
}
