// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/gather.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "support/agreement.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

namespace {

using garner::gather;
using garner::gather_into;
using garner::index_t;
using garner::tensor;
using garner::view;
using test::counted;
using test::index_error_of;
using test::shape_error_of;

using ints = tensor<int, 2>;
using indices = tensor<std::int64_t, 2>;
using list = tensor<int, 1>;

template <int Rank = garner::dynamic_rank>
struct gather_calls {
  static constexpr const char* name = "gather";
  static constexpr bool from_end_by_default = false;

  static void draw(test::random_call& c) {
    using namespace test;
    const auto rank =
        Rank == garner::dynamic_rank ? below<std::size_t>(6) : static_cast<std::size_t>(Rank);
    c.input_shape = random_shape(rank, 2000);
    draw_dim(c);
    draw_axis(c.input_shape, c.axis());
    for (auto extent : c.input_shape)
      c.index_shape.push_back(once_in(3) ? random_extent(extent) : extent);
    draw_axis(c.index_shape, c.axis());
  }
  static test::reference solve(const test::random_call& c) {
    return test::gather_reference(c.input_shape, c.axis(), c.numbers(), c.meaning);
  }
  static auto read(const test::random_call& c, const auto& input, const auto& index,
                   const auto&... options) {
    return gather(input, c.dim, index, options...);
  }
  static void into(const test::random_call& c, const auto& out, const auto& input,
                   const auto& index, const auto&... options) {
    gather_into(out, input, c.dim, index, options...);
  }
};

template <int Rank>
void agree_for_rank(int cases) {
  using op = gather_calls<Rank>;
  test::agree<op>(cases, test::static_combinations<op, test::ranks<Rank, Rank, Rank>>());
}

}  // namespace

TEST_CASE("gather: random calls agree with the equation", "[gather][property]") {
  using op = gather_calls<>;
  test::agree<op>(4000, test::combinations<op, 0>());
}

TEST_CASE("gather: random calls of static rank agree with the equation", "[gather][property]") {
  agree_for_rank<0>(100);
  agree_for_rank<1>(200);
  agree_for_rank<3>(400);
}

TEST_CASE("gather: torch's examples", "[gather][seed]") {
  CHECK(gather(ints{{1, 2}, {3, 4}}, 1, indices{{0, 1}, {1, 0}}) == ints{{1, 2}, {4, 3}});
  const ints input{{10, 20, 30, 40}, {50, 60, 70, 80}, {90, 100, 110, 120}};
  CHECK(gather(input, 1, indices{{0, 2}, {1, 3}, {2, 0}}) == ints{{10, 30}, {60, 80}, {110, 90}});
}

TEST_CASE("gather: dim 0 and negative dims", "[gather][dims]") {
  const ints input{{1, 2, 3}, {4, 5, 6}};
  const indices index{{1, 0, 1}};
  CHECK(gather(input, 0, index) == ints{{4, 2, 6}});
  CHECK(gather(input, -2, index) == ints{{4, 2, 6}});
  CHECK(gather(input, -1, indices{{2}, {0}}) == ints{{3}, {4}});
}

TEST_CASE("gather: the log-prob of each token", "[gather][seed]") {
  const auto log_probs = counted<float>(5, 10);
  const tensor<std::int64_t, 1> ids{3, 7, 1, 9, 2};
  const auto picked = gather(log_probs, 1, ids.unsqueeze(1)).squeeze(1);
  static_assert(std::same_as<decltype(picked), const tensor<float, 1>>);
  CHECK(picked == tensor<float, 1>{3, 17, 21, 39, 42});
}

TEST_CASE("gather: the log-prob of each next token of a batch", "[gather][seed]") {
  const auto log_probs = counted<float>(2, 4, 6);
  const indices tokens{{5, 1, 0, 3}, {2, 4, 5, 0}};
  const auto picked =
      gather(log_probs.slice(1, 0, -1), -1, tokens.slice(1, 1, garner::end).unsqueeze(-1))
          .squeeze(-1);
  CHECK(picked == tensor<float, 2>{{1, 6, 15}, {28, 35, 36}});
}

