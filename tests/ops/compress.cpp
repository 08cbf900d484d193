// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/compress.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/placed.hpp"
#include "support/prop.hpp"
#include "support/tensors.hpp"

namespace {

using garner::compress;
using garner::compress_into;
using garner::tensor;
using garner::view;
using test::counted;
using test::index_error_of;
using test::shape_error_of;

using ints = tensor<int, 2>;
using list = tensor<int, 1>;
using bools = std::vector<std::uint8_t>;

/// A mask of about `extent` bytes, all 0 past it.
test::placed<std::uint8_t> random_list(std::int64_t extent) {
  const auto n = test::once_in(2) ? extent : test::below(extent + 4);
  test::placed<std::uint8_t> result({n}, test::operand::written);
  std::mt19937_64 next(test::below<std::uint64_t>(1u << 30));
  for (auto& x : result.memory) x = static_cast<std::uint8_t>(next() % 2 ? next() % 256 : 0);
  const auto offsets = result.where.offsets();
  for (auto i = static_cast<std::size_t>(extent); i < offsets.size(); ++i) {
    result.memory[offsets[i]] = 0;
  }
  result.memory.make_read_only();
  return result;
}

template <class T, int Rank = garner::dynamic_rank>
void agree(int cases) {
  test::prop("compress agrees with a loop", cases, [] {
    constexpr int out_rank = Rank == 0 ? 1 : Rank;
    auto l = test::random_lined(Rank);
    const auto x = test::random_numbers<T>(l.shape);
    const auto values = x.elements();
    const auto in = x.template view<Rank>();
    const bool is_flat = test::once_in(3);
    if (is_flat || l.shape.empty()) l.shape = {test::count(l.shape)};
    if (is_flat) l.axis = 0;
    const auto bytes = random_list(l.extent());
    const auto stays = bytes.elements();
    std::vector<T> expected;
    test::for_each_place(l.shape, [&](const auto& at) {
      const auto i = static_cast<std::size_t>(at[l.axis]);
      if (i < stays.size() && stays[i] != 0) {
        expected.push_back(values[static_cast<std::size_t>(test::number_of(at, l.shape))]);
      }
    });
    const auto kept = static_cast<std::int64_t>(
        std::count_if(stays.begin(), stays.end(), [](auto b) { return b != 0; }));
    const auto shape = l.with_extent(kept);
    const auto mask = bytes.template view<1>();
    const T blank{};
    auto out = test::blank_out<T>(shape, blank);
    if (is_flat) {
      test::check_result(compress(mask, in), shape, expected);
      compress_into(out.view(), mask, in);
    } else {
      test::check_result(compress(mask, in, l.dim), shape, expected);
      compress_into(out.template view<out_rank>(), mask, in, l.dim, garner::noalias);
    }
    test::check_written(out, expected, blank);
  });
}

}  // namespace

TEST_CASE("compress: random calls agree with a loop", "[compress][property]") {
  agree<float>(500);
  agree<std::uint8_t>(200);
  agree<double>(200);
  agree<std::string>(200);
}

TEST_CASE("compress: random calls of static rank agree with a loop", "[compress][property]") {
  agree<float, 0>(20);
  agree<float, 1>(200);
  agree<std::int16_t, 3>(200);
}

TEST_CASE("compress: NumPy's examples", "[compress]") {
  const ints x{{1, 2}, {3, 4}, {5, 6}};
  static_assert(std::same_as<decltype(compress(bools{0, 1}, x, 0)), ints>);
  static_assert(std::same_as<decltype(compress(bools{0, 1}, x)), list>);
  CHECK(compress(bools{0, 1}, x, 0) == ints{{3, 4}});
  CHECK(compress(bools{0, 1, 1}, x, 0) == ints{{3, 4}, {5, 6}});
  CHECK(compress(tensor<bool, 1>{false, true}, x, 1) == ints{{2}, {4}, {6}});
  CHECK(compress(bools{0, 1}, x) == list{2});
  CHECK(compress(bools{0, 1, 0, 0, 1}, x.transpose(0, 1)) == list{3, 4});
}

TEST_CASE("compress: a mask that is true past the end names the place", "[compress][error]") {
  const ints x{{1, 2}, {3, 4}};
  CHECK(compress(bools{1, 0, 0, 0}, x, 1) == ints{{1}, {3}});
  CHECK(index_error_of([&] {
          compress(bools{1, 0, 0, 1}, x, 1);
        }) == "compress: index[3] = 3 is out of range for dim 1 of extent 2");
  CHECK(index_error_of([&] {
          compress(bools{0, 0, 0, 0, 5}, x);
        }) == "compress: index[4] = 4 is out of range for extent 4");
  list none(0);
  CHECK(index_error_of([&] {
          compress_into(none, bools{0, 0, 0, 0, 5}, x);
        }) == "compress: index[4] = 4 is out of range for extent 4");
}

