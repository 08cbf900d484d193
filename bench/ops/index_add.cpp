// SPDX-License-Identifier: BSD-3-Clause
// index_add: rows of many widths, in cache and out of it; columns.
#include <garner/ops/index_add.hpp>

#include "support/update_case.hpp"

namespace {

using namespace bench;

struct index_add {
  static constexpr const char* name = "index_add";
  static constexpr auto peer = update::index_add;
  static void plain(auto& self, int dim, const auto& index, const auto& src) {
    if (dim == 0) {
      along_rows(self, index, src, [](float& to, float from) { to += from; });
      return;
    }
    for (index_t i = 0; i < self.extent(0); ++i) {
      for (index_t j = 0; j < index.extent(0); ++j) self(i, index(j)) += src(i, j);
    }
  }
  static void run(auto& self, int dim, const auto& index, const auto& src, auto... options) {
    garner::index_add_into(self, dim, index, src, options...);
  }
};

template <class Index>
void rows(const std::string& size, index_t count, index_t width, index_t n) {
  add_update<index_add, Index>("rows", size, {count, width}, 0, {n}, {n, width});
}

[[maybe_unused]] const bool added = [] {
  rows<i64>("4096x16/n16384", 4096, 16, 16384);
  rows<i64>("4096x64/n16384", 4096, 64, 16384);
  rows<i64>("4096x128/n8192", 4096, 128, 8192);
  rows<i64>("1024x1024/n1024", 1024, 1024, 1024);
  rows<i64>("1600Kx16/n65536", 1600 * K, 16, 65536);  // 100 MB
  rows<i64>("200Kx128/n16384", 200 * K, 128, 16384);
  rows<i32>("4096x64/n16384", 4096, 64, 16384);
  add_update<index_add, i64>("last", "1024x1024/n512", {1024, 1024}, 1, {512}, {1024, 512});
  return true;
}();

}  // namespace
