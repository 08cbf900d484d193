// SPDX-License-Identifier: BSD-3-Clause
// What elements may hold: any bits, sums that overflow, NaN, bools that are neither 0 nor 1. And
// where they may lie: at any length, at any alignment, against the end of memory.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <garner/garner.hpp>

#include "support/catch.hpp"
#include "support/operation.hpp"
#include "support/problem.hpp"

namespace {

using test::count;
using test::kind;
using test::operation;
using test::problem;
using test::raw_view;

#if defined(__AVX512F__)
constexpr std::int64_t vector_bytes = 64;
#elif defined(__AVX__)
constexpr std::int64_t vector_bytes = 32;
#else
constexpr std::int64_t vector_bytes = 16;
#endif

template <class T, class IsMeant, class F>
void for_each(const IsMeant& is_meant, const F& f) {
  int n = 0;
  for (const operation& op : test::operations<T, std::int64_t>()) {
    if (!is_meant(op)) continue;
    CAPTURE(op.name);
    f(op);
    ++n;
  }
  CHECK(n > 0);
}

bool always(const operation&) { return true; }
bool is_sum(const operation& op) {
  return (op.kind >= kind::sum && op.kind <= kind::amin) || op.kind == kind::add_read;
}
/// Elements keep their bits.
bool is_move(const operation& op) {
  return op.kind == kind::read || op.kind == kind::assign || op.kind == kind::mask ||
         op.kind == kind::topk || op.kind == kind::argsort || op.kind == kind::argmax ||
         op.kind == kind::argmin;
}

/// Elements k, k + 1, ... of a list, over and over.
template <class T, std::size_t N>
void fill_with(const raw_view& x, const std::array<T, N>& list, std::size_t k = 0) {
  const auto n = count(x.shape);
  for (std::int64_t i = 0; i < n; ++i) std::memcpy(x.at(i), &list[k++ % N], sizeof(T));
}

/// All extremes of an integer type on both sides, at lengths that have a tail.
template <class T>
void overflow() {
  using limits = std::numeric_limits<T>;
  constexpr std::array<T, 5> list{limits::max(), limits::min(), T(limits::max() - 1), T(3),
                                  T(limits::max() / 2 + 1)};
  for_each<T>(is_sum, [&](const operation& op) {
    for (const std::int64_t n : {1, 7, 33, 67}) {
      problem p(op, 3, n);
      fill_with(p.table, list);
      fill_with(p.values, list, 2);
      CHECK(p.difference() == "");
    }
  });
}

/// All operands at every distance from a vector's boundary; the last touches the inaccessible page.
template <class T>
void all_lengths_and_alignments() {
  constexpr std::int64_t most = 3 * vector_bytes / static_cast<std::int64_t>(sizeof(T)) + 1;
  for_each<T>(always, [&](const operation& op) {
    for (std::int64_t n = 0; n <= most; ++n) {
      CAPTURE(n);
      problem p(op, 4, n);
      const bool finds_nothing = p.table.is_empty() && op.axis == test::axis::none && op.has_dim;
      if (finds_nothing) continue;
      test::image extra;
      const test::image wanted = op.expect(p, &extra);
      std::vector<raw_view> from;
      std::vector<std::byte*> rooms;
      for (const raw_view* x : p.operands()) {
        from.push_back(*x);
        const auto unit = static_cast<std::int64_t>(x->size);
        rooms.push_back(p.room(count(x->shape) + vector_bytes / unit, x->size));
      }
      for (std::int64_t m = 0; m <= vector_bytes / static_cast<std::int64_t>(sizeof(T)); ++m) {
        std::int64_t factor = 1;  // for each operand another, so that they meet in all ways
        for (std::size_t k = 0; k < from.size(); ++k, factor += 2) {
          raw_view& x = *p.operands()[k];
          const auto unit = static_cast<std::int64_t>(x.size);
          x.data = rooms[k] + m * factor % (vector_bytes / unit + 1) * unit;
          problem::copy(from[k], x);
        }
        const auto difference = p.difference(wanted, extra);
        if (difference != "") FAIL(op.name << ", " << n << ", " << m << ": " << difference);
      }
    }
  });
}

}  // namespace

