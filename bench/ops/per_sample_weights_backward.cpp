// SPDX-License-Identifier: BSD-3-Clause
// per_sample_weights_backward: gradients of the factors of bags of 10.
#include <garner/ops/per_sample_weights_backward.hpp>

#include "peers/libtorch.hpp"
#include "support/cases.hpp"

namespace {

using namespace bench;

void factors(const std::string& where, index_t bytes, index_t columns) {
  add_benchmark(
      "per_sample_weights_backward/f32/i64/" + where + "/x" + std::to_string(columns),
      [=](const runner& run) {
        const index_t n = bytes / (4 * columns);
        auto weight = random_floats(garner::dims{n, columns});
        auto ids = random_indices<i64>(garner::dims{20'000}, n);
        garner::tensor<i64, 1> offsets(garner::dims{ids.size() / 10});
        for (index_t b = 0; b < offsets.size(); ++b) offsets(b) = 10 * b;
        auto grad = random_floats(garner::dims{offsets.size(), columns});
        garner::tensor<float, 1> out(garner::dims<1>{ids.size()});
        contest c{{}, std::as_writable_bytes(std::span(out.begin(), out.end())), is_close};
        // libtorch returns a new tensor, so garner clears its own.
        c.contenders.push_back({"garner", [&] {
                                  std::memset(c.out.data(), 0, c.out.size());
                                  garner::per_sample_weights_backward(out, grad, weight, ids,
                                                                      offsets);
                                }});
#ifdef GARNER_BENCH_LIBTORCH
        c.contenders.push_back(
            {"libtorch", libtorch_per_sample_weights_backward(
                             describe(garner::as_view(out)), describe(garner::as_view(grad)),
                             describe(garner::as_view(weight)), describe(garner::as_view(ids)),
                             describe(garner::as_view(offsets)))});
#endif
        run(c);
      });
}

[[maybe_unused]] const bool added = [] {
  for (const index_t columns : {16, 64, 128}) {
    factors("2MB", 2 * M, columns);
    factors("100MB", 100 * M, columns);
  }
  return true;
}();

}  // namespace
