// SPDX-License-Identifier: BSD-3-Clause
// Operations on integers whose sums or products leave their type, or that of an int.
#include <cstdint>

#include "support/all_operations.hpp"

namespace test {

template <>
const std::vector<operation>& operations<std::uint16_t, std::int64_t>() {
  static const auto all = list_operations<std::uint16_t, std::int64_t, depth::into>();
  return all;
}
template <>
const std::vector<operation>& operations<std::int32_t, std::int64_t>() {
  static const auto all = [] {
    lister<std::int32_t, std::int64_t, depth::into> to;
    list_sums(to);
    list_gradients(to);
    return to.operations;
  }();
  return all;
}

}  // namespace test
