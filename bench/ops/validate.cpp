// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/validate.hpp>

#include <cstdint>

#include "support/compare.hpp"
#include "support/data.hpp"

namespace {

using garner::index_t;
using garner::tensor;

/// Whether all indices lie in [0, extent); `out` holds the extent that was proven, or 0.
template <class Index>
struct in_range {
  in_range(index_t count, index_t length)
      : index(bench::indices<Index>(garner::dims{count}, length)),
        extent(length),
        out(garner::dims{1}) {}

  void garner() { out(0) = garner::validate(index, extent).extent(); }
  void raw() {
    bool within = true;
    for (const Index i : index) within &= 0 <= i && i < extent;
    out(0) = within ? extent : 0;
  }

  tensor<Index, 1> index;
  index_t extent;
  tensor<index_t, 1> out;
};

template <class Index>
bool add(const char* name, index_t count, index_t extent) {
  return bench::compare(name, [=] { return in_range<Index>(count, extent); });
}

[[maybe_unused]] const bool added[] = {
    add<std::int64_t>("validate/i64/1K", 1024, 1000),
    add<std::int64_t>("validate/i64/4M", 4'000'000, 1'000'000),
    add<std::int32_t>("validate/i32/4M", 4'000'000, 1'000'000),
    add<std::uint8_t>("validate/u8/4M", 4'000'000, 200),
};

}  // namespace
