// SPDX-License-Identifier: BSD-3-Clause
// embedding_bag_backward: gradients of bags of 10, added into a table that starts from zeros.
#include <garner/ops/embedding_bag_backward.hpp>

#include "peers/libtorch.hpp"
#include "support/cases.hpp"

namespace {

using namespace bench;
using garner::bag_mode;

template <bag_mode Mode>
void bags(const std::string& mode, index_t columns) {
  add_benchmark(
      "embedding_bag_backward/" + mode + "/f32/i64/2MB/x" + std::to_string(columns),
      [=](const runner& run) {
        const index_t n = 2 * M / (4 * columns);
        auto weight = random_floats(garner::dims{n, columns});
        auto ids = random_indices<i64>(garner::dims{20'000}, n);
        garner::tensor<i64, 1> offsets(garner::dims{ids.size() / 10});
        for (index_t b = 0; b < offsets.size(); ++b) offsets(b) = 10 * b;
        auto grad = random_floats(garner::dims{offsets.size(), columns});
        garner::tensor<float, 2> out(garner::dims{n, columns});
        contest c{{}, std::as_writable_bytes(std::span(out.begin(), out.end())), is_close};
        // libtorch returns a new table, so garner clears its own.
        c.contenders.push_back({"garner", [&] {
                                  std::memset(c.out.data(), 0, c.out.size());
                                  if constexpr (Mode == bag_mode::max) {
                                    garner::embedding_bag_backward<Mode>(out, grad, weight, ids,
                                                                         offsets);
                                  } else {
                                    garner::embedding_bag_backward<Mode>(out, grad, ids, offsets);
                                  }
                                }});
#ifdef GARNER_BENCH_LIBTORCH
        c.contenders.push_back(
            {"libtorch", libtorch_embedding_bag_backward(
                             describe(garner::as_view(out)), describe(garner::as_view(grad)),
                             describe(garner::as_view(weight)), describe(garner::as_view(ids)),
                             describe(garner::as_view(offsets)), static_cast<int>(Mode))});
#endif
        run(c);
      });
}

[[maybe_unused]] const bool added = [] {
  for (const index_t columns : {16, 64, 128}) {
    bags<bag_mode::sum>("sum", columns);
    bags<bag_mode::mean>("mean", columns);
  }
  return true;
}();

}  // namespace
