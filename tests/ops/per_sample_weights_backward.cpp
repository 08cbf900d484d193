// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/per_sample_weights_backward.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <garner/ops/embedding_bag.hpp>

#include "support/bags.hpp"
#include "support/catch.hpp"
#include "support/elements.hpp"
#include "support/errors.hpp"
#include "support/fenced.hpp"
#include "support/prop.hpp"
#include "support/tensors.hpp"

namespace {

using garner::bag_mode;
using garner::embedding_bag;
using garner::half;
using garner::index_t;
using garner::padding_idx;
using garner::per_sample_weights;
using garner::per_sample_weights_backward;
using garner::tensor;
using garner::view;
using test::index_error_of;
using test::shape_error_of;

using floats = tensor<float, 2>;
using ids_t = tensor<std::int64_t, 1>;

/// By plain loops, in the order that docs/semantics.md says: 16 sums, added by halves.
template <class Number, class Row, class Grad>
Number plain_product(const Row& row, const Grad& grad) {
  Number sums[16] = {};
  for (std::size_t c = 0; c < row.size(); ++c) {
    volatile Number product = row[c] * grad[c];  // rounded before it is added
    sums[c % 16] = sums[c % 16] + product;
  }
  for (std::size_t n = 8; n > 0; n /= 2) {
    for (std::size_t j = 0; j < n; ++j) sums[j] = sums[j] + sums[j + n];
  }
  return sums[0];
}

/// Against plain loops bit for bit, rows of any layout between inaccessible pages; memory beside
/// grad_factors is left alone.
template <class Stored, class Grad, class Index>
void agrees(int cases) {
  using number = std::conditional_t<std::is_same_v<Stored, double>, double, float>;
  test::prop("plain loops", cases, [] {
    using namespace test;
    const std::int64_t rows = 1 + below<std::int64_t>(9);
    const std::int64_t columns = one_of(extents{0, 1, 7, 15, 16, 17, 33, 64, 70, 300});
    const std::int64_t bags = below<std::int64_t>(9);
    const auto bounds = random_bounds(bags, 70);
    const std::int64_t size = bounds.back() + below<std::int64_t>(3);  // some belong to no bag
    placed<Stored, 2> weight({rows, columns}, operand::read);
    placed<Grad, 2> grad({bags, columns}, operand::read);
    placed<Index, 1> ids({size}, operand::read);
    placed<number, 1> factors({size}, operand::written);
    const auto seed = below<std::uint64_t>(1u << 20);
    const auto draw = [&](const auto& x, std::uint64_t salt, auto as) {
      for (std::size_t k = 0; k < x.size(); ++k) {
        const auto bits = static_cast<double>(mix(seed + salt * k) % 2001) - 1000;
        x[k] = static_cast<decltype(as)>(static_cast<float>(bits / 128));
      }
    };
    draw(weight, 3, Stored{});
    draw(grad, 5, Grad{});
    draw(factors, 7, number{});
    for (std::size_t k = 0; k < ids.size(); ++k) {
      ids[k] = static_cast<Index>(mix(seed + 11 * k) % static_cast<std::uint64_t>(rows));
    }
    const std::vector<std::int64_t> offsets(bounds.begin(), bounds.end());
    const auto padding = below(rows);
    const std::vector<number> before(factors.memory().begin(), factors.memory().end());
    std::vector<number> wanted;
    for (std::size_t k = 0; k < factors.size(); ++k) wanted.push_back(factors[k]);
    const auto width = static_cast<std::size_t>(columns);
    for (std::size_t b = 0; b + 1 < bounds.size(); ++b) {
      for (auto i = static_cast<std::size_t>(bounds[b]); std::cmp_less(i, bounds[b + 1]); ++i) {
        if (std::cmp_equal(ids[i], padding)) continue;
        std::vector<number> row, other;
        for (std::size_t c = 0; c < width; ++c) {
          row.push_back(static_cast<number>(weight[static_cast<std::size_t>(ids[i]) * width + c]));
          other.push_back(static_cast<number>(grad[b * width + c]));
        }
        wanted[i] = wanted[i] + plain_product<number>(row, other);
      }
    }
    per_sample_weights_backward(factors.view(), grad.read(), weight.read(), ids.read(), offsets,
                                garner::include_last_offset, padding_idx(padding));
    RC_ASSERT(factors.is_kept_between(before));
    for (std::size_t k = 0; k < factors.size(); ++k) RC_ASSERT(factors[k] == wanted[k]);
  });
}

}  // namespace

TEST_CASE("per_sample_weights_backward: agrees with plain loops",
          "[per_sample_weights_backward][property]") {
  agrees<float, float, std::int64_t>(300);
  agrees<double, double, std::int32_t>(300);
  agrees<half, float, std::uint8_t>(100);
  agrees<float, garner::bfloat16, std::int16_t>(100);
}

