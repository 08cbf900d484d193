// SPDX-License-Identifier: BSD-3-Clause
// half and bfloat16: 16-bit floats as storage. They convert to float by themselves, and from float
// when asked to, rounding to the nearest, ties to even. Other 16-bit types may join by specialising
// accumulator.
#pragma once

#include <bit>
#include <cstdint>

namespace garner {

/// IEEE 754's binary16: 5 bits of exponent, 10 of fraction.
class half {
 public:
  half() = default;
  constexpr explicit half(float value) : bits_(round(std::bit_cast<std::uint32_t>(value))) {}
  static constexpr half from_bits(std::uint16_t bits) {
    half result(0.0f);
    result.bits_ = bits;
    return result;
  }
  constexpr std::uint16_t bits() const { return bits_; }

  constexpr operator float() const {
    const std::uint32_t sign = (bits_ & 0x8000u) << 16;
    const std::uint32_t rest = bits_ & 0x7fffu;
    std::uint32_t result = (rest << 13) + 0x38000000u;
    if (rest > 0x7c00u) result = 0x7fc00000u | rest << 13;  // NaN, quiet as the hardware makes it
    if (rest == 0x7c00u) result = 0x7f800000u;
    if (rest < 0x0400u) result = std::bit_cast<std::uint32_t>(static_cast<float>(rest) * 0x1p-24f);
    return std::bit_cast<float>(sign | result);
  }

 private:
  static constexpr std::uint16_t round(std::uint32_t value) {
    const std::uint32_t sign = value >> 16 & 0x8000u;
    const std::uint32_t size = value & 0x7fffffffu;
    std::uint32_t result = (size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13;
    if (size < 0x38800000u) {  // below 2^-14: the sum's last bit is 2^-24, that of the result
      result = std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5f) - 0x3f000000u;
    }
    if (size >= 0x477ff000u) result = 0x7c00u;  // from 65520 on
    if (size > 0x7f800000u) result = 0x7e00u | (size >> 13 & 0x3ffu);
    return static_cast<std::uint16_t>(sign | result);
  }

  std::uint16_t bits_;
};

/// The upper half of a float: 8 bits of exponent, 7 of fraction.
class bfloat16 {
 public:
  bfloat16() = default;
  constexpr explicit bfloat16(float value) : bits_(round(std::bit_cast<std::uint32_t>(value))) {}
  static constexpr bfloat16 from_bits(std::uint16_t bits) {
    bfloat16 result(0.0f);
    result.bits_ = bits;
    return result;
  }
  constexpr std::uint16_t bits() const { return bits_; }

  constexpr operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits_) << 16);
  }

 private:
  static constexpr std::uint16_t round(std::uint32_t value) {
    const bool is_nan = (value & 0x7fffffffu) > 0x7f800000u;
    return static_cast<std::uint16_t>(
        (is_nan ? value | 0x400000u : value + 0x7fffu + (value >> 16 & 1u)) >> 16);
  }

  std::uint16_t bits_;
};

/// What sums and products of T's are kept in until they are done: T itself, or float for the 16-bit
/// floats, which are then rounded once.
template <class T>
struct accumulator {
  using type = T;
};
template <>
struct accumulator<half> {
  using type = float;
};
template <>
struct accumulator<bfloat16> {
  using type = float;
};
template <class T>
using accumulator_t = typename accumulator<T>::type;

}  // namespace garner
