// SPDX-License-Identifier: BSD-3-Clause
// Parts of a list that would take too long to compile in one file.
#pragma once

#include <vector>

#include "support/all_operations.hpp"

namespace test {

std::vector<operation> float_sums();
std::vector<operation> float_rows();

}  // namespace test
