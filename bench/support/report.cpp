// SPDX-License-Identifier: BSD-3-Clause
// The table, the summary and the chart; the figures are the counters that compare.cpp left.
#include "support/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "peers/peers.hpp"

namespace bench {

namespace {

/// printf into a string.
template <class... Values>
std::string format(const char* how, Values... values) {
  std::string result(static_cast<std::size_t>(std::snprintf(nullptr, 0, how, values...)), ' ');
  std::snprintf(result.data(), result.size() + 1, how, values...);
  return result;
}

std::string show_time(double seconds) {
  for (const auto& [unit, size] : {std::pair{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}}) {
    if (seconds < 999.5 * size) return format("%.3g %s", seconds / size, unit);
  }
  return format("%.3g s", seconds);
}

std::string show_ratio(double ratio) { return format(ratio < 9.995 ? "%.2fx" : "%.1fx", ratio); }

/// Those that have a time and a ratio in the table.
std::vector<std::string> columns() {
  std::vector<std::string> result;
  for (const peer& p : peers) result.emplace_back(p.name);
  result.insert(result.end(), {"plain", "unchecked"});
  return result;
}

void print_line(const row& r) {
  std::printf("%-46s %8s", r.name.c_str(), show_time(r.times.at("garner")).c_str());
  for (const std::string& who : columns()) {
    if (r.has(who)) {
      std::printf(" | %8s %6s", show_time(r.times.at(who)).c_str(),
                  show_ratio(r.ratio(who)).c_str());
    } else {
      std::printf(" | %8s %6s", "", "");
    }
  }
  std::printf(" | %9s\n", r.has("memcpy") ? format("%.2f", r.ratio("memcpy")).c_str() : "");
  std::fflush(stdout);
}

struct figure {
  double value;
  std::string name;
};

/// The geometric mean and the worst (the smallest, or else the largest) of some figures.
void print_mean(const char* what, const std::vector<figure>& figures, bool is_smallest_worst) {
  if (figures.empty()) return;
  double logs = 0;
  for (const figure& f : figures) logs += std::log(f.value);
  const auto [least, most] = std::ranges::minmax_element(figures, {}, &figure::value);
  const figure& worst = is_smallest_worst ? *least : *most;
  std::printf("  %-36s %6s over %2zu cases, worst %6s  %s\n", what,
              show_ratio(std::exp(logs / static_cast<double>(figures.size()))).c_str(),
              figures.size(), show_ratio(worst.value).c_str(), worst.name.c_str());
}

bool has_i64_index(const row& r) { return r.name.find("/i64/") != std::string::npos; }
bool is_register_table(const row& r) {
  return r.name.starts_with("take/table/") && !has_i64_index(r);
}

/// libtorch / garner in the cases that `belongs` accepts.
std::vector<figure> against_libtorch(const std::vector<row>& rows,
                                     const std::function<bool(const row&)>& belongs) {
  std::vector<figure> result;
  for (const row& r : rows) {
    if (r.has("libtorch") && belongs(r)) result.push_back({r.ratio("libtorch"), r.name});
  }
  return result;
}

std::string operation_of(const row& r) { return r.name.substr(0, r.name.find('/')); }

/// The operations that move elements have a summary together, the others one each.
bool only_moves(const row& r) {
  constexpr std::string_view names[] = {"gather", "take_along_dim", "index_select", "take"};
  return std::ranges::find(names, operation_of(r)) != std::end(names);
}

void print_summary(const std::vector<row>& rows) {
  std::vector<figure> checks;
  for (const row& r : rows) {
    if (r.has("unchecked")) checks.push_back({1 / r.ratio("unchecked"), r.name});
  }
  std::printf("\nGeometric means\n");
  const auto is_narrow = [](const row& r) { return only_moves(r) && !has_i64_index(r); };
  const auto is_wide = [](const row& r) { return only_moves(r) && has_i64_index(r); };
  print_mean("libtorch / garner, int64 index", against_libtorch(rows, is_wide), true);
  print_mean("libtorch / garner, narrow index", against_libtorch(rows, is_narrow), true);
  print_mean("  of these, tables in registers", against_libtorch(rows, is_register_table), true);
  print_mean("checked / unchecked, int64 index", checks, false);
  std::set<std::string> others;
  for (const row& r : rows) {
    if (!only_moves(r)) others.insert(operation_of(r));
  }
  for (const std::string& op : others) {
    print_mean(("libtorch / garner, " + op).c_str(),
               against_libtorch(rows, [&](const row& r) { return operation_of(r) == op; }), true);
  }

  auto all = against_libtorch(rows, [](const row&) { return true; });
  std::erase_if(all, [](const figure& f) { return f.value >= 1; });
  std::printf("Slower than libtorch: %zu cases\n", all.size());
  for (const figure& f : all)
    std::printf("  %6s  %s\n", show_ratio(f.value).c_str(), f.name.c_str());
}

/// Bars of libtorch / garner on a logarithmic scale.
void write_chart(const std::string& path, const std::vector<figure>& figures) {
  constexpr double left = 330, width = 520, top = 50, step = 16, right = 60;
  double low = 0.9, high = 2.1;
  for (const figure& f : figures) {
    low = std::min(low, f.value);
    high = std::max(high, f.value);
  }
  const auto x = [&](double ratio) {
    return left + width * std::log(ratio / low) / std::log(high / low);
  };
  const double bottom = top + step * static_cast<double>(figures.size());

  std::ofstream svg(path);
  svg << format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' font-family='sans-serif' "
      "font-size='11'>\n<rect width='100%%' height='100%%' fill='white'/>\n"
      "<text x='%.0f' y='18' font-size='14'>Time of libtorch / time of garner (right of 1x: garner "
      "is faster)</text>\n",
      left + width + right, bottom + 10, 10.0);
  for (const double tick : {0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0}) {
    if (tick < low || tick > high) continue;
    svg << format(
        "<line x1='%.1f' y1='%.0f' x2='%.1f' y2='%.0f' stroke='#ddd'/>\n"
        "<text x='%.1f' y='%.0f' text-anchor='middle' fill='#555'>%gx</text>\n",
        x(tick), top - 4, x(tick), bottom, x(tick), top - 8, tick);
  }
  double y = top;
  for (const auto& [ratio, name] : figures) {
    const double from = std::min(x(ratio), x(1)), to = std::max(x(ratio), x(1));
    svg << format(
        "<text x='%.0f' y='%.0f' text-anchor='end'>%s</text>\n"
        "<rect x='%.1f' y='%.0f' width='%.1f' height='%.0f' fill='%s'/>\n"
        "<text x='%.1f' y='%.0f' fill='#555'>%s</text>\n",
        left - 8, y + 11, name.c_str(), from, y + 2, std::max(to - from, 1.0), step - 4,
        ratio < 1 ? "#d9822b" : "#3b78b5", to + 4, y + 11, show_ratio(ratio).c_str());
    y += step;
  }
  svg << format("<line x1='%.1f' y1='%.0f' x2='%.1f' y2='%.0f' stroke='black'/>\n</svg>\n", x(1),
                top - 4, x(1), bottom);
  if (!svg.flush()) std::fprintf(stderr, "cannot write %s\n", path.c_str());
}

}  // namespace

