// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/embedding_bag.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/bags.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/fenced.hpp"
#include "support/prop.hpp"
#include "support/tensors.hpp"

#include <garner/ops/validate.hpp>

namespace {

using garner::bag_mode;
using garner::bfloat16;
using garner::embedding_bag;
using garner::embedding_bag_into;
using garner::half;
using garner::index_t;
using garner::padding_idx;
using garner::per_sample_weights;
using garner::quantized_rows;
using garner::tensor;
using garner::view;
using test::index_error_of;
using test::shape_error_of;

using floats = tensor<float, 2>;
using ids_t = tensor<std::int64_t, 1>;

/// One bag's column: the equation.
template <class Number>
Number reduce(bag_mode mode, const std::vector<Number>& values,
              const std::vector<Number>& weights) {
  Number result = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const Number x = weights.empty() ? values[k] : test::rounded_product(weights[k], values[k]);
    if (mode == bag_mode::max) {
      result = k == 0 || x > result || std::isnan(x) ? x : result;
    } else {
      result = result + x;
    }
  }
  if (mode == bag_mode::mean && values.size() > 1) result /= static_cast<Number>(values.size());
  return result;
}

struct plain_options {
  template <class F>
  static void call(const F& f) {
    f();
  }
  static constexpr test::meaning meaning{test::outside::checked, false};
};
struct end_options {
  template <class F>
  static void call(const F& f) {
    f(garner::from_end);
  }
  static constexpr test::meaning meaning{test::outside::checked, true};
};
struct wrap_options {
  template <class F>
  static void call(const F& f) {
    f(garner::wrap, garner::noalias);
  }
  static constexpr test::meaning meaning{test::outside::wrap, false};
};
struct clip_options {
  template <class F>
  static void call(const F& f) {
    f(garner::clip);
  }
  static constexpr test::meaning meaning{test::outside::clip, false};
};

/// Random bags in random layouts agree, bit by bit, with the equation.
template <class T, class Index, class Offset, bag_mode Mode, class Options, bool IsWeighted = false,
          bool IsPadded = false, bool IsSquare = false>