TEST_CASE("per_sample_weights_backward: is the adjoint of embedding_bag by its factors",
          "[per_sample_weights_backward]") {
  const tensor<double, 2> weight{{1, 2, 3}, {-4, 5, 6}, {7, -8, 9}};
  const tensor<double, 2> grad{{2, -1, 3}, {5, 4, -6}};
  const ids_t ids{0, 2, 2, 1, 0};
  const tensor<double, 1> factors{3, -2, 5, 7, 11};
  const std::vector<int> offsets{0, 3};
  const auto out = embedding_bag<bag_mode::sum>(weight, ids, offsets, per_sample_weights(factors));
  double forward = 0, back = 0;
  for (index_t k = 0; k < out.size(); ++k) forward += out.data()[k] * grad.data()[k];
  tensor<double, 1> sums(garner::dims<1>{5});
  per_sample_weights_backward(sums, grad, weight, ids, offsets);
  for (index_t k = 0; k < sums.size(); ++k) back += sums(k) * factors(k);
  CHECK(forward == back);
}

TEST_CASE("per_sample_weights_backward: agrees with differences", "[per_sample_weights_backward]") {
  const tensor<double, 2> weight{{0.5, -1.25}, {2, 0.75}, {-3, 1}};
  const tensor<double, 2> grad{{1.5, -2}, {0.25, 3}};
  const ids_t ids{0, 2, 2, 1};
  const std::vector<int> offsets{0, 3};
  tensor<double, 1> factors{1, -0.5, 2, 0.25};
  tensor<double, 1> sums(garner::dims<1>{4});
  per_sample_weights_backward(sums, grad, weight, ids, offsets);
  const auto loss = [&] {
    const auto out =
        embedding_bag<bag_mode::sum>(weight, ids, offsets, per_sample_weights(factors));
    double result = 0;
    for (index_t k = 0; k < out.size(); ++k) result += out.data()[k] * grad.data()[k];
    return result;
  };
  for (index_t i = 0; i < factors.size(); ++i) {
    const double at = factors(i);
    factors(i) = at + 0.5;
    const double above = loss();
    factors(i) = at - 0.5;
    const double difference = above - loss();
    factors(i) = at;
    CHECK(std::abs(difference - sums(i)) < 1e-12);
  }
}

TEST_CASE("per_sample_weights_backward: adds to what is there, square bags and quantized rows too",
          "[per_sample_weights_backward]") {
  const floats weight{{1, 2}, {3, 4}};
  const floats grad{{1, 10}, {100, 1000}};
  const tensor<int, 2> ids{{0, 1}, {1, 0}};
  floats sums{{1, 1}, {1, 1}};
  per_sample_weights_backward(sums, grad, weight, ids);
  CHECK(sums == floats{{22, 44}, {4301, 2101}});
  per_sample_weights_backward(sums.transpose(0, 1), grad, weight, ids, padding_idx(-1));
  CHECK(sums == floats{{43, 44}, {4301, 4201}});
  const tensor<std::int8_t, 2> bytes{{1, -2}, {3, 4}};
  const tensor<float, 1> scale{2, 0.5f};
  const tensor<float, 1> bias{1, -1};
  floats other{{0, 0}, {0, 0}};
  per_sample_weights_backward(other, grad, garner::quantized_rows(bytes, scale, bias), ids);
  CHECK(other == floats{{-27, 10.5f}, {1050, -2700}});
}