bool table_reporter::ReportContext(const Context& /*context*/) {
  std::printf("Shortest time of a call; x is that time / garner's time.\n\n%-46s %8s", "case",
              "garner");
  for (const std::string& who : columns()) std::printf(" | %-15s", who.c_str());
  std::printf(" | of memcpy\n");
  return true;
}

void table_reporter::ReportRuns(const std::vector<Run>& runs) {
  // With --benchmark_repetitions there are several runs, and their means in a call of their own.
  row best;
  for (const Run& run : runs) {
    if (run.run_type != Run::RT_Iteration) continue;
    best.name = run.run_name.function_name;
    for (const auto& [who, seconds] : run.counters) {
      if (who.ends_with("_median")) continue;
      const auto known = best.times.emplace(who, seconds.value).first;
      known->second = std::min(known->second, seconds.value);
    }
  }
  if (best.times.empty()) return;
  print_line(best);
  rows_.push_back(std::move(best));
}

void table_reporter::Finalize() {
  print_summary(rows_);
  const auto figures = against_libtorch(rows_, [](const row&) { return true; });
  if (!figures.empty()) write_chart(chart_, figures);
}

void json_reporter::ReportRuns(const std::vector<Run>& runs) {
  auto renamed = runs;
  for (Run& run : renamed) {
    run.run_name.iterations.clear();
    run.run_name.time_type.clear();
  }
  JSONReporter::ReportRuns(renamed);
}

}  // namespace bench
