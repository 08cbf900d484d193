// SPDX-License-Identifier: BSD-3-Clause
// Indices outside the axis, for every operation that takes one: an index_error that names the
// operation, the position and the value, with nothing written. Beside them, indices that only look
// wrong.
#include <array>
#include <cstdint>
#include <limits>

#include "support/catch.hpp"
#include "support/operation.hpp"
#include "support/problem.hpp"
#include "support/prop.hpp"

namespace {

using test::count;
using test::kind;
using test::operation;
using test::problem;
using test::wide;

using limits = std::numeric_limits<std::int64_t>;

/// Calls f(operation) for all that take an index of this type.
template <class Index, class F>
void for_each_indexed(const F& f) {
  int n = 0;
  for (const operation& op : test::operations_by<Index>()) {
    if (!op.has_index()) continue;
    CAPTURE(op.name);
    f(op);
    ++n;
  }
  CHECK(n > 30);
}

/// Puts one bad value at one place of a legal index.
template <class Index>
void refuse_everywhere(wide value) {
  CAPTURE(test::text_of(value));
  for_each_indexed<Index>([&](const operation& op) {
    problem p(op);
    const auto n = count(p.index.shape);
    for (const std::int64_t k : {std::int64_t{0}, n / 2, n - 1}) {
      p.fill_index();
      p.set_index(k, value);
      CHECK(p.refusal_of_index(k) == "");
    }
  });
}

}  // namespace

TEST_CASE("every operation does what plain loops do", "[bad_inputs]") {
  for (const operation& op : test::operations_by<std::int64_t>()) {
    CAPTURE(op.name);
    CHECK(problem(op).difference() == "");
  }
}

TEST_CASE("an index equal to the extent is refused", "[bad_inputs][index]") {
  for_each_indexed<std::int64_t>([](const operation& op) {
    problem p(op);
    for (std::int64_t k = 0; k < count(p.index.shape); ++k) {
      p.fill_index();
      p.set_index(k, axis_of(op, p, k).extent);
      CHECK(p.refusal_of_index(k) == "");
    }
  });
}

TEST_CASE("one bad index in lane 0 is refused", "[bad_inputs][index]") {
  for_each_indexed<std::int64_t>([](const operation& op) {
    problem p(op, 4, 64);
    for (std::int64_t k = 0; k < count(p.index.shape); k += 8) {
      p.fill_index();
      p.set_index(k, 1000);
      CHECK(p.refusal_of_index(k) == "");
    }
  });
}

TEST_CASE("one bad index in the scalar tail is refused", "[bad_inputs][index]") {
  for_each_indexed<std::int64_t>([](const operation& op) {
    for (std::int64_t n = 1; n <= 17; ++n) {
      problem p(op, 4, n);
      const auto last = count(p.index.shape) - 1;
      p.set_index(last, 1000);
      CHECK(p.refusal_of_index(last) == "");
    }
  });
}

TEST_CASE("one bad index in the last row is refused, whatever the layout", "[bad_inputs][index]") {
  using test::placing;
  for_each_indexed<std::int64_t>([](const operation& op) {
    for (const auto how : {placing::reversed, placing::spread, placing::transposed}) {
      problem p(op);
      const auto n = count(p.index.shape);
      const auto row = n - (p.index.shape.size() > 1 ? p.index.shape.back() : 1);
      p.set_index(row, -1000);
      p.place(p.index, how);
      CHECK(p.refusal_of_index(row) == "");
    }
  });
}

TEST_CASE("of several bad indices the first in row-major order is named", "[bad_inputs][index]") {
  for_each_indexed<std::int64_t>([](const operation& op) {
    problem p(op);
    const auto n = count(p.index.shape);
    p.set_index(n - 1, 99);
    p.set_index(n / 2, -99);
    p.place(p.index, test::placing::transposed);
    CHECK(p.refusal_of_index(n / 2) == "");
  });
}

TEST_CASE("indices at the extremes of 64 bits are refused, not truncated", "[bad_inputs][index]") {
  const wide power = wide{1} << 32;
  for (const wide value : {wide{limits::min()}, wide{limits::min()} + 1, wide{limits::max()}, power,
                           -power, power + 1, -power + 1, (power << 16) + 1, (power << 31) + 1}) {
    refuse_everywhere<std::int64_t>(value);
  }
}

