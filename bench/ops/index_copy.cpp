// SPDX-License-Identifier: BSD-3-Clause
// index_copy and index_fill: rows.
#include <garner/ops/index_copy.hpp>

#include "support/update_case.hpp"

namespace {

using namespace bench;

struct index_copy {
  static constexpr const char* name = "index_copy";
  static constexpr auto peer = update::index_copy;
  static void plain(auto& self, int, const auto& index, const auto& src) {
    along_rows(self, index, src, [](float& to, float from) { to = from; });
  }
  static void run(auto& self, int dim, const auto& index, const auto& src, auto... options) {
    garner::index_copy_into(self, dim, index, src, options...);
  }
};

struct index_fill {
  static constexpr const char* name = "index_fill";
  static constexpr auto peer = update::index_fill;
  static void plain(auto& self, int, const auto& index, const auto& src) {
    along_rows(self, index, src, [](float& to, float) { to = 1; });
  }
  static void run(auto& self, int dim, const auto& index, const auto&, auto... options) {
    garner::index_fill_into(self, dim, index, 1, options...);
  }
};

[[maybe_unused]] const bool added = [] {
  add_update<index_copy, i64>("rows", "4096x16/n4096", {4096, 16}, 0, {4096}, {4096, 16});
  add_update<index_copy, i64>("rows", "4096x128/n4096", {4096, 128}, 0, {4096}, {4096, 128});
  add_update<index_fill, i64>("rows", "4096x16/n4096", {4096, 16}, 0, {4096}, {4096, 16});
  add_update<index_fill, i64>("rows", "4096x128/n4096", {4096, 128}, 0, {4096}, {4096, 128});
  return true;
}();

}  // namespace
