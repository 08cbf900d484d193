// SPDX-License-Identifier: BSD-3-Clause
// What schemata.py makes of a test's static_assert: constant evaluation would see no mutant.
#pragma once

#include <cstdlib>

namespace garner_mutant {

/// What `make` returns, never found out at compile time.
template <class Make>
auto at_run_time(const Make& make) {
  return make();
}

template <class Claim>
bool require(const Claim& claim) {
  if (!claim()) std::abort();
  return true;
}

}  // namespace garner_mutant
