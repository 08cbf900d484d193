// SPDX-License-Identifier: BSD-3-Clause
// block: what a kernel walks: two loops, and what the plan knows of the memory behind them.
#pragma once

#include <cstddef>
#include <cstdint>

#include <garner/detail/kernels/cell.hpp>
#include <garner/detail/kernels/simd.hpp>
#include <garner/error.hpp>

namespace garner::detail {

struct loop {
  index_t extent;
  index_t out_stride;
  index_t src_stride;
  index_t index_stride;

  friend constexpr bool operator==(const loop&, const loop&) = default;
};

inline constexpr loop single_row{1, 0, 0, 0};

/// What the plan knows of the memory that the loops walk.
struct hints {
  bool is_far = false;        // the source is not in the near caches: ask for rows ahead of time
  bool is_scattered = false;  // ... nor in the far ones: ask for single elements
  bool is_streamed = false;   // out is too large to be found in a cache later: store past them
  index_t asked_from = 0;     // while a run is read, ask for what lies so many bytes behind it ...
  index_t asked_bytes = 0;    // ... this much for the run, backwards if negative
};

/// Rows, each of which is a run.
struct block {
  const loop& rows;
  const loop& run;
  const hints& memory;
};

/// Whether rows of out, `stride` elements apart, start where a vector can be streamed to.
template <class Arch, class Cell>
GARNER_INLINE bool is_aligned(typename Cell::pointer out, index_t stride) {
  if constexpr (has_simd<Arch> && bitwise<Cell>) {
    constexpr std::size_t width = simd<std::uint8_t, Arch>::size;
    const auto step = static_cast<std::uintptr_t>(stride * Cell::step);
    return (reinterpret_cast<std::uintptr_t>(out) | step) % width == 0;
  } else {
    return false;
  }
}

}  // namespace garner::detail
