// SPDX-License-Identifier: BSD-3-Clause
// Arrays as libtorch's tensors, without a copy. For peers/libtorch*.cpp only.
#pragma once

#include <ATen/ATen.h>

#include "support/problem.hpp"

namespace bench {

inline at::ScalarType type_of(kind type) {
  switch (type) {
    case kind::uint8:
      return at::kByte;
    case kind::int16:
      return at::kShort;
    case kind::int32:
      return at::kInt;
    case kind::int64:
      return at::kLong;
    case kind::float32:
      return at::kFloat;
    case kind::float64:
      return at::kDouble;
    case kind::complex128:
      return at::kComplexDouble;
  }
  return at::kByte;
}

inline at::Tensor tensor_of(const array& x) {
  return at::from_blob(x.data, x.shape, x.strides, at::TensorOptions(type_of(x.type)));
}

}  // namespace bench
