// SPDX-License-Identifier: BSD-3-Clause
// put, with and without accumulate, and put_along_dim, which libtorch has as scatter.
#include <garner/ops/put.hpp>

#include "support/update_case.hpp"

namespace {

using namespace bench;

struct put {
  static constexpr const char* name = "put";
  static constexpr auto peer = update::put;
  static void plain(auto& self, int, const auto& index, const auto& src) {
    for (index_t i = 0; i < index.size(); ++i) self.data()[index(i)] = src(i);
  }
  static void run(auto& self, int, const auto& index, const auto& src, auto... options) {
    garner::put_into(self, index, src, options...);
  }
};

struct put_add {
  static constexpr const char* name = "put";
  static constexpr auto peer = update::put_add;
  static void plain(auto& self, int, const auto& index, const auto& src) {
    for (index_t i = 0; i < index.size(); ++i) self.data()[index(i)] += src(i);
  }
  static void run(auto& self, int, const auto& index, const auto& src, auto... options) {
    garner::put_into(self, index, src, garner::accumulate, options...);
  }
};

struct put_along_dim {
  static constexpr const char* name = "put_along_dim";
  static constexpr auto peer = update::scatter;
  static void plain(auto& self, int dim, const auto& index, const auto& src) {
    along_dim(self, dim, index, src, [](float& to, float from) { to = from; });
  }
  static void run(auto& self, int dim, const auto& index, const auto& src, auto... options) {
    garner::put_along_dim_into(self, index, src, dim, options...);
  }
};

[[maybe_unused]] const bool added = [] {
  add_update<put, i64>("flat", "256K/n256K", {256 * K}, 0, {256 * K}, {256 * K});
  add_update<put_add, i64>("add", "256K/n256K", {256 * K}, 0, {256 * K}, {256 * K});
  add_update<put_along_dim, i64>("last", "1024x256/k256", {1024, 256}, 1, {1024, 256}, {1024, 256});
  return true;
}();

}  // namespace
