// SPDX-License-Identifier: BSD-3-Clause
// topk: few and many of a line, along the last and the first dim.
#include <garner/ops/topk.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "peers/libtorch.hpp"
#include "support/cases.hpp"
#include "support/numbers.hpp"

namespace {

using namespace bench;

template <class T>
void add_case(index_t rows, index_t columns, index_t k, int dim) {
  const auto size = std::to_string(rows) + "x" + std::to_string(columns) + "/k" + std::to_string(k);
  add_benchmark(
      "topk/dim" + std::to_string(dim) + "/" + name_of<T>() + "/" + size, [=](const runner& run) {
        auto x = distinct_numbers<T>(garner::dims{rows, columns});
        const auto shape = dim == 0 ? garner::dims{k, columns} : garner::dims{rows, k};
        // Both results in one buffer, for comparison: the indices, then the values.
        const auto count = shape[0] * shape[1];
        garner::tensor<i64, 1> both(count + (count * static_cast<index_t>(sizeof(T)) + 7) / 8);
        const garner::view<i64, 2> indices(both.data(), shape);
        const garner::view<T, 2> values(reinterpret_cast<T*>(both.data() + count), shape);
        const auto plain = [&] {
          const auto lines = dim == 0 ? x.transpose(0, 1) : x;
          const auto best = dim == 0 ? values.transpose(0, 1) : values;
          const auto at = dim == 0 ? indices.transpose(0, 1) : indices;
          std::vector<i64> order(static_cast<std::size_t>(lines.extent(1)));
          for (index_t r = 0; r < lines.extent(0); ++r) {
            const auto line = lines.select(0, r);
            std::iota(order.begin(), order.end(), i64{0});
            std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](i64 a, i64 b) {
              return line(a) > line(b) || (line(a) == line(b) && a < b);
            });
            for (index_t i = 0; i < k; ++i) {
              at(r, i) = order[static_cast<std::size_t>(i)];
              best(r, i) = line(at(r, i));
            }
          }
        };
        contest c{
            {{"plain", plain}, {"garner", [&] { garner::topk_into(values, indices, x, k, dim); }}},
            std::as_writable_bytes(std::span(both.begin(), both.end()))};
#ifdef GARNER_BENCH_LIBTORCH
        c.contenders.push_back({"libtorch", libtorch_topk(describe(values), describe(indices),
                                                          describe(garner::as_view(x)), k, dim)});
#endif
        run(c);
      });
}

[[maybe_unused]] const bool added = [] {
  add_case<float>(1000, 1000, 10, 1);
  add_case<float>(1000, 1000, 100, 1);
  add_case<float>(1000, 1000, 10, 0);
  add_case<i64>(1000, 1000, 10, 1);
  add_case<i64>(1000, 1000, 100, 1);
  add_case<float>(64, 50257, 50, 1);
  add_case<float>(1000, 1000, 1000, 1);
  add_case<float>(100000, 10, 2, 1);
  return true;
}();

}  // namespace
