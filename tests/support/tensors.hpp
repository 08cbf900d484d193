// SPDX-License-Identifier: BSD-3-Clause
// Small tensors for named tests.
#pragma once

#include <garner/tensor.hpp>

namespace test {

/// 0, 1, 2, ... in row-major order.
template <class T, class... Extent>
auto counted(Extent... extent) {
  garner::tensor<T, static_cast<int>(sizeof...(Extent))> result(garner::dims{extent...});
  T next{};
  for (T& element : result) element = next++;
  return result;
}

}  // namespace test
