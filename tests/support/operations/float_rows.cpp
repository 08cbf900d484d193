// SPDX-License-Identifier: BSD-3-Clause
// Bags and log-probs by 64-bit indices, and what makes indices, of floats.
#include <cstdint>

#include "support/operations/parts.hpp"

std::vector<test::operation> test::float_rows() {
  lister<float, std::int64_t, depth::all> to;
  list_rows(to);
  list_weighted_bags(to);
  list_makers(to);
  return to.operations;
}