TEST_CASE("gather: an expanded index copies whole rows", "[gather][seed][views]") {
  const auto features = counted<float>(10, 128);
  const tensor<std::int64_t, 1> classes{3, 7, 1, 9, 2};
  const auto rows = gather(features, 0, classes.unsqueeze(1).expand({-1, 128}));
  REQUIRE(rows.shape() == garner::dims{5, 128});
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 128; ++j) REQUIRE(rows(i, j) == features(classes(i), j));
  }
}

TEST_CASE("gather: without the expand only the first column is read", "[gather][seed][shape]") {
  const auto features = counted<float>(10, 128);
  const tensor<std::int64_t, 1> classes{3, 7, 1, 9, 2};
  CHECK(gather(features, 0, classes.unsqueeze(1)) ==
        tensor<float, 2>{{3 * 128}, {7 * 128}, {128}, {9 * 128}, {2 * 128}});
}

TEST_CASE("gather: a channel for each pixel", "[gather][seed]") {
  const auto image = counted<float>(2, 32, 32, 3);
  tensor<std::int64_t, 3> channel(garner::dims{2, 32, 32});
  std::int64_t n = 0;
  for (auto& c : channel) c = n++ * 7 % 3;
  const auto picked = gather(image, 3, channel.unsqueeze(-1)).squeeze(-1);
  REQUIRE(picked.shape() == channel.shape());
  for (int k = 0; k < 2 * 32 * 32; ++k)
    REQUIRE(picked.data()[k] == static_cast<float>(3 * k + k * 7 % 3));
}

TEST_CASE("gather: winning logits, Q-values and top-k scores by given indices", "[gather][seed]") {
  const tensor<float, 2> q{{0.1f, 0.7f, 0.2f}, {0.5f, 0.3f, 0.9f}};
  CHECK(gather(q, 1, indices{{1}, {2}}) ==
        tensor<float, 2>{{0.7f}, {0.9f}});  // argmax with keepdim
  const tensor<std::int64_t, 1> action{2, 0};
  CHECK(gather(q, 1, action.unsqueeze(1)).squeeze(1) == tensor<float, 1>{0.2f, 0.5f});
  CHECK(gather(q, 1, indices{{1, 2}, {2, 0}}) ==
        tensor<float, 2>{{0.7f, 0.2f}, {0.9f, 0.5f}});  // topk(2)
}

TEST_CASE("gather: the index may be smaller than the input off dim", "[gather][shape]") {
  const auto input = counted<int>(4, 3);
  CHECK(gather(input, 0, indices{{3, 2}, {1, 0}}) == ints{{9, 7}, {3, 1}});
  CHECK(gather(input, 1, indices{{2, 2, 2, 2, 0}}) == ints{{2, 2, 2, 2, 0}});
}

TEST_CASE("gather: shapes that do not fit are named", "[gather][shape][error]") {
  const auto input = counted<int>(2, 3);
  const indices index{{0, 0}, {0, 0}, {0, 0}};
  CHECK(shape_error_of([&] { gather(input, 1, index); }) ==
        "gather: index has extent 3 in dim 0, but input only 2");
  CHECK(shape_error_of([&] { gather(input, 2, index); }) ==
        "gather: dim 2 is out of range for a tensor of 2 dims");
  CHECK(shape_error_of([&] { gather(input, -3, index); }) ==
        "gather: dim -3 is out of range for a tensor of 2 dims");
  CHECK(shape_error_of([&] {
          gather(view<const int>(input), 0, view<const std::int64_t>(index.flatten()));
        }) == "gather: input has shape (2, 3) and index (6): they must have equally many dims");
  ints out(garner::dims{3, 3});
  CHECK(shape_error_of([&] { gather_into(out, input, 0, index.slice(1, 0, 1)); }) ==
        "gather: out has shape (3, 3), but the result has shape (3, 1)");
}

