// SPDX-License-Identifier: BSD-3-Clause
// Message passing on a graph: gather along the edges, scatter to the nodes, and the gradient of it.
// Q-values and attention rows beside it: picking by an index and writing back through it.
#include <cstdint>

#include <garner/garner.hpp>

#include "check.hpp"

using garner::dims;
using garner::reduce;
using garner::tensor;
using ids = tensor<std::int64_t, 1>;

int main() {
  // Four nodes with two features each, five directed edges.
  const tensor<float, 2> nodes{{1, 10}, {2, 20}, {3, 30}, {4, 40}};
  const ids from{0, 1, 2, 3, 0};
  const ids to{1, 2, 1, 1, 3};

  const auto messages = garner::index_select(nodes, 0, from);  // a row for each edge
  const auto sums = garner::index_add(tensor<float, 2>(nodes.shape()), 0, to, messages);
  show("the sum of the messages at each node", sums,
       tensor<float, 2>{{0, 0}, {8, 80}, {2, 20}, {1, 10}});

  // The mean and the maximum of what arrives; nodes that nothing arrives at keep what they have.
  const auto by_feature = to.unsqueeze(1).expand({-1, 2});
  const auto means = garner::scatter_reduce<reduce::mean>(nodes, 0, by_feature, messages,
                                                          garner::include_self(false));
  const auto most = garner::scatter_reduce<reduce::amax>(nodes, 0, by_feature, messages);
  show("their mean", means, tensor<float, 2>{{1, 10}, {8.0f / 3, 80.0f / 3}, {2, 20}, {1, 10}});
  show("the largest of them and of what was there", most,
       tensor<float, 2>{{1, 10}, {4, 40}, {3, 30}, {4, 40}});

  // Backwards: the gradient of the sums goes to the messages, and from them to the nodes.
  const tensor<float, 2> grad_sums{{1, 1}, {2, 2}, {3, 3}, {4, 4}};
  tensor<float, 2> grad_messages(messages.shape());
  garner::index_add_backward(grad_messages, grad_sums, 0, to);
  tensor<float, 2> grad_nodes(nodes.shape());
  garner::index_select_backward(grad_nodes, grad_messages, 0, from);
  show("the gradient of the nodes", grad_nodes, tensor<float, 2>{{6, 6}, {3, 3}, {2, 2}, {2, 2}});

  // Q-values: the value of the action taken, and an update of just that one.
  tensor<float, 2> q{{0.5, 1, 2}, {3, 0, 1}};
  const ids action{2, 0};
  const auto taken = garner::gather(q, 1, action.unsqueeze(1)).squeeze(1);
  show("q of the actions taken", taken, tensor<float, 1>{2, 3});
  tensor<float, 1> target{4, 1};
  for (int i = 0; i < 2; ++i) target(i) = taken(i) + 0.5f * (target(i) - taken(i));
  garner::put_along_dim_into(q, action.unsqueeze(1), target.unsqueeze(1), 1);
  show("q after a step", q, tensor<float, 2>{{0.5, 1, 3}, {2, 0, 1}});

  // Attention rows: from scores (heads, queries, keys), one query of each head.
  tensor<float, 3> scores(dims{2, 3, 4});
  for (int k = 0; k < scores.size(); ++k) scores.data()[k] = static_cast<float>(k);
  const ids query{2, 0};
  const auto rows = garner::gather_nd(scores, query.unsqueeze(1), garner::batch_dims(1));
  show("one query of each head", rows, tensor<float, 2>{{8, 9, 10, 11}, {12, 13, 14, 15}});
}
