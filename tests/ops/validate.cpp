// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/validate.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <garner/ops/gather.hpp>
#include <garner/ops/index_select.hpp>
#include <garner/ops/take.hpp>
#include <garner/ops/take_along_dim.hpp>

#include "support/agreement.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

namespace {

using garner::from_end;
using garner::tensor;
using garner::validate;
using garner::view;
using test::counted;
using test::index_error_of;
using test::shape_error_of;

using ints = tensor<int, 2>;
using list = tensor<int, 1>;
using indices = tensor<std::int64_t, 1>;

/// Validates c's index for c.expected.extent, and reads through it if it passes.
template <class Index, bool FromEnd>
void validate_and_take(const test::random_call& c, const void* data,
                       const std::function<void(int)>& sink) {
  const view<const Index> index(static_cast<const Index*>(data), c.index.shape, c.index.strides);
  const auto input = counted<int>(c.expected.extent);
  const auto read = [&](const auto& validated) {
    for (int element : garner::take(input, validated)) sink(element);
  };
  if constexpr (FromEnd) {
    read(validate(index, c.expected.extent, from_end));
  } else {
    read(validate(index, c.expected.extent));
  }
}

struct choice {
  const test::element_kind* kind;
  test::wide lowest;
  test::wide highest;
  bool from_end;
  void (*call)(const test::random_call&, const void*, const std::function<void(int)>&);
};

template <class... Index>
std::vector<choice> choices(std::tuple<Index...>*) {
  std::vector<choice> result;
  const auto add = [&]<class I>(I) {
    using limits = std::numeric_limits<I>;
    result.push_back(
        {&test::kind_of<I>, limits::min(), limits::max(), false, validate_and_take<I, false>});
    result.push_back(
        {&test::kind_of<I>, limits::min(), limits::max(), true, validate_and_take<I, true>});
  };
  (add(Index{}), ...);
  return result;
}

test::random_call draw(const std::vector<choice>& all) {
  using namespace test;
  random_call c;
  c.combination = below(all.size());
  const choice& chosen = all[c.combination];
  c.types = std::string(index_names[c.combination / 2]) + (chosen.from_end ? ", from_end" : "");
  c.meaning = {outside::checked, chosen.from_end};
  c.lowest = chosen.lowest;
  c.highest = chosen.highest;
  c.is_flat = true;
  c.input_shape = {random_axis(1000)};
  c.index_shape = random_shape(below<std::size_t>(5), 2000);
  c.input = {c.input_shape, {1}, 0, 0, {}, false};
  c.index = random_placement(c.index_shape, operand::read);
  c.out = {};
  draw_indices(c);
  c.expected = flat_reference(c.input_shape, c.numbers(), c.meaning);
  return c;
}

}  // namespace

TEST_CASE("validate: accepts what the reference accepts, and names what it refuses",
          "[validate][property]") {
  const auto all = choices(static_cast<test::index_types*>(nullptr));
  INFO("seed: " << rc::detail::configuration().testParams.seed);
  const auto calls = rc::gen::exec([&] { return draw(all); });
  test::prop("validate agrees with its reference", 4000, [&] {
    const test::random_call c = *calls;
    test::elements index(*all[c.combination].kind, c.index.size, c.index.side);
    for (test::wide i : c.index_memory) index.push_numbered(static_cast<std::int64_t>(i));
    index.make_read_only();
    std::vector<std::int64_t> taken;
    test::attempt("validate", c, [&] {
      all[c.combination].call(c, test::origin(c.index, index),
                              [&](int element) { taken.push_back(element); });
    });
    RC_ASSERT(taken == c.expected.source);
  });
}

TEST_CASE("validate: one check serves every operation", "[validate]") {
  const auto table = counted<int>(3, 2);
  const indices index{2, 0};
  const auto proven = validate(index, 3);
  CHECK(proven.extent() == 3);
  CHECK(proven.index() == index);
  CHECK(garner::index_select(table, 0, proven) == ints{{4, 5}, {0, 1}});
  CHECK(garner::take(table, proven, 0) == ints{{4, 5}, {0, 1}});
  CHECK(garner::take(table, proven) == list{2, 0});
  CHECK(garner::take_along_dim(table, proven) == list{2, 0});
  CHECK(garner::gather(counted<int>(3), 0, proven) == list{2, 0});
  CHECK(garner::take_along_dim(counted<int>(3), proven, 0) == list{2, 0});
  ints out(garner::dims{2, 2});
  garner::index_select_into(out, table, 0, proven, garner::noalias);
  CHECK(out == ints{{4, 5}, {0, 1}});
}

TEST_CASE("validate: the meaning of negatives is carried along", "[validate][negative]") {
  const indices index{-1, 0, -3};
  const auto input = counted<int>(3);
  const auto proven = validate(index, 3, from_end);
  CHECK(garner::gather(input, 0, proven) ==
        list{2, 0, 0});  // though gather alone rejects negatives
  CHECK(garner::take(input, proven) == list{2, 0, 0});
  const tensor<std::int64_t, 2> tuples{{-1}, {0}, {-3}};
  CHECK(garner::gather_nd(input, validate(tuples, 3, from_end)) == list{2, 0, 0});
  CHECK(index_error_of([&] { validate(index, 3); }) ==
        "validate: index[0] = -1 is out of range for extent 3");
  CHECK(index_error_of([&] { validate(index, 3, garner::reject_negative, garner::checked); }) ==
        "validate: index[0] = -1 is out of range for extent 3");
  CHECK(index_error_of([&] { validate(index, 2, from_end); }) ==
        "validate: index[2] = -3 is out of range for extent 2");
}

