// SPDX-License-Identifier: BSD-3-Clause
// embedding_backward: gradients of rows, added into a table that starts from zeros.
#include <garner/ops/embedding_backward.hpp>

#include "peers/libtorch.hpp"
#include "support/cases.hpp"

namespace {

using namespace bench;

void rows(index_t bytes, const std::string& size, index_t columns) {
  add_benchmark(
      "embedding_backward/dense/f32/i64/" + size + "/x" + std::to_string(columns),
      [=](const runner& run) {
        const index_t n = bytes / (4 * columns);
        auto ids = random_indices<i64>(garner::dims{20'000}, n);
        auto grad = random_floats(garner::dims{ids.size(), columns});
        garner::tensor<float, 2> out(garner::dims{n, columns});
        contest c{{}, std::as_writable_bytes(std::span(out.begin(), out.end())), is_close};
        // libtorch returns a new table, so garner clears its own.
        c.contenders.push_back({"garner", [&] {
                                  std::memset(c.out.data(), 0, c.out.size());
                                  garner::embedding_backward(out, grad, ids);
                                }});
#ifdef GARNER_BENCH_LIBTORCH
        c.contenders.push_back(
            {"libtorch", libtorch_embedding_backward(describe(garner::as_view(out)),
                                                     describe(garner::as_view(grad)),
                                                     describe(garner::as_view(ids)))});
#endif
        run(c);
      });
}

[[maybe_unused]] const bool added = [] {
  for (const index_t columns : {16, 64, 128}) rows(2 * M, "2MB", columns);
  return true;
}();

}  // namespace
