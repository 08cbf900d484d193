// SPDX-License-Identifier: BSD-3-Clause
// The libraries that garner is compared with, as far as CMake found them. Each lives in one file.
#pragma once

#include <vector>

#include "support/problem.hpp"

namespace bench {

/// The problem as a call of that library, ready to be timed; empty where it has no such operation.
call libtorch(const problem& p);
call xtensor(const problem& p);
call eigen(const problem& p);

struct peer {
  const char* name;
  call (*make)(const problem&);
};

inline const std::vector<peer> peers{
#ifdef GARNER_BENCH_LIBTORCH
    {"libtorch", libtorch},
#endif
#ifdef GARNER_BENCH_XTENSOR
    {"xtensor", xtensor},
#endif
#ifdef GARNER_BENCH_EIGEN
    {"Eigen", eigen},
#endif
};

}  // namespace bench