void agree(int cases) {
  constexpr bool is_quantized = sizeof(T) == 1;
  using number = std::conditional_t<is_quantized, float, garner::accumulator_t<T>>;
  constexpr int rank = IsSquare ? 2 : 1;
  test::prop("embedding_bag", cases, [] {
    using namespace test;
    const std::int64_t rows = 1 + below<std::int64_t>(100);
    const std::int64_t columns =
        one_of(extents{0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 130});
    const std::int64_t bags = below<std::int64_t>(20);
    // So few that the last offset fits its type.
    const std::int64_t most = std::numeric_limits<Offset>::max() < 12 * 20 ? 6 : 12;
    const std::int64_t per_bag = below(most);
    auto bounds = random_bounds(bags, per_bag);
    if (IsSquare) {
      for (std::int64_t b = 0; b <= bags; ++b) bounds[static_cast<std::size_t>(b)] = b * per_bag;
    }
    const bool says_last = !IsSquare && once_in(2);
    const std::int64_t n = bounds.back() + (says_last ? below<std::int64_t>(3) : 0);
    placed<T, 2> weight({rows, columns}, operand::read);
    placed<number, 1> scale({rows}, operand::read), bias({rows}, operand::read);
    placed<Index, rank> ids(IsSquare ? extents{bags, per_bag} : extents{n}, operand::read);
    placed<number, rank> weights(IsSquare ? extents{bags, per_bag} : extents{n}, operand::read);
    placed<Offset, 1> offsets({bags + says_last}, operand::written);
    placed<number, 2> out({bags, columns}, operand::written);
    const auto seed = below<std::uint64_t>(1u << 20);
    for (std::size_t k = 0; k < weight.size(); ++k) weight[k] = random_number<T>(seed + k);
    for (std::size_t k = 0; k < scale.size(); ++k) {
      scale[k] = random_number<number>(seed + 7 * k);
      bias[k] = random_number<number>(seed + 11 * k);
    }
    const bool is_tame = Options::meaning.outside == outside::checked;
    for (std::size_t k = 0; k < ids.size(); ++k) {
      const auto raw = static_cast<std::int64_t>(mix(seed + 13 * k) >> 1);
      auto id = raw % rows;
      if (Options::meaning.from_end && raw % 3 == 0) id -= rows;
      if (!is_tame) id = raw % 120 - (std::is_signed_v<Index> ? 60 : 0);
      ids[k] = static_cast<Index>(id);
      weights[k] = random_number<number>(seed + 17 * k);
    }
    for (std::size_t k = 0; k < offsets.size(); ++k) offsets[k] = static_cast<Offset>(bounds[k]);
    const std::int64_t padding = below(rows);
    const std::vector<number> before(out.memory().begin(), out.memory().end());
    weight.memory().make_read_only();
    ids.memory().make_read_only();

    Options::call([&](const auto&... options) {
      const auto with_weight = [&](const auto& table) {
        const auto with_all = [&](const auto&... own) {
          if constexpr (IsSquare) {
            embedding_bag_into<Mode>(out.view(), table, ids.read(), own..., options...);
          } else if (says_last) {
            embedding_bag_into<Mode>(out.view(), table, ids.read(), offsets.read(), options...,
                                     garner::include_last_offset, own...);
          } else {
            embedding_bag_into<Mode>(out.view(), table, ids.read(), offsets.read(), own...,
                                     options...);
          }
        };
        if constexpr (IsWeighted && IsPadded) {
          with_all(per_sample_weights(weights.read()), padding_idx(padding - rows));
        } else if constexpr (IsWeighted) {
          with_all(per_sample_weights(weights.read()));
        } else if constexpr (IsPadded) {
          with_all(padding_idx(padding));
        } else {
          with_all();
        }
      };
      if constexpr (is_quantized) {
        with_weight(quantized_rows(weight.read(), scale.read(), bias.read()));
      } else {
        with_weight(weight.read());
      }
    });

    RC_ASSERT(out.is_kept_between(before));
    for (std::int64_t b = 0; b < bags; ++b) {
      const auto begin = static_cast<std::size_t>(bounds[static_cast<std::size_t>(b)]);
      const auto end = static_cast<std::size_t>(
          b + 1 == bags && !says_last ? n : bounds[static_cast<std::size_t>(b) + 1]);
      for (std::int64_t j = 0; j < columns; ++j) {
        std::vector<number> values, factors;
        for (std::size_t i = begin; i < end; ++i) {
          const auto r = *resolve(ids[i], rows, Options::meaning);
          if (IsPadded && r == padding) continue;
          const auto x = static_cast<number>(weight[static_cast<std::size_t>(r * columns + j)]);
          const auto row = static_cast<std::size_t>(r);
          values.push_back(is_quantized ? rounded_product(scale[row], x) + bias[row] : x);
          if (IsWeighted) factors.push_back(weights[i]);
        }
        const number expected = reduce(Mode, values, factors);
        const number actual = out[static_cast<std::size_t>(b * columns + j)];
        if (!same_bits(expected, actual)) {
          RC_FAIL("out[" + std::to_string(b) + "," + std::to_string(j) +
                  "] = " + std::to_string(actual) + " instead of " + std::to_string(expected));
        }
      }
    }
  });
}

}  // namespace

TEST_CASE("embedding_bag: random sums agree with the equation", "[embedding_bag][property]") {
  agree<float, std::int64_t, std::int64_t, bag_mode::sum, plain_options>(300);
  agree<double, std::int16_t, std::uint8_t, bag_mode::sum, end_options, true>(200);
#ifndef GARNER_TEST_LIGHT
  agree<half, std::uint8_t, std::int32_t, bag_mode::sum, plain_options, true, true>(200);
  agree<float, std::int32_t, std::uint64_t, bag_mode::sum, wrap_options, true, true, true>(200);
#endif
}

