// SPDX-License-Identifier: BSD-3-Clause
// Rows that one index decides: dense copies, strided copies, fills.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <garner/detail/kernels/block.hpp>
#include <garner/detail/kernels/cell.hpp>
#include <garner/detail/kernels/simd.hpp>

namespace garner::detail {

/// out[r, i] = src[r, i] of the row that index[r] names; a row of fill is one element repeated.
template <class Arch, class Cell, class Indices, class Locate>
void strided_run(const block& b, typename Cell::pointer out, typename Cell::const_pointer src,
                 Indices index, const Locate& locator) {
  const Locate locate = locator;
  const loop rows = b.rows;
  const loop run = b.run;
  for (index_t r = 0; r < rows.extent; ++r) {
    const auto to = Cell::at(out, r * rows.out_stride);
    const auto row = locate(Cell::at(src, r * rows.src_stride), index[r * rows.index_stride]);
    const index_t src_stride = locate.is_fill(row) ? 0 : run.src_stride;
    for (index_t i = 0; i < run.extent; ++i) {
      Cell::copy(Cell::at(to, i * run.out_stride), Cell::at(row, i * src_stride));
    }
  }
}

/// Copies Size to 2 * Size bytes as two ends, which may overlap.
template <std::size_t Size>
struct ends {
  std::size_t bytes;

  GARNER_INLINE void operator()(std::byte* out, const std::byte* src) const {
    std::byte first[Size], last[Size];
    std::memcpy(first, src, Size);
    std::memcpy(last, src + bytes - Size, Size);
    std::memcpy(out, first, Size);
    std::memcpy(out + bytes - Size, last, Size);
  }
};

/// The same as strided_run where both sides are dense and elements are bits. Where resolving an
/// index takes a while, memcpy is fast enough.
template <class Arch, class Cell, class Indices, class Locate>
void copy_run(const block& b, std::byte* out, const std::byte* src, Indices index,
              const Locate& locator) {
  const Locate locate = locator;
  const loop rows = b.rows;
  const index_t n = b.run.extent;
  const auto bytes = static_cast<std::size_t>(n * Cell::step);
  const auto row_at = [&](index_t r) {
    return locate(Cell::at(src, r * rows.src_stride), index[r * rows.index_stride]);
  };
  const auto copy_rows = [&](const auto& copy) {
    constexpr index_t rows_ahead = 8;
    const index_t asked = b.memory.is_far ? rows.extent - rows_ahead : 0;
    for (index_t r = 0; r < rows.extent; ++r) {
      if (r < asked) {
        const auto next = reinterpret_cast<std::uintptr_t>(row_at(r + rows_ahead));
        prefetch(next);
        prefetch(next + bytes - 1);
      }
      const std::byte* const row = row_at(r);
      std::byte* const to = Cell::at(out, r * rows.out_stride);
      if (!locate.is_fill(row)) {
        copy(to, row);
      } else {
        for (index_t i = 0; i < n; ++i) Cell::copy(Cell::at(to, i), row);
      }
    }
  };
  if constexpr (has_simd<Arch> && Locate::is_quick) {
    using vector = simd<std::uint8_t, Arch>;
    constexpr std::size_t width = vector::size;
    constexpr std::size_t long_row = 4096;  // from here on memcpy is as fast
    const bool is_streamed =
        b.memory.is_streamed && bytes % width == 0 && is_aligned<Arch, Cell>(out, rows.out_stride);
    if (!is_streamed && bytes >= width && bytes <= 4 * width) {
      return copy_rows([bytes](std::byte* to, const std::byte* from) {
        const vector last = vector::load(from + bytes - width);
        for (std::size_t i = 0; i + width < bytes; i += width) vector::load(from + i).store(to + i);
        last.store(to + bytes - width);
      });
    }
    if (is_streamed) {
      copy_rows([bytes](std::byte* to, const std::byte* from) {
        for (std::size_t i = 0; i < bytes; i += width) vector::load(from + i).store(to + i, true);
      });
      return end_stream();
    }
    if (bytes > 4 * width && bytes < long_row) {
      return copy_rows([bytes](std::byte* to, const std::byte* from) {
        std::size_t i = 0;
        for (; i + 4 * width <= bytes; i += 4 * width) {
          const vector parts[] = {vector::load(from + i), vector::load(from + i + width),
                                  vector::load(from + i + 2 * width),
                                  vector::load(from + i + 3 * width)};
          for (std::size_t k = 0; k < 4; ++k) parts[k].store(to + i + k * width);
        }
        for (; i + width <= bytes; i += width) vector::load(from + i).store(to + i);
        if (i < bytes) vector::load(from + bytes - width).store(to + bytes - width);
      });
    }
  }
  if constexpr (Locate::is_quick) {
    if (bytes >= 4 && bytes <= 32) {
      if (bytes >= 16) return copy_rows(ends<16>{bytes});
      if (bytes >= 8) return copy_rows(ends<8>{bytes});
      return copy_rows(ends<4>{bytes});
    }
  }
  copy_rows([bytes](std::byte* to, const std::byte* from) { std::memcpy(to, from, bytes); });
}

}  // namespace garner::detail
