// SPDX-License-Identifier: BSD-3-Clause
// Sums of floats by 64-bit indices.
#include <cstdint>

#include "support/operations/parts.hpp"

std::vector<test::operation> test::float_sums() {
  lister<float, std::int64_t, depth::all> to;
  list_sums(to);
  list_gradients(to);
  return to.operations;
}