TEST_CASE("embedding_bag: random means agree with the equation", "[embedding_bag][property]") {
#ifndef GARNER_TEST_LIGHT
  agree<float, std::int8_t, std::int16_t, bag_mode::mean, end_options, false, true>(300);
#endif
  agree<bfloat16, std::uint64_t, std::uint32_t, bag_mode::mean, clip_options, false, true, true>(
      200);
  agree<std::int8_t, std::int64_t, std::int64_t, bag_mode::mean, plain_options>(200);
}

TEST_CASE("embedding_bag: random maxima agree with the equation", "[embedding_bag][property]") {
  agree<double, std::int64_t, std::uint16_t, bag_mode::max, wrap_options, false, true>(200);
#ifndef GARNER_TEST_LIGHT
  agree<half, std::uint32_t, std::int8_t, bag_mode::max, plain_options>(200);
#endif
  agree<std::uint8_t, std::int32_t, std::int64_t, bag_mode::max, plain_options, false, true, true>(
      200);
}

TEST_CASE("embedding_bag: sum, mean and maximum of rows", "[embedding_bag]") {
  const floats weight{{1, 2}, {3, -4}, {5, 6}};
  const ids_t ids{0, 1, 2, 2};
  const std::vector<int> offsets{0, 2, 2};
  CHECK(embedding_bag<bag_mode::sum>(weight, ids, offsets) == floats{{4, -2}, {0, 0}, {10, 12}});
  CHECK(embedding_bag(weight, ids, offsets) == floats{{2, -1}, {0, 0}, {5, 6}});
  CHECK(embedding_bag<bag_mode::max>(weight, ids, offsets) == floats{{3, 2}, {0, 0}, {5, 6}});
  CHECK(embedding_bag<bag_mode::sum>(weight, tensor<int, 2>{{0, 1}, {2, 2}}) ==
        floats{{4, -2}, {10, 12}});
  const view<const float> any = weight;
  const view<const std::int64_t> any_ids = ids;
  CHECK(embedding_bag<bag_mode::sum>(any, any_ids, offsets) == floats{{4, -2}, {0, 0}, {10, 12}});
}

TEST_CASE("embedding_bag: a maximum may be negative, and an empty bag's is zero",
          "[embedding_bag][empty]") {
  const floats weight{{-1}, {-2}};
  CHECK(embedding_bag<bag_mode::max>(weight, ids_t{1, 0}, std::vector{0, 2}) == floats{{-1}, {0}});
  CHECK(embedding_bag<bag_mode::max>(weight, ids_t{1, 1}, std::vector{0}, padding_idx(1)) ==
        floats{{0}});
}

TEST_CASE("embedding_bag: a maximum propagates NaN, wherever it stands", "[embedding_bag][nan]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  floats weight(garner::dims{3, 33});
  for (index_t j = 0; j < 33; ++j) weight(1, j) = nan;
  for (const auto& ids : {ids_t{0, 1, 2}, ids_t{1, 0, 2}, ids_t{0, 2, 1}}) {
    const auto out = embedding_bag<bag_mode::max>(weight, ids, std::vector{0});
    for (float x : out) CHECK(std::isnan(x));
  }
}

TEST_CASE("embedding_bag: include_last_offset says where the last bag ends", "[embedding_bag]") {
  const floats weight{{1}, {2}, {4}};
  const ids_t ids{0, 1, 2};
  CHECK(embedding_bag<bag_mode::sum>(weight, ids, std::vector{0, 1, 3},
                                     garner::include_last_offset) == floats{{1}, {6}});
  CHECK(embedding_bag<bag_mode::sum>(weight, ids, std::vector{0, 2}, garner::include_last_offset) ==
        floats{{3}});
  CHECK(embedding_bag<bag_mode::sum>(weight, ids, std::vector{0}, garner::include_last_offset)
            .shape() == garner::dims{0, 1});
  CHECK(index_error_of([&] {
          embedding_bag(weight, ids_t{0, 1, 3}, std::vector{0, 2}, garner::include_last_offset);
        }) == "embedding_bag: index[2] = 3 is out of range for dim 0 of extent 3");
}

