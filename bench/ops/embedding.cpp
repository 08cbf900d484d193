// SPDX-License-Identifier: BSD-3-Clause
// embedding: rows of a table, near and far.
#include <garner/ops/embedding.hpp>

#include "peers/libtorch.hpp"
#include "support/cases.hpp"

namespace {

using namespace bench;

void rows(index_t bytes, const std::string& size, index_t columns) {
  add_benchmark(
      "embedding/rows/f32/i64/" + size + "/x" + std::to_string(columns), [=](const runner& run) {
        const index_t n = bytes / (4 * columns);
        auto weight = random_floats(garner::dims{n, columns});
        auto ids = random_indices<i64>(garner::dims{20'000}, n);
        garner::tensor<float, 2> out(garner::dims{ids.size(), columns});
        contest c{{{"garner", [&] { garner::embedding_into(out, weight, ids); }}},
                  std::as_writable_bytes(std::span(out.begin(), out.end()))};
#ifdef GARNER_BENCH_LIBTORCH
        c.contenders.push_back({"libtorch", libtorch_embedding(describe(garner::as_view(out)),
                                                               describe(garner::as_view(weight)),
                                                               describe(garner::as_view(ids)))});
#endif
        run(c);
      });
}

[[maybe_unused]] const bool added = [] {
  for (const index_t columns : {16, 64, 128}) {
    rows(2 * M, "2MB", columns);
    rows(100 * M, "100MB", columns);
  }
  return true;
}();

}  // namespace
