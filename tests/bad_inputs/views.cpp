// SPDX-License-Identifier: BSD-3-Clause
// Layouts that no memory holds, or not the caller's, in each operand of every operation: a
// shape_error with nothing written. Beside them, strides of every kind that are right.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <garner/view.hpp>

#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/operation.hpp"
#include "support/problem.hpp"

namespace {

using test::count;
using test::kind;
using test::operation;
using test::placing;
using test::problem;
using test::raw_view;

using limits = std::numeric_limits<std::int64_t>;
constexpr std::int64_t huge = std::int64_t{1} << 62;

/// Calls f(problem) for all operations.
template <class F>
void for_each(std::int64_t e, std::int64_t n, const F& f) {
  for (const operation& op : test::operations_by<std::int64_t>()) {
    CAPTURE(op.name);
    problem p(op, e, n);
    f(p);
  }
}

/// Each operand in turn gets a layout that no view may have; the message has this part.
template <class Spoil>
void refuse_each(const char* part, const Spoil& spoil) {
  for_each(4, 67, [&](problem& p) {
    for (raw_view* x : p.operands()) {
      const raw_view saved = *x;
      spoil(*x);
      if (x->shape != saved.shape || x->strides != saved.strides || x->data != saved.data) {
        const auto read = p.read_operands();
        const bool is_read = std::find(read.begin(), read.end(), x) != read.end();
        CHECK(p.refusal<garner::shape_error>("view: ", is_read, part) == "");
      }
      *x = saved;
    }
  });
}

}  // namespace

TEST_CASE("a negative extent is refused", "[bad_inputs][views]") {
  for (const std::int64_t extent : {std::int64_t{-1}, limits::min()}) {
    refuse_each("is negative", [&](raw_view& x) {
      if (!x.shape.empty()) x.shape[0] = extent;
    });
  }
}

TEST_CASE("a stride of 2^62 is refused", "[bad_inputs][views]") {
  for (const std::int64_t stride : {huge, -huge, limits::min(), limits::max()}) {
    refuse_each("reaches past all memory", [&](raw_view& x) {
      if (!x.shape.empty() && x.shape.back() > 1) x.strides.back() = stride;
    });
  }
}

TEST_CASE("2^65 elements are refused, also where they are all one", "[bad_inputs][views]") {
  refuse_each("has too many elements", [](raw_view& x) {
    x.shape = {std::int64_t{1} << 33, std::int64_t{1} << 32};
    x.strides = {0, 0};
  });
}

TEST_CASE("an offset in bytes that does not fit is refused", "[bad_inputs][views]") {
  refuse_each("reaches past all memory", [](raw_view& x) {
    if (x.size == 1) return;  // its offset in elements is one in bytes
    x.shape = {(std::int64_t{1} << 61) + 1, 3};
    x.strides = {x.size == 4 ? 1 : 2, 0};
  });
  refuse_each("reaches past all memory", [](raw_view& x) {  // both ways together
    x.shape = {3, 3};
    x.strides = {huge / 2, -(huge / 2)};
    if (x.size == 1) x.strides = {huge, -huge};
  });
}

TEST_CASE("elements without data are refused", "[bad_inputs][views]") {
  refuse_each("no data for shape", [](raw_view& x) {
    if (!x.is_empty()) x.data = nullptr;
  });
}

TEST_CASE("make_view refuses what leaves its span", "[bad_inputs][views]") {
  using garner::make_view;
  std::vector<int> memory(12);
  const auto refused = [&](std::array<std::int64_t, 2> shape, std::array<std::int64_t, 2> strides,
                           std::int64_t offset) {
    const auto text = test::shape_error_of([&] { make_view(memory, shape, strides, offset); });
    return text.rfind("make_view: ", 0) == 0 ? "" : text;
  };
  CHECK(refused({3, 4}, {4, 1}, 1) == "");   // the last element
  CHECK(refused({2, 3}, {-4, 1}, 2) == "");  // the first
  CHECK(refused({2, 3}, {4, 1}, -1) == "");  // a negative offset
  CHECK(refused({0, 3}, {4, 1}, -1) == "");  // of an empty view too
  CHECK(refused({0, 3}, {4, 1}, 13) == "");
  CHECK(refused({2, 3}, {4, 1}, limits::max() - 9999) == "");  // 2^63-10000
  CHECK(refused({2, 3}, {4, 1}, limits::min()) == "");
  CHECK(refused({3, 3}, {8, -8}, 0) == "");  // spans that cancel
  CHECK(refused({3, 3}, {-8, 8}, 6) == "");
  CHECK(refused({3, 3}, {huge, 1}, 0) == "");
  CHECK(refused({3, 3}, {huge, -huge}, 0) == "");
  CHECK(refused({5, 5}, {huge, huge}, 0) == "");  // back at 0, modulo 2^64
  CHECK(refused({std::int64_t{1} << 33, std::int64_t{1} << 32}, {0, 0}, 0) == "");
  CHECK(refused({(std::int64_t{1} << 61) + 1, 1}, {1, 1}, 0) == "");  // 2^63 bytes
  CHECK(refused({-1, 3}, {4, 1}, 0) == "");
  CHECK(refused({-1, -3}, {4, 1}, 0) == "");
  CHECK(refused({limits::min(), 2}, {0, 0}, 0) == "");
}

