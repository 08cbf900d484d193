// SPDX-License-Identifier: BSD-3-Clause
// One benchmark: garner beside a loop written by hand, on the same data, in turns. Their results
// are compared before anything is timed. docs/measuring.md says how to read the output.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <benchmark/benchmark.h>

namespace bench {

/// How many times the two sides are timed; the shortest time counts.
inline constexpr int samples = 50;

/// Seconds that one call takes, when `calls` are made in a row.
template <class Call>
double seconds_per_call(const Call& call, int calls) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) {
    call();
    benchmark::ClobberMemory();
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return elapsed.count() / calls;
}

/// As many calls as fill a millisecond: the clock's own cost vanishes.
template <class Call>
int calls_per_sample(const Call& call) {
  int calls = 1;
  while (calls < 1'000'000 && seconds_per_call(call, calls) * calls < 1e-3) calls *= 2;
  return calls;
}

/// Ends the program unless both sides write the same bits into `out`.
template <class Case>
void check_equal(const char* name, Case& c) {
  const auto bytes = static_cast<std::size_t>(c.out.size()) * sizeof(*c.out.data());
  std::memset(static_cast<void*>(c.out.data()), 0xa5, bytes);
  c.raw();
  const auto expected = c.out;
  std::memset(static_cast<void*>(c.out.data()), 0x5a, bytes);
  c.garner();
  if (std::memcmp(c.out.data(), expected.data(), bytes) == 0) return;
  std::fprintf(stderr, "%s: garner and the raw loop differ\n", name);
  std::exit(EXIT_FAILURE);
}

/// Times both sides in turns and reports the shortest time of each.
template <class Case>
void run(benchmark::State& state, Case& c) {
  const auto garner = [&] { c.garner(); };
  const auto raw = [&] { c.raw(); };
  const int garner_calls = calls_per_sample(garner);
  const int raw_calls = calls_per_sample(raw);
  double best_garner = std::numeric_limits<double>::max();
  double best_raw = best_garner;
  for ([[maybe_unused]] auto _ : state) {
    const double seconds = seconds_per_call(garner, garner_calls);
    best_garner = std::min(best_garner, seconds);
    best_raw = std::min(best_raw, seconds_per_call(raw, raw_calls));
    state.SetIterationTime(seconds);
  }
  state.counters["garner"] = best_garner;
  state.counters["raw"] = best_raw;
  state.counters["raw/garner"] = best_raw / best_garner;
}

/// Registers a benchmark. make() gives the data: an object with garner() and raw(), which both
/// write its `out`.
template <class Make>
bool compare(const char* name, Make make) {
  const auto body = [name, make](benchmark::State& state) {
    auto c = make();
    check_equal(name, c);
    run(state, c);
  };
  auto* registered = benchmark::RegisterBenchmark(name, body);
  registered->Iterations(samples)->UseManualTime()->Unit(benchmark::kMicrosecond);
  return true;
}

}  // namespace bench