TEST_CASE("embedding_bag: rows of ids with gaps, and more empty bags than a group holds",
          "[embedding_bag]") {
  const floats weight{{1, 2}, {3, 4}, {5, 6}};
  const tensor<std::int64_t, 2> ids{{0, 1, 9}, {2, 2, 9}};
  CHECK(embedding_bag<bag_mode::sum>(weight, ids.slice(1, 0, 2)) == floats{{4, 6}, {10, 12}});
  const floats factors{{1, 2, 9}, {0, 1, 9}};
  CHECK(embedding_bag<bag_mode::sum>(weight, ids_t{0, 1, 2, 2}.reshape({2, 2}),
                                     per_sample_weights(factors.slice(1, 0, 2))) ==
        floats{{7, 10}, {5, 6}});
  const std::vector<int> offsets(500, 0);
  const auto sums = embedding_bag<bag_mode::sum>(weight, ids_t{0, 1}, offsets);
  CHECK(sums.slice(0, 0, 499) == floats(garner::dims{499, 2}));
  CHECK(sums.slice(0, 499) == floats{{4, 6}});
}

TEST_CASE("embedding_bag: offsets of 64 bits, side by side and apart", "[embedding_bag]") {
  // More bags than a group holds, of 0 to 4 ids; rows of one and of several vectors.
  const garner::index_t count = 200, columns = GENERATE(3, 16, 130);
  floats weight(garner::dims{7, columns});
  for (index_t k = 0; k < weight.size(); ++k) weight.data()[k] = static_cast<float>(k);
  tensor<std::int64_t, 2> offsets(garner::dims{count, 2});
  for (index_t b = 1; b < count; ++b) offsets(b, 0) = offsets(b - 1, 0) + b % 5;
  tensor<std::int64_t, 1> ids(garner::dims{offsets(count - 1, 0) + 3});
  for (index_t i = 0; i < ids.size(); ++i) ids(i) = i * i % 7;
  floats expected(garner::dims{count, columns});
  for (index_t b = 0; b < count; ++b) {
    const index_t end = b + 1 < count ? offsets(b + 1, 0) : ids.size();
    for (index_t i = offsets(b, 0); i < end; ++i) {
      for (index_t j = 0; j < columns; ++j) expected(b, j) += weight(ids(i), j);
    }
  }
  const auto apart = offsets.select(1, 0);
  const tensor<std::int64_t, 1> dense(apart);
  CHECK(embedding_bag<bag_mode::sum>(weight, ids, apart) == expected);
  CHECK(embedding_bag<bag_mode::sum>(weight, ids, dense) == expected);
  CHECK(embedding_bag<bag_mode::sum>(weight, ids, dense, garner::include_last_offset) ==
        expected.slice(0, 0, -1));
}

TEST_CASE("embedding_bag: the stride of an out of one row is never used", "[embedding_bag]") {
  const tensor<float, 2> weight{{1, 2}, {3, 4}, {5, 6}};
  const tensor<int, 1> ids{0, 2}, offsets{0};
  std::array<float, 2> sums{};
  const view<float, 2> out(sums.data(), {1, 2}, {-(index_t{1} << 60), 1});
  garner::embedding_bag_into<bag_mode::sum>(out, weight, ids, offsets);
  CHECK(sums == std::array<float, 2>{6, 8});
}

