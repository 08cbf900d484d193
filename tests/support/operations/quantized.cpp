// SPDX-License-Identifier: BSD-3-Clause
// Bags of rows of small integers, signed and unsigned.
#include <cstdint>

#include "support/all_operations.hpp"

template <>
const std::vector<test::operation>& test::operations<std::int8_t, std::int64_t>() {
  static const auto all = [] {
    lister<std::int8_t, std::int64_t, depth::into> to;
    list_other_bags(to);
    lister<std::uint8_t, std::int64_t, depth::into> to_unsigned;
    list_other_bags(to_unsigned);
    for (const operation& o : to_unsigned.operations) to.operations.push_back(o);
    return to.operations;
  }();
  return all;
}
