// SPDX-License-Identifier: BSD-3-Clause
// The method: equality, calls per sample, turns, and what goes into the counters.
#include "support/compare.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>

#include <benchmark/benchmark.h>

namespace bench {

namespace {

using seconds = std::chrono::duration<double>;
using stopwatch = std::chrono::steady_clock;

constexpr std::size_t most_samples = 50;
constexpr std::size_t least_samples = 7;
constexpr seconds per_sample{1e-3};
constexpr seconds per_case{2.0};

/// Ends the program unless all contenders come to the same result.
void check_equal(const std::string& name, const contest& c) {
  std::vector<std::byte> expected;
  for (const contender& other : c.contenders) {
    std::ranges::fill(c.out, std::byte{0x5a});
    if (c.reset) c.reset();
    other.run();
    const auto got = other.result ? other.result() : c.out;
    if (expected.empty()) expected.assign(got.begin(), got.end());
    if (c.is_same(got, expected)) continue;
    std::fprintf(stderr, "%s: %s and %s differ\n", name.c_str(), other.name.c_str(),
                 c.contenders.front().name.c_str());
    std::exit(EXIT_FAILURE);
  }
}

seconds time_of(const call& run, int calls) {
  const auto start = stopwatch::now();
  for (int i = 0; i < calls; ++i) {
    run();
    benchmark::ClobberMemory();
  }
  return stopwatch::now() - start;
}

/// As many calls as fill a sample: the clock's own cost vanishes.
int calls_per_sample(const call& run) {
  int calls = 1;
  while (calls < 1'000'000 && time_of(run, calls) < per_sample) calls *= 2;
  return calls;
}

/// Each contender's seconds per call, sorted. The contenders take turns, in another order in each
/// round and after a call that is not timed: what the one before leaves in the caches is nobody's
/// luck. One that is far behind garner, call by call, takes the fewest turns, so that it does not
/// use up the time of the others.
std::vector<std::vector<double>> sample(const std::vector<contender>& contenders) {
  const auto start = stopwatch::now();
  const auto garner = static_cast<std::size_t>(
      std::ranges::find(contenders, "garner", &contender::name) - contenders.begin());
  std::vector<int> calls;
  for (const contender& c : contenders) calls.push_back(calls_per_sample(c.run));
  std::vector<std::size_t> order(contenders.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::minstd_rand random;
  std::vector<std::vector<double>> times(contenders.size());
  for (std::size_t round = 0; round < most_samples; ++round) {
    const bool is_enough = round >= least_samples;
    if (is_enough && stopwatch::now() - start > per_case) break;
    std::ranges::shuffle(order, random);
    for (const std::size_t i : order) {
      if (is_enough && calls[i] == 1 && times[i][0] > 10 * times[garner][0]) continue;
      contenders[i].run();
      times[i].push_back(time_of(contenders[i].run, calls[i]).count() / calls[i]);
    }
  }
  for (auto& t : times) std::ranges::sort(t);
  return times;
}

}  // namespace

bool is_identical(std::span<const std::byte> a, std::span<const std::byte> b) {
  return std::ranges::equal(a, b);
}

bool is_close(std::span<const std::byte> a, std::span<const std::byte> b) {
  for (std::size_t i = 0; i < a.size(); i += sizeof(float)) {
    float x, y;
    std::memcpy(&x, a.data() + i, sizeof(float));
    std::memcpy(&y, b.data() + i, sizeof(float));
    if (!(std::abs(x - y) <= 1e-4f * std::max(1.0f, std::abs(y)))) return false;
  }
  return a.size() == b.size();
}

void add_benchmark(const std::string& name, const std::function<void(const runner&)>& hold) {
  const auto body = [=](benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state) {
      hold([&](const contest& c) {
        check_equal(name, c);
        const auto times = sample(c.contenders);
        for (std::size_t i = 0; i < times.size(); ++i) {
          const std::string& who = c.contenders[i].name;
          state.counters[who] = times[i].front();
          state.counters[who + "_median"] = times[i][times[i].size() / 2];
          if (who == "garner") state.SetIterationTime(times[i].front());
        }
      });
    }
  };
  // One iteration: the samples are our own.
  benchmark::RegisterBenchmark(name.c_str(), body)->Iterations(1)->UseManualTime();
}

}  // namespace bench