TEST_CASE("validate: its index is refused on a shorter axis and accepted on a longer one",
          "[validate][shape]") {
  const indices index{0, -1};
  const auto proven = validate(index, 3, from_end);
  list out{-7, -7};
  CHECK(shape_error_of([&] { garner::gather_into(out, counted<int>(2), 0, proven); }) ==
        "gather: the index was validated for extent 3, but the axis has extent 2");
  CHECK_THROWS_AS(garner::take(counted<int>(2), proven), garner::shape_error);
  CHECK_THROWS_AS(garner::index_select(ints(garner::dims{0, 2}), 0, proven), garner::shape_error);
  CHECK(out == list{-7, -7});
  CHECK(garner::gather(counted<int>(5), 0, proven) == list{0, 4});  // from that axis's end
}

TEST_CASE("validate: later calls do not look again", "[validate][promise]") {
  // An index past the proven extent, but within the axis, tells whether a call compares it with
  // either.
  indices index{1, 1};
  const auto input = counted<int>(10);
  const auto proven = validate(index, 3);
  index(0) = 9;
  CHECK(garner::gather(input, 0, proven) == list{9, 1});
  CHECK(garner::take(input, proven) == list{9, 1});
  // Even one that a check would refuse: the view that is read starts in the middle of its memory.
  index(0) = -1;
  CHECK(garner::gather(input.slice(0, 5), 0, proven) == list{4, 6});
}

TEST_CASE("validate: nothing is in range of an empty axis, and no index needs none",
          "[validate][empty]") {
  const indices zero{0}, nothing(0);
  CHECK(index_error_of([&] { validate(zero, 0); }) ==
        "validate: index[0] = 0 is out of range for extent 0");
  const auto proven = validate(nothing, 0);
  CHECK(garner::take(list(0), proven).is_empty());
  CHECK(garner::take(counted<int>(3), proven).is_empty());
  CHECK(shape_error_of([&] { validate(nothing, -1); }) == "validate: extent -1 is negative");
}

TEST_CASE("validate: every value of a small type passes on a long axis", "[validate][types]") {
  std::array<std::uint8_t, 256> bytes{};
  for (std::size_t k = 0; k < 256; ++k) bytes[k] = static_cast<std::uint8_t>(k);
  CHECK(validate(bytes, 256).extent() == 256);
  CHECK(index_error_of([&] { validate(bytes, 200); }) ==
        "validate: index[200] = 200 is out of range for extent 200");
  const std::array<std::int8_t, 2> ends{-128, 127};
  CHECK(validate(ends, 300, from_end).extent() == 300);
  CHECK(index_error_of([&] { validate(ends, 127, from_end); }) ==
        "validate: index[0] = -128 is out of range for extent 127");
}

TEST_CASE("validate: an expanded index is read once, however long", "[validate][large]") {
  const std::int64_t one = 1;
  const garner::index_t huge = garner::index_t{1} << 30;
  const view<const std::int64_t, 2> index(&one, {huge, huge}, {0, 0});
  CHECK(validate(index, 2).extent() == 2);
  CHECK(index_error_of([&] { validate(index, 1); }) ==
        "validate: index[0,0] = 1 is out of range for extent 1");
}

TEST_CASE("validate: the index's type and rank are kept", "[validate][rank]") {
  const tensor<std::uint16_t, 2> index{{1, 0}};
  const auto proven = validate(index, 2);
  static_assert(std::same_as<decltype(proven.index()), view<const std::uint16_t, 2>>);
  CHECK(garner::gather(ints{{5, 6}}, 1, proven) == ints{{6, 5}});
  const auto any = validate(view<const std::uint16_t>(index), 2);
  static_assert(std::same_as<decltype(any.index()), view<const std::uint16_t>>);
  CHECK(garner::take_along_dim(ints{{5, 6}}, any, 1) == ints{{6, 5}});
}

TEST_CASE("validate: a bad index is found without reading its repetitions", "[validate][large]") {
  const std::int64_t two[] = {0, 9};
  const view<const std::int64_t, 2> index(two, {2, garner::index_t{1} << 40}, {1, 0});
  CHECK(index_error_of([&] { validate(index, 3); }) ==
        "validate: index[1,0] = 9 is out of range for extent 3");
}

TEST_CASE("validate: tells whether an index counts from the end", "[validate][negative]") {
  const std::vector<int> none, front{0, 4}, back{0, -1};
  CHECK_FALSE(validate(none, 5, from_end).has_negatives());
  CHECK_FALSE(validate(front, 5, from_end).has_negatives());
  CHECK_FALSE(validate(front, 5).has_negatives());
  CHECK(validate(back, 5, from_end).has_negatives());
}
