// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/gather_nd.hpp>

#include <cstdint>

#include "support/agreement.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/nd_calls.hpp"
#include "support/tensors.hpp"

namespace {

using garner::batch_dims;
using garner::gather_nd;
using garner::gather_nd_into;
using garner::tensor;
using test::counted;
using test::index_error_of;
using test::shape_error_of;

using indices = tensor<int, 2>;

struct gather_nd_calls {
  static constexpr const char* name = "gather_nd";
  static constexpr bool from_end_by_default = true;
  static void draw(test::random_call& c) { test::draw_nd(c); }
  static test::reference solve(const test::random_call& c) { return test::solve_nd(c); }
  static auto read(const test::random_call& c, const auto& input, const auto& index,
                   const auto&... options) {
    return gather_nd(input, index, options..., batch_dims(c.batch));
  }
  static void into(const test::random_call& c, const auto& out, const auto& input,
                   const auto& index, const auto&... options) {
    gather_nd_into(out, input, index, batch_dims(c.batch), options...);
  }
};

}  // namespace

TEST_CASE("gather_nd: random calls agree with the equation", "[gather_nd][property]") {
  test::agree<gather_nd_calls>(2500, test::combinations<gather_nd_calls, 0, 2>());
}

TEST_CASE("gather_nd: elements, slices, and everything", "[gather_nd]") {
  const tensor<int, 2> x{{0, 1}, {2, 3}};
  CHECK(gather_nd(x, indices{{0, 0}, {1, 1}}) == tensor<int, 1>{0, 3});
  CHECK(gather_nd(x, indices{{1}, {0}}) == indices{{2, 3}, {0, 1}});
  CHECK(gather_nd(x, tensor<int, 1>{1, 0}) == tensor<int, 0>(2));
  CHECK(gather_nd(x, tensor<int, 1>{}) == x);
  const tensor<int, 3> twice = tensor<int, 3>(gather_nd(x, tensor<int, 2>(garner::dims{2, 0})));
  CHECK(twice == tensor<int, 3>{{{0, 1}, {2, 3}}, {{0, 1}, {2, 3}}});
}

TEST_CASE("gather_nd: batch dims are shared", "[gather_nd]") {
  const auto x = counted<int>(2, 3, 4);
  CHECK(gather_nd(x, tensor<int, 3>{{{2}, {0}}, {{1}, {1}}}, batch_dims(1)) ==
        tensor<int, 3>{{{8, 9, 10, 11}, {0, 1, 2, 3}}, {{16, 17, 18, 19}, {16, 17, 18, 19}}});
  CHECK(gather_nd(x, indices{{2, 0}, {1, 3}}, batch_dims(1)) == tensor<int, 1>{8, 19});
}

TEST_CASE("gather_nd: each coordinate is checked against its own dim", "[gather_nd][error]") {
  const auto x = counted<int>(2, 5);
  CHECK(gather_nd(x, indices{{1, 4}, {-2, -5}}) == tensor<int, 1>{9, 0});
  CHECK(index_error_of([&] {
          gather_nd(x, indices{{0, 4}, {4, 0}});
        }) == "gather_nd: index[1,0] = 4 is out of range for dim 0 of extent 2");
  CHECK(index_error_of([&] {
          gather_nd(x, indices{{0, 5}, {2, 0}});
        }) == "gather_nd: index[0,1] = 5 is out of range for dim 1 of extent 5");
  // As flat offsets these two would cancel out.
  CHECK(index_error_of([&] {
          gather_nd(x, indices{{1, -6}});
        }) == "gather_nd: index[0,1] = -6 is out of range for dim 1 of extent 5");
  CHECK(index_error_of([&] {
          gather_nd(x, indices{{3, 0}}, garner::reject_negative);
        }) == "gather_nd: index[0,0] = 3 is out of range for dim 0 of extent 2");
  // One number for both coordinates: the second of them is bad.
  const tensor<int, 1> repeated{0, 3};
  CHECK(index_error_of([&] {
          gather_nd(x.transpose(0, 1), repeated.unsqueeze(1).expand({2, 2}));
        }) == "gather_nd: index[1,1] = 3 is out of range for dim 1 of extent 2");
}

TEST_CASE("gather_nd: only an empty dim makes an index bad that counts modulo the extent",
          "[gather_nd][empty][error]") {
  const tensor<int, 2> x(garner::dims{5, 0});
  CHECK(index_error_of([&] {
          gather_nd(x, indices{{9, 0}}, garner::wrap);
        }) == "gather_nd: index[0,1] = 0 is out of range for dim 1 of extent 0");
}

TEST_CASE("gather_nd: shapes that do not fit", "[gather_nd][error]") {
  const auto x = counted<int>(2, 5);
  CHECK(shape_error_of([&] {
          gather_nd(x, indices{{0, 0, 0}});
        }) == "gather_nd: 3 coordinates for input of shape (2, 5) after 0 batch dims");
  CHECK(shape_error_of([&] {
          gather_nd(x, indices{{0, 0}, {0, 0}}, batch_dims(1));
        }) == "gather_nd: 2 coordinates for input of shape (2, 5) after 1 batch dims");
  CHECK(shape_error_of([&] { gather_nd(x, indices{{0}}, batch_dims(1)); }) ==
        "gather_nd: input and index have extents 2 and 1 in batch dim 0");
  CHECK(shape_error_of([&] { gather_nd(x, indices{{0}}, batch_dims(2)); }) ==
        "gather_nd: batch_dims(2) for input (2, 5) and index (1, 1)");
  CHECK(shape_error_of([&] { gather_nd(x, indices{{0}}, batch_dims(-1)); }) ==
        "gather_nd: batch_dims(-1) for input (2, 5) and index (1, 1)");
  const int zero = 0;
  const garner::index_t huge = garner::index_t{1} << 32;
  const garner::view<const int, 2> wide(&zero, {2, huge}, {0, 0});
  const garner::view<const int, 2> many(&zero, {huge, 1}, {0, 0});
  CHECK(shape_error_of([&] { gather_nd(wide, many); }) ==
        "gather_nd: shape (4294967296, 4294967296) has too many elements");
  const tensor<int> scalar{garner::dims<>{}};
  CHECK(shape_error_of([&] { gather_nd(x, scalar); }) ==
        "gather_nd: the indices have no dim for the coordinates");
}

TEST_CASE("gather_nd: a validated index serves where all dims are long enough", "[gather_nd]") {
  const auto x = counted<int>(2, 5);
  const indices index{{1, 1}, {0, 1}};
  CHECK(gather_nd(x, garner::validate(index, 2)) == tensor<int, 1>{6, 1});
  CHECK(shape_error_of([&] { gather_nd(x, garner::validate(index, 3)); }) ==
        "gather_nd: the index was validated for extent 3, but the axis has extent 2");
}