TEST_CASE("compress: more slices than are selected at once", "[compress][large]") {
  const auto x = counted<int>(3000, 2);
  std::vector<std::uint8_t> mask(3000, 1);
  CHECK(compress(mask, x, 0) == x);
  mask[1000] = 0;
  const auto result = compress(mask, x, 0);
  REQUIRE(result.shape() == garner::dims{2999, 2});
  CHECK(result.slice(0, 0, 1000) == x.slice(0, 0, 1000));
  CHECK(result.slice(0, 1000) == x.slice(0, 1001));
  CHECK(compress(mask, x.transpose(0, 1), 1) == result.transpose(0, 1));
  CHECK(compress(std::vector<std::uint8_t>(3000, 0), x.transpose(0, 1), 1).is_empty());
  for (std::size_t i = 512; i < 3000; ++i) mask[i] = 0;  // nothing after a whole block
  CHECK(compress(mask, x.transpose(0, 1), 1) == x.slice(0, 0, 512).transpose(0, 1));
  const auto wide = counted<int>(80, 80);
  CHECK(compress(std::vector<std::uint8_t>(6400, 1), wide.transpose(0, 1).slice(0, 0, 80)) ==
        tensor<int, 2>(wide.transpose(0, 1)).flatten());
}

TEST_CASE("compress: empty and 0-d", "[compress][empty]") {
  CHECK(compress(bools{}, counted<int>(3, 2), 0).shape() == garner::dims{0, 2});
  CHECK(compress(bools{0, 0}, tensor<int, 2>({0, 2}), 0).shape() == garner::dims{0, 2});
  CHECK(compress(bools{1, 1}, tensor<int, 2>({2, 0}), 0).shape() == garner::dims{2, 0});
  static_assert(std::same_as<decltype(compress(bools{1}, tensor<int, 0>(5), 0)), list>);
  CHECK(compress(bools{1}, tensor<int, 0>(5), 0) == list{5});
  CHECK(compress(bools{0}, tensor<int, 0>(5)) == list(0));
}

TEST_CASE("compress: out and mask in one memory", "[compress][overlap][noalias]") {
  tensor<std::uint8_t, 1> memory{9, 1, 9, 9, 1};
  const tensor<std::uint8_t, 1> x{4, 5};
  const auto mask = memory.slice(0, 1, 5, 3);
  const auto out = memory.slice(0, 0, 3, 2);  // apart, but too twisted for the check to see
  CHECK(shape_error_of([&] { compress_into(out, mask, x, 0); }) ==
        "compress: out overlaps the mask");
  compress_into(out, mask, x, 0, garner::noalias);
  CHECK(memory == tensor<std::uint8_t, 1>{4, 1, 5, 9, 1});
  tensor<std::uint8_t, 1> none{0, 0};
  compress_into(none.slice(0, 0, 0), none, x);  // no element overlaps nothing
}

TEST_CASE("compress: errors, before anything is written", "[compress][error][promise]") {
  auto x = counted<int>(2, 3);
  ints out({2, 2});
  CHECK(shape_error_of([&] { compress(bools{1}, x, 2); }) ==
        "compress: dim 2 is out of range for a tensor of 2 dims");
  const tensor<bool, 2> square({2, 2});
  CHECK(shape_error_of([&] { compress(view<const bool>(square), x, 1); }) ==
        "compress: mask has shape (2, 2), not one dim");
  CHECK(shape_error_of([&] { compress_into(out, bools{1}, x, 1); }) ==
        "compress: out has shape (2, 2), but the result has shape (2, 1)");
  CHECK(shape_error_of([&] {
          compress_into(x.slice(1, 1), bools{1, 1, 0}, x, 1);
        }) == "compress: out overlaps the input");
  CHECK(index_error_of([&] {
          compress_into(out, bools{1, 1, 0, 1}, x, 1);
        }) == "compress: index[3] = 3 is out of range for dim 1 of extent 3");
  tensor<std::uint8_t, 1> mask{1, 0, 1};
  CHECK(shape_error_of([&] {
          compress_into(mask.slice(0, 1), mask, tensor<std::uint8_t, 1>{4, 5, 6});
        }) == "compress: out overlaps the mask");
  CHECK(out == ints({2, 2}));
  CHECK(x == counted<int>(2, 3));
  CHECK(mask == tensor<std::uint8_t, 1>{1, 0, 1});
}
