// SPDX-License-Identifier: BSD-3-Clause
// Runs of elements with a byte each that says whether they stay: how many do, and these side by
// side.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <garner/detail/kernels/cell.hpp>
#include <garner/detail/kernels/eight_words.hpp>

namespace garner::detail {

inline constexpr std::uint64_t low_bits = 0x0101010101010101u;

/// 1 in each of eight bytes that is not 0, the first one lowest.
GARNER_INLINE std::uint64_t true_bytes(const std::uint8_t* mask) {
  std::uint64_t bytes = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&bytes, mask, 8);
  } else {
    for (int j = 0; j < 8; ++j) bytes |= std::uint64_t{mask[j]} << 8 * j;
  }
  return (((bytes & (0x7f * low_bits)) + 0x7f * low_bits) | bytes) >> 7 & low_bits;
}

/// How many bytes of mask[0], mask[stride], ... are not 0.
template <class Arch>
index_t count_true(const std::uint8_t* mask, index_t stride, index_t n) {
  if (stride == 0) return n > 0 && *mask != 0 ? n : 0;
  index_t count = 0;
  index_t i = 0;
  if (stride == 1) {
    constexpr index_t rounds = 252;  // of 1 in each byte, below 256
    while (n - i >= 8) {
      const index_t words = std::min(rounds, (n - i) / 8);
      std::uint64_t sums = 0;
      for (index_t w = 0; w < words; ++w) sums += true_bytes(mask + i + 8 * w);
      constexpr std::uint64_t even = 0x00ff00ff00ff00ffu;
      const std::uint64_t pairs = (sums & even) + (sums >> 8 & even);
      count += static_cast<index_t>(pairs * 0x0001000100010001u >> 48);
      i += 8 * words;
    }
  }
  for (; i < n; ++i) count += mask[i * stride] != 0;
  return count;
}

/// Which of eight elements stay, by the byte whose bits say so.
inline constexpr auto staying = [] {
  std::array<std::array<std::uint8_t, 8>, 256> result{};
  for (std::size_t bits = 0; bits < 256; ++bits) {
    std::size_t n = 0;
    for (std::uint8_t i = 0; i < 8; ++i) {
      if (bits >> i & 1) result[bits][n++] = i;
    }
  }
  return result;
}();

/// Writes eight elements, of which those that stay come first; tells how many these are.
template <class Arch, class Cell>
GARNER_INLINE index_t compact_eight(std::byte* out, const std::byte* x, index_t stride,
                                    std::uint64_t stays) {
  if constexpr (has_eight_words<Arch> && std::same_as<Cell, bits<4>>) {
    if (stride == 1) {
      using vector = eight_words<Arch>;
      const auto& order = staying[stays * 0x0102040810204080u >> 56];
      pick(vector::load(x), vector::load_words(order.data())).store(out);
      return static_cast<index_t>(stays * low_bits >> 56);
    }
  }
  index_t done = 0;
  for (index_t j = 0; j < 8; ++j) {
    Cell::copy(Cell::at(out, done), Cell::at(x, j * stride));
    done += static_cast<index_t>(stays >> 8 * j & 1);
  }
  return done;
}

/// Copies the elements whose bytes are not 0 to out[0], out[out_stride], ... and tells how many
/// these are. `room` is how many elements out has from here on: as many at least.
template <class Arch, class Cell>
index_t compact(typename Cell::pointer out, index_t out_stride, index_t room,
                typename Cell::const_pointer x, index_t stride, const std::uint8_t* mask,
                index_t mask_stride, index_t n) {
  index_t done = 0;
  index_t i = 0;
  const auto keep = [&](index_t k) {
    Cell::copy(Cell::at(out, done++ * out_stride), Cell::at(x, k * stride));
  };
  if (mask_stride == 0) {
    if (*mask == 0) return 0;
    if constexpr (bitwise<Cell>) {
      if (out_stride == 1 && stride == 1) {
        std::memcpy(out, x, static_cast<std::size_t>(n * Cell::step));
        return n;
      }
    }
  }
  if (mask_stride == 1) {
    for (; n - i >= 8; i += 8) {
      const std::uint64_t stays = true_bytes(mask + i);
      if (stays == 0) continue;
      if constexpr (bitwise<Cell>) {
        if (out_stride == 1 && room - done >= 8) {  // the next will write over those that go
          const auto to = Cell::at(out, done);
          const auto from = Cell::at(x, i * stride);
          if (stays == low_bits && stride == 1) {
            std::memcpy(to, from, static_cast<std::size_t>(8 * Cell::step));
            done += 8;
          } else {
            done += compact_eight<Arch, Cell>(to, from, stride, stays);
          }
          continue;
        }
      }
      for (index_t j = 0; j < 8; ++j) {
        if (stays >> 8 * j & 1) keep(i + j);
      }
    }
  }
  for (; i < n; ++i) {
    if (mask[i * mask_stride] != 0) keep(i);
  }
  return done;
}

}  // namespace garner::detail
