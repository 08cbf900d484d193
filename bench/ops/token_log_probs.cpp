// SPDX-License-Identifier: BSD-3-Clause
// token_log_probs and its gradient: rows as long as a vocabulary, and short ones.
#include <garner/ops/token_log_probs.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <string>

#include "peers/libtorch.hpp"
#include "support/cases.hpp"

namespace {

using namespace bench;

/// The two passes that one would write.
void plain_token_log_probs(auto& out, const auto& logits, const auto& ids) {
  const index_t n = logits.extent(-1);
  for (index_t r = 0; r < out.size(); ++r) {
    const float* const row = logits.data() + r * n;
    const float most = *std::max_element(row, row + n);
    float sum = 0;
    for (index_t v = 0; v < n; ++v) sum += std::exp(row[v] - most);
    out.data()[r] = row[ids.data()[r]] - most - std::log(sum);
  }
}

template <class... Rows>
void forward(const std::string& size, index_t columns, Rows... rows) {
  add_benchmark("token_log_probs/forward/f32/i64/" + size, [=](const runner& run) {
    const auto logits = random_floats(garner::dims{rows..., columns});
    const auto ids = random_indices<i64>(garner::dims{rows...}, columns);
    auto out = garner::tensor<float, sizeof...(Rows)>::uninitialized(ids.shape());
    contest c{{{"plain", [&] { plain_token_log_probs(out, logits, ids); }},
               {"garner", [&] { garner::token_log_probs_into(out, logits, ids); }}},
              std::as_writable_bytes(std::span(out.begin(), out.end())),
              is_close};
#ifdef GARNER_BENCH_LIBTORCH
    c.contenders.push_back({"libtorch", libtorch_token_log_probs(describe(garner::as_view(out)),
                                                                 describe(garner::as_view(logits)),
                                                                 describe(garner::as_view(ids)))});
#endif
    run(c);
  });
}

void backward(const std::string& size, index_t rows, index_t columns) {
  add_benchmark("token_log_probs/backward/f32/i64/" + size, [=](const runner& run) {
    const auto logits = random_floats(garner::dims{rows, columns});
    const auto ids = random_indices<i64>(garner::dims{rows}, columns);
    const auto weights = random_floats(garner::dims{rows});
    auto gradient = garner::tensor<float, 2>::uninitialized(logits.shape());
    contest c{
        {{"garner", [&] { garner::token_log_probs_backward(gradient, weights, logits, ids); }}},
        std::as_writable_bytes(std::span(gradient.begin(), gradient.end())),
        is_close,
        [&] { std::ranges::fill(gradient, 0.5f); }};
#ifdef GARNER_BENCH_LIBTORCH
    c.contenders.push_back(
        {"libtorch", libtorch_token_log_probs_backward(
                         describe(garner::as_view(gradient)), describe(garner::as_view(weights)),
                         describe(garner::as_view(logits)), describe(garner::as_view(ids)))});
#endif
    run(c);
  });
}

[[maybe_unused]] const bool added = [] {
  forward("512x32000", 32000, 512);
  forward("64x32000", 32000, 64);
  forward("4x128x50257", 50257, 4, 128);
  // 1.6 GB of logits, and as much again for libtorch's log_softmax.
  if (std::getenv("GARNER_BENCH_LARGE")) forward("64x128x50257", 50257, 64, 128);
  forward("4096x128", 128, 4096);
  forward("65536x8", 8, 65536);
  backward("512x32000", 512, 32000);
  backward("64x32000", 64, 32000);
  backward("4096x128", 4096, 128);
  backward("65536x8", 65536, 8);
  return true;
}();

}  // namespace
