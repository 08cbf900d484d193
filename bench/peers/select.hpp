// SPDX-License-Identifier: BSD-3-Clause
// For peers that can only select along a dim: which problems are that, and their types.
#pragma once

#include "support/problem.hpp"

namespace bench {

/// Whether one list of indices selects along a dim. All such cases have dense arrays.
inline bool is_selection(const problem& p) {
  return p.op == operation::index_select || p.op == operation::take;
}

/// make(T{}, Index{}) with the types of the problem; empty for types that hardly any selection has.
template <class Make>
call with_types(const problem& p, const Make& make) {
  const auto with_index = [&]<class T>(T element) -> call {
    switch (p.index.type) {
      case kind::int64:
        return make(element, i64{});
      case kind::int32:
        return make(element, i32{});
      case kind::uint8:
        return make(element, u8{});
      default:
        return {};
    }
  };
  switch (p.input.type) {
    case kind::float32:
      return with_index(float{});
    case kind::uint8:
      return with_index(u8{});
    default:
      return {};
  }
}

}  // namespace bench
