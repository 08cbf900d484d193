// SPDX-License-Identifier: BSD-3-Clause
// The log-probability that a model gave to each token that was really there.
#include <cstdint>
#include <vector>

#include <garner/garner.hpp>

#include "check.hpp"

using garner::end;
using garner::gather;
using garner::index_t;
using garner::tensor;

int main() {
  say("gather on a small matrix, dim 1");
  const tensor<int, 2> small{{1, 2}, {3, 4}};
  show("gather(small, 1, [[0,1],[1,0]])", gather(small, 1, tensor<int, 2>{{0, 1}, {1, 0}}),
       tensor<int, 2>{{1, 2}, {4, 3}});

  say("one log-probability per token: log_probs (5, 10), ids (5)");
  tensor<float, 2> log_probs({5, 10});
  for (index_t t = 0; t < 5; ++t) {
    for (index_t v = 0; v < 10; ++v) log_probs(t, v) = -static_cast<float>(10 * t + v) / 8;
  }
  const tensor<std::int64_t, 1> ids{3, 7, 1, 9, 2};
  show("gather(log_probs, 1, ids.unsqueeze(1)).squeeze(1)",
       gather(log_probs, 1, ids.unsqueeze(1)).squeeze(1),
       tensor<float, 1>{-0.375f, -2.125f, -2.625f, -4.875f, -5.25f});

  say("the ids may be any integers from anywhere: here 16 bits wide, in a std::vector");
  const std::vector<std::uint16_t> narrow{3, 7, 1, 9, 2};
  show("the same with std::uint16_t",
       gather(log_probs, 1, garner::as_view(narrow).unsqueeze(1)).squeeze(1),
       tensor<float, 1>{-0.375f, -2.125f, -2.625f, -4.875f, -5.25f});

  say("a batch, shifted: position t holds the prediction for token t + 1");
  tensor<float, 3> batch({2, 4, 6});
  for (index_t b = 0; b < 2; ++b) {
    for (index_t t = 0; t < 4; ++t) {
      for (index_t v = 0; v < 6; ++v)
        batch(b, t, v) = -static_cast<float>(100 * b + 10 * t + v) / 8;
    }
  }
  const tensor<std::int64_t, 2> tokens{{1, 4, 0, 5}, {3, 2, 2, 1}};
  const auto predictions = batch.slice(1, 0, -1);  // all positions but the last
  const auto targets = tokens.slice(1, 1, end);    // all tokens but the first
  const tensor<float, 2> expected{{-0.5f, -1.25f, -3.125f}, {-12.75f, -14.f, -15.125f}};
  show("gather(predictions, -1, targets.unsqueeze(-1)).squeeze(-1)",
       gather(predictions, -1, targets.unsqueeze(-1)).squeeze(-1), expected);

  say("the same into memory of your own: nothing is allocated, the views copied nothing either");
  std::vector<float> mine(6);
  const garner::view<float, 2> out{mine.data(), {2, 3}};
  garner::gather_into(out.unsqueeze(-1), predictions, -1, targets.unsqueeze(-1));
  show("gather_into(out.unsqueeze(-1), ...)", out, expected);

  say("padding is often marked by the label -100: fill(0) gives it no weight");
  const tensor<std::int64_t, 2> labels{{4, 0, -100}, {2, -100, -100}};
  show("gather(predictions, -1, labels.unsqueeze(-1), fill(0.f)).squeeze(-1)",
       gather(predictions, -1, labels.unsqueeze(-1), garner::fill(0.f)).squeeze(-1),
       tensor<float, 2>{{-0.5f, -1.25f, 0.f}, {-12.75f, 0.f, 0.f}});
}