TEST_CASE("gather: an empty index may have any extent along dim only", "[gather][shape][empty]") {
  const auto input = counted<int>(2, 3);
  CHECK(gather(input, 1, indices(garner::dims{2, 0})).shape() == garner::dims{2, 0});
  CHECK(gather(input, 1, indices(garner::dims{0, 7})).shape() == garner::dims{0, 7});
  CHECK_THROWS_AS(gather(input, 1, indices(garner::dims{3, 0})), garner::shape_error);
  CHECK(gather(view<const int, 2>(nullptr, {0, 0}), 0, view<const std::int64_t, 2>(nullptr, {0, 0}))
            .is_empty());
}

TEST_CASE("gather: a 0-d input has one element, along dim 0 or -1", "[gather][zero_d]") {
  const tensor<int, 0> input(42);
  const tensor<std::int64_t, 0> zero(0), one(1), last(-1);
  const auto result = gather(input, 0, zero);
  static_assert(std::same_as<decltype(result), const tensor<int, 0>>);
  CHECK(result() == 42);
  CHECK(gather(input, -1, zero)() == 42);
  CHECK(shape_error_of([&] { gather(input, 1, zero); }) ==
        "gather: dim 1 is out of range for a tensor of 0 dims");
  CHECK(index_error_of([&] { gather(input, 0, one); }) ==
        "gather: index = 1 is out of range for dim 0 of extent 1");
  CHECK_THROWS_AS(gather(input, 0, last), garner::index_error);
  // torch takes an index of one dim here; the rule of equal ranks is the stricter one.
  CHECK_THROWS_AS(gather(view<const int>(input), 0, view<const std::int64_t>(zero.unsqueeze(0))),
                  garner::shape_error);
}

TEST_CASE("gather: an empty axis has no legal index, whatever the options but fill",
          "[gather][empty][error]") {
  const ints input(garner::dims{2, 0});
  const indices index{{0}, {0}};
  const std::string message = "gather: index[0,0] = 0 is out of range for dim 1 of extent 0";
  CHECK(index_error_of([&] { gather(input, 1, index); }) == message);
  CHECK(index_error_of([&] { gather(input, 1, index, garner::wrap); }) == message);
  CHECK(index_error_of([&] { gather(input, 1, index, garner::clip); }) == message);
  CHECK(index_error_of([&] { gather(input, 1, index, garner::unchecked); }) == message);
  CHECK(gather(input, 1, index, garner::fill(7)) == ints{{7}, {7}});
  CHECK(gather(input, 1, indices(garner::dims{2, 0})).shape() == garner::dims{2, 0});
}

TEST_CASE("gather: the first bad index in row-major order is named", "[gather][error]") {
  const auto input = counted<int>(2, 3);
  const indices index{{0, 1, 2, 0, 9}, {3, 0, 0, 0, 0}};
  CHECK(index_error_of([&] { gather(input, 1, index); }) ==
        "gather: index[0,4] = 9 is out of range for dim 1 of extent 3");
  SECTION("though another comes first in memory") {
    const indices turned{{0, 3}, {1, 0}, {2, 0}, {0, 0}, {9, 0}};
    CHECK(index_error_of([&] { gather(input, 1, turned.transpose(0, 1)); }) ==
          "gather: index[0,4] = 9 is out of range for dim 1 of extent 3");
  }
  SECTION("with all that the message says") {
    try {
      gather(input, -1, index);
      FAIL("nothing was thrown");
    } catch (const garner::index_error& error) {
      CHECK(error.op() == std::string("gather"));
      CHECK(std::vector<garner::index_t>(error.position().begin(), error.position().end()) ==
            std::vector<garner::index_t>{0, 4});
      CHECK(error.value().text() == "9");
      CHECK(error.dim() == 1);
      CHECK(error.extent() == 3);
    }
  }
  SECTION("as an out_of_range") { CHECK_THROWS_AS(gather(input, 1, index), std::out_of_range); }
}

