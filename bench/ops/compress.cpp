// SPDX-License-Identifier: BSD-3-Clause
// compress: rows, columns and single elements.
#include <garner/ops/compress.hpp>

#include "peers/libtorch.hpp"
#include "support/cases.hpp"
#include "support/numbers.hpp"

namespace {

using namespace bench;

template <class T>
void add_case(const std::string& form, garner::dims<2> shape, int dim, int percent) {
  add_benchmark(
      "compress/" + form + "/" + name_of<T>() + "/" + std::to_string(percent) + "%",
      [=](const runner& run) {
        auto x = random_elements<T>(shape);
        auto mask = random_mask(garner::dims{shape[dim]}, percent);
        auto out = garner::compress(mask, x, dim);
        const auto plain = [&] {
          const auto from = dim == 0 ? x.transpose(0, 0) : x.transpose(0, 1);
          const auto to = dim == 0 ? out.transpose(0, 0) : out.transpose(0, 1);
          index_t n = 0;
          for (index_t i = 0; i < mask.size(); ++i) {
            if (!mask(i)) continue;
            for (index_t j = 0; j < from.extent(1); ++j) to(n, j) = from(i, j);
            ++n;
          }
        };
        contest c{{{"plain", plain}, {"garner", [&] { garner::compress_into(out, mask, x, dim); }}},
                  std::as_writable_bytes(std::span(out.begin(), out.end()))};
#ifdef GARNER_BENCH_LIBTORCH
        auto m = garner::view<u8, 1>(reinterpret_cast<u8*>(mask.data()), mask.shape());
        c.contenders.push_back(
            {"libtorch", libtorch_compress(describe(garner::as_view(out)), describe(m),
                                           describe(garner::as_view(x)), dim)});
#endif
        run(c);
      });
}

[[maybe_unused]] const bool added = [] {
  add_case<float>("rows1024x1024", {K, K}, 0, 50);
  add_case<float>("columns1024x1024", {K, K}, 1, 50);
  add_case<float>("1M", {M, 1}, 0, 50);
  return true;
}();

}  // namespace
