// SPDX-License-Identifier: BSD-3-Clause
// Log-probabilities of tokens straight from the logits: a language model's loss and a step that
// lowers it, and the ratio of new to old probabilities that PPO and GRPO are made of.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <garner/garner.hpp>

#include "check.hpp"

using garner::end;
using garner::index_t;
using garner::tensor;
using garner::token_log_probs;
using garner::token_log_probs_backward;

namespace {

/// The mean of -log p over all tokens.
float loss_of(const tensor<float, 2>& log_probs) {
  float sum = 0;
  for (float p : log_probs) sum -= p;
  return sum / static_cast<float>(log_probs.size());
}

bool is_close(float a, float b) { return std::abs(a - b) < 1e-5f; }

}  // namespace

int main() {
  say("logits (5, 10), ids (5): one log-probability per token, and no (5, 10) log_softmax");
  tensor<float, 2> logits({5, 10});
  for (index_t t = 0; t < 5; ++t) {
    for (index_t v = 0; v < 10; ++v) logits(t, v) = static_cast<float>((3 * t + 7 * v) % 10) / 4;
  }
  const tensor<std::int64_t, 1> ids{3, 7, 1, 9, 2};
  const auto log_probs = token_log_probs(logits, ids);
  show_shape("token_log_probs(logits, ids).shape()", log_probs.shape(), 5);
  double sum = 0;
  for (index_t v = 0; v < 10; ++v) sum += std::exp(double{logits(1, v)});
  show("log_probs(1) is logits(1, 7) - log(sum of exp(logits(1)))",
       is_close(log_probs(1), static_cast<float>(double{logits(1, 7)} - std::log(sum))), true);

  say("a batch (2, 4, 6), shifted: position t predicts token t + 1");
  tensor<float, 3> model({2, 4, 6});
  index_t k = 0;
  for (float& x : model) x = static_cast<float>(k++ * 5 % 11) / 8;
  const tensor<std::int64_t, 2> tokens{{1, 4, 0, 5}, {3, 2, 2, 1}};
  const auto predictions = model.slice(1, 0, -1);
  const auto targets = tokens.slice(1, 1, end);
  const auto before = token_log_probs(predictions, targets);
  show_shape("token_log_probs(predictions, targets).shape()", before.shape(), 2, 3);

  say("the loss is the mean of -log p; its gradient is -1/6 for each log-probability");
  tensor<float, 3> gradient(model.shape());
  tensor<float, 2> weights({2, 3});
  for (float& w : weights) w = -1.0f / 6;
  token_log_probs_backward(gradient.slice(1, 0, -1), weights, predictions, targets);
  float most = 0;
  for (index_t b = 0; b < 2; ++b) {
    for (index_t t = 0; t < 4; ++t) {
      float row = 0;
      for (index_t v = 0; v < 6; ++v) row += gradient(b, t, v);
      most = std::max(most, std::abs(row));
    }
  }
  show("each row of the gradient adds up to 0", most < 1e-6f, true);

  say("a step against the gradient makes the tokens likelier");
  const tensor<float, 3> old = model;
  for (index_t i = 0; i < model.size(); ++i) model.data()[i] -= 2 * gradient.data()[i];
  const auto after = token_log_probs(predictions, targets);
  std::cout << "loss " << loss_of(before) << " -> " << loss_of(after) << '\n';
  show("the loss is lower", loss_of(after) < loss_of(before), true);

  say("PPO and GRPO weigh each token by exp(new - old)");
  const auto reference = token_log_probs(old.slice(1, 0, -1), targets);
  bool is_likelier = true;
  for (index_t i = 0; i < after.size(); ++i) {
    const float ratio = std::exp(after.data()[i] - reference.data()[i]);
    std::cout << ratio << ' ';
    is_likelier &= ratio > 1;
  }
  std::cout << '\n';
  show("all ratios are above 1", is_likelier, true);

  say("padding is often marked by the label -100: fill(0) gives it neither weight nor gradient");
  const tensor<std::int64_t, 2> labels{{4, 0, -100}, {2, -100, -100}};
  const auto padded = token_log_probs(predictions, labels, garner::fill(0));
  show("padded(0, 2)", padded(0, 2), 0.0f);
  tensor<float, 3> masked(model.shape());
  token_log_probs_backward(masked.slice(1, 0, -1), weights, predictions, labels, garner::fill(0));
  show("the gradient of the padded position", masked.select(0, 0).select(0, 2),
       tensor<float, 1>{0, 0, 0, 0, 0, 0});
}
