// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/embedding_bag_backward.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <garner/ops/embedding_bag.hpp>

#include "support/bags.hpp"
#include "support/catch.hpp"
#include "support/elements.hpp"
#include "support/errors.hpp"
#include "support/prop.hpp"
#include "support/tensors.hpp"

namespace {

using garner::bag_mode;
using garner::embedding_bag;
using garner::embedding_bag_backward;
using garner::index_t;
using garner::padding_idx;
using garner::per_sample_weights;
using garner::tensor;
using garner::view;
using test::index_error_of;
using test::shape_error_of;

using floats = tensor<float, 2>;
using ids_t = tensor<std::int64_t, 1>;

/// <embedding_bag(x), g> and <x, embedding_bag_backward(g)>, over small integers, where both are
/// exact; and memory beside grad_weight is left alone.
template <bag_mode Mode, bool IsWeighted>
void is_adjoint(int cases) {
  test::prop("adjoint", cases, [] {
    using namespace test;
    const std::int64_t rows = 1 + below<std::int64_t>(9);
    const std::int64_t columns = one_of(extents{0, 1, 7, 8, 9, 16, 33, 64, 70});
    const std::int64_t bags = below<std::int64_t>(9);
    const auto bounds = random_bounds(bags, 6);
    placed<double, 2> weight({rows, columns}, operand::read);
    placed<double, 2> grad({bags, columns}, operand::read);
    placed<double, 2> sums({rows, columns}, operand::written);
    placed<std::int32_t, 1> ids({bounds.back()}, operand::read);
    placed<double, 1> factors({bounds.back()}, operand::read);
    const std::vector<std::int64_t> offsets(bounds.begin(), bounds.end());
    const auto seed = below<std::uint64_t>(1u << 20);
    const auto draw = [&](const auto& x, std::uint64_t salt) {
      for (std::size_t k = 0; k < x.size(); ++k) {
        x[k] = static_cast<double>(mix(seed + salt * k) % 19) - 9;
      }
    };
    draw(weight, 3);
    draw(grad, 5);
    draw(factors, 7);
    for (std::size_t k = 0; k < ids.size(); ++k) {
      ids[k] = static_cast<std::int32_t>(mix(seed + 11 * k) % static_cast<std::uint64_t>(rows));
    }
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] = 2;
    const std::vector<double> before(sums.memory().begin(), sums.memory().end());
    const auto padding = padding_idx(below(rows));
    double forward = 0, back = 0;
    const auto both = [&](const auto&... options) {
      const auto out = embedding_bag<Mode>(weight.read(), ids.read(), offsets, options...);
      for (std::size_t k = 0; k < grad.size(); ++k) forward += out.data()[k] * grad[k];
      if constexpr (Mode == bag_mode::max) {
        embedding_bag_backward<Mode>(sums.view(), grad.read(), weight.read(), ids.read(), offsets,
                                     options...);
      } else {
        embedding_bag_backward<Mode>(sums.view(), grad.read(), ids.read(), offsets, options...);
      }
    };
    if constexpr (IsWeighted) {
      both(garner::include_last_offset, per_sample_weights(factors.read()), padding);
    } else {
      both(garner::include_last_offset, padding);
    }
    RC_ASSERT(sums.is_kept_between(before));
    for (std::size_t k = 0; k < sums.size(); ++k) back += weight[k] * (sums[k] - 2);
    if (Mode == bag_mode::mean) {
      RC_ASSERT(std::abs(forward - back) < 1e-9);
    } else {
      RC_ASSERT(forward == back);
    }
  });
}

}  // namespace

TEST_CASE("embedding_bag_backward: is the adjoint of embedding_bag",
          "[embedding_bag_backward][property]") {
  is_adjoint<bag_mode::sum, false>(300);
  is_adjoint<bag_mode::sum, true>(300);
  is_adjoint<bag_mode::mean, false>(300);
  is_adjoint<bag_mode::max, false>(300);
}

