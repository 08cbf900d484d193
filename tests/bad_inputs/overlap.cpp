// SPDX-License-Identifier: BSD-3-Clause
// What is written overlaps itself or something that is read, for every operation: a shape_error
// with nothing written. Beside them, operands that only lie close to each other.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "support/catch.hpp"
#include "support/operation.hpp"
#include "support/problem.hpp"

namespace {

using test::count;
using test::kind;
using test::operation;
using test::problem;
using test::raw_view;

/// Calls f(problem, what is written, what is read) for all operations that write.
template <class F>
void for_each_written(std::int64_t e, std::int64_t n, const F& f) {
  int done = 0;
  for (const operation& op : test::operations_by<std::int64_t>()) {
    if (!op.into || op.kind == kind::validate) continue;
    CAPTURE(op.name);
    problem p(op, e, n);
    f(p, op.written(p), op.read(p));
    ++done;
  }
  CHECK(done > 30);
}

std::int64_t bytes_of(const raw_view& x) {
  return count(x.shape) * static_cast<std::int64_t>(x.size);
}

/// Both operands in new memory: `a` at its begin, `b` so many bytes behind that.
void put_beside(problem& p, raw_view& a, raw_view& b, std::int64_t distance) {
  std::byte* const memory = p.room(2 * (bytes_of(a) + bytes_of(b) + distance), 1);
  const raw_view from_a = a;
  const raw_view from_b = b;
  a.data = memory;
  b.data = memory + distance;
  problem::copy(from_b, b);
  problem::copy(from_a, a);
}

void stretch(raw_view& x, std::int64_t step) {
  for (auto& stride : x.strides) stride *= step;
}

}  // namespace

TEST_CASE("out with a stride of 0 is refused", "[bad_inputs][overlap]") {
  for_each_written(4, 67, [](problem& p, raw_view& written, raw_view&) {
    const auto strides = written.strides;
    for (std::size_t d = 0; d < strides.size(); ++d) {
      if (written.shape[d] < 2) continue;
      written.strides[d] = 0;
      CHECK(p.refusal_of_written("overlaps itself") == "");
      written.strides = strides;
    }
  });
}

TEST_CASE("out with strides (1, 1) over 3 by 3 is refused", "[bad_inputs][overlap]") {
  for_each_written(3, 3, [](problem& p, raw_view& written, raw_view&) {
    const auto many = std::count_if(written.shape.begin(), written.shape.end(),
                                    [](auto extent) { return extent > 1; });
    if (many < 2) return;
    std::fill(written.strides.begin(), written.strides.end(), 1);
    CHECK(p.refusal_of_written("overlaps itself") == "");
  });
}

TEST_CASE("out that is the input is refused", "[bad_inputs][overlap]") {
  for_each_written(4, 67, [](problem& p, raw_view& written, raw_view& read) {
    put_beside(p, read, written, 0);
    CHECK(p.refusal_of_written("overlap") == "");
  });
}

TEST_CASE("out that is the input, shifted, is refused", "[bad_inputs][overlap]") {
  for_each_written(4, 67, [](problem& p, raw_view& written, raw_view& read) {
    const auto unit = static_cast<std::int64_t>(std::max(written.size, read.size));
    const auto last = (bytes_of(read) - 1) / unit * unit;
    for (const std::int64_t distance : {unit, last}) {
      if (distance >= bytes_of(read)) continue;
      put_beside(p, read, written, distance);
      CHECK(p.refusal_of_written("overlap") == "");
      if (distance >= bytes_of(written)) continue;
      put_beside(p, written, read, distance);
      CHECK(p.refusal_of_written("overlap") == "");
    }
  });
}

TEST_CASE("out that is every second element of the input is refused", "[bad_inputs][overlap]") {
  for_each_written(4, 67, [](problem& p, raw_view& written, raw_view& read) {
    put_beside(p, read, written, 0);
    stretch(written, 2);
    CHECK(p.refusal_of_written("overlap") == "");
  });
}

TEST_CASE("out that shares one element with a strided input is refused", "[bad_inputs][overlap]") {
  for_each_written(4, 67, [](problem& p, raw_view& written, raw_view& read) {
    // Both are every second element; the last of the one is the first of the other.
    put_beside(p, read, written, 0);
    stretch(read, 2);
    stretch(written, 2);
    written.data = read.at(count(read.shape) - 1);
    CHECK(p.refusal_of_written("overlap") == "");
  });
}

TEST_CASE("out or self that shares a byte with the index, or what else is given, is refused",
          "[bad_inputs][overlap]") {
  for_each_written(4, 67, [](problem& p, raw_view& written, raw_view& read) {
    for (raw_view* other : p.operands()) {
      if (other == &written || other == &read) continue;
      const raw_view saved = *other;
      const raw_view saved_out = written;
      const auto unit = static_cast<std::int64_t>(std::max(written.size, other->size));
      put_beside(p, *other, written, (bytes_of(*other) - 1) / unit * unit);
      CHECK(p.refusal_of_written("overlap") == "");
      *other = saved;
      written = saved_out;
    }
  });
}

TEST_CASE("out next to the input is written right", "[bad_inputs][overlap]") {
  for_each_written(4, 67, [](problem& p, raw_view& written, raw_view& read) {
    const auto unit = static_cast<std::int64_t>(std::max(written.size, read.size));
    const auto above = [&](std::int64_t bytes) { return (bytes + unit - 1) / unit * unit; };
    put_beside(p, read, written, above(bytes_of(read)));
    CHECK(p.difference() == "");
    put_beside(p, written, read, above(bytes_of(written)));
    CHECK(p.difference() == "");
  });
}

TEST_CASE("out between the elements of the input is written right", "[bad_inputs][overlap]") {
  for_each_written(4, 67, [](problem& p, raw_view& written, raw_view& read) {
    if (written.size != read.size) return;  // indices do not fit between floats
    put_beside(p, read, written, 0);
    stretch(read, 2);
    stretch(written, 2);
    written.data += written.size;
    p.fill_elements();
    CHECK(p.difference() == "");
  });
}
