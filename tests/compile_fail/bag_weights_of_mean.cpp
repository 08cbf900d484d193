// expect: garner: per_sample_weights(w) is an option of bag_mode::sum only
// SPDX-License-Identifier: BSD-3-Clause
#include <garner/garner.hpp>

void call() {
  garner::tensor<float, 2> x({3, 4});
  const garner::tensor<int, 2> ids({2, 2});
  garner::embedding_bag<garner::bag_mode::sum>(
      x, ids, garner::per_sample_weights(x.slice(0, 0, 2).slice(1, 0, 2)));
#ifdef GARNER_MISTAKE
  garner::embedding_bag(x, ids, garner::per_sample_weights(x.slice(0, 0, 2).slice(1, 0, 2)));
#endif
}