TEST_CASE("embedding_bag: each malformed list of offsets is named",
          "[embedding_bag][shape][error]") {
  const floats weight{{1}, {2}};
  const ids_t ids{0, 1, 0};
  const auto message = [&](const auto& offsets, const auto&... options) {
    return shape_error_of([&] { embedding_bag(weight, ids, offsets, options...); });
  };
  using garner::include_last_offset;
  CHECK(message(std::vector{1, 2}) == "embedding_bag: offsets[0] = 1 is not 0");
  CHECK(message(std::vector{-1, 2}) == "embedding_bag: offsets[0] = -1 is not 0");
  CHECK(message(std::vector{0, 2, 1}) ==
        "embedding_bag: offsets[2] = 1 is less than offsets[1] = 2");
  CHECK(message(std::vector{0, -1}) ==
        "embedding_bag: offsets[1] = -1 is less than offsets[0] = 0");
  CHECK(message(std::vector{0, 4}) == "embedding_bag: offsets[1] = 4 is past the end of 3 ids");
  CHECK(message(std::vector{0, 9, 1}) == "embedding_bag: offsets[1] = 9 is past the end of 3 ids");
  CHECK(message(std::vector<std::uint64_t>{0, ~std::uint64_t{0}}) ==
        "embedding_bag: offsets[1] = 18446744073709551615 is past the end of 3 ids");
  CHECK(message(std::vector<std::int64_t>{0, std::numeric_limits<std::int64_t>::min()}) ==
        "embedding_bag: offsets[1] = -9223372036854775808 is less than offsets[0] = 0");
  CHECK(message(std::vector{0, 4}, include_last_offset) ==
        "embedding_bag: offsets[1] = 4 is past the end of 3 ids");
  CHECK(message(std::vector<int>{}, include_last_offset) ==
        "embedding_bag: offsets is empty, but its last one is where the last bag ends");
  // Wherever it stands: in a vector, in its tail, at its seam.
  for (index_t n : {2, 7, 8, 9, 33, 100}) {
    for (index_t bad = 1; bad < n; ++bad) {
      const auto expected = "embedding_bag: offsets[" + std::to_string(bad) +
                            "] = 0 is less than offsets[" + std::to_string(bad - 1) + "] = 1";
      tensor<std::int64_t, 1> wide(garner::dims{n});
      tensor<std::uint8_t, 1> narrow(garner::dims{n});
      for (index_t i = 1; i < n; ++i) {
        wide(i) = i < bad ? 1 : i > bad ? 2 : 0;
        narrow(i) = static_cast<std::uint8_t>(wide(i));
      }
      if (bad == 1) continue;  // 0, 0: legal
      REQUIRE(message(wide) == expected);
      REQUIRE(message(narrow) == expected);
    }
  }
  const tensor<int, 1> early{0, 5, 2, 5, 1, 5, 3, 5, 3, 5};
  CHECK(message(early.slice(0, 0, garner::end, 2)) ==
        "embedding_bag: offsets[2] = 1 is less than offsets[1] = 2");
  const tensor<int, 1> twice{0, 5, 2, 5, 1, 5};
  CHECK(message(twice.slice(0, 0, garner::end, 2)) ==
        "embedding_bag: offsets[2] = 1 is less than offsets[1] = 2");
}