TEST_CASE("per_sample_weights_backward: a far table of long rows, and no id read that is not there",
          "[per_sample_weights_backward]") {
  const floats weight = [] {
    floats x(garner::dims{20'000, 300});
    for (index_t k = 0; k < x.size(); ++k) x.data()[k] = static_cast<float>(k % 17);
    return x;
  }();
  floats grad(garner::dims{10, 300});
  for (index_t k = 0; k < grad.size(); ++k) grad.data()[k] = static_cast<float>(k % 7);
  const test::fenced<int> memory(900, GENERATE(test::flush::begin, test::flush::end));
  for (std::size_t k = 0; k < memory.size(); ++k) memory[k] = static_cast<int>(k * 7919 % 20'000);
  const view<const int, 2> ids(memory.data(), {10, 90});
  floats sums(garner::dims{10, 90});
  per_sample_weights_backward(sums, grad, weight, ids);
  for (index_t b = 0; b < 10; ++b) {
    for (index_t i = 0; i < 90; ++i) {
      float sum = 0;  // of integers: exact
      for (index_t c = 0; c < 300; ++c) sum += weight(ids(b, i), c) * grad(b, c);
      REQUIRE(sums(b, i) == sum);
    }
  }
}

TEST_CASE("per_sample_weights_backward: a call that throws has written nothing",
          "[per_sample_weights_backward][error][promise]") {
  const floats weight{{1, 1}, {1, 1}};
  const floats grad{{2, 4}};
  const std::vector<int> zero{0};
  tensor<float, 1> sums{1, 1};
  const auto run = [&](const auto& ids, const auto&... rest) {
    per_sample_weights_backward(sums, grad, weight, ids, rest...);
  };
  CHECK(index_error_of([&] {
          run(ids_t{0, 2}, zero);
        }) == "per_sample_weights_backward: index[1] = 2 is out of range for dim 0 of extent 2");
  CHECK(index_error_of([&] {
          run(ids_t{0, -1}, zero);
        }).find("index[1] = -1") != std::string::npos);
  CHECK(shape_error_of([&] {
          run(ids_t{0, 1}, std::vector{1});
        }) == "per_sample_weights_backward: offsets[0] = 1 is not 0");
  CHECK(shape_error_of([&] {
          run(ids_t{0, 1}, zero, padding_idx(2));
        }) == "per_sample_weights_backward: padding_idx(2) is out of range for 2 rows");
  CHECK(shape_error_of([&] { run(ids_t{0}, zero); }) ==
        "per_sample_weights_backward: grad_factors has shape (2), but ids has (1)");
  CHECK(shape_error_of([&] {
          run(ids_t{0, 1}, std::vector{0, 1});
        }) == "per_sample_weights_backward: grad_out has shape (1, 2), not (2, 2)");
  CHECK(sums == tensor<float, 1>{1, 1});
  run(ids_t{0, -1}, zero, garner::from_end);
  CHECK(sums == tensor<float, 1>{7, 7});
}

TEST_CASE("per_sample_weights_backward: what it writes must not be what it reads",
          "[per_sample_weights_backward][error]") {
  float numbers[4] = {};
  const view<float, 2> shared(numbers, {2, 2});
  const view<float, 1> to(numbers, {2});
  const floats two{{1, 1}, {1, 1}};
  const ids_t ids{0, 1};
  const std::vector<int> offsets{0, 1};
  const tensor<std::int8_t, 2> bytes{{1, 1}, {1, 1}};
  const tensor<float, 1> ones{1, 1};
  const auto refusal = [&](const auto& grad, const auto& weight) {
    return shape_error_of([&] { per_sample_weights_backward(to, grad, weight, ids, offsets); });
  };
  CHECK(refusal(shared, two) == "per_sample_weights_backward: grad_factors overlaps grad_out");
  CHECK(refusal(two, shared) == "per_sample_weights_backward: grad_factors overlaps weight");
  CHECK(refusal(two, garner::quantized_rows(bytes, to, ones)) ==
        "per_sample_weights_backward: grad_factors overlaps the scales");
  CHECK(refusal(two, garner::quantized_rows(bytes, ones, to)) ==
        "per_sample_weights_backward: grad_factors overlaps the biases");
  alignas(16) std::byte memory[16]{};
  const view<float, 1> factors(reinterpret_cast<float*>(memory), {2});
  const view<const std::int64_t, 1> zeros(reinterpret_cast<std::int64_t*>(memory), {2});
  CHECK(shape_error_of([&] {
          per_sample_weights_backward(factors, two, two, zeros, offsets);
        }) == "per_sample_weights_backward: grad_factors overlaps ids");
  CHECK(shape_error_of([&] {
          per_sample_weights_backward(factors, two, two, ids, zeros);
        }) == "per_sample_weights_backward: grad_factors overlaps offsets");
  CHECK(shape_error_of([&] {
          per_sample_weights_backward(view<float, 1>(numbers, {2}, {0}), two, two, ids, offsets);
        }).find("grad_factors overlaps itself") != std::string::npos);
  CHECK(numbers[0] == 0);
  per_sample_weights_backward(to, shared, two, ids, offsets, garner::noalias);
  CHECK(numbers[1] == 0);
}

TEST_CASE("per_sample_weights_backward: nothing to add changes no bit",
          "[per_sample_weights_backward][empty]") {
  tensor<float, 1> sums{-0.0f, -0.0f};
  const floats no_columns(garner::dims{2, 0});
  per_sample_weights_backward(sums, no_columns, no_columns, ids_t{0, 1}, std::vector{0, 1});
  CHECK(std::signbit(sums(0)));
  CHECK(std::signbit(sums(1)));
  float number = 1;
  const view<float, 2> nothing(&number, {2, 0}, {0, 0});
  const view<const float, 2> around(&number, {1, 1});
  per_sample_weights_backward(nothing, floats(garner::dims{2, 1}), around,
                              tensor<int, 2>(garner::dims{2, 0}));
  CHECK(number == 1);
}
