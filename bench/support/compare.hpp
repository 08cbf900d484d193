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

/// Someone who writes the result into `out`.
struct contender {
  std::string name;
  call run;
};

/// One case, with its data: the contenders, and the memory that they all write. Must contain
/// "garner"; the first one's result is the right one.
struct contest {
  std::vector<contender> contenders;
  std::span<std::byte> out;
};

/// Registers a benchmark with Google Benchmark. hold(run) makes the data and calls run(contest).
using runner = std::function<void(const contest&)>;
void add_benchmark(const std::string& name, const std::function<void(const runner&)>& hold);

}  // namespace bench
