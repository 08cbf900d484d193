// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/index_add.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/select_calls.hpp"
#include "support/tensors.hpp"
#include "support/update_agreement.hpp"

namespace {

using garner::alpha;
using garner::index_add;
using garner::index_add_into;
using garner::reduce;
using garner::tensor;
using test::counted;
using test::index_error_of;
using test::shape_error_of;

using floats = tensor<float, 2>;
using list = tensor<int, 1>;

struct index_add_calls : test::select_calls {
  static constexpr const char* name = "index_add";
  static constexpr bool from_end_by_default = false;
  static constexpr bool takes_include_self = false;

  template <reduce Kind>
  static void into(const test::random_call& c, const auto& self, const auto& index,
                   const auto& values, const auto&... options) {
    index_add_into(self, c.dim, index, values, options...);
  }
  template <reduce Kind>
  static auto copy(const test::random_call& c, const auto& self, const auto& index,
                   const auto& values, const auto&... options) {
    return index_add(self, c.dim, index, values, options...);
  }
};

}  // namespace

TEST_CASE("index_add: random calls agree with the equation", "[index_add][property]") {
  std::vector<test::update_choice> choices;
  test::add_choices<index_add_calls, reduce::sum, float, garner::half, std::int32_t, double>(
      choices);
  test::agree_on_updates<index_add_calls>(2000, choices);
}

TEST_CASE("index_add: torch's example, with and without alpha", "[index_add]") {
  floats ones(garner::dims{5, 3});
  for (float& x : ones) x = 1;
  const floats src{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  const list index{0, 4, 2};
  CHECK(index_add(ones, 0, index, src) ==
        floats{{2, 3, 4}, {1, 1, 1}, {8, 9, 10}, {1, 1, 1}, {5, 6, 7}});
  CHECK(index_add(ones, 0, index, src, alpha(-1)) ==
        floats{{0, -1, -2}, {1, 1, 1}, {-6, -7, -8}, {1, 1, 1}, {-3, -4, -5}});
}

TEST_CASE("index_add: rows of every length, to the last bit", "[index_add][rows]") {
  // A product that is fused with the sum would have other bits than one that is rounded before.
  const float factor = 1.0f / 3;
  for (int n = 0; n < 70; ++n) {
    floats self(garner::dims{3, n}), src(garner::dims{4, n});
    for (float& x : self) x = 0.1f;
    for (int i = 0; i < src.size(); ++i) src.data()[i] = static_cast<float>(i) / 7;
    auto expected = self;
    const list index{2, 0, 2, 1};
    for (int r = 0; r < 4; ++r) {
      for (int j = 0; j < n; ++j) {
        volatile float scaled = factor * src(r, j);
        expected(index(r), j) = expected(index(r), j) + scaled;
      }
    }
    CHECK(index_add(self, 0, index, src, alpha(factor)) == expected);
  }
}

TEST_CASE("index_add: 16-bit floats take alpha as a float, and are rounded once", "[index_add]") {
  tensor<garner::half, 1> self{garner::half(2048.0f)};
  index_add_into(self, 0, list{0, 0, 0, 0}, garner::half(1.0f), alpha(0.5f));
  CHECK(static_cast<float>(self(0)) == 2050.0f);
}

TEST_CASE("index_add: a table larger than the caches, and no index read that is not there",
          "[index_add][rows]") {
  const garner::index_t rows = 8192, columns = 40, n = 300;
  const test::fenced<std::int32_t> index(n, GENERATE(test::flush::begin, test::flush::end));
  floats src(garner::dims{n, columns});
  std::vector<float> expected(static_cast<std::size_t>(rows * columns));
  for (garner::index_t k = 0; k < n; ++k) {
    const auto at = static_cast<std::int32_t>(test::mix(static_cast<std::uint64_t>(k)) >> 50);
    index[static_cast<std::size_t>(k)] = at;  // every other one is outside
    for (garner::index_t j = 0; j < columns; ++j) {
      src(k, j) = static_cast<float>(k + j);
      if (at < rows) expected[static_cast<std::size_t>(at * columns + j)] += src(k, j);
    }
  }
  floats sums(garner::dims{rows, columns});
  index_add_into(sums, 0, index.span(), src, garner::fill(0.0f));
  CHECK(std::equal(expected.begin(), expected.end(), sums.begin()));
  for (auto& at : index) at %= static_cast<std::int32_t>(rows);
  index_add_into(sums, 0, index.span(), src);
  double total = 0, wanted = 0;
  for (float x : sums) total += x;
  for (float x : expected) wanted += x;
  for (float x : src) wanted += x;
  CHECK(total == wanted);
}

TEST_CASE("index_add: bad calls", "[index_add][error]") {
  floats self(garner::dims{2, 3});
  CHECK(index_error_of([&] {
          index_add_into(self, 1, list{0, 3}, floats{{1, 1}, {1, 1}});
        }) == "index_add: index[1] = 3 is out of range for dim 1 of extent 3");
  CHECK(shape_error_of([&] {
          index_add_into(self, 1, list{0, 1}, floats{{1, 1, 1}, {1, 1, 1}});
        }) == "index_add: src has shape (2, 3), but what is indexed has shape (2, 2)");
  CHECK(shape_error_of([&] {
          index_add_into(self, 0, list{0, 1}, self);
        }) == "index_add: self overlaps src");
  CHECK(self == floats(garner::dims{2, 3}));
}

TEST_CASE("index_add: a single value, a 0-d index and a 0-d self", "[index_add]") {
  CHECK(index_add(floats{{1, 2}, {3, 4}}, 0, tensor<int, 0>(1), 10) == floats{{1, 2}, {13, 14}});
  CHECK(index_add(tensor<int, 0>(3), 0, list{0}, 4) == tensor<int, 0>(7));
}
