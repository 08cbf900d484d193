// SPDX-License-Identifier: BSD-3-Clause
// Elements in an order that is given row by row: sorting, top-k, the winner of each row.
#include <cstdint>
#include <vector>

#include <garner/garner.hpp>

#include "check.hpp"

using garner::take_along_dim;
using garner::tensor;

int main() {
  say("one index per result, along the last dim");
  const tensor<int, 2> x{{10, 20, 30}, {40, 50, 60}};
  show("take_along_dim(x, [[2,1,0],[1,0,2]], 1)",
       take_along_dim(x, tensor<int, 2>{{2, 1, 0}, {1, 0, 2}}, 1),
       tensor<int, 2>{{30, 20, 10}, {50, 40, 60}});
  const tensor<int, 3> cube{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
  show("take_along_dim(cube, [[[0,1],[1,0]],[[0,0],[1,1]]], 2)",
       take_along_dim(cube, tensor<int, 3>{{{0, 1}, {1, 0}}, {{0, 0}, {1, 1}}}, 2),
       tensor<int, 3>{{{1, 2}, {4, 3}}, {{5, 5}, {8, 8}}});

  say("negative indices count from the end, as in NumPy");
  show("take_along_dim(x, [[-1],[-3]], 1)", take_along_dim(x, tensor<int, 2>{{-1}, {-3}}, 1),
       tensor<int, 2>{{30}, {40}});

  say("sort each row by the order that an argsort gave");
  const tensor<float, 2> scores{{0.5f, 2.0f, 1.5f, -1.0f}, {3.0f, 0.25f, 0.75f, 8.0f}};
  const tensor<std::uint8_t, 2> order{{3, 0, 2, 1}, {1, 2, 0, 3}};
  show("take_along_dim(scores, order, 1)", take_along_dim(scores, order, 1),
       tensor<float, 2>{{-1.0f, 0.5f, 1.5f, 2.0f}, {0.25f, 0.75f, 3.0f, 8.0f}});
  show("take_along_dim(scores, order.flip(1), 1), largest first",
       take_along_dim(scores, order.flip(1), 1),
       tensor<float, 2>{{2.0f, 1.5f, 0.5f, -1.0f}, {8.0f, 3.0f, 0.75f, 0.25f}});

  say("the top 2 of each row, by the indices that a top-k gave");
  const tensor<std::int64_t, 2> top{{1, 2}, {3, 0}};
  const tensor<float, 2> best{{2.0f, 1.5f}, {8.0f, 3.0f}};
  show("take_along_dim(scores, top, 1)", take_along_dim(scores, top, 1), best);
  show("gather(scores, 1, top) is the same", garner::gather(scores, 1, top), best);

  say("the winner of each row, by the argmax with its dim kept");
  show("gather(scores, 1, [[1],[3]])", garner::gather(scores, 1, tensor<int, 2>{{1}, {3}}),
       tensor<float, 2>{{2.0f}, {8.0f}});

  say("Q-values (batch, action): the value of the action that was taken");
  const std::vector<int> action{2, 3};
  show("take_along_dim(scores, as_view(action).unsqueeze(1), 1).squeeze(1)",
       take_along_dim(scores, garner::as_view(action).unsqueeze(1), 1).squeeze(1),
       tensor<float, 1>{1.5f, 8.0f});

  say("off the dim, extents of 1 are repeated on either side");
  show("one list of columns for every row: take_along_dim(x, [[2,0]], 1)",
       take_along_dim(x, tensor<int, 2>{{2, 0}}, 1), tensor<int, 2>{{30, 10}, {60, 40}});
  show("one row for every list: take_along_dim([[10,20,30]], [[0,0],[2,1],[1,0]], 1)",
       take_along_dim(tensor<int, 2>{{10, 20, 30}}, tensor<int, 2>{{0, 0}, {2, 1}, {1, 0}}, 1),
       tensor<int, 2>{{10, 10}, {30, 20}, {20, 10}});

  say("attention (batch 1, heads 2, queries 3, keys 2): one query row of each head");
  const tensor<int, 4> attention{{{{1, 2}, {3, 4}, {5, 6}}, {{10, 20}, {30, 40}, {50, 60}}}};
  const tensor<int, 4> query{{{{2}}, {{0}}}};  // (1, 2, 1, 1)
  show("take_along_dim(attention, query, 2)", take_along_dim(attention, query, 2),
       tensor<int, 4>{{{{5, 6}}, {{10, 20}}}});

  say("without a dim the input is read flat, as max pooling with indices does");
  const tensor<int, 2> picture{{1, 9, 2, 3}, {4, 5, 8, 6}};
  show("take_along_dim(picture, [[1, 6]])", take_along_dim(picture, tensor<int, 2>{{1, 6}}),
       tensor<int, 2>{{9, 8}});
}
