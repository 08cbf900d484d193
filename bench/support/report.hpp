// SPDX-License-Identifier: BSD-3-Clause
// What a run shows: a table that grows line by line, a summary, a chart, and JSON.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

namespace bench {

/// The shortest time of each contender, in seconds.
struct row {
  std::string name;
  std::map<std::string, double> times;

  bool has(const std::string& who) const { return times.contains(who); }
  /// How many times as long as garner `who` takes.
  double ratio(const std::string& who) const { return times.at(who) / times.at("garner"); }
};

/// Prints a line per case, and at the end the summary; writes the chart into the file `chart`.
class table_reporter : public benchmark::BenchmarkReporter {
 public:
  explicit table_reporter(std::string chart) : chart_(std::move(chart)) {}

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

 private:
  std::string chart_;
  std::vector<row> rows_;
};

/// Google Benchmark's JSON, with the names of cases as they are.
class json_reporter : public benchmark::JSONReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override;
};

}  // namespace bench
