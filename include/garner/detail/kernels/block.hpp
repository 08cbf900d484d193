// SPDX-License-Identifier: BSD-3-Clause
// block: what a kernel walks: two loops, and what the plan knows of the memory behind them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

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
  index_t comb = 1;           // how many elements share a line, where a run is walked line by line
};

/// Rows, each of which is a run.
struct block {
  const loop& rows;
  const loop& run;
  const hints& memory;
};

/// Asks for what lies behind a run while that is walked, in so many equal parts.
class look_ahead {
 public:
  GARNER_INLINE look_ahead(const hints& memory, index_t parts)
      : from_(static_cast<std::uintptr_t>(memory.asked_from)),
        step_(memory.asked_bytes == 0 ? 0 : memory.asked_bytes / parts),
        lines_((std::abs(step_) + line_bytes - 1) / line_bytes) {}

  GARNER_INLINE std::uintptr_t behind(const void* run) const {
    return reinterpret_cast<std::uintptr_t>(run) + from_;
  }

  /// One part; then `next` is where the next one is.
  GARNER_INLINE void ask(std::uintptr_t& next) const {
    for (index_t k = 0; k < lines_; ++k) {
      prefetch(next + static_cast<std::uintptr_t>((step_ < 0 ? -k : k) * line_bytes));
    }
    next += static_cast<std::uintptr_t>(step_);
  }

 private:
  std::uintptr_t from_;
  index_t step_;
  index_t lines_;
};

/// An axis of evenly spaced elements.
struct even_axis {
  index_t stride;
  GARNER_INLINE constexpr index_t offset(index_t i) const { return i * stride; }
};

/// An axis of elements side by side.
struct dense_axis {
  GARNER_INLINE constexpr index_t offset(index_t i) const { return i; }
};

/// Whether rows of out, `stride` elements apart, start where vectors of `width` bytes can be
/// streamed to.
template <class Arch, class Cell>
GARNER_INLINE bool is_aligned(typename Cell::pointer out, index_t stride,
                              std::size_t width = lanes<std::uint8_t, Arch>::size) {
  if constexpr (has_simd<Arch> && bitwise<Cell>) {
    const auto step = static_cast<std::uintptr_t>(stride * Cell::step);
    return (reinterpret_cast<std::uintptr_t>(out) | step) % width == 0;
  } else {
    return false;
  }
}

}  // namespace garner::detail