TEST_CASE("embedding_bag: shapes that do not fit are named", "[embedding_bag][shape][error]") {
  const floats weight{{1, 2}, {3, 4}};
  const ids_t ids{0, 1, 0};
  const std::vector<int> offsets{0};
  CHECK(shape_error_of([&] { embedding_bag(weight, ids, offsets, padding_idx(2)); }) ==
        "embedding_bag: padding_idx(2) is out of range for 2 rows");
  CHECK(shape_error_of([&] { embedding_bag(weight, ids, offsets, padding_idx(-3)); }) ==
        "embedding_bag: padding_idx(-3) is out of range for 2 rows");
  CHECK(embedding_bag<bag_mode::sum>(weight, ids, offsets, padding_idx(-2)) ==
        embedding_bag<bag_mode::sum>(weight, ids, offsets, padding_idx(0)));
  CHECK(shape_error_of([&] {
          embedding_bag<bag_mode::sum>(weight, ids, offsets,
                                       per_sample_weights(std::vector<float>{1, 2}));
        }) == "embedding_bag: per_sample_weights has shape (2), but ids has (3)");
  floats out(garner::dims{2, 2});
  CHECK(shape_error_of([&] { embedding_bag_into(out, weight, ids, offsets); }) ==
        "embedding_bag: out has shape (2, 2), not (1, 2)");
  const view<const float> flat = garner::as_view(std::as_const(weight)).flatten();
  CHECK(shape_error_of([&] { embedding_bag(flat, ids, offsets); }) ==
        "embedding_bag: weight has shape (4), not 2 dims");
  const view<const std::int64_t> square = ids.reshape({3, 1});
  CHECK(shape_error_of([&] { embedding_bag(weight, square, offsets); }) ==
        "embedding_bag: ids has shape (3, 1), not 1 dim");
  const std::vector<float> one{1};
  const tensor<std::int8_t, 2> bytes(garner::dims{2, 2});
  CHECK(shape_error_of([&] { quantized_rows(bytes, one, one); }) ==
        "quantized_rows: 2 rows, but 1 scales and 1 biases");
  const std::vector<float> two{1, 1};
  CHECK(shape_error_of([&] { quantized_rows(bytes, one, two); }) ==
        "quantized_rows: 2 rows, but 1 scales and 2 biases");
  CHECK(shape_error_of([&] { quantized_rows(bytes, two, one); }) ==
        "quantized_rows: 2 rows, but 2 scales and 1 biases");
}

TEST_CASE("embedding_bag: an id outside is named, padded ones and those of no bag too",
          "[embedding_bag][error]") {
  const floats weight{{1}, {2}};
  CHECK(index_error_of([&] {
          embedding_bag(weight, ids_t{0, -1}, std::vector{0});
        }) == "embedding_bag: index[1] = -1 is out of range for dim 0 of extent 2");
  CHECK(index_error_of([&] {
          embedding_bag(weight, tensor<int, 2>{{0, 1}, {2, 0}}, padding_idx(0));
        }) == "embedding_bag: index[1,0] = 2 is out of range for dim 0 of extent 2");
  CHECK(index_error_of([&] { embedding_bag(weight, ids_t{7}, std::vector<int>{}); }) ==
        "embedding_bag: index[0] = 7 is out of range for dim 0 of extent 2");
  CHECK_THROWS_AS(embedding_bag(floats(garner::dims{0, 3}), ids_t{0}, std::vector{0}),
                  garner::index_error);
}

TEST_CASE("embedding_bag: nothing in, nothing or zeros out", "[embedding_bag][empty]") {
  const floats weight{{1}, {2}};
  CHECK(embedding_bag(weight, ids_t(0), std::vector<int>{}).shape() == garner::dims{0, 1});
  CHECK(embedding_bag(weight, ids_t(0), std::vector{0, 0}) == floats{{0}, {0}});
  CHECK(embedding_bag(floats(garner::dims{0, 2}), ids_t(0), std::vector{0}) == floats{{0, 0}});
  CHECK(embedding_bag(floats(garner::dims{2, 0}), ids_t{1}, std::vector{0}).shape() ==
        garner::dims{1, 0});
  CHECK(embedding_bag(weight, tensor<int, 2>(garner::dims{2, 0})) == floats{{0}, {0}});
}

