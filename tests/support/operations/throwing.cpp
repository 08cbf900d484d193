// SPDX-License-Identifier: BSD-3-Clause
// All operations that move elements whose copies may throw.
#include "support/throwing.hpp"

#include <cstdint>

#include "support/all_operations.hpp"

template <>
const std::vector<test::operation>& test::operations<test::throwing, std::int64_t>() {
  static const auto all = list_operations<throwing, std::int64_t, depth::all>();
  return all;
}
