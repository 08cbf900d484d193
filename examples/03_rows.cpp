// SPDX-License-Identifier: BSD-3-Clause
// Whole rows by number: three ways that work, one common mistake, and embeddings.
#include <cstdint>
#include <vector>

#include <garner/garner.hpp>

#include "check.hpp"

using garner::gather;
using garner::index_select;
using garner::index_t;
using garner::take;
using garner::tensor;

int main() {
  say("features (10, 128), where element (r, c) is 1000 r + c; rows [3 7 1 9 2] are wanted");
  tensor<float, 2> features({10, 128});
  for (index_t r = 0; r < 10; ++r) {
    for (index_t c = 0; c < 128; ++c) features(r, c) = static_cast<float>(1000 * r + c);
  }
  const tensor<std::int64_t, 1> classes{3, 7, 1, 9, 2};

  const auto rows = gather(features, 0, classes.unsqueeze(1).expand({-1, 128}));
  show_shape("shape of gather(features, 0, classes.unsqueeze(1).expand({-1, 128}))", rows.shape(),
             5, 128);
  show("its first two columns", rows.slice(1, 0, 2),
       tensor<float, 2>{{3000, 3001}, {7000, 7001}, {1000, 1001}, {9000, 9001}, {2000, 2001}});
  show("its last column", rows.select(1, -1), tensor<float, 1>{3127, 7127, 1127, 9127, 2127});

  say("without the expand, gather does what it is told: one element per index, from column 0");
  const auto forgotten = gather(features, 0, classes.unsqueeze(1));
  show_shape("shape of gather(features, 0, classes.unsqueeze(1))", forgotten.shape(), 5, 1);
  show("its elements", forgotten, tensor<float, 2>{{3000}, {7000}, {1000}, {9000}, {2000}});

  say("index_select and take say what is meant, and take_along_dim broadcasts by itself");
  show("index_select(features, 0, classes) is the same", index_select(features, 0, classes) == rows,
       true);
  show("take(features, classes, 0) is the same", take(features, classes, 0) == rows, true);
  show("take_along_dim(features, classes.unsqueeze(1), 0) is the same",
       garner::take_along_dim(features, classes.unsqueeze(1), 0) == rows, true);

  say("embeddings (6, 4), token ids (2, 3): take puts the ids' dims in place of dim 0");
  tensor<float, 2> embeddings({6, 4});
  for (index_t v = 0; v < 6; ++v) {
    for (index_t d = 0; d < 4; ++d) embeddings(v, d) = static_cast<float>(10 * v + d);
  }
  const tensor<std::int32_t, 2> token_ids{{5, 0, 2}, {2, 2, 1}};
  show("take(embeddings, token_ids, 0)", take(embeddings, token_ids, 0),
       tensor<float, 3>{{{50, 51, 52, 53}, {0, 1, 2, 3}, {20, 21, 22, 23}},
                        {{20, 21, 22, 23}, {20, 21, 22, 23}, {10, 11, 12, 13}}});

  say("the gather of Keras is take along dim 0");
  const tensor<int, 2> reference{{1, 2, 3}, {4, 5, 6}};
  show("take(reference, [0], 0)", take(reference, tensor<int, 1>{0}, 0), tensor<int, 2>{{1, 2, 3}});
  show("take(reference, [1], 0)", take(reference, tensor<int, 1>{1}, 0), tensor<int, 2>{{4, 5, 6}});
  show("take(reference, [0,1,0], 0), the index in a std::vector",
       take(reference, std::vector<int>{0, 1, 0}, 0),
       tensor<int, 2>{{1, 2, 3}, {4, 5, 6}, {1, 2, 3}});

  say("batch_dims(1): each batch has a table of its own, as in tf.gather");
  const tensor<int, 3> tables{{{1, 2}, {3, 4}, {5, 6}}, {{10, 20}, {30, 40}, {50, 60}}};
  const tensor<int, 2> picks{{2, 0}, {1, 1}};
  show("take(tables, picks, 1, batch_dims(1))", take(tables, picks, 1, garner::batch_dims(1)),
       tensor<int, 3>{{{5, 6}, {1, 2}}, {{30, 40}, {30, 40}}});
}
