// SPDX-License-Identifier: BSD-3-Clause
// Bags of ids: a recommender's weighted sum, the mean of token embeddings, and a step along a
// sparse gradient.
#include <cstdint>
#include <vector>

#include <garner/garner.hpp>

#include "check.hpp"

using garner::bag_mode;
using garner::embedding_bag;
using garner::index_t;
using garner::tensor;

int main() {
  say("items (6, 2); three users' clicks in one list, and where each user's begin");
  tensor<float, 2> items{{0, 0}, {1, 10}, {2, 20}, {3, 30}, {4, 40}, {5, 50}};
  const std::vector<std::int64_t> clicks{1, 2, 5, 3, 3};
  const std::vector<int> users{0, 3, 3};
  show("sum of each user's items; the second user has none",
       embedding_bag<bag_mode::sum>(items, clicks, users),
       tensor<float, 2>{{8, 80}, {0, 0}, {6, 60}});
  const std::vector<float> how_long{1, 0.5f, 2, 0.25f, 0.75f};
  show("weighted by how long they looked",
       embedding_bag<bag_mode::sum>(items, clicks, users, garner::per_sample_weights(how_long)),
       tensor<float, 2>{{12, 120}, {0, 0}, {3, 30}});

  say("sentences (2, 4) padded with token 0: the mean of the tokens that are there");
  const tensor<std::int32_t, 2> sentences{{1, 3, 0, 0}, {2, 2, 5, 0}};
  show("embedding_bag(items, sentences, padding_idx(0))",
       embedding_bag(items, sentences, garner::padding_idx(0)), tensor<float, 2>{{2, 20}, {3, 30}});
  show("the largest of each column", embedding_bag<bag_mode::max>(items, sentences),
       tensor<float, 2>{{3, 30}, {5, 50}});

  say("the same from bytes with a scale and a bias per row");
  const tensor<std::int8_t, 2> bytes{{-1, 1}, {2, 4}};
  const std::vector<float> scale{0.5f, 10};
  const std::vector<float> bias{1, 0};
  show("sum of both rows",
       embedding_bag<bag_mode::sum>(garner::quantized_rows(bytes, scale, bias),
                                    tensor<int, 2>{{0, 1}}),
       tensor<float, 2>{{20.5f, 41.5f}});

  say("a step against the gradient touches only the rows that were read");
  const tensor<float, 2> gradient{{1, 1}, {2, 2}, {4, 4}};
  const std::vector<int> read{5, 1, 5};
  const auto step = garner::embedding_backward_sparse(gradient, read, items.extent(0));
  show("rows", step.rows, tensor<std::int64_t, 1>{1, 5});
  show("their gradients", step.values, tensor<float, 2>{{2, 2}, {5, 5}});
  for (index_t k = 0; k < step.rows.size(); ++k) {
    for (index_t j = 0; j < 2; ++j) items(step.rows(k), j) -= 0.5f * step.values(k, j);
  }
  show("items", items, tensor<float, 2>{{0, 0}, {0, 9}, {2, 20}, {3, 30}, {4, 40}, {2.5f, 47.5f}});
}
