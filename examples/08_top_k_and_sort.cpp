// SPDX-License-Identifier: BSD-3-Clause
// Indices made from what elements hold: top-k, sorting, nearest neighbours; and masks.
#include <cstdint>

#include <garner/garner.hpp>

#include "check.hpp"

using garner::index_t;
using garner::tensor;

int main() {
  using indices = tensor<std::int64_t, 2>;

  say("the two best scores of each row, and the labels that belong to them");
  const tensor<float, 2> scores{{0.5f, 2.0f, 1.5f, -1.0f}, {3.0f, 0.25f, 0.75f, 8.0f}};
  const tensor<int, 2> labels{{10, 11, 12, 13}, {20, 21, 22, 23}};
  const auto [best, at] = garner::topk(scores, 2, 1);
  show("topk(scores, 2, 1): values", best, tensor<float, 2>{{2.0f, 1.5f}, {8.0f, 3.0f}});
  show("topk(scores, 2, 1): indices", at, indices{{1, 2}, {3, 0}});
  show("gather(scores, 1, indices) is the values", garner::gather(scores, 1, at), best);
  show("gather(labels, 1, indices)", garner::gather(labels, 1, at),
       tensor<int, 2>{{11, 12}, {23, 20}});

  say("sort each row, and other columns along with it");
  const auto order = garner::argsort(scores, 1, garner::descending);
  show("argsort(scores, 1, descending)", order, indices{{1, 2, 0, 3}, {3, 0, 2, 1}});
  show("take_along_dim(scores, order, 1)", garner::take_along_dim(scores, order, 1),
       tensor<float, 2>{{2.0f, 1.5f, 0.5f, -1.0f}, {8.0f, 3.0f, 0.75f, 0.25f}});
  show("take_along_dim(labels, order, 1)", garner::take_along_dim(labels, order, 1),
       tensor<int, 2>{{11, 12, 10, 13}, {23, 20, 22, 21}});
  show("argsort(order, 1) leads back",
       garner::take_along_dim(garner::take_along_dim(scores, order, 1), garner::argsort(order, 1),
                              1),
       scores);

  say("the winner of each row");
  show("argmax(scores, 1)", garner::argmax(scores, 1), tensor<std::int64_t, 1>{1, 3});
  show("gather(scores, 1, argmax(scores, 1, keepdim))",
       garner::gather(scores, 1, garner::argmax(scores, 1, garner::keepdim)),
       tensor<float, 2>{{2.0f}, {8.0f}});

  say("the two points nearest to (1, 1)");
  const tensor<float, 2> points{{0, 0}, {1, 2}, {5, 5}, {1, 1}, {-3, 1}};
  tensor<float, 1> distances(points.extent(0));
  for (index_t i = 0; i < points.extent(0); ++i) {
    const float dx = points(i, 0) - 1;
    const float dy = points(i, 1) - 1;
    distances(i) = dx * dx + dy * dy;
  }
  const auto nearest = garner::topk(distances, 2, 0, garner::smallest);
  show("topk(distances, 2, 0, smallest): values", nearest.values, tensor<float, 1>{0, 1});
  show("index_select(points, 0, indices)", garner::index_select(points, 0, nearest.indices),
       tensor<float, 2>{{1, 1}, {1, 2}});

  say("what a mask keeps: single elements, or whole rows and columns");
  tensor<bool, 2> is_large(scores.shape());
  for (index_t i = 0; i < scores.size(); ++i) is_large.data()[i] = scores.data()[i] > 1;
  show("masked_select(scores, scores > 1)", garner::masked_select(scores, is_large),
       tensor<float, 1>{2.0f, 1.5f, 3.0f, 8.0f});
  const tensor<bool, 1> is_kept{true, false, false, true};
  show("masked_select(labels, kept): the mask is repeated for each row",
       garner::masked_select(labels, is_kept), tensor<int, 1>{10, 13, 20, 23});
  show("compress(kept, labels, 1)", garner::compress(is_kept, labels, 1),
       tensor<int, 2>{{10, 13}, {20, 23}});
}