TEST_CASE("a result of more elements than can be counted is refused", "[bad_inputs][views]") {
  const std::int64_t many = std::int64_t{1} << 40;
  for (const operation& op : test::operations_by<std::int64_t>()) {
    // An index of 2^40 entries, all one, for rows of 2^40 elements, all one.
    const auto s = op.shape(4, 67);
    const bool is_rows = s.table.size() == 2 && s.index.size() == 1 && op.kind <= kind::amin &&
                         op.axis != test::axis::whole && op.axis != test::axis::tuples &&
                         s.dim == 0;
    if (!is_rows) continue;
    CAPTURE(op.name);
    problem p(op);
    p.index.shape = {many};
    p.index.strides = {0};
    p.table.shape[1] = many;
    p.table.strides[1] = 0;
    CHECK(p.refusal<garner::shape_error>(op.op + ": ") == "");
  }
}

TEST_CASE("a result of more bytes than memory holds is refused", "[bad_inputs][views]") {
  const std::int64_t many = std::int64_t{1} << 31;
  int n = 0;
  for (const operation& op : test::operations_by<std::int64_t>()) {
    const auto s = op.shape(4, 67);
    if (op.kind != kind::read || s.table.size() != 2 || s.index.size() != 1 || s.dim != 0 ||
        op.axis == test::axis::whole) {
      continue;
    }
    CAPTURE(op.name);
    problem p(op);
    p.index.shape = {many};
    p.index.strides = {0};
    p.table.shape[1] = many;
    p.table.strides[1] = 0;
    CHECK(test::shape_error_of([&] { op.make(p); }) ==
          "tensor: 4611686018427387904 elements of 4 bytes are more than memory can hold");
    ++n;
  }
  CHECK(n > 2);
}

TEST_CASE("a stride of 0 on what is only read repeats it", "[bad_inputs][views]") {
  for_each(4, 67, [](problem& p) {
    for (raw_view* x : p.read_operands()) {
      if (x == &p.offsets) continue;  // two bags would begin at 0: legal, and below
      const raw_view saved = *x;
      for (auto& stride : x->strides) stride = 0;
      if (x == &p.index && p.op.kind == kind::mask) {  // all true, or none
        p.values = p.dense(p.op.has_dim ? p.table.shape : test::extents{count(p.table.shape)},
                           p.table.size);
        *x->data = std::byte{1};
      }
      CHECK(p.difference() == "");
      *x = saved;
    }
    if (p.offsets.shape.empty()) return;
    p.offsets.strides[0] = 0;
    CHECK(p.difference() == "");
  });
}

TEST_CASE("negative strides on everything change nothing", "[bad_inputs][views]") {
  for_each(4, 67, [](problem& p) {
    for (raw_view* x : p.operands()) {
      p.place(*x, placing::reversed);
      CHECK(p.difference() == "");
    }
  });
}

TEST_CASE("gaps full of garbage, in the index too, are neither read nor written",
          "[bad_inputs][views]") {
  for_each(4, 67, [](problem& p) {
    for (raw_view* x : p.operands()) {
      p.place(*x, placing::spread);
      CHECK(p.difference() == "");
    }
  });
}

TEST_CASE("operands in column order give the same", "[bad_inputs][views]") {
  for_each(4, 67, [](problem& p) {
    for (raw_view* x : p.operands()) {
      p.place(*x, placing::transposed);
      CHECK(p.difference() == "");
    }
  });
}

TEST_CASE("empty views may have any strides and no data", "[bad_inputs][views][empty]") {
  for_each(4, 0, [](problem& p) {
    if (p.op.kind == kind::topk || p.op.kind == kind::argmax || p.op.kind == kind::argmin) return;
    std::int64_t stride = huge;
    for (raw_view* x : p.operands()) {
      if (!x->is_empty()) continue;
      for (auto& s : x->strides) s = stride = -stride;
      x->data = nullptr;
    }
    CHECK(p.difference() == "");
  });
  for_each(4, 0, [](problem& p) {  // of which argmax across no lines is one
    if (p.op.name.find(" across") == std::string::npos) return;
    p.table.strides = {-huge, huge};
    p.table.data = nullptr;
    CHECK(p.difference() == "");
  });
}

TEST_CASE("dims of extent 1 may have any stride", "[bad_inputs][views]") {
  for_each(4, 1, [](problem& p) {
    for (const std::int64_t stride : {huge, -huge, limits::min(), std::int64_t{0}}) {
      for (raw_view* x : p.operands()) {
        for (std::size_t d = 0; d < x->shape.size(); ++d) {
          if (x->shape[d] == 1) x->strides[d] = stride;
        }
      }
      CHECK(p.difference() == "");
    }
  });
}
