// SPDX-License-Identifier: BSD-3-Clause
// argsort: along the last and the first dim, short and long lines.
#include <garner/ops/argsort.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

#include "peers/libtorch.hpp"
#include "support/cases.hpp"
#include "support/numbers.hpp"

namespace {

using namespace bench;

template <class T>
void add_case(index_t rows, index_t columns, int dim) {
  const auto size = std::to_string(rows) + "x" + std::to_string(columns);
  add_benchmark(
      "argsort/dim" + std::to_string(dim) + "/" + name_of<T>() + "/" + size,
      [=](const runner& run) {
        auto x = random_numbers<T>(garner::dims{rows, columns});
        garner::tensor<i64, 2> out(x.shape());
        const auto plain = [&] {
          const auto lines = dim == 0 ? x.transpose(0, 1) : x;
          const auto orders = dim == 0 ? out.transpose(0, 1) : out;
          std::vector<i64> order(static_cast<std::size_t>(lines.extent(1)));
          for (index_t r = 0; r < lines.extent(0); ++r) {
            const auto line = lines.select(0, r);
            std::iota(order.begin(), order.end(), i64{0});
            std::stable_sort(order.begin(), order.end(),
                             [&](i64 a, i64 b) { return line(a) < line(b); });
            for (index_t i = 0; i < line.size(); ++i) {
              orders(r, i) = order[static_cast<std::size_t>(i)];
            }
          }
        };
        contest c{{{"plain", plain},
                   {"garner", [&] { garner::argsort_into(out, x, dim); }},
                   {"returned",
                    [&] {
                      const auto result = garner::argsort(x, dim);
                      std::copy(result.begin(), result.end(), out.begin());
                    }}},
                  std::as_writable_bytes(std::span(out.begin(), out.end()))};
#ifdef GARNER_BENCH_LIBTORCH
        c.contenders.push_back({"libtorch", libtorch_argsort(describe(garner::as_view(out)),
                                                             describe(garner::as_view(x)), dim)});
#endif
        run(c);
      });
}

[[maybe_unused]] const bool added = [] {
  add_case<float>(1000, 1000, 1);
  add_case<float>(1000, 1000, 0);
  add_case<i32>(1000, 1000, 1);
  add_case<i64>(1000, 1000, 1);
  add_case<i64>(1000, 1000, 0);
  add_case<float>(100000, 10, 1);
  add_case<float>(8, 100000, 1);
  add_case<i64>(8, 100000, 1);
  return true;
}();

}  // namespace
