// SPDX-License-Identifier: BSD-3-Clause
// Elements that tell which one they are: one type for each size that the library moves differently,
// and for each way of moving. make<T>(n) is element number n; different n give different bits
// wherever T has room for them. element_kind does the same without the type, which keeps the tests
// quick to compile.
#pragma once

#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <type_traits>

#include "support/fenced.hpp"

namespace test {

struct rgb {  // 3 bytes
  std::uint8_t r, g, b;
};
struct point {  // 12 bytes
  std::uint32_t x, y, z;
};
struct record {  // 24 bytes
  std::uint64_t key, low, high;
};

inline std::uint64_t mix(std::uint64_t n) {
  n = (n ^ (n >> 31)) * 0x9e3779b97f4a7c15u;
  n = (n ^ (n >> 29)) * 0xbf58476d1ce4e5b9u;
  return n ^ (n >> 32);
}

template <class T>
T make(std::int64_t number) {
  const auto n = static_cast<std::uint64_t>(number);
  if constexpr (std::is_same_v<T, bool>) {
    return mix(n) & 1u;
  } else if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(
        static_cast<std::uint32_t>(0x7f800000u | (n & 0x3fffffu) | 1u) ^
        static_cast<std::uint32_t>(n << 31));  // a NaN that a load as float may quiet
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(n);
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    return {static_cast<float>(n & 0xffffffu), -static_cast<float>(n & 0xffu)};
  } else if constexpr (std::is_same_v<T, std::complex<double>>) {
    return {static_cast<double>(number), -0.0};
  } else if constexpr (std::is_same_v<T, rgb>) {
    return {static_cast<std::uint8_t>(n), static_cast<std::uint8_t>(n >> 8),
            static_cast<std::uint8_t>(n >> 16)};
  } else if constexpr (std::is_same_v<T, point>) {
    return {static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(~n),
            static_cast<std::uint32_t>(mix(n))};
  } else if constexpr (std::is_same_v<T, record>) {
    return {n, ~n, mix(n)};
  } else if constexpr (std::is_same_v<T, std::string>) {
    const std::string text = std::to_string(number);
    return number % 2 ? text : text + " is too long for a small string";
  } else {
    static_assert(std::is_same_v<T, std::shared_ptr<int>>);
    return std::make_shared<int>(static_cast<int>(number));
  }
}

/// What the tests do with an element in raw memory.
struct element_kind {
  std::size_t size;
  void (*make)(void* at, std::int64_t number);
  void (*copy)(void* at, const void* from);
  void (*destroy)(void* at);
  bool (*same)(const void* a, const void* b);  // bit by bit, where bits are all there is
};

template <class T>
inline constexpr element_kind kind_of{
    sizeof(T), [](void* at, std::int64_t number) { ::new (at) T(test::make<T>(number)); },
    [](void* at, const void* from) { ::new (at) T(*static_cast<const T*>(from)); },
    [](void* at) { static_cast<T*>(at)->~T(); },
    [](const void* a, const void* b) {
      if constexpr (std::is_trivially_copyable_v<T>) {
        return std::memcmp(a, b, sizeof(T)) == 0;
      } else {
        return *static_cast<const T*>(a) == *static_cast<const T*>(b);
      }
    }};

/// Fenced elements of one kind.
class elements {
 public:
  elements(const element_kind& kind, std::int64_t n, flush side)
      : kind_(&kind), size_(static_cast<std::size_t>(n)), bytes_(size_ * kind.size, side) {}
  elements(elements&&) = delete;
  ~elements() {
    for (std::size_t k = 0; k < made_; ++k) kind_->destroy(at(k));
  }

  std::size_t size() const { return size_; }
  void* at(std::size_t k) const { return bytes_.data() + k * kind_->size; }
  bool is_same(std::size_t k, const void* element) const { return kind_->same(at(k), element); }

  /// Starts the next element's life.
  void push_numbered(std::int64_t number) { kind_->make(at(made_++), number); }
  void push_copy(const void* element) { kind_->copy(at(made_++), element); }
  void make_read_only() { bytes_.make_read_only(); }

 private:
  const element_kind* kind_;
  std::size_t size_;
  std::size_t made_ = 0;
  fenced<std::byte> bytes_;
};

}  // namespace test