TEST_CASE("embedding_bag_backward: adds to what is there", "[embedding_bag_backward]") {
  floats sums{{1, 1}, {1, 1}, {1, 1}};
  const floats grad{{2, 4}, {8, 16}};
  const ids_t ids{0, 1, 1};
  const std::vector<int> offsets{0, 2};
  embedding_bag_backward<bag_mode::sum>(sums, grad, ids, offsets);
  CHECK(sums == floats{{3, 5}, {11, 21}, {1, 1}});
  embedding_bag_backward(sums, grad, ids, offsets);
  CHECK(sums == floats{{4, 7}, {20, 39}, {1, 1}});
  embedding_bag_backward<bag_mode::sum>(sums, floats{{1, 1}}, tensor<int, 2>{{2, 0}},
                                        padding_idx(0));
  CHECK(sums == floats{{4, 7}, {20, 39}, {2, 2}});
}

TEST_CASE("embedding_bag_backward: a maximum's gradient goes to the first row that attains it",
          "[embedding_bag_backward]") {
  const floats weight{{1, 5}, {3, 5}, {3, 2}};
  floats sums(garner::dims{3, 2});
  embedding_bag_backward<bag_mode::max>(sums, floats{{10, 20}}, weight, tensor<int, 2>{{2, 0, 1}});
  CHECK(sums == floats{{0, 20}, {0, 0}, {10, 0}});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const floats with_nan{{9, 9}, {nan, 1}, {nan, 2}};
  floats other(garner::dims{3, 2});
  embedding_bag_backward<bag_mode::max>(other, floats{{1, 1}}, with_nan, ids_t{0, 1, 2},
                                        std::vector{0});
  CHECK(other == floats{{0, 1}, {1, 0}, {0, 0}});
}

TEST_CASE("embedding_bag_backward: half gradients are added as floats",
          "[embedding_bag_backward][half]") {
  using garner::half;
  const tensor<half, 2> grad{{half(0.5f), half(2)}};
  floats sums(garner::dims{2, 2});
  embedding_bag_backward<bag_mode::sum>(sums, grad, tensor<int, 2>{{1, 1}});
  CHECK(sums == floats{{0, 0}, {1, 4}});
}

TEST_CASE("embedding_bag_backward: agrees with differences of sums and means",
          "[embedding_bag_backward]") {
  tensor<double, 2> weight{{0.5, -1.25}, {2, 0.75}, {-3, 1}};
  const ids_t ids{0, 2, 2, 1};
  const std::vector<int> offsets{0, 3};
  const tensor<double, 2> grad{{1.5, -2}, {0.25, 3}};
  tensor<double, 2> sums(garner::dims{3, 2});
  embedding_bag_backward(sums, grad, ids, offsets);
  const auto loss = [&] {
    const auto out = embedding_bag(weight, ids, offsets);
    double result = 0;
    for (index_t k = 0; k < out.size(); ++k) result += out.data()[k] * grad.data()[k];
    return result;
  };
  for (index_t k = 0; k < weight.size(); ++k) {
    const double x = weight.data()[k];
    weight.data()[k] = x + 1e-3;
    const double above = loss();
    weight.data()[k] = x - 1e-3;
    const double below = loss();
    weight.data()[k] = x;
    CHECK(std::abs((above - below) / 2e-3 - sums.data()[k]) < 1e-9);
  }
}

