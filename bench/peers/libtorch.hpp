// SPDX-License-Identifier: BSD-3-Clause
// libtorch's calls for single operations, each in peers/libtorch_<operation>.cpp. Only where CMake
// found libtorch (GARNER_BENCH_LIBTORCH).
#pragma once

#include "support/problem.hpp"

namespace bench {

call libtorch_embedding(const array& out, const array& weight, const array& ids);

/// mode: 0 sum, 1 mean, 2 max. `factors` may be null.
call libtorch_embedding_bag(const array& out, const array& weight, const array& ids,
                            const array& offsets, int mode, const array* factors);
call libtorch_embedding_bag_backward(const array& out, const array& grad, const array& weight,
                                     const array& ids, const array& offsets, int mode);
call libtorch_embedding_backward(const array& out, const array& grad, const array& ids);

}  // namespace bench
