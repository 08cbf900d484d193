// SPDX-License-Identifier: BSD-3-Clause
// Two units of one program, built with different -m flags: each runs its own kernels, with the same
// results. Exit code 77 says that this CPU lacks AVX2.
#include <cstdio>
#include <cstring>
#include <string>

#include <garner/error.hpp>

#include "two_archs/unit.hpp"

namespace {

int failures = 0;

void check(bool condition, const char* claim) {
  std::printf("%s %s\n", condition ? "    ok" : "FAILED", claim);
  failures += !condition;
}

std::string message_of(const unit& u) {
  try {
    u.call(true);
  } catch (const garner::index_error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

int main() {
  if (!__builtin_cpu_supports("avx2")) {
    std::puts("SKIPPED: no AVX2 here");
    return 77;
  }
  const unit avx2 = avx2_unit();
  const unit plain = plain_unit();
  check(avx2.arch == std::string("avx2"), "one unit is built for avx2");
  check(plain.arch == std::string("sse2"), "the other one is built for sse2");
  check(avx2.gather != plain.gather, "each has an operation of its own");
  const auto a = avx2.call(false);
  const auto b = plain.call(false);
  check(!a.empty() && a.size() == b.size() &&
            std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0,
        "their results have the same bits");
  check(message_of(avx2) == "index_select: index[77] = 40 is out of range for dim 0 of extent 40" &&
            message_of(plain) == message_of(avx2),
        "so have their errors");
  return failures;
}
