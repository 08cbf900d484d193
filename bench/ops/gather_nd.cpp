// SPDX-License-Identifier: BSD-3-Clause
// gather_nd: single elements and rows by two coordinates. libtorch indexes by one tensor for each
// dim, here views of the same coordinates.
#include <garner/ops/gather_nd.hpp>

#include <cstddef>
#include <span>

#include "peers/libtorch.hpp"
#include "support/cases.hpp"

namespace {

using namespace bench;

void nd(const std::string& size, index_t extent, index_t width, index_t n) {
  add_benchmark("gather_nd/pairs/f32/i64/" + size, [=](const runner& run) {
    auto input = random_elements<float>(garner::dims{extent, extent, width});
    auto indices = random_indices<i64>(garner::dims{n, 2}, extent);
    garner::tensor<float, 2> out(garner::dims{n, width});
    const auto plain = [&] {
      for (index_t i = 0; i < n; ++i) {
        for (index_t j = 0; j < width; ++j) out(i, j) = input(indices(i, 0), indices(i, 1), j);
      }
    };
    contest c{
        {{"plain", plain},
         {"garner", [&] { garner::gather_nd_into(out, input, indices); }},
         {"unchecked", [&] { garner::gather_nd_into(out, input, indices, garner::unchecked); }}},
        std::as_writable_bytes(std::span(out.begin(), out.end()))};
#ifdef GARNER_BENCH_LIBTORCH
    c.contenders.push_back({"libtorch", libtorch_gather_nd(describe(garner::as_view(out)),
                                                           describe(garner::as_view(input)),
                                                           describe(garner::as_view(indices)))});
#endif
    run(c);
  });
}

[[maybe_unused]] const bool added = [] {
  nd("512x512x1/n64K", 512, 1, 64 * K);
  nd("64x64x64/n16K", 64, 64, 16 * K);
  return true;
}();

}  // namespace
