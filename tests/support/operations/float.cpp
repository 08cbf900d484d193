// SPDX-License-Identifier: BSD-3-Clause
// All operations on floats by 64-bit indices: those of the other files here, and what moves.
#include <cstdint>

#include "support/operations/parts.hpp"

namespace test {

template <>
const std::vector<operation>& operations<float, std::int64_t>() {
  static const auto all = [] {
    lister<float, std::int64_t, depth::all> to;
    list_moves(to);
    for (auto* part : {float_sums, float_rows}) {
      for (const operation& o : part()) to.operations.push_back(o);
    }
    return to.operations;
  }();
  return all;
}

}  // namespace test