TEST_CASE("gather: negatives are outside unless they count from the end", "[gather][negative]") {
  const auto input = counted<int>(1, 3);
  const indices index{{-1, -3, 0}};
  CHECK(index_error_of([&] { gather(input, 1, index); }) ==
        "gather: index[0,0] = -1 is out of range for dim 1 of extent 3");
  CHECK(gather(input, 1, index, garner::from_end) == ints{{2, 0, 0}});
  CHECK(index_error_of([&] {
          gather(input, 1, indices{{-3, -4}}, garner::from_end);
        }) == "gather: index[0,1] = -4 is out of range for dim 1 of extent 3");
}

TEST_CASE("gather: small index types count from the end of a long axis",
          "[gather][negative][types]") {
  const auto input = counted<int>(300);
  CHECK(gather(input, 0, tensor<std::int8_t, 1>{-1, -128, 127}, garner::from_end) ==
        list{299, 172, 127});
}

TEST_CASE("gather: unsigned indices are never negative", "[gather][types]") {
  const auto input = counted<int>(256);
  const std::uint64_t highest = std::numeric_limits<std::uint64_t>::max();
  const std::string message =
      "gather: index[0] = 18446744073709551615 is out of range for dim 0 of extent 256";
  CHECK(index_error_of([&] { gather(input, 0, std::vector{highest}); }) == message);
  CHECK(index_error_of([&] { gather(input, 0, std::vector{highest}, garner::from_end); }) ==
        message);
  CHECK(gather(input, 0, std::vector{highest}, garner::clip) == list{255});
  CHECK(gather(input, 0, tensor<std::uint8_t, 1>{200, 255}) == list{200, 255});
}

TEST_CASE("gather: wide indices are not cut to 32 bits", "[gather][types]") {
  const auto input = counted<int>(4);
  const std::int64_t wide = (std::int64_t{1} << 32) + 1;
  CHECK(index_error_of([&] { gather(input, 0, std::vector{wide}); }) ==
        "gather: index[0] = 4294967297 is out of range for dim 0 of extent 4");
  CHECK(gather(input, 0, std::vector{-wide}, garner::fill(-1)) == list{-1});
}

TEST_CASE("gather: wrap is a true modulo for every value", "[gather][wrap]") {
  const auto input = counted<int>(7);
  using limits = std::numeric_limits<std::int64_t>;
  CHECK(gather(input, 0, std::vector<std::int64_t>{-1, 7, -8, limits::max(), limits::min()},
               garner::wrap) == list{6, 0, 6, 0, 6});
  CHECK(gather(input, 0, std::vector{std::numeric_limits<std::uint64_t>::max()}, garner::wrap) ==
        list{1});
}

TEST_CASE("gather: clip takes negatives to 0, or counts them from the end first",
          "[gather][clip]") {
  const auto input = counted<int>(5);
  using limits = std::numeric_limits<std::int64_t>;
  const std::vector<std::int64_t> index{-1, -6, 5, limits::max(), limits::min()};
  CHECK(gather(input, 0, index, garner::clip) == list{0, 0, 4, 4, 0});
  CHECK(gather(input, 0, index, garner::clip, garner::from_end) == list{4, 0, 4, 4, 0});
}

TEST_CASE("gather: fill stands in for what is outside", "[gather][fill]") {
  const auto input = counted<int>(5);
  const std::vector<std::int64_t> index{-1, 4, 5};
  CHECK(gather(input, 0, index, garner::fill(-7)) == list{-7, 4, -7});
  CHECK(gather(input, 0, index, garner::from_end, garner::fill(-7)) == list{4, 4, -7});
  CHECK(gather(input, 0, index, garner::fill(short{3})) == list{3, 4, 3});
}