TEST_CASE(
    "embedding_bag_backward: a table larger than the caches, and no id read that is not there",
    "[embedding_bag_backward]") {
  const index_t rows = 8192, columns = 40, n = 300;
  const test::fenced<std::int64_t> ids(n, test::flush::end);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    ids[k] = static_cast<std::int64_t>(test::mix(k) % static_cast<std::uint64_t>(rows));
  }
  const std::vector<std::int64_t> offsets{0, 100, 150};
  floats grad(garner::dims{3, columns});
  for (index_t j = 0; j < columns; ++j) grad(0, j) = grad(1, j) = grad(2, j) = 1.0f;
  floats sums(garner::dims{rows, columns});
  embedding_bag_backward<bag_mode::sum>(sums, grad, ids.span(), offsets);
  std::vector<float> expected(static_cast<std::size_t>(rows));
  for (auto id : ids) expected[static_cast<std::size_t>(id)] += 1;
  int wrong = 0;
  for (index_t r = 0; r < rows; ++r) {
    for (index_t j = 0; j < columns; ++j) {
      wrong += sums(r, j) != expected[static_cast<std::size_t>(r)];
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("embedding_bag_backward: unless empty, grad_weight may overlap nothing that is read",
          "[embedding_bag_backward][error][overlap]") {
  alignas(16) std::byte memory[16]{};
  const auto numbers = reinterpret_cast<float*>(memory);
  const view<float, 2> sums(numbers, {1, 2});
  const view<const float, 1> shared(numbers, {1});
  const view<const std::int64_t, 1> zeros(reinterpret_cast<std::int64_t*>(memory), {1});
  const floats grad{{2, 4}};
  const tensor<std::int8_t, 2> bytes(garner::dims{1, 2});
  const std::vector<float> one{1};
  const ids_t ids{0};
  const auto sum = [&](const auto&... arguments) {
    return shape_error_of([&] { embedding_bag_backward<bag_mode::sum>(sums, grad, arguments...); });
  };
  const auto max = [&](const auto& table) {
    return shape_error_of(
        [&] { embedding_bag_backward<bag_mode::max>(sums, grad, table, ids, ids); });
  };
  CHECK(sum(zeros, ids) == "embedding_bag_backward: grad_weight overlaps ids");
  CHECK(sum(ids, zeros) == "embedding_bag_backward: grad_weight overlaps offsets");
  CHECK(sum(ids, ids, per_sample_weights(shared)) ==
        "embedding_bag_backward: grad_weight overlaps per_sample_weights");
  CHECK(max(sums) == "embedding_bag_backward: grad_weight overlaps weight");
  CHECK(max(garner::quantized_rows(bytes, shared, one)) ==
        "embedding_bag_backward: grad_weight overlaps the scales");
  CHECK(max(garner::quantized_rows(bytes, one, shared)) ==
        "embedding_bag_backward: grad_weight overlaps the biases");
  CHECK(numbers[0] == 0);
  CHECK(shape_error_of([&] {
          embedding_bag_backward(view<float, 2>(numbers, {1, 2}, {2, 0}), grad, ids, ids);
        }).find("grad_weight overlaps itself") != std::string::npos);
  // Elements 0, 5, 10 and 1, 4, 7, which the test takes for an overlap.
  auto mixed = test::counted<float>(11);
  const view<float, 2> written(mixed.data(), {1, 3}, {1, 5});
  const view<const float, 2> read(mixed.data() + 1, {1, 3}, {1, 3});
  CHECK_THROWS_AS(embedding_bag_backward(written, read, ids, ids), garner::shape_error);
  embedding_bag_backward(written, read, ids, ids, garner::noalias);
  CHECK(mixed == tensor<float, 1>{1, 1, 2, 3, 4, 9, 6, 7, 8, 9, 17});
  std::int64_t several[3] = {0, 1, 2};
  const view<float, 2> nothing(reinterpret_cast<float*>(several + 1), {3, 0}, {0, 0});
  CHECK_NOTHROW(embedding_bag_backward(nothing, floats(garner::dims{1, 0}),
                                       view<const std::int64_t, 1>(several, {3}), ids));
}

TEST_CASE("embedding_bag_backward: a call that throws has written nothing",
          "[embedding_bag_backward][error][promise]") {
  floats sums{{1, 1}, {1, 1}};
  const auto before = sums;
  const floats grad{{2, 4}};
  const std::vector<int> zero{0};
  CHECK(index_error_of([&] {
          embedding_bag_backward(sums, grad, ids_t{0, 2}, zero);
        }) == "embedding_bag_backward: index[1] = 2 is out of range for dim 0 of extent 2");
  CHECK(shape_error_of([&] { embedding_bag_backward(sums, grad, ids_t{0}, std::vector{1}); }) ==
        "embedding_bag_backward: offsets[0] = 1 is not 0");
  CHECK(shape_error_of([&] {
          embedding_bag_backward(sums, grad, ids_t{0}, std::vector{0, 1});
        }) == "embedding_bag_backward: grad_out has shape (1, 2), not (2, 2)");
  CHECK(shape_error_of([&] {
          embedding_bag_backward(sums, sums.slice(0, 0, 1), ids_t{0}, zero);
        }) == "embedding_bag_backward: grad_weight overlaps grad_out");
  CHECK(shape_error_of([&] {
          embedding_bag_backward<bag_mode::max>(sums, grad, floats{{1, 1}}, ids_t{0}, zero);
        }) == "embedding_bag_backward: weight has shape (1, 2), not (2, 2)");
  CHECK(sums == before);
}
