// SPDX-License-Identifier: BSD-3-Clause
// Runs that one index decides: a dense copy, a strided copy, a fill.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <garner/detail/kernels/cell.hpp>
#include <garner/detail/kernels/simd.hpp>

namespace garner::detail {

/// out[i * out_stride] = src[i * src_stride]; a src_stride of 0 fills the run with one element.
template <class Arch, class Cell>
void strided_run(typename Cell::pointer out, index_t out_stride, typename Cell::const_pointer src,
                 index_t src_stride, index_t n) {
  for (index_t i = 0; i < n; ++i)
    Cell::copy(Cell::at(out, i * out_stride), Cell::at(src, i * src_stride));
}

template <class Arch>
void copy_bytes(std::byte* out, const std::byte* src, std::size_t n) {
  if constexpr (has_simd<Arch>) {
    using vector = simd<std::uint8_t, Arch>;
    constexpr std::size_t width = vector::size;
    // Short rows would pay more for the call of memcpy than for the copy.
    if (n >= width && n <= 16 * width) {
      for (std::size_t i = 0; i + width <= n; i += width) vector::load(src + i).store(out + i);
      vector::load(src + n - width).store(out + n - width);
      return;
    }
  }
  std::memcpy(out, src, n);
}

/// out[i] = src[i]
template <class Arch, class Cell>
void copy_run(typename Cell::pointer out, typename Cell::const_pointer src, index_t n) {
  if constexpr (requires { Cell::step; }) {
    copy_bytes<Arch>(out, src, static_cast<std::size_t>(n * Cell::step));
  } else {
    strided_run<Arch, Cell>(out, 1, src, 1, n);
  }
}

}  // namespace garner::detail
