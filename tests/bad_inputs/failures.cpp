// SPDX-License-Identifier: BSD-3-Clause
// Failures that are not the caller's: an element's copy throws, or there is no memory. Nothing
// leaks, and an operand that is only read stays as it was.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <stdexcept>
#include <vector>

#include "support/catch.hpp"
#include "support/counted_new.hpp"
#include "support/operation.hpp"
#include "support/problem.hpp"
#include "support/throwing.hpp"

namespace {

using test::allocations_left;
using test::live_allocations;
using test::unlimited;

using test::count;
using test::kind;
using test::operation;
using test::problem;
using test::throwing;

enum class ending { none, no_memory, refused };

/// How the call ends with memory for so many allocations, and how many of them are left behind.
struct attempt {
  ending how = ending::none;
  long leaked = 0;
};
template <class Run>
attempt with_allocations(long n, const Run& run) {
  attempt result;
  const long before = live_allocations;
  allocations_left = n;
  try {
    run();
  } catch (const std::bad_alloc&) {
    result.how = ending::no_memory;
  } catch (const std::logic_error&) {
    result.how = ending::refused;
  }
  allocations_left = unlimited;
  result.leaked = live_allocations - before;
  return result;
}

/// A problem of elements that count themselves.
struct throwing_problem : problem {
  std::vector<throwing> table_memory;
  std::vector<throwing> values_memory;

  explicit throwing_problem(const operation& o) : problem(o, 4, 21) {
    const auto give = [](std::vector<throwing>& memory, test::raw_view& x) {
      memory.resize(static_cast<std::size_t>(count(x.shape)));
      int next = 100;
      for (throwing& element : memory) element.value = next++ % 107;
      x.data = reinterpret_cast<std::byte*>(memory.data());
    };
    give(table_memory, table);
    if (values.size == sizeof(throwing)) give(values_memory, values);
  }
  std::vector<int> numbers(const std::vector<throwing>& memory) const {
    std::vector<int> result;
    for (const throwing& element : memory) result.push_back(element.value);
    return result;
  }
};

}  // namespace

TEST_CASE("the failures fail", "[bad_inputs][failures]") {
  // By their names: a compiler may leave out a new whose delete it sees.
  const auto once = [] { ::operator delete(::operator new(4)); };
  CHECK(with_allocations(0, once).how == ending::no_memory);
  CHECK(with_allocations(1, once).how == ending::none);
  void* kept = nullptr;
  CHECK(with_allocations(1, [&] { kept = ::operator new(4); }).leaked == 1);
  ::operator delete(kept);
}

TEST_CASE("without memory, at each allocation in turn, nothing changes and nothing leaks",
          "[bad_inputs][failures]") {
  int failures = 0;
  for (const operation& op : test::operations_by<std::int64_t>()) {
    if (!op.make) continue;
    CAPTURE(op.name);
    problem p(op, 4, 67);
    p.remember();
    ending how = ending::no_memory;
    for (long n = 0; how == ending::no_memory; ++n) {
      const auto run = with_allocations(n, [&] { op.make(p); });
      how = run.how;
      failures += how == ending::no_memory;
      CHECK(run.leaked == 0);
      CHECK(p.is_unchanged());
      REQUIRE(n < 100);
    }
    CHECK(how == ending::none);
  }
  CHECK(failures > 30);
}

TEST_CASE("without memory for the scratch of a long line, nothing leaks",
          "[bad_inputs][failures]") {
  for (const operation& op : test::operations_by<std::int64_t>()) {
    if (op.kind != kind::argsort && op.kind != kind::topk && op.kind != kind::sparse) continue;
    if (!op.make) continue;
    CAPTURE(op.name);
    problem p(op, 4000, 3000);
    ending how = ending::no_memory;
    for (long n = 0; how == ending::no_memory; ++n) {
      const auto run = with_allocations(n, [&] { op.make(p); });
      how = run.how;
      CHECK(run.leaked == 0);
      REQUIRE(n < 100);
    }
  }
}

TEST_CASE("the forms that write need no memory at all", "[bad_inputs][failures]") {
  for (const operation& op : test::operations_by<std::int64_t>()) {
    if (!op.into) continue;
    CAPTURE(op.name);
    problem p(op);
    CHECK(with_allocations(0, [&] { op.into(p); }).how == ending::none);
  }
}

TEST_CASE("without memory for the message of an error, nothing changes and nothing leaks",
          "[bad_inputs][failures]") {
  for (const operation& op : test::operations_by<std::int64_t>()) {
    if (!op.into) continue;
    CAPTURE(op.name);
    problem p(op);
    if (op.has_index()) {
      p.set_index(0, -1000);
    } else {
      p.values = p.dense({3, 3, 3, 3, 3, 3, 3, 3, 1}, p.values.size);  // a long message
    }
    p.remember();
    ending how = ending::no_memory;
    for (long n = 0; how == ending::no_memory; ++n) {
      const auto run = with_allocations(n, [&] { op.into(p); });
      how = run.how;
      CHECK(run.leaked == 0);
      CHECK(p.is_unchanged());
      REQUIRE(n < 100);
    }
    CHECK(how == ending::refused);
  }
}

TEST_CASE("a copy that throws passes through, and nothing leaks", "[bad_inputs][failures]") {
  int thrown = 0;
  for (const operation& op : test::operations<throwing, std::int64_t>()) {
    CAPTURE(op.name);
    throwing_problem p(op);
    const auto table = p.numbers(p.table_memory);
    const auto values = p.numbers(p.values_memory);
    const auto run = [&](const auto& form, bool is_into) {
      if (!form) return;
      bool has_thrown = true;
      for (long n = 0; has_thrown; ++n) {
        const long live = throwing::live;
        const long allocated = live_allocations;
        has_thrown = false;
        throwing::copies_left = n;
        try {
          form(p);
        } catch (const std::runtime_error&) {
          has_thrown = true;
          ++thrown;
        }
        throwing::copies_left = -1;
        CHECK(throwing::live == live);
        CHECK(live_allocations == allocated);
        const bool writes_table = is_into && op.writes_table();
        const bool writes_values = is_into && op.writes_values();
        CHECK((writes_table || p.numbers(p.table_memory) == table));
        CHECK((writes_values || p.numbers(p.values_memory) == values));
        REQUIRE(n < 10000);
      }
    };
    run(op.make, false);
    run(op.into, true);
  }
  CHECK(thrown > 1000);
}

TEST_CASE("what was assigned before a copy throws stays, and nothing after it is written",
          "[bad_inputs][failures]") {
  for (const operation& op : test::operations<throwing, std::int64_t>()) {
    if (op.kind != kind::read && op.kind != kind::assign) continue;
    CAPTURE(op.name);
    throwing_problem whole(op);
    op.into(whole);
    const auto memory = [&](const throwing_problem& p) -> const std::vector<throwing>& {
      return op.writes_table() ? p.table_memory : p.values_memory;
    };
    const auto after = whole.numbers(memory(whole));
    throwing_problem p(op);
    const auto before = p.numbers(memory(p));
    throwing::copies_left = 5;
    CHECK_THROWS_AS(op.into(p), std::runtime_error);
    throwing::copies_left = -1;
    const auto now = p.numbers(memory(p));
    int written = 0;
    for (std::size_t k = 0; k < now.size(); ++k) {
      if (op.kind == kind::read) CHECK((now[k] == before[k] || now[k] == after[k]));
      written += now[k] != before[k];
    }
    CHECK(written <= 5);
  }
}
