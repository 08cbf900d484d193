// SPDX-License-Identifier: BSD-3-Clause
// argmax: along the last and the first dim, and over rows as long as a vocabulary.
#include <garner/ops/argmax.hpp>

#include "peers/libtorch.hpp"
#include "support/cases.hpp"
#include "support/numbers.hpp"

namespace {

using namespace bench;

template <class T>
void add_case(index_t rows, index_t columns, int dim) {
  const auto size = std::to_string(rows) + "x" + std::to_string(columns);
  add_benchmark(
      "argmax/dim" + std::to_string(dim) + "/" + name_of<T>() + "/" + size, [=](const runner& run) {
        auto x = random_numbers<T>(garner::dims{rows, columns});
        garner::tensor<i64, 1> out(dim == 0 ? columns : rows);
        contest c{{{"plain",
                    [&] {
                      const auto lines = dim == 0 ? x.transpose(0, 1) : x;
                      for (index_t r = 0; r < out.size(); ++r) {
                        const auto line = lines.select(0, r);
                        index_t best = 0;
                        for (index_t i = 1; i < line.size(); ++i) {
                          if (line(i) > line(best)) best = i;
                        }
                        out(r) = best;
                      }
                    }},
                   {"garner", [&] { garner::argmax_into(out, x, dim); }}},
                  std::as_writable_bytes(std::span(out.begin(), out.end()))};
#ifdef GARNER_BENCH_LIBTORCH
        c.contenders.push_back({"libtorch", libtorch_argmax(describe(garner::as_view(out)),
                                                            describe(garner::as_view(x)), dim)});
#endif
        run(c);
      });
}

[[maybe_unused]] const bool added = [] {
  add_case<float>(1000, 1000, 1);
  add_case<float>(1000, 1000, 0);
  add_case<float>(64, 50257, 1);
  add_case<i32>(1000, 1000, 1);
  add_case<i64>(1000, 1000, 1);
  add_case<i64>(1000, 1000, 0);
  add_case<u8>(1000, 1000, 1);
  add_case<float>(100000, 10, 1);
  return true;
}();

}  // namespace
