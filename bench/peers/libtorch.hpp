// SPDX-License-Identifier: BSD-3-Clause
// libtorch's calls for single operations, each in peers/libtorch_<operation>.cpp. Only where CMake
// found libtorch (GARNER_BENCH_LIBTORCH).
#pragma once

#include "support/problem.hpp"

namespace bench {

call libtorch_embedding(const array& out, const array& weight, const array& ids);

/// mode: 0 sum, 1 mean, 2 max. `factors` may be null. `is_half`: the rows are 16-bit floats.
call libtorch_embedding_bag(const array& out, const array& weight, const array& ids,
                            const array& offsets, int mode, const array* factors, bool is_half);
call libtorch_embedding_bag_backward(const array& out, const array& grad, const array& weight,
                                     const array& ids, const array& offsets, int mode);

}  // namespace bench
