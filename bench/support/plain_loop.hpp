// SPDX-License-Identifier: BSD-3-Clause
// What one would write without a library: every operation as three nested loops, unchecked.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "support/problem.hpp"

namespace bench {

/// out[i][j][k] = input[at(i, j, k) + step * index[at'(i, j, k)]], with strides of the input for at
/// and of the index for at'. The result is dense.
struct nest {
  std::array<i64, 3> shape{1, 1, 1};
  std::array<i64, 3> input{};
  std::array<i64, 3> index{};
  i64 step = 0;
};

inline nest nest_of(const problem& p) {
  const auto stride = [](const array& x, std::size_t d) {
    return x.shape[d] == 1 ? 0 : x.strides[d];
  };
  nest result;
  const auto dim = static_cast<std::size_t>(p.dim);
  result.step = p.input.strides[dim];
  const std::size_t first = 3 - p.out.shape.size();
  for (std::size_t d = 0; d < p.out.shape.size(); ++d) {
    result.shape[first + d] = p.out.shape[d];
    if (d != dim) result.input[first + d] = stride(p.input, d);
    if (p.op != operation::index_select) {
      result.index[first + d] = stride(p.index, d);
    } else if (d == dim) {
      result.index[first + d] = stride(p.index, 0);
    }
  }
  return result;
}

template <class T, class Index>
call plain_loop(const problem& p) {
  return [n = nest_of(p), out_data = static_cast<T*>(p.out.data),
          input_data = static_cast<const T*>(p.input.data),
          index_data = static_cast<const Index*>(p.index.data)] {
    T* out = out_data;
    const bool copies_rows = n.index[2] == 0 && n.input[2] == 1;
    for (i64 i = 0; i < n.shape[0]; ++i) {
      for (i64 j = 0; j < n.shape[1]; ++j, out += n.shape[2]) {
        const T* input = input_data + i * n.input[0] + j * n.input[1];
        const Index* index = index_data + i * n.index[0] + j * n.index[1];
        if (copies_rows) {
          std::copy_n(input + *index * n.step, n.shape[2], out);
          continue;
        }
        for (i64 k = 0; k < n.shape[2]; ++k) {
          out[k] = input[k * n.input[2] + index[k * n.index[2]] * n.step];
        }
      }
    }
  };
}

}  // namespace bench
