// SPDX-License-Identifier: BSD-3-Clause
// What each of the two units has to show.
#pragma once

#include <vector>

struct unit {
  const char* arch;    // that it is built for
  const void* gather;  // the address of an operation in it
  std::vector<float> (*call)(bool is_bad);
};

unit avx2_unit();
unit plain_unit();
