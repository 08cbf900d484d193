// SPDX-License-Identifier: BSD-3-Clause
// How contenders are compared: equal results first, then times in turns. docs/measuring.md says
// why.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "support/problem.hpp"

namespace bench {

/// Someone who writes the result into `out`, or into memory of its own that `result` tells of.
struct contender {
  std::string name;
  call run;
  std::function<std::span<const std::byte>()> result{};
};

/// The same bits.
bool is_identical(std::span<const std::byte> a, std::span<const std::byte> b);

/// Floats within 1e-4 of each other, relative to 1 or to their size: for results that are computed.
bool is_close(std::span<const std::byte> a, std::span<const std::byte> b);

/// One case, with its data: the contenders, and the memory that they all write. Must contain
/// "garner"; the first one's result is the right one. Contenders that add to what is there start
/// from what `reset` writes.
struct contest {
  std::vector<contender> contenders;
  std::span<std::byte> out;
  bool (*is_same)(std::span<const std::byte>, std::span<const std::byte>) = is_identical;
  std::function<void()> reset{};
};

/// Registers a benchmark with Google Benchmark. hold(run) makes the data and calls run(contest).
using runner = std::function<void(const contest&)>;
void add_benchmark(const std::string& name, const std::function<void(const runner&)>& hold);

}  // namespace bench
