// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/put.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"
#include "support/update_agreement.hpp"

namespace {

using garner::accumulate;
using garner::put;
using garner::put_along_dim;
using garner::put_along_dim_into;
using garner::put_into;
using garner::reduce;
using garner::tensor;
using test::counted;
using test::index_error_of;
using test::shape_error_of;

using ints = tensor<int, 2>;
using list = tensor<int, 1>;

struct put_calls {
  static constexpr const char* name = "put";
  static constexpr bool from_end_by_default = true;
  static constexpr bool takes_include_self = false;

  static void draw(test::random_call& c) {
    using namespace test;
    c.input_shape = random_shape(below<std::size_t>(4), 300);
    c.index_shape = random_shape(below<std::size_t>(3), 300);
    c.is_flat = true;
  }
  static test::reference solve(const test::random_call& c) {
    return test::flat_reference(c.input_shape, c.numbers(), c.meaning);
  }
  static test::extents values_shape(const test::extents& shape) {
    return test::broadcastable(shape);
  }
  template <reduce Kind>
  static void into(const test::random_call&, const auto& self, const auto& index,
                   const auto& values, const auto&... options) {
    if constexpr (Kind == reduce::sum) {
      put_into(self, index, values, options..., accumulate);
    } else {
      put_into(self, index, values, options...);
    }
  }
  template <reduce Kind>
  static auto copy(const test::random_call&, const auto& self, const auto& index,
                   const auto& values, const auto&... options) {
    if constexpr (Kind == reduce::sum) {
      return put(self, index, values, options..., accumulate);
    } else {
      return put(self, index, values, options...);
    }
  }
};

struct put_along_dim_calls {
  static constexpr const char* name = "put_along_dim";
  static constexpr bool from_end_by_default = true;
  static constexpr bool takes_include_self = false;

  static void draw(test::random_call& c) {
    using namespace test;
    c.input_shape = random_shape(below<std::size_t>(4), 600);
    draw_dim(c);
    draw_axis(c.input_shape, c.axis());
    for (auto extent : c.input_shape) c.index_shape.push_back(once_in(3) ? 1 : extent);
    draw_axis(c.index_shape, c.axis());
  }
  static test::reference solve(const test::random_call& c) {
    return test::take_along_dim_reference(c.input_shape, c.axis(), c.numbers(), c.meaning);
  }
  static test::extents values_shape(const test::extents& shape) {
    return test::broadcastable(shape);
  }
  template <reduce Kind>
  static void into(const test::random_call& c, const auto& self, const auto& index,
                   const auto& values, const auto&... options) {
    put_along_dim_into(self, index, values, c.dim, options...);
  }
  template <reduce Kind>
  static auto copy(const test::random_call& c, const auto& self, const auto& index,
                   const auto& values, const auto&... options) {
    return put_along_dim(self, index, values, c.dim, options...);
  }
};

}  // namespace

TEST_CASE("put: random calls agree with the equation", "[put][property]") {
  std::vector<test::update_choice> choices;
  test::add_choices<put_calls, reduce::none, float, std::string>(choices);
  test::add_choices<put_calls, reduce::sum, std::int16_t, garner::half>(choices);
  test::agree_on_updates<put_calls>(1500, choices);
}

TEST_CASE("put: sums of halves from values that no single stride walks", "[put][half]") {
  using garner::half;
  const tensor<int, 2> index{{0, 1, 2}, {0, 1, 0}};
  const tensor<half, 2> values{{half(1), half(4)}, {half(2), half(8)}, {half(3), half(16)}};
  const auto sums = put(tensor<half, 1>(garner::dims{3}), index, values.transpose(0, 1), accumulate);
  CHECK(sums == tensor<half, 1>{half(21), half(10), half(3)});
}

TEST_CASE("put_along_dim: random calls agree with the equation", "[put][property]") {
  std::vector<test::update_choice> choices;
  test::add_choices<put_along_dim_calls, reduce::none, std::uint8_t, double>(choices);
  test::agree_on_updates<put_along_dim_calls>(1500, choices);
}

TEST_CASE("put: torch's example", "[put]") {
  const ints x{{4, 3, 5}, {6, 7, 8}};
  CHECK(put(x, list{1, 3}, list{9, 10}) == ints{{4, 9, 5}, {10, 7, 8}});
  CHECK(put(x, list{1, 1}, list{9, 10}, accumulate) == ints{{4, 22, 5}, {6, 7, 8}});
  CHECK(put(x, list{-1}, 0) == ints{{4, 3, 5}, {6, 7, 0}});
}

TEST_CASE("put: any layout counts in row-major order", "[put][views]") {
  auto x = counted<int>(2, 3);
  put_into(x.transpose(0, 1), list{1, 2}, list{70, 80});  // rows (0, 3), (1, 4), (2, 5)
  CHECK(x == ints{{0, 80, 2}, {70, 4, 5}});
}

TEST_CASE("put_along_dim: NumPy's example, and flat", "[put]") {
  const ints x{{10, 30, 20}, {60, 40, 50}};
  CHECK(put_along_dim(x, ints{{1}, {0}}, 99, 1) == ints{{10, 99, 20}, {99, 40, 50}});
  CHECK(put_along_dim(x, ints{{1}}, ints{{7}, {8}}, 1) == ints{{10, 7, 20}, {60, 8, 50}});
  CHECK(put_along_dim(x, list{0, -1}, list{1, 2}) == ints{{1, 30, 20}, {60, 40, 2}});
}

TEST_CASE("put: bad calls", "[put][error]") {
  ints self(garner::dims{1, 3});
  CHECK(index_error_of([&] {
          put_into(self, list{0, -4}, 1);
        }) == "put: index[1] = -4 is out of range for extent 3");
  CHECK(shape_error_of([&] {
          put_into(self, list{0, 1}, list{1, 2, 3});
        }) == "put: src of shape (3) does not broadcast to (2)");
  CHECK(shape_error_of([&] {
          put_along_dim_into(self, ints{{0}, {1}}, 1, 1);
        }) == "put_along_dim: indices have extent 2 in dim 0, but self only 1");
  CHECK(shape_error_of([&] {
          put_along_dim_into(self, ints{{0}}, ints{{1}, {2}}, 1);
        }) == "put_along_dim: values of shape (2, 1) does not broadcast to (1, 1)");
  CHECK(self == ints(garner::dims{1, 3}));
}