TEST_CASE("indices that meet are counted exactly, across vectors and tails", "[bad_inputs][sums]") {
  const auto is_meant = [](const operation& op) {
    return op.kind == kind::sum || op.kind == kind::mean || op.kind == kind::add_bag_sum;
  };
  for_each<float>(is_meant, [](const operation& op) {
    for (std::int64_t n = 1; n <= 3 * vector_bytes / 4 + 1; ++n) {
      problem p(op, 4, n);
      const auto many = count(p.index.shape);
      for (std::int64_t k = 0; k < many; ++k) p.set_index(k, k % 17 == 16 ? 1 : 2);
      fill_with(p.values, std::array{1.0f});
      CHECK(p.difference() == "");
    }
  });
  // And one of them by hand: 100 ones to the one element, 50 to the other.
  garner::tensor<float, 1> self{0, 1000};
  garner::tensor<std::int32_t, 1> index(150);
  for (int k = 0; k < 150; ++k) index(k) = k % 3 == 0;
  garner::scatter_add_into(self, 0, index, 1.0f);
  CHECK(self == garner::tensor<float, 1>{100, 1050});
}

TEST_CASE("integers wrap around in sums and products", "[bad_inputs][sums]") {
  overflow<std::int32_t>();   // overflow would be undefined
  overflow<std::uint16_t>();  // a product of two overflows an int
  overflow<std::uint8_t>();
}

TEST_CASE("amax and amin are NaN where a value is, or self where it takes part",
          "[bad_inputs][nan]") {
  using namespace garner;
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float inf = std::numeric_limits<float>::infinity();
  const auto check = [&]<reduce Kind>(float self_value, bool includes, std::vector<float> list,
                                      float wanted) {
    for (const std::size_t filler : {0u, 1u, 15u, 40u}) {  // before and after a vector's worth
      std::vector<float> values = list;
      values.insert(values.begin() + 1, filler, list[0]);
      const std::vector<int> index(values.size(), 1);
      const tensor<float, 1> self{5, self_value, 6};
      const auto by_dim = scatter_reduce<Kind>(self, 0, index, values, include_self(includes));
      const tensor<float, 1> updates(as_view(values));
      tensor<int, 2> places(dims{values.size(), 1});
      for (int& i : places) i = 1;
      const auto by_place = scatter_nd<Kind>(self, places, updates, include_self(includes));
      for (const auto& result : {by_dim, by_place}) {
        CHECK(result(0) == 5);
        CHECK(result(2) == 6);
        CHECK((std::isnan(wanted) ? std::isnan(result(1)) : result(1) == wanted));
        if (wanted == 0) CHECK(std::signbit(result(1)) == std::signbit(wanted));
      }
    }
  };
  const auto both = [&](float self, bool includes, std::vector<float> list, float most,
                        float least) {
    check.template operator()<reduce::amax>(self, includes, list, most);
    check.template operator()<reduce::amin>(self, includes, list, least);
  };
  both(1, true, {2, 3}, 3, 1);
  both(1, false, {2, 3}, 3, 2);
  both(1, true, {2, nan, 3}, nan, nan);
  both(1, true, {nan, 2}, nan, nan);
  both(nan, true, {2, 3}, nan, nan);
  both(nan, false, {2, 3}, 3, 2);
  both(1, false, {2, nan}, nan, nan);
  both(1, true, {inf, -inf}, inf, -inf);
  both(1, false, {-inf}, -inf, -inf);  // not what it begins with
  both(1, false, {inf}, inf, inf);
  both(1, false, {-0.0f, 0.0f}, -0.0f, -0.0f);  // the first stays
  both(1, false, {0.0f, -0.0f}, 0.0f, 0.0f);
  both(-0.0f, true, {0.0f}, -0.0f, -0.0f);
}

