// SPDX-License-Identifier: BSD-3-Clause
// garner_bench [--chart=garner.svg] [options of Google Benchmark]
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "support/report.hpp"

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

int main(int argc, char** argv) {
#ifdef M_MMAP_MAX
  // Freed memory is kept. Otherwise a peer's temporaries may cost it fresh pages in every call (3
  // times the time of a table of bytes), or none, depending on the cases before.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
#endif

  std::string chart = "garner.svg";
  std::string out = "--benchmark_out=garner.json";
  std::vector<char*> options{argv[0], out.data()};
  for (int i = 1; i < argc; ++i) {
    constexpr std::string_view prefix = "--chart=";
    const std::string_view option = argv[i];
    if (option.starts_with(prefix)) {
      chart = option.substr(prefix.size());
    } else {
      options.push_back(argv[i]);
    }
  }
  int count = static_cast<int>(options.size());
  benchmark::Initialize(&count, options.data());
  if (benchmark::ReportUnrecognizedArguments(count, options.data())) return 1;

  bench::table_reporter table(chart);
  bench::json_reporter json;
  benchmark::RunSpecifiedBenchmarks(&table, &json);
}
