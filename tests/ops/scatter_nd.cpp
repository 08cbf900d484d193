// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/scatter_nd.hpp>

#include <cstdint>
#include <vector>

#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/nd_calls.hpp"
#include "support/tensors.hpp"
#include "support/update_agreement.hpp"

namespace {

using garner::batch_dims;
using garner::reduce;
using garner::scatter_nd;
using garner::scatter_nd_into;
using garner::tensor;
using test::index_error_of;
using test::shape_error_of;

using ints = tensor<int, 2>;
using list = tensor<int, 1>;

struct scatter_nd_calls {
  static constexpr const char* name = "scatter_nd";
  static constexpr bool from_end_by_default = true;
  static constexpr bool takes_include_self = true;

  static void draw(test::random_call& c) { test::draw_nd(c); }
  static test::reference solve(const test::random_call& c) { return test::solve_nd(c); }
  static test::extents values_shape(const test::extents& shape) { return shape; }

  template <reduce Kind>
  static void into(const test::random_call& c, const auto& self, const auto& index,
                   const auto& values, const auto&... options) {
    scatter_nd_into<Kind>(self, index, values, options..., batch_dims(c.batch));
  }
  template <reduce Kind>
  static auto copy(const test::random_call& c, const auto& self, const auto& index,
                   const auto& values, const auto&... options) {
    return scatter_nd<Kind>(self, index, values, options..., batch_dims(c.batch));
  }
};

}  // namespace

TEST_CASE("scatter_nd: random calls agree with the equation", "[scatter_nd][property]") {
  using op = scatter_nd_calls;
  std::vector<test::update_choice> choices;
  test::add_choices<op, reduce::none, std::uint8_t, double, float>(choices);
  test::add_choices<op, reduce::sum, float, garner::half>(choices);
  test::add_choices<op, reduce::mean, std::int32_t>(choices);
  test::add_choices<op, reduce::amin, float>(choices);
  test::agree_on_updates<op>(3000, choices);
}

TEST_CASE("scatter_nd: elements, slices, duplicates", "[scatter_nd]") {
  CHECK(scatter_nd(list{1, 2, 3, 4, 5, 6, 7, 8}, ints{{4}, {3}, {1}, {7}}, list{9, 10, 11, 12}) ==
        list{1, 11, 3, 10, 9, 6, 7, 12});
  CHECK(scatter_nd(ints{{1, 2}, {3, 4}}, ints{{1}}, ints{{8, 9}}) == ints{{1, 2}, {8, 9}});
  CHECK(scatter_nd(ints{{1, 2}, {3, 4}}, ints{{1, 0}, {1, 0}}, list{8, 9}) == ints{{1, 2}, {9, 4}});
  CHECK(scatter_nd<reduce::sum>(ints(garner::dims{2, 2}), ints{{1, 0}, {1, 0}}, list{8, 9}) ==
        ints{{0, 0}, {17, 0}});
  CHECK(scatter_nd<reduce::prod>(list{2, 3}, ints{{0}, {0}}, list{5, 7}) == list{70, 3});
  CHECK(scatter_nd(ints{{1, 2}, {3, 4}}, ints{{1}, {0}}, list{8, 9}, batch_dims(1)) ==
        ints{{1, 8}, {9, 4}});
}

TEST_CASE("scatter_nd: bad calls", "[scatter_nd][error]") {
  ints self(garner::dims{2, 3});
  CHECK(index_error_of([&] {
          scatter_nd_into(self, ints{{0, 0}, {1, 3}}, list{1, 2});
        }) == "scatter_nd: index[1,1] = 3 is out of range for dim 1 of extent 3");
  CHECK(shape_error_of([&] {
          scatter_nd_into(self, ints{{0}}, list{1, 2, 3});
        }) == "scatter_nd: updates has shape (3), but what is indexed has shape (1, 3)");
  // As many elements, but another shape.
  CHECK(shape_error_of([&] {
          scatter_nd_into(self, ints{{0}, {1}}, tensor<int, 2>(garner::dims{3, 2}));
        }) == "scatter_nd: updates has shape (3, 2), but what is indexed has shape (2, 3)");
  CHECK(shape_error_of([&] {
          scatter_nd_into(self, ints{{0, 0, 0}}, list{1});
        }) == "scatter_nd: 3 coordinates for self of shape (2, 3) after 0 batch dims");
  CHECK(self == ints(garner::dims{2, 3}));
}
