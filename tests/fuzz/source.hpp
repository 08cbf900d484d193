// SPDX-License-Identifier: BSD-3-Clause
// The fuzzer's bytes as decisions. When they are used up every decision is the plainest, so that
// short inputs are simple calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <span>
#include <string>

namespace fuzz {

class source {
 public:
  explicit source(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }
  /// Below n, which is at most 65536 and not 0.
  std::int64_t below(std::int64_t n) {
    const std::int64_t low = byte();
    return (n <= 256 ? low : low | std::int64_t{byte()} << 8) % n;
  }
  bool once_in(std::int64_t n) { return below(n) == n - 1; }
  template <class T>
  T one_of(std::initializer_list<T> list) {
    return list.begin()[below(static_cast<std::int64_t>(list.size()))];
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

/// Calls that went through, and what they did was found right; the kept inputs must have some.
inline std::size_t calls_done = 0;

/// How many ways to go there are for the first byte.
std::size_t target_count();

/// Ends the program: what was called does not do what it should.
[[noreturn]] inline void fail(const std::string& what) {
  std::fprintf(stderr, "FAILED: %s\n", what.c_str());
  std::abort();
}

inline void require(bool condition, const char* op, const char* claim) {
  if (!condition) fail(std::string(op) + ": " + claim);
}

}  // namespace fuzz
