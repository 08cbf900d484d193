// SPDX-License-Identifier: BSD-3-Clause
// Gradients: those of reading operations add through the index, as libtorch's scatter_add and
// index_add do; that of index_add reads and adds.
#include <garner/ops/backward.hpp>

#include "support/update_case.hpp"

namespace {

using namespace bench;

struct gather_backward {
  static constexpr const char* name = "gather_backward";
  static constexpr auto peer = update::scatter_add;
  static void plain(auto& self, int dim, const auto& index, const auto& src) {
    along_dim(self, dim, index, src, [](float& to, float from) { to += from; });
  }
  static void run(auto& self, int dim, const auto& index, const auto& src, auto... options) {
    garner::gather_backward(self, src, dim, index, options...);
  }
};

struct index_select_backward {
  static constexpr const char* name = "index_select_backward";
  static constexpr auto peer = update::index_add;
  static void plain(auto& self, int, const auto& index, const auto& src) {
    along_rows(self, index, src, [](float& to, float from) { to += from; });
  }
  static void run(auto& self, int dim, const auto& index, const auto& src, auto... options) {
    garner::index_select_backward(self, src, dim, index, options...);
  }
};

[[maybe_unused]] const bool added = [] {
  add_update<gather_backward, i64>("last", "256x1024/k1024", {256, 1024}, 1, {256, 1024},
                                   {256, 1024});
  add_update<index_select_backward, i64>("rows", "4096x64/n16384", {4096, 64}, 0, {16384},
                                         {16384, 64});
  return true;
}();

}  // namespace
