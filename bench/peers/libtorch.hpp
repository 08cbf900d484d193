// SPDX-License-Identifier: BSD-3-Clause
// libtorch's calls for single operations, each in peers/libtorch_<operation>.cpp. Only where CMake
// found libtorch (GARNER_BENCH_LIBTORCH).
#pragma once

#include "support/problem.hpp"

namespace bench {

call libtorch_argmax(const array& out, const array& x, i64 dim);
call libtorch_argsort(const array& out, const array& x, i64 dim);
call libtorch_topk(const array& values, const array& indices, const array& x, i64 k, i64 dim);
call libtorch_masked_select(const array& out, const array& x, const array& mask);
call libtorch_compress(const array& out, const array& mask, const array& x, i64 dim);

}  // namespace bench
