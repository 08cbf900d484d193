// SPDX-License-Identifier: BSD-3-Clause
// What computes with 16-bit floats: as floats, and rounds once. They move as other elements do.
#include <cstdint>

#include "support/all_operations.hpp"

namespace test {

template <>
const std::vector<operation>& operations<garner::half, std::int64_t>() {
  static const auto all = [] {
    lister<garner::half, std::int64_t, depth::into> to;
    list_sums(to);
    list_other_bags(to);
    list_makers(to);
    return to.operations;
  }();
  return all;
}
template <>
const std::vector<operation>& operations<garner::bfloat16, std::int64_t>() {
  static const auto all = [] {
    lister<garner::bfloat16, std::int64_t, depth::into> to;
    list_scatter_add(to);
    list_other_bags(to);
    return to.operations;
  }();
  return all;
}

}  // namespace test
