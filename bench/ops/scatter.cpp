// SPDX-License-Identifier: BSD-3-Clause
// scatter, scatter_add and scatter_reduce: along the last and the first dim, whole rows by an
// expanded index, and flat.
#include <garner/ops/scatter.hpp>

#include <algorithm>
#include <cmath>

#include "support/update_case.hpp"

namespace {

using namespace bench;
using garner::reduce;

struct scatter {
  static constexpr const char* name = "scatter";
  static constexpr auto peer = update::scatter;
  static void plain(auto& self, int dim, const auto& index, const auto& src) {
    along_dim(self, dim, index, src, [](float& to, float from) { to = from; });
  }
  static void run(auto& self, int dim, const auto& index, const auto& src, auto... options) {
    garner::scatter_into(self, dim, index, src, options...);
  }
};

struct scatter_add {
  static constexpr const char* name = "scatter_add";
  static constexpr auto peer = update::scatter_add;
  static void plain(auto& self, int dim, const auto& index, const auto& src) {
    along_dim(self, dim, index, src, [](float& to, float from) { to += from; });
  }
  static void run(auto& self, int dim, const auto& index, const auto& src, auto... options) {
    garner::scatter_add_into(self, dim, index, src, options...);
  }
};

struct scatter_amax {
  static constexpr const char* name = "scatter_reduce";
  static constexpr auto peer = update::scatter_amax;
  static void plain(auto& self, int dim, const auto& index, const auto& src) {
    along_dim(self, dim, index, src, [](float& to, float from) { to = std::max(to, from); });
  }
  static void run(auto& self, int dim, const auto& index, const auto& src, auto... options) {
    garner::scatter_reduce_into<reduce::amax>(self, dim, index, src, options...);
  }
};

struct scatter_mean {
  static constexpr const char* name = "scatter_reduce";
  static constexpr auto peer = update::scatter_mean;
  static void plain(auto& self, int dim, const auto& index, const auto& src) {
    garner::tensor<float, 2> count(self.shape());
    std::fill(count.begin(), count.end(), 1.0f);
    along_dim(self, dim, index, src, [](float& to, float from) { to += from; });
    along_dim(count, dim, index, src, [](float& to, float) { to += 1; });
    for (index_t k = 0; k < count.size(); ++k) self.data()[k] /= count.data()[k];
  }
  static void run(auto& self, int dim, const auto& index, const auto& src, auto... options) {
    garner::scatter_reduce_into<reduce::mean>(self, dim, index, src, options...);
  }
};

/// Along the last dim: k values for each of `rows` rows of `columns`.
template <class Op, class Index>
void last(const std::string& form, const std::string& size, index_t rows, index_t columns,
          index_t k) {
  add_update<Op, Index>(form, size, {rows, columns}, 1, {rows, k}, {rows, k});
}

/// Along the first dim: n rows of values, each element with an index of its own.
template <class Op, class Index>
void first(const std::string& form, const std::string& size, index_t rows, index_t columns,
           index_t n) {
  add_update<Op, Index>(form, size, {rows, columns}, 0, {n, columns}, {n, columns});
}

/// Along the first dim, one index for each row.
template <class Op, class Index>
void expanded(const std::string& form, const std::string& size, index_t rows, index_t columns,
              index_t n) {
  add_update<Op, Index>(form, size, {rows, columns}, 0, {n, 1}, {n, columns}, [=](auto& index) {
    return index.expand({n, columns});
  });
}

[[maybe_unused]] const bool added = [] {
  last<scatter, i64>("last", "256x1024/k1024", 256, 1024, 1024);
  first<scatter, i64>("first", "1024x1024", 1024, 1024, 1024);
  expanded<scatter, i64>("rows", "4096x64/n4096", 4096, 64, 4096);

  last<scatter_add, i64>("last", "256x1024/k1024", 256, 1024, 1024);
  last<scatter_add, i64>("last", "4096x1024/k256", 4096, 1024, 256);
  last<scatter_add, i64>("last", "65536x64/k16", 65536, 64, 16);
  last<scatter_add, i64>("flat", "1x4K/k1M", 1, 4 * K, M);
  last<scatter_add, i64>("flat", "1x16M/k1M", 1, 16 * M, M);
  last<scatter_add, i32>("last", "256x1024/k1024", 256, 1024, 1024);
  first<scatter_add, i64>("first", "1024x1024", 1024, 1024, 1024);
  first<scatter_add, i64>("first", "1024x4096", 1024, 4096, 1024);
  first<scatter_add, i32>("first", "1024x1024", 1024, 1024, 1024);
  expanded<scatter_add, i64>("rows", "4096x16/n65536", 4096, 16, 65536);
  expanded<scatter_add, i64>("rows", "4096x64/n65536", 4096, 64, 65536);
  expanded<scatter_add, i64>("rows", "100Kx64/n65536", 100000, 64, 65536);

  last<scatter_amax, i64>("amax", "256x1024/k1024", 256, 1024, 1024);
  expanded<scatter_amax, i64>("amax", "4096x64/n65536", 4096, 64, 65536);
  last<scatter_mean, i64>("mean", "256x1024/k1024", 256, 1024, 1024);
  expanded<scatter_mean, i64>("mean", "4096x64/n65536", 4096, 64, 65536);
  return true;
}();

}  // namespace
