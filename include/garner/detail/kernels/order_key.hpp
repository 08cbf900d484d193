// SPDX-License-Identifier: BSD-3-Clause
// The order of elements as signed integers, which vectors compare and a radix sort can read: equal
// elements have equal keys, and all NaNs have the largest one. Always inlined: these functions do
// not carry the architecture in their names.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include <garner/detail/kernels/cell.hpp>
#include <garner/half.hpp>

namespace garner::detail {

/// The bits of infinity, beyond which all are NaNs; 0 for types that are no floats with keys.
template <class T>
inline constexpr std::uint64_t infinity_bits = 0;
template <>
inline constexpr std::uint64_t infinity_bits<float> = 0x7f800000u;
template <>
inline constexpr std::uint64_t infinity_bits<double> = 0x7ff0000000000000u;
template <>
inline constexpr std::uint64_t infinity_bits<half> = 0x7c00u;
template <>
inline constexpr std::uint64_t infinity_bits<bfloat16> = 0x7f80u;

/// A type whose elements have keys.
template <class T>
concept keyed = infinity_bits<T>
!= 0 || (std::integral<T> && sizeof(T) <= 8);

/// Integers as themselves, floats as sign and magnitude: -0.0 and +0.0 are both 0.
template <keyed T>
GARNER_INLINE auto order_key(const T& x) {
  using bits = word<sizeof(T)>;
  using key = std::make_signed_t<bits>;
  constexpr auto largest = std::numeric_limits<key>::max();
  bits value = 0;  // by memcpy, for a bool may hold a byte that is neither 0 nor 1
  std::memcpy(&value, &x, sizeof(T));
  if constexpr (infinity_bits<T> != 0) {
    // Masks in place of choices: these g++ 12 makes vectors of.
    constexpr int sign_at = 8 * sizeof(T) - 1;
    const auto size = static_cast<key>(value & largest);
    const auto minus = static_cast<key>(static_cast<key>(value) >> sign_at);
    const auto nan = static_cast<key>((static_cast<key>(infinity_bits<T>) - size) >> sign_at);
    return static_cast<key>((((size ^ minus) - minus) & ~nan) | (nan & largest));
  } else if constexpr (std::same_as<T, bool>) {
    return static_cast<key>(value != 0);
  } else if constexpr (std::signed_integral<T>) {
    return static_cast<key>(value);
  } else {
    return static_cast<key>(value ^ bits{bits{1} << (8 * sizeof(T) - 1)});
  }
}

template <keyed T>
using order_key_t = decltype(order_key(std::declval<const T&>()));

/// The key of a sort that is descending or not.
template <bool Descending, keyed T>
GARNER_INLINE order_key_t<T> sort_key(const T& x) {
  const auto key = order_key(x);
  return Descending ? static_cast<order_key_t<T>>(~key) : key;
}

/// A key and where it stood, ordered by both: what sorts entries is stable, whatever it is. In one
/// word, for keys of up to 32 bits and as many elements ...
using packed_entry = std::uint64_t;
inline constexpr std::int64_t most_packed = std::int64_t{1} << 32;

GARNER_INLINE constexpr packed_entry pack(std::uint32_t key, index_t index) {
  return packed_entry{key} << 32 | static_cast<packed_entry>(index);
}

/// ... or in two.
struct wide_entry {
  std::int64_t key;
  std::int64_t index;

  friend constexpr bool operator<(const wide_entry& a, const wide_entry& b) {
    return a.key < b.key || (a.key == b.key && a.index < b.index);
  }
};

template <keyed T>
using entry_for = std::conditional_t<sizeof(T) <= 4, packed_entry, wide_entry>;

template <class Entry>
GARNER_INLINE constexpr Entry entry_of(std::int64_t key, index_t index) {
  if constexpr (std::same_as<Entry, wide_entry>) {
    return {key, index};
  } else {
    return pack(static_cast<std::uint32_t>(key) ^ 0x80000000u, index);
  }
}
GARNER_INLINE constexpr std::int64_t index_of(const wide_entry& x) { return x.index; }
GARNER_INLINE constexpr std::int64_t index_of(packed_entry x) {
  return static_cast<std::int64_t>(x & 0xffffffffu);
}
GARNER_INLINE constexpr std::int64_t key_of(const wide_entry& x) { return x.key; }
GARNER_INLINE constexpr std::int64_t key_of(packed_entry x) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(x >> 32) ^ 0x80000000u);
}

/// a < b, with NaNs above all others; for every type that has an operator <.
template <class T>
bool is_less(const T& a, const T& b) {
  if constexpr (keyed<T>) {
    return order_key(a) < order_key(b);
  } else if constexpr (std::floating_point<T>) {
    return a < b || (b != b && a == a);
  } else {
    return static_cast<bool>(a < b);
  }
}

}  // namespace garner::detail
