// SPDX-License-Identifier: BSD-3-Clause
#include <garner/half.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "support/catch.hpp"

namespace {

using garner::bfloat16;
using garner::half;

/// A 16-bit float by its definition.
double value_of(std::uint16_t bits, int exponent_bits) {
  const int fraction_bits = 15 - exponent_bits;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1);
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const double sign = bits >> 15 ? -1 : 1;
  if (exponent == 2 * bias + 1) {
    return sign * (fraction ? std::numeric_limits<double>::quiet_NaN()
                            : std::numeric_limits<double>::infinity());
  }
  const int hidden = exponent ? 1 << fraction_bits : 0;
  return sign * std::ldexp(hidden + fraction, (exponent ? exponent : 1) - bias - fraction_bits);
}

template <class T>
void check_all(int exponent_bits) {
  int wrong = 0;
  for (int k = 0; k < 0x10000; ++k) {
    const auto bits = static_cast<std::uint16_t>(k);
    const double expected = value_of(bits, exponent_bits);
    const float actual = T::from_bits(bits);
    if (std::isnan(expected)) {
      wrong += !std::isnan(actual) || !std::isnan(static_cast<float>(T(actual)));
      wrong += std::signbit(actual) != (bits >> 15 != 0);
      continue;
    }
    wrong += static_cast<double>(actual) != expected || std::signbit(actual) != (bits >> 15 != 0);
    wrong += T(actual).bits() != bits;
    if (std::isinf(expected) ||
        std::isinf(value_of(static_cast<std::uint16_t>(bits + 1), exponent_bits)))
      continue;
    // Halfway to the next one, away from 0, the even one wins; a bit further it is the nearest.
    const auto next =
        static_cast<float>(value_of(static_cast<std::uint16_t>(bits + 1), exponent_bits));
    if (bits == 0x7fff || bits == 0xffff || std::isnan(next)) continue;
    const float middle = actual + (next - actual) / 2;
    const auto even = static_cast<std::uint16_t>(bits % 2 ? bits + 1 : bits);
    wrong += T(middle).bits() != even;
    wrong += T(std::nextafter(middle, actual)).bits() != bits;
    wrong += T(std::nextafter(middle, next)).bits() != static_cast<std::uint16_t>(bits + 1);
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("half: every value converts to float and back, and ties go to even", "[half]") {
  check_all<half>(5);
}

TEST_CASE("bfloat16: every value converts to float and back, and ties go to even", "[half]") {
  check_all<bfloat16>(8);
}

TEST_CASE("half: what is too large becomes infinite, from the middle on", "[half]") {
  CHECK(half(65504.0f).bits() == 0x7bff);
  CHECK(half(std::nextafter(65520.0f, 0.0f)).bits() == 0x7bff);
  CHECK(half(65520.0f).bits() == 0x7c00);
  CHECK(half(-1e30f).bits() == 0xfc00);
  CHECK(bfloat16(std::numeric_limits<float>::max()).bits() == 0x7f80);
}

TEST_CASE("half: NaNs stay NaNs, quiet, with the upper part of their payload", "[half]") {
  CHECK(half(std::bit_cast<float>(0x7f800001u)).bits() == 0x7e00);
  CHECK(half(std::bit_cast<float>(0xffa02000u)).bits() == 0xff01);
  CHECK(std::bit_cast<std::uint32_t>(static_cast<float>(half::from_bits(0xfd03))) == 0xffe06000u);
  CHECK(bfloat16(std::bit_cast<float>(0x7f800001u)).bits() == 0x7fc0);
}

TEST_CASE("half: two bytes without a constructor to run", "[half]") {
  static_assert(sizeof(half) == 2 && std::is_trivial_v<half>);
  static_assert(sizeof(bfloat16) == 2 && std::is_trivial_v<bfloat16>);
  static_assert(half(1.5f) == 1.5f && bfloat16(1.5f) == 1.5f);
  static_assert(std::is_same_v<garner::accumulator_t<half>, float>);
  static_assert(std::is_same_v<garner::accumulator_t<double>, double>);
  CHECK(half(1.5f) < half(2.0f));
}
