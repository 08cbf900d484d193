// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/index_copy.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/select_calls.hpp"
#include "support/tensors.hpp"
#include "support/update_agreement.hpp"

namespace {

using garner::index_copy;
using garner::index_copy_into;
using garner::index_fill;
using garner::index_fill_into;
using garner::reduce;
using garner::tensor;
using test::index_error_of;
using test::shape_error_of;

using ints = tensor<int, 2>;
using list = tensor<int, 1>;

struct index_copy_calls : test::select_calls {
  static constexpr const char* name = "index_copy";
  static constexpr bool from_end_by_default = false;
  static constexpr bool takes_include_self = false;

  template <reduce Kind>
  static void into(const test::random_call& c, const auto& self, const auto& index,
                   const auto& values, const auto&... options) {
    index_copy_into(self, c.dim, index, values, options...);
  }
  template <reduce Kind>
  static auto copy(const test::random_call& c, const auto& self, const auto& index,
                   const auto& values, const auto&... options) {
    return index_copy(self, c.dim, index, values, options...);
  }
};

struct index_fill_calls : index_copy_calls {
  static constexpr const char* name = "index_fill";
  static constexpr bool from_end_by_default = true;

  static test::extents values_shape(const test::extents& shape) {
    return test::broadcastable(shape);
  }
  template <reduce Kind>
  static void into(const test::random_call& c, const auto& self, const auto& index,
                   const auto& values, const auto&... options) {
    index_fill_into(self, c.dim, index, values, options...);
  }
  template <reduce Kind>
  static auto copy(const test::random_call& c, const auto& self, const auto& index,
                   const auto& values, const auto&... options) {
    return index_fill(self, c.dim, index, values, options...);
  }
};

}  // namespace

TEST_CASE("index_copy: random calls agree with the equation", "[index_copy][property]") {
  std::vector<test::update_choice> choices;
  test::add_choices<index_copy_calls, reduce::none, float, std::string, test::point>(choices);
  test::agree_on_updates<index_copy_calls>(1500, choices);
}

TEST_CASE("index_fill: random calls agree with the equation", "[index_copy][property]") {
  std::vector<test::update_choice> choices;
  test::add_choices<index_fill_calls, reduce::none, std::uint16_t, double>(choices);
  test::agree_on_updates<index_fill_calls>(1000, choices);
}

TEST_CASE("index_copy: rows; the last of equals wins", "[index_copy]") {
  const ints self(garner::dims{3, 2});
  CHECK(index_copy(self, 0, list{2, 0, 2}, ints{{1, 2}, {3, 4}, {5, 6}}) ==
        ints{{3, 4}, {0, 0}, {5, 6}});
  CHECK(index_copy(self, 1, list{1}, ints{{1}, {2}, {3}}) == ints{{0, 1}, {0, 2}, {0, 3}});
}

TEST_CASE("index_fill: torch's example, negatives from the end", "[index_copy]") {
  const ints x{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  CHECK(index_fill(x, 1, list{0, 2}, -1) == ints{{-1, 2, -1}, {-1, 5, -1}, {-1, 8, -1}});
  CHECK(index_fill(x, 1, list{-1}, 0) == ints{{1, 2, 0}, {4, 5, 0}, {7, 8, 0}});
  CHECK(index_fill(x, 0, list{0}, list{5, 6, 7}) == ints{{5, 6, 7}, {4, 5, 6}, {7, 8, 9}});
  CHECK(index_fill(tensor<std::string, 1>{"a", "b"}, 0, list{1}, "c") ==
        tensor<std::string, 1>{"a", "c"});
}

TEST_CASE("index_copy: bad calls", "[index_copy][error]") {
  ints self(garner::dims{2, 3});
  CHECK(index_error_of([&] {
          index_copy_into(self, 0, list{-1}, ints{{1, 1, 1}});
        }) == "index_copy: index[0] = -1 is out of range for dim 0 of extent 2");
  CHECK(index_error_of([&] {
          index_fill_into(self, 0, list{1, -3}, 1);
        }) == "index_fill: index[1] = -3 is out of range for dim 0 of extent 2");
  CHECK(shape_error_of([&] {
          index_copy_into(self, 0, list{1}, ints{{1, 1}});
        }) == "index_copy: src has shape (1, 2), but what is indexed has shape (1, 3)");
  CHECK(shape_error_of([&] {
          index_fill_into(self, 0, list{1}, list{1, 2});
        }) == "index_fill: value of shape (2) does not broadcast to (1, 3)");
  CHECK(self == ints(garner::dims{2, 3}));
}