TEST_CASE("include_self(false) leaves out what self held, NaN too, only where values arrive",
          "[bad_inputs][nan]") {
  using namespace garner;
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const tensor<float, 1> self{nan, 7, nan};
  const tensor<int, 1> index{0, 0, 1};
  const tensor<float, 1> src{2, 4, 9};
  const auto run = [&]<reduce Kind>() {
    const auto result = scatter_reduce<Kind>(self, 0, index, src, include_self(false));
    CHECK(std::isnan(result(2)));
    CHECK(result(1) == 9);
    return result(0);
  };
  CHECK(run.template operator()<reduce::sum>() == 6);
  CHECK(run.template operator()<reduce::prod>() == 8);
  CHECK(run.template operator()<reduce::mean>() == 3);
  CHECK(run.template operator()<reduce::amax>() == 4);
  CHECK(run.template operator()<reduce::amin>() == 2);
  const auto sum = scatter_reduce<reduce::sum>(tensor<float, 1>{5}, 0, tensor<int, 1>{0},
                                               tensor<float, 1>{-0.0f}, include_self(false));
  CHECK(std::signbit(sum(0)));  // a sum of -0.0 alone is -0.0
}

TEST_CASE("signalling NaNs, payloads, -0.0 and denormals move bit for bit", "[bad_inputs][bits]") {
  constexpr std::array<std::uint32_t, 9> bits{0x7f800001,  // a signalling NaN
                                              0xffa12345, 0x7fc54321, 0xffffffff, 0x80000000,
                                              0x00000001, 0x807fffff, 0x7f800000, 0x3f800000};
  for_each<float>(is_move, [&](const operation& op) {
    for (const std::int64_t n : {1, 5, 19, 67}) {
      problem p(op, 5, n);
      fill_with(p.table, bits);
      if (op.kind != kind::topk && op.written(p).size == 4) fill_with(p.values, bits, 4);
      CHECK(p.difference() == "");
    }
  });
}

TEST_CASE("a bool of any byte moves as that byte, and is true unless it is 0",
          "[bad_inputs][bits]") {
  constexpr std::array<std::uint8_t, 7> bytes{2, 0, 255, 1, 128, 0, 0x40};
  for_each<bool>(is_move, [&](const operation& op) {
    for (const std::int64_t n : {1, 5, 19, 67}) {
      problem p(op, 5, n);
      fill_with(p.table, bytes);
      if (op.written(p).size == 1) fill_with(p.values, bytes, 3);
      CHECK(p.difference() == "");
    }
  });
}

TEST_CASE("a mask of any bytes is true unless they are 0", "[bad_inputs][bits]") {
  const auto is_meant = [](const operation& op) { return op.kind == kind::mask; };
  for_each<float>(is_meant, [](const operation& op) {
    problem p(op);
    const auto n = count(p.index.shape);
    for (std::int64_t k = 0; k < n; ++k) {
      if (*p.index.at(k) != std::byte{0}) *p.index.at(k) = static_cast<std::byte>(1 + k % 255);
    }
    CHECK(p.difference() == "");
  });
}

TEST_CASE("the last byte of a table is read and written, and none behind it",
          "[bad_inputs][memory]") {
  const auto at_the_end = [](const operation& op) {
    for (std::int64_t e = 1; e <= 70; e += e < 20 ? 1 : 7) {
      for (const std::int64_t n : {1, 3, 19, 66}) {
        problem p(op, e, n);  // all operands end at an inaccessible page
        const auto many = count(p.index.shape);
        for (std::int64_t k = 0; op.has_index() && k < many; ++k) {
          p.set_index(k, axis_of(op, p, k).extent - 1 - (k % 5 == 4 ? e / 2 : 0));
        }
        CHECK(p.difference() == "");
      }
    }
  };
  for_each<std::uint8_t>(always, at_the_end);
  for_each<std::uint16_t>(always, at_the_end);
  for_each<garner::half>(always, at_the_end);
  for_each<std::int8_t>(always, at_the_end);
}

TEST_CASE("every length to 3 vectors and 1, at every alignment: 4 bytes", "[bad_inputs][memory]") {
  all_lengths_and_alignments<float>();
}

TEST_CASE("every length to 3 vectors and 1, at every alignment: 1 byte", "[bad_inputs][memory]") {
  all_lengths_and_alignments<std::uint8_t>();
}

TEST_CASE("every length to 3 vectors and 1, at every alignment: 16-bit floats",
          "[bad_inputs][memory]") {
  all_lengths_and_alignments<garner::half>();
  all_lengths_and_alignments<garner::bfloat16>();
}

TEST_CASE("every length to 3 vectors and 1, at every alignment: rows of integers",
          "[bad_inputs][memory]") {
  all_lengths_and_alignments<std::int8_t>();
}
