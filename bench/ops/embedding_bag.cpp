// SPDX-License-Identifier: BSD-3-Clause
// embedding_bag: rows of 16 to 128 numbers in bags of 1 to 100, from a table in the cache and from
// a large one.
#include <garner/ops/embedding_bag.hpp>

#include "peers/libtorch.hpp"
#include "support/cases.hpp"

namespace {

using namespace bench;
using garner::bag_mode;

constexpr index_t picked = 20'000;  // ids per call
const std::string mode_names[] = {"sum", "mean", "max"};

garner::tensor<i64, 1> even_offsets(index_t per_bag) {
  garner::tensor<i64, 1> result(garner::dims{picked / per_bag});
  for (index_t b = 0; b < result.size(); ++b) result(b) = b * per_bag;
  return result;
}

/// The equation.
template <bag_mode Mode>
void plain(auto& out, const auto& row, const auto& ids, const auto& offsets, const float* factors) {
  for (index_t b = 0; b < out.extent(0); ++b) {
    const index_t begin = offsets(b);
    const index_t end = b + 1 < offsets.size() ? offsets(b + 1) : ids.size();
    float* const to = &out(b, 0);
    std::fill(to, to + out.extent(1), Mode == bag_mode::max ? -3e38f : 0.0f);
    for (index_t i = begin; i < end; ++i) {
      const float factor = factors ? factors[i] : 1.0f;
      for (index_t j = 0; j < out.extent(1); ++j) {
        const float x = row(ids(i), j);
        to[j] = Mode == bag_mode::max ? std::max(to[j], x) : to[j] + factor * x;
      }
    }
    if (Mode != bag_mode::mean) continue;
    for (index_t j = 0; j < out.extent(1); ++j) to[j] /= static_cast<float>(end - begin);
  }
}

template <bag_mode Mode, bool IsWeighted = false>
void floats(index_t bytes, const std::string& size, index_t columns, index_t per_bag) {
  add_benchmark(
      "embedding_bag/" + mode_names[static_cast<int>(Mode)] + (IsWeighted ? "_weighted" : "") +
          "/f32/i64/" + size + "/x" + std::to_string(columns) + "/bag" + std::to_string(per_bag),
      [=](const runner& run) {
        const index_t rows = bytes / (4 * columns);
        auto weight = random_floats(garner::dims{rows, columns});
        auto ids = random_indices<i64>(garner::dims{picked}, rows);
        auto offsets = even_offsets(per_bag);
        auto factors = random_floats(garner::dims{picked});
        garner::tensor<float, 2> out(garner::dims{offsets.size(), columns});
        contest c{{}, std::as_writable_bytes(std::span(out.begin(), out.end())), is_close};
        c.contenders.push_back({"plain", [&] {
                                  plain<Mode>(out, weight, ids, offsets,
                                              IsWeighted ? factors.data() : nullptr);
                                }});
        c.contenders.push_back({"garner", [&] {
                                  if constexpr (IsWeighted) {
                                    garner::embedding_bag_into<Mode>(
                                        out, weight, ids, offsets,
                                        garner::per_sample_weights(factors));
                                  } else {
                                    garner::embedding_bag_into<Mode>(out, weight, ids, offsets);
                                  }
                                }});
#ifdef GARNER_BENCH_LIBTORCH
        const array samples = describe(garner::as_view(factors));
        c.contenders.push_back(
            {"libtorch", libtorch_embedding_bag(
                             describe(garner::as_view(out)), describe(garner::as_view(weight)),
                             describe(garner::as_view(ids)), describe(garner::as_view(offsets)),
                             static_cast<int>(Mode), IsWeighted ? &samples : nullptr)});
#endif
        run(c);
      });
}

/// Rows of 16-bit floats and of quantized bytes.
template <class T>
void small(const std::string& element, index_t bytes, const std::string& size, index_t columns,
           index_t per_bag) {
  add_benchmark(
      "embedding_bag/sum/" + element + "/i64/" + size + "/x" + std::to_string(columns) + "/bag" +
          std::to_string(per_bag),
      [=](const runner& run) {
        const index_t rows = bytes / (static_cast<index_t>(sizeof(T)) * columns);
        auto weight = garner::tensor<T, 2>::uninitialized(garner::dims{rows, columns});
        for (index_t i = 0; i < weight.size(); ++i) {
          weight.data()[i] = static_cast<T>(static_cast<float>(i % 251 - 125));
        }
        auto scale = random_floats(garner::dims{rows});
        auto bias = random_floats(garner::dims{rows});
        auto ids = random_indices<i64>(garner::dims{picked}, rows);
        auto offsets = even_offsets(per_bag);
        garner::tensor<float, 2> out(garner::dims{offsets.size(), columns});
        constexpr bool is_quantized = sizeof(T) == 1;
        const auto row = [&](index_t r, index_t j) {
          const auto x = static_cast<float>(weight(r, j));
          if constexpr (is_quantized) return scale(r) * x + bias(r);
          return x;
        };
        contest c{{}, std::as_writable_bytes(std::span(out.begin(), out.end())), is_close};
        c.contenders.push_back(
            {"plain", [&] { plain<bag_mode::sum>(out, row, ids, offsets, nullptr); }});
        c.contenders.push_back(
            {"garner", [&] {
               if constexpr (is_quantized) {
                 garner::embedding_bag_into<bag_mode::sum>(
                     out, garner::quantized_rows(weight, scale, bias), ids, offsets);
               } else {
                 garner::embedding_bag_into<bag_mode::sum>(out, weight, ids, offsets);
               }
             }});
        run(c);
      });
}

template <bag_mode Mode>
void grid() {
  for (const index_t columns : {16, 64, 128}) {
    for (const index_t per_bag : {1, 10, 100}) {
      floats<Mode>(2 * M, "2MB", columns, per_bag);
      floats<Mode>(100 * M, "100MB", columns, per_bag);
    }
  }
}

[[maybe_unused]] const bool added = [] {
  grid<bag_mode::sum>();
  grid<bag_mode::mean>();
  grid<bag_mode::max>();
  floats<bag_mode::sum, true>(2 * M, "2MB", 64, 10);
  floats<bag_mode::sum, true>(100 * M, "100MB", 64, 10);
  for (const index_t columns : {64, 128}) {
    small<garner::half>("f16", 2 * M, "2MB", columns, 10);
    small<garner::bfloat16>("bf16", 2 * M, "2MB", columns, 10);
    small<std::int8_t>("i8", 2 * M, "2MB", columns, 10);
    small<std::uint8_t>("u8", 100 * M, "100MB", columns, 10);
  }
  return true;
}();

}  // namespace