TEST_CASE("gather: options come in any order", "[gather][options]") {
  const auto input = counted<int>(3);
  const std::vector<std::int64_t> index{-4, -1, 3};
  list out(3);
  gather_into(out, input, 0, index, garner::noalias, garner::clip, garner::from_end);
  CHECK(out == list{0, 2, 2});
  gather_into(out, input, 0, index, garner::from_end, garner::fill(9), garner::noalias);
  CHECK(out == list{9, 2, 9});
}

TEST_CASE("gather: a call that throws has written nothing", "[gather][error][promise]") {
  const auto input = counted<int>(1, 40);
  indices index(garner::dims{1, 40});
  const ints before(input.flip(1));
  ints out = before;
  SECTION("for an index, though it be the last") {
    index(0, 39) = 40;
    CHECK_THROWS_AS(gather_into(out, input, 1, index), garner::index_error);
  }
  SECTION("for a shape") {
    CHECK_THROWS_AS(gather_into(out, input, 1, index.slice(1, 1)), garner::shape_error);
  }
  SECTION("for an overlap, even if an index is bad too") {
    index(0, 0) = 40;
    CHECK_THROWS_AS(gather_into(out, out.flip(1), 1, index), garner::shape_error);
  }
  CHECK(out == before);
}

TEST_CASE("gather: an out that overlaps the input is refused", "[gather][overlap]") {
  std::vector<int> memory(12);
  const tensor<std::int64_t, 1> index{1, 0, 2, 3};
  const view<int, 1> input(memory.data(), {4});
  const std::string message = "gather: out overlaps the input";
  CHECK(shape_error_of([&] { gather_into(input, input, 0, index); }) == message);
  CHECK(shape_error_of([&] {
          gather_into(view<int, 1>(memory.data() + 3, {4}), input, 0, index);
        }) == message);
  CHECK(shape_error_of([&] {
          gather_into(view<int, 1>(memory.data() + 6, {4}, {-1}), input, 0, index);
        }) == message);
  CHECK(shape_error_of([&] {
          gather_into(view<int, 1>(memory.data(), {4}, {3}), input, 0, index);
        }) == message);
}

TEST_CASE("gather: an out that overlaps the index is refused", "[gather][overlap]") {
  std::vector<std::int64_t> memory(6);
  const auto input = counted<std::int64_t>(4);
  const view<std::int64_t, 1> index(memory.data(), {4});
  CHECK(shape_error_of([&] {
          gather_into(view<std::int64_t, 1>(memory.data() + 2, {4}), input, 0, index);
        }) == "gather: out overlaps the index");
}

TEST_CASE("gather: an out that overlaps itself is refused", "[gather][overlap]") {
  std::vector<int> memory(9, -1);
  const auto input = counted<int>(3, 3);
  const indices index(garner::dims{3, 3});
  CHECK(shape_error_of([&] {
          gather_into(view<int, 2>(memory.data(), {3, 3}, {0, 1}), input, 0, index);
        }) == "gather: out overlaps itself: shape (3, 3) with strides (0, 1)");
  CHECK(shape_error_of([&] {
          gather_into(view<int, 2>(memory.data(), {3, 3}, {1, 1}), input, 0, index);
        }) == "gather: out overlaps itself: shape (3, 3) with strides (1, 1)");
  CHECK_THROWS_AS(gather_into(view<int, 2>(memory.data() + 3, {3, 3}, {2, -1}), input, 0, index),
                  garner::shape_error);
  CHECK(memory == std::vector<int>(9, -1));
}

