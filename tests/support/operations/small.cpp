// SPDX-License-Identifier: BSD-3-Clause
// All operations on single bytes.
#include <cstdint>

#include "support/all_operations.hpp"

namespace test {

template <>
const std::vector<operation>& operations<std::uint8_t, std::int64_t>() {
  static const auto all = list_operations<std::uint8_t, std::int64_t, depth::into>();
  return all;
}
template <>
const std::vector<operation>& operations<bool, std::int64_t>() {
  static const auto all = list_operations<bool, std::int64_t, depth::into>();
  return all;
}

}  // namespace test