TEST_CASE("embedding_bag: a call that throws has written nothing",
          "[embedding_bag][error][promise]") {
  auto memory = test::counted<float>(4, 2);
  const auto before = memory;
  auto out = memory.slice(0, 0, 1);
  const floats weight{{1, 2}, {3, 4}};
  const std::vector<int> zero{0};
  CHECK_THROWS_AS(embedding_bag_into(out, weight, ids_t{0, 2}, zero), garner::index_error);
  CHECK_THROWS_AS(embedding_bag_into(out, weight, ids_t{0}, std::vector{1}), garner::shape_error);
  CHECK(shape_error_of([&] { embedding_bag_into(out, memory, ids_t{0}, zero); }) ==
        "embedding_bag: out overlaps weight");
  const std::vector<float> two{1, 2};
  float three[3] = {0, 0, 0};
  CHECK(shape_error_of([&] {
          embedding_bag_into<bag_mode::sum>(view<float, 2>(three, {1, 2}), weight, ids_t{0}, zero,
                                            per_sample_weights(view<float, 1>(three, {1})));
        }) == "embedding_bag: out overlaps per_sample_weights");
  CHECK(shape_error_of([&] {
          embedding_bag_into(view<float, 2>(three, {1, 2}, {0, 0}), weight, ids_t{0}, zero);
        }) == "embedding_bag: out overlaps itself: shape (1, 2) with strides (0, 0)");
  CHECK(memory == before);
  embedding_bag_into(out, memory.slice(0, 2), ids_t{0}, zero);
  CHECK(out == floats{{4, 5}});
}

TEST_CASE("embedding_bag: out may overlap nothing that is read, unless it is empty",
          "[embedding_bag][error][overlap]") {
  alignas(16) std::byte memory[16]{};
  const auto numbers = reinterpret_cast<float*>(memory);
  const view<float, 2> out(numbers, {1, 2});
  const view<const float, 1> shared(numbers, {2});
  const view<const std::int64_t, 1> zeros(reinterpret_cast<std::int64_t*>(memory), {1});
  const floats weight{{1, 2}, {3, 4}};
  const tensor<std::int8_t, 2> bytes(garner::dims{2, 2});
  const std::vector<float> ones{1, 1};
  const ids_t ids{0};
  const auto message = [&](const auto&... arguments) {
    return shape_error_of([&] { embedding_bag_into<bag_mode::sum>(out, arguments...); });
  };
  CHECK(message(weight, zeros, ids) == "embedding_bag: out overlaps ids");
  CHECK(message(weight, ids, zeros) == "embedding_bag: out overlaps offsets");
  CHECK(message(quantized_rows(bytes, shared, ones), ids, ids) ==
        "embedding_bag: out overlaps the scales");
  CHECK(message(quantized_rows(bytes, ones, shared), ids, ids) ==
        "embedding_bag: out overlaps the biases");
  // Elements 0, 5, 10 and 1, 4, 7, which the test takes for an overlap.
  auto mixed = test::counted<float>(11);
  const view<float, 2> written(mixed.data(), {1, 3}, {1, 5});
  const view<const float, 2> read(mixed.data() + 1, {1, 3}, {1, 3});
  CHECK_THROWS_AS(embedding_bag_into(written, read, ids, ids), garner::shape_error);
  embedding_bag_into(written, read, ids, ids, garner::noalias);
  CHECK(mixed == tensor<float, 1>{1, 1, 2, 3, 4, 4, 6, 7, 8, 9, 7});
  const view<float, 2> none(numbers, {1, 0});
  CHECK_NOTHROW(embedding_bag_into(none, floats(garner::dims{2, 0}), ids, ids));
  const ids_t several{0, 1, 0};
  std::int64_t starts[3] = {0, 1, 2};
  const view<float, 2> inside(reinterpret_cast<float*>(starts + 1), {3, 0}, {0, 0});
  CHECK_NOTHROW(embedding_bag_into(inside, floats(garner::dims{2, 0}), several,
                                   view<const std::int64_t, 1>(starts, {3})));
}

TEST_CASE("embedding_bag: a validated index is not checked again", "[embedding_bag][validate]") {
  const floats weight{{1}, {2}};
  const ids_t ids{-1, 0};
  const auto proven = garner::validate(ids, 2, garner::from_end);
  CHECK(embedding_bag<bag_mode::sum>(weight, proven, std::vector{0, 1}) == floats{{2}, {1}});
  CHECK_THROWS_AS(embedding_bag(floats{{1}}, proven, std::vector{0}), garner::shape_error);
}