#ifndef GARNER_TEST_LIGHT
TEST_CASE("uint32 indices of 2^31 and 2^32-1 are refused", "[bad_inputs][index]") {
  for (const wide value : {wide{1} << 31, (wide{1} << 31) + 1, (wide{1} << 32) - 1}) {
    refuse_everywhere<std::uint32_t>(value);
  }
}

TEST_CASE("uint64 indices of 2^63 and 2^64-1 are refused, not taken for negative",
          "[bad_inputs][index]") {
  for (const wide value :
       {wide{1} << 63, (wide{1} << 63) + 1, (wide{1} << 64) - 1, (wide{1} << 32) + 1}) {
    refuse_everywhere<std::uint64_t>(value);
  }
}

TEST_CASE("a uint8 index of 255 is refused on 4 entries", "[bad_inputs][index]") {
  refuse_everywhere<std::uint8_t>(255);
  refuse_everywhere<std::uint8_t>(128);
}

TEST_CASE("uint8 indices of 128 to 255 are legal on 256 entries", "[bad_inputs][index]") {
  for_each_indexed<std::uint8_t>([](const operation& op) {
    problem p(op, 256, 130);
    const auto n = count(p.index.shape);
    for (std::int64_t k = 0; k < n; ++k) p.set_index(k, 128 + k % 128);
    CHECK(p.difference() == "");
  });
}

TEST_CASE("an int8 index of -1 is the last of 300 entries", "[bad_inputs][index]") {
  for_each_indexed<std::int8_t>([](const operation& op) {
    problem p(op, 300, 70);
    const auto n = count(p.index.shape);
    for (std::int64_t k = 0; k < n; ++k) p.set_index(k, -1 - k % 128);
    CHECK(p.difference() == "");
  });
}
#endif

TEST_CASE("wrap and clip take the extremes of 64 bits in constant time", "[bad_inputs][options]") {
  for (const auto how : {test::outside::wrap, test::outside::clip}) {
    for_each_indexed<std::int64_t>([&](const operation& op) {
      if (op.kind == kind::validate || !op.takes_outside) return;
      problem p(op, 5, 67);
      p.outside = how;
      const auto n = count(p.index.shape);
      const wide extremes[] = {limits::min(),
                               limits::max(),
                               limits::min() + 1,
                               limits::max() - 1,
                               -1,
                               5,
                               -(wide{1} << 32) - 2,
                               12};
      for (std::int64_t k = 0; k < n; ++k) p.set_index(k, extremes[k % 8]);
      CHECK(p.difference() == "");
    });
  }
}

TEST_CASE("an empty axis has no legal index, under wrap and clip neither",
          "[bad_inputs][options][empty]") {
  for (const auto how : {test::outside::checked, test::outside::wrap, test::outside::clip}) {
    for_each_indexed<std::int64_t>([&](const operation& op) {
      problem p(op, 0, 5);
      if (op.kind == kind::validate && how != test::outside::checked) return;
      if (p.table.shape.back() == 5 && op.axis == test::axis::last) return;  // is not empty
      p.outside = how;
      CHECK(p.refusal_of_index(0) == "");
    });
  }
}

TEST_CASE("a bad index into an empty slice is refused all the same", "[bad_inputs][empty]") {
  for_each_indexed<std::int64_t>([](const operation& op) {
    problem p(op, 4, 0);
    if (count(p.index.shape) == 0) return;  // rows without elements have an index, columns none
    p.set_index(1, 4);
    CHECK(p.refusal_of_index(1) == "");
  });
}

TEST_CASE("gather_nd and its relatives check each coordinate by itself", "[bad_inputs][index]") {
  // (e, e + 1) entries: -(e + 1) and e * (e + 1) steps back would meet inside the table.
  for (const operation& op : test::operations_by<std::int64_t>()) {
    if (op.axis != test::axis::tuples) continue;
    CAPTURE(op.name);
    problem p(op);
    if (p.index.shape.back() < 2) continue;
    for (const auto& [first, second, bad] :
         {std::array<std::int64_t, 3>{1, -10, 1}, {-5, 4, 0}, {4, -5, 0}, {0, 5, 1}, {5, -8, 0}}) {
      p.fill_index();
      p.set_index(0, first);
      p.set_index(1, second);
      CHECK(p.refusal_of_index(bad) == "");
    }
  }
}
