// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/embedding.hpp>

#include <cstdint>
#include <vector>

#include "support/agreement.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

namespace {

using garner::embedding;
using garner::embedding_into;
using garner::tensor;
using garner::view;
using test::index_error_of;
using test::shape_error_of;

using ints = tensor<int, 2>;

struct embedding_calls {
  static constexpr const char* name = "embedding";
  static constexpr bool from_end_by_default = false;

  static void draw(test::random_call& c) {
    using namespace test;
    c.input_shape = random_shape(2, 1000);
    c.dim = 0;
    draw_axis(c.input_shape, 0);
    const auto room = std::max<std::int64_t>(2000 / std::max<std::int64_t>(c.input_shape[1], 1), 1);
    c.index_shape = random_shape(below<std::size_t>(4), room);
  }
  static test::reference solve(const test::random_call& c) {
    return test::take_reference(c.input_shape, 0, 0, c.numbers(), c.meaning);
  }
  static auto read(const test::random_call&, const auto& input, const auto& index,
                   const auto&... options) {
    return embedding(input, index, options...);
  }
  static void into(const test::random_call&, const auto& out, const auto& input, const auto& index,
                   const auto&... options) {
    embedding_into(out, input, index, options...);
  }
};

}  // namespace

TEST_CASE("embedding: random calls agree with the equation", "[embedding][property]") {
  test::agree<embedding_calls>(1500, test::combinations<embedding_calls, 0, 2>());
}

TEST_CASE("embedding: a row for each id, whatever the ids' shape", "[embedding]") {
  const ints weight{{1, 2}, {3, 4}, {5, 6}};
  CHECK(embedding(weight, std::vector{2, 0}) == ints{{5, 6}, {1, 2}});
  CHECK(embedding(weight, tensor<int, 2>{{1}, {2}}) == tensor<int, 3>{{{3, 4}}, {{5, 6}}});
  CHECK(embedding(weight, tensor<int, 0>(1)) == tensor<int, 1>{3, 4});
  ints out(garner::dims{1, 2});
  embedding_into(out, weight, std::vector{-1}, garner::from_end);
  CHECK(out == ints{{5, 6}});
}

TEST_CASE("embedding: negatives are outside, and the message says whose call it was",
          "[embedding][error]") {
  const ints weight{{1, 2}, {3, 4}};
  CHECK(index_error_of([&] {
          embedding(weight, std::vector{0, -1});
        }) == "embedding: index[1] = -1 is out of range for dim 0 of extent 2");
  const view<const int> flat = garner::as_view(weight).flatten();
  CHECK(shape_error_of([&] { embedding(flat, std::vector{0}); }) ==
        "embedding: weight has shape (4), not 2 dims");
}
