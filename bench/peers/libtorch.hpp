// SPDX-License-Identifier: BSD-3-Clause
// libtorch's calls for single operations, each in peers/libtorch_<operation>.cpp. Only where CMake
// found libtorch (GARNER_BENCH_LIBTORCH).
#pragma once

#include "support/problem.hpp"

namespace bench {

}  // namespace bench