TEST_CASE("embedding_bag: rows are far if they lie further apart than a near cache is large",
          "[embedding_bag][far]") {
  using garner::detail::is_far;
  const float number = 0;
  const auto rows = [&](index_t count, index_t stride) {
    return view<const float, 2>(&number, {count, index_t{1}}, {stride, index_t{3}});
  };
  CHECK(!is_far(rows(3, 1 << 16)));  // 2^18 bytes between two, 2^19 between all
  CHECK(is_far(rows(3, (1 << 16) + 1)));
  CHECK(is_far(rows(3, -(1 << 16) - 1)));
  CHECK(is_far(rows(1 << 19, 4)));
  CHECK(!is_far(rows(1, 1 << 20)));
  CHECK(!is_far(rows(0, -(1 << 20))));
  CHECK(!is_far(view<const float, 2>(&number, {1 << 20, 0}, {1 << 20, 1})));
}

TEST_CASE("embedding_bag: square bags with gaps between them, no id read that is in none",
          "[embedding_bag][far]") {
  const index_t rows = 20'000, bags = 4, per_bag = 40;
  const floats weight = [] {
    floats x(garner::dims{20'000, 40});
    for (index_t k = 0; k < x.size(); ++k) x.data()[k] = static_cast<float>(k % 31);
    return x;
  }();
  const test::fenced<std::int64_t> memory(bags * (per_bag + 1) - 1, test::flush::end);
  for (std::size_t k = 0; k < memory.size(); ++k) {
    memory[k] = static_cast<std::int64_t>(test::mix(k) % static_cast<std::uint64_t>(rows));
  }
  const view<const std::int64_t, 2> ids(memory.data(), {bags, per_bag}, {per_bag + 1, 1});
  const auto sums = embedding_bag<bag_mode::sum>(weight, ids);
  for (index_t b = 0; b < bags; ++b) {
    for (index_t j = 0; j < 40; ++j) {
      float sum = 0;  // of integers: exact
      for (index_t i = 0; i < per_bag; ++i) sum += weight(ids(b, i), j);
      REQUIRE(sums(b, j) == sum);
    }
  }
}

TEST_CASE("embedding_bag: rows of every type from a table larger than the caches",
          "[embedding_bag][far]") {
  const index_t rows = 9000;
  const auto side = GENERATE(test::flush::begin, test::flush::end);
  const auto check = [&](auto element) {
    using type = decltype(element);
    tensor<type, 2> weight(garner::dims{rows, 70});
    for (index_t i = 0; i < weight.size(); ++i) {
      weight.data()[i] = static_cast<type>(static_cast<float>(i % 113));
    }
    const test::fenced<std::int64_t> list(500, side);  // nothing beside the ids is read
    const view<std::int64_t, 1> ids(list.data(), {500});
    for (index_t i = 0; i < 500; ++i) ids(i) = i * i * 37 % rows;
    const auto out = [&] {
      if constexpr (sizeof(type) == 1) {
        const tensor<float, 1> ones = [&] {
          tensor<float, 1> x(garner::dims{rows});
          for (float& e : x) e = 1;
          return x;
        }();
        return embedding_bag<bag_mode::sum>(quantized_rows(weight, ones, ones),
                                            ids.reshape({50, 10}));
      } else {
        return embedding_bag<bag_mode::sum>(weight, ids.reshape({50, 10}));
      }
    }();
    for (index_t b = 0; b < 50; ++b) {
      for (index_t j = 0; j < 70; ++j) {
        float sum = sizeof(type) == 1 ? 10 : 0;
        for (index_t i = 0; i < 10; ++i)
          sum += static_cast<float>((ids(b * 10 + i) * 70 + j) % 113);
        REQUIRE(static_cast<float>(out(b, j)) == sum);
      }
    }
  };
  check(0.0f);
  check(0.0);
  check(half(0.0f));
  check(bfloat16(0.0f));
  check(std::int8_t{0});
  check(std::uint8_t{0});
}
