// SPDX-License-Identifier: BSD-3-Clause
// scatter_nd: single elements and rows by two coordinates, each pair once, beside libtorch's
// index_put.
#include <garner/ops/scatter_nd.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

#include "peers/libtorch.hpp"
#include "support/cases.hpp"

namespace {

using namespace bench;

void nd(const std::string& size, index_t extent, index_t width) {
  add_benchmark("scatter_nd/pairs/f32/i64/" + size, [=](const runner& run) {
    const index_t n = extent * extent;
    garner::tensor<float, 3> self(garner::dims{extent, extent, width});
    auto updates = random_floats(garner::dims{n, width});
    garner::tensor<i64, 2> order(garner::dims{1, n}), indices(garner::dims{n, 2});
    draw_orders(order);
    for (index_t i = 0; i < n; ++i) {
      indices(i, 0) = order(0, i) / extent;
      indices(i, 1) = order(0, i) % extent;
    }
    const auto plain = [&] {
      for (index_t i = 0; i < n; ++i) {
        for (index_t j = 0; j < width; ++j) self(indices(i, 0), indices(i, 1), j) = updates(i, j);
      }
    };
    contest c{{{"plain", plain},
               {"garner", [&] { garner::scatter_nd_into(self, indices, updates); }},
               {"unchecked",
                [&] { garner::scatter_nd_into(self, indices, updates, garner::unchecked); }}},
              std::as_writable_bytes(std::span(self.begin(), self.end()))};
#ifdef GARNER_BENCH_LIBTORCH
    c.contenders.push_back({"libtorch", libtorch_scatter_nd(describe(garner::as_view(self)),
                                                            describe(garner::as_view(indices)),
                                                            describe(garner::as_view(updates)))});
#endif
    run(c);
  });
}

[[maybe_unused]] const bool added = [] {
  nd("256x256x1", 256, 1);
  nd("64x64x64", 64, 64);
  return true;
}();

}  // namespace
