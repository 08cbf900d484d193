// SPDX-License-Identifier: BSD-3-Clause
// All operations on floats by indices of this type.
#include <cstdint>

#include "support/all_operations.hpp"

template <>
const std::vector<test::operation>& test::operations<float, std::uint8_t>() {
  static const auto all = list_operations<float, std::uint8_t, depth::into>();
  return all;
}