TEST_CASE("gather: an out that shares memory but no element is accepted", "[gather][overlap]") {
  auto memory = counted<int>(4, 6);
  SECTION("other columns of one matrix") {
    const indices index{{2, 0, 1}, {0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
    gather_into(memory.slice(1, 3), memory.slice(1, 0, 3), 1, index);
    CHECK(memory == ints{{0, 1, 2, 2, 0, 1},
                         {6, 7, 8, 6, 6, 6},
                         {12, 13, 14, 13, 13, 13},
                         {18, 19, 20, 20, 20, 20}});
  }
  SECTION("odd beside even elements") {
    const auto flat = memory.flatten();
    gather_into(flat.slice(0, 1, 7, 2), flat.slice(0, 0, 6, 2), 0,
                tensor<std::int64_t, 1>{2, 1, 0});
    CHECK(memory.select(0, 0) == list{0, 4, 2, 2, 4, 0});
  }
  SECTION("adjacent ranges") {
    const auto flat = memory.flatten();
    gather_into(flat.slice(0, 3, 6), flat.slice(0, 0, 3), 0, tensor<std::int64_t, 1>{2, 1, 0});
    CHECK(memory.select(0, 0) == list{0, 1, 2, 2, 1, 0});
  }
  SECTION("nothing, if out is empty") {
    gather_into(memory.slice(1, 0, 0), memory, 1, indices(garner::dims{4, 0}));
    CHECK(memory == counted<int>(4, 6));
  }
}

TEST_CASE("gather: noalias skips the check of out", "[gather][overlap][noalias]") {
  // 0 3 | 2 5 | 4 7: no element twice, but too twisted for the check to see.
  std::vector<int> memory(8, -1);
  const auto input = counted<int>(3, 2);
  const indices index{{2, 2}, {1, 1}, {0, 0}};
  const view<int, 2> out(memory.data(), {3, 2}, {2, 3});
  CHECK_THROWS_AS(gather_into(out, input, 0, index), garner::shape_error);
  gather_into(out, input, 0, index, garner::noalias);
  CHECK(memory == std::vector<int>{4, -1, 2, 5, 0, 3, -1, 1});
}

TEST_CASE("gather: spans, vectors and arrays are tensors of one dim", "[gather][as_view]") {
  const std::vector<int> input{10, 20, 30};
  const std::array<std::int64_t, 2> index{2, 0};
  const std::int64_t c_index[] = {2, 0};
  static_assert(std::same_as<decltype(gather(input, 0, index)), list>);
  CHECK(gather(input, 0, index) == list{30, 10});
  CHECK(gather(std::span(input), 0, c_index) == list{30, 10});
  CHECK(gather(std::array{10, 20, 30}, 0, std::span(index)) == list{30, 10});
  std::vector<int> out(2);
  gather_into(out, input, 0, index);
  CHECK(out == std::vector{30, 10});
  int c_out[2] = {};
  gather_into(c_out, input, 0, c_index);
  CHECK(c_out[0] == 30);
  std::array<int, 2> array_out{};
  gather_into(std::span(array_out), input, 0, index);
  CHECK(array_out == std::array{30, 10});
  CHECK(shape_error_of([&] { gather_into(out, input, 0, std::vector<std::int64_t>{1}); }) ==
        "gather: out has shape (2), but the result has shape (1)");
  CHECK(out.size() == 2);
}

TEST_CASE("gather: constness is the element's, not the view's", "[gather][const]") {
  const ints input{{1, 2}, {3, 4}};
  const view<const int, 2> read_only = input;
  const indices index{{1, 0}, {1, 1}};
  ints out(garner::dims{2, 2});
  const view<int, 2> writable = out;
  gather_into(writable, read_only, 1, index);
  CHECK(out == ints{{2, 1}, {4, 4}});
  static_assert(std::same_as<decltype(gather(read_only, 1, index)), ints>);
}

TEST_CASE("gather: static and run-time ranks mix", "[gather][rank]") {
  const ints input{{1, 2}, {3, 4}};
  const indices index{{1, 0}, {1, 1}};
  const ints expected{{2, 1}, {4, 4}};
  const view<const int> any_input = input;
  const view<const std::int64_t> any_index = index;
  static_assert(std::same_as<decltype(gather(input, 1, any_index)), ints>);
  static_assert(std::same_as<decltype(gather(any_input, 1, index)), ints>);
  static_assert(std::same_as<decltype(gather(any_input, 1, any_index)), tensor<int>>);
  CHECK(gather(input, 1, any_index) == expected);
  CHECK(gather(any_input, 1, index) == expected);
  CHECK(gather(any_input, 1, any_index) == expected);
  tensor<int> out(garner::dims<>(2, 2));
  gather_into(out, input, 1, index);
  CHECK(out == expected);
  CHECK_THROWS_AS(gather(view<const int>(input.select(0, 0)), 0, index), garner::shape_error);
}

TEST_CASE("gather: long axes cost nothing and count right", "[gather][large]") {
  const int one = 1;
  const garner::index_t huge = garner::index_t{1} << 40;
  const view<const int, 2> input(&one, {2, huge}, {0, 0});
  CHECK(gather(input, 1, indices{{huge - 1}, {0}}) == ints{{1}, {1}});
  CHECK(index_error_of([&] {
          gather(input, 1, indices{{0}, {huge}});
        }) ==
        "gather: index[1,0] = 1099511627776 is out of range for dim 1 of extent 1099511627776");
  const std::int64_t bad = -1;
  const view<const std::int64_t, 2> expanded(&bad, {2, huge}, {0, 0});
  CHECK_THROWS_AS(gather(input, 1, expanded), garner::index_error);
}

TEST_CASE("gather: elements that own something are copied by assignment", "[gather][types]") {
  tensor<std::shared_ptr<int>, 1> input(2);
  for (int i = 0; i < 2; ++i) input(i) = std::make_shared<int>(i);
  tensor<std::shared_ptr<int>, 1> out(3);
  const std::weak_ptr<int> former = out(0) = std::make_shared<int>(7);
  gather_into(out, input, 0, std::vector<std::int64_t>{1, 1, 0});
  CHECK(former.expired());
  CHECK(out(1) == input(1));
  CHECK(input(1).use_count() == 3);
  CHECK(input(0).use_count() == 2);
}

TEST_CASE("gather: the strides of an input without elements are not walked", "[gather][empty]") {
  const view<const int, 2> input(nullptr, {0, 5}, {1, garner::index_t{1} << 62});
  tensor<int, 2> out({5, 3});
  gather_into(out.transpose(0, 1), input, 0, indices({3, 5}), garner::fill(7));
  CHECK(out == tensor<int, 2>{{7, 7, 7}, {7, 7, 7}, {7, 7, 7}, {7, 7, 7}, {7, 7, 7}});
}

TEST_CASE("gather: strides near the end of memory do not overflow", "[gather][large][fill]") {
  // All indices are outside, so that nothing but the walk's arithmetic meets the input.
  const double one = 1;
  const auto check = [&](index_t columns, index_t stride, index_t rows) {
    const view<const double, 2> input(&one, {index_t{1}, columns}, {index_t{1}, stride});
    tensor<std::int64_t, 2> index({rows, columns});
    for (auto& i : index) i = 7;
    tensor<double, 2> out(index.shape());
    garner::gather_into(out, input, 0, index, garner::fill(3.0));
    CHECK(std::all_of(out.begin(), out.end(), [](double x) { return x == 3; }));
  };
  check(2, index_t{1} << 59, 40);
  check(1000, index_t{1} << 50, 2);
}

TEST_CASE("gather: a dim past the largest signed one is no negative dim", "[gather][dim]") {
  const ints input{{1, 2}};
  CHECK(shape_error_of([&] { gather(input, std::uint64_t(-1), indices{{0}}); }) ==
        "dims: 18446744073709551615 does not fit into index_t");
}

namespace {

struct counted_copies {
  static inline int count = 0;
  counted_copies() = default;
  counted_copies(const counted_copies&) { ++count; }
  counted_copies& operator=(const counted_copies&) = default;
};

}  // namespace

TEST_CASE("gather: the value of fill is copied once", "[gather][fill]") {
  const std::vector<counted_copies> input(1);
  std::vector<counted_copies> out(1);
  const garner::fill value{counted_copies()};
  counted_copies::count = 0;
  gather_into(out, input, 0, std::vector<int>{5}, value);
  CHECK(counted_copies::count == 1);
}
