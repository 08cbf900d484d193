// SPDX-License-Identifier: BSD-3-Clause
// cell: what a kernel moves. Trivially copyable elements move as bits, whatever their type; others
// by assignment. Always inlined: these functions do not carry the architecture in their names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <garner/config.hpp>
#include <garner/error.hpp>

namespace garner::detail {

/// Elements of `Size` bytes, of any alignment and any trivially copyable type.
template <std::size_t Size>
struct bits {
  using pointer = std::byte*;
  using const_pointer = const std::byte*;
  static constexpr index_t step = static_cast<index_t>(Size);
  static constexpr index_t size = step;

  template <class P>
  GARNER_INLINE static P at(P base, index_t i) {
    return base + i * step;
  }
  GARNER_INLINE static void copy(pointer out, const_pointer src) { std::memcpy(out, src, Size); }
  GARNER_INLINE static pointer erase(void* data) { return static_cast<pointer>(data); }
  GARNER_INLINE static const_pointer erase(const void* data) {
    return static_cast<const_pointer>(data);
  }
};

/// Elements that only their own assignment can copy.
template <class T>
struct object {
  using pointer = T*;
  using const_pointer = const T*;
  static constexpr index_t size = static_cast<index_t>(sizeof(T));

  template <class P>
  GARNER_INLINE static P at(P base, index_t i) {
    return base + i;
  }
  GARNER_INLINE static void copy(pointer out, const_pointer src) { *out = *src; }
  GARNER_INLINE static pointer erase(pointer data) { return data; }
  GARNER_INLINE static const_pointer erase(const_pointer data) { return data; }
};

template <class T>
using cell_of = std::conditional_t<std::is_trivially_copyable_v<T>, bits<sizeof(T)>, object<T>>;

/// Whether elements move as bits.
template <class Cell>
concept bitwise = requires {
  Cell::step;
};

/// The unsigned integer of `Size` bytes, or void if there is none.
template <std::size_t Size>
using word = std::conditional_t<
    Size == 1, std::uint8_t,
    std::conditional_t<Size == 2, std::uint16_t,
                       std::conditional_t<Size == 4, std::uint32_t,
                                          std::conditional_t<Size == 8, std::uint64_t, void>>>>;

/// The word whose vectors a cell's elements fill lane by lane; void if they move one at a time.
template <class Cell>
struct lane {
  using type = void;
};
template <std::size_t Size>
struct lane<bits<Size>> {
  using type = word<Size>;
};

}  // namespace garner::detail
