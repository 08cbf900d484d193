// SPDX-License-Identifier: BSD-3-Clause
// The one place that names xsimd: which architecture this translation unit is built for, and a
// vector type in the subset that xsimd has kept from 8.1 on. Without SIMD, or with GARNER_NO_SIMD,
// the architecture is scalar_arch.
#pragma once

#include <concepts>
#include <cstddef>

#include <garner/config.hpp>

#ifndef GARNER_NO_SIMD
#include <xsimd/xsimd.hpp>
#endif

namespace garner::detail {

struct scalar_arch {};

#if defined(GARNER_NO_SIMD) || defined(XSIMD_NO_SUPPORTED_ARCHITECTURE)
using default_arch = scalar_arch;

template <class T, class Arch>
class simd;
#else
using default_arch = xsimd::default_arch;

/// A register of T's. Loads and stores take any alignment and, as vector instructions may, any
/// element type.
template <class T, class Arch>
class simd {
  using batch = xsimd::batch<T, Arch>;

 public:
  static constexpr std::size_t size = batch::size;

  static simd load(const void* from) { return batch::load_unaligned(static_cast<const T*>(from)); }
  void store(void* to) const { value_.store_unaligned(static_cast<T*>(to)); }

  static simd broadcast(T value) { return batch(value); }
  template <class... Values>
  static simd of(Values... values) {
    return batch{values...};  // an initializer_list in 8.1, a pack later
  }

  friend simd operator-(const simd& a, const simd& b) { return a.value_ - b.value_; }
  friend simd operator|(const simd& a, const simd& b) { return a.value_ | b.value_; }
  friend simd min(const simd& a, const simd& b) { return xsimd::min(a.value_, b.value_); }
  friend simd max(const simd& a, const simd& b) { return xsimd::max(a.value_, b.value_); }
  friend bool any_less(const simd& a, const simd& b) { return xsimd::any(a.value_ < b.value_); }

 private:
  simd(const batch& value) : value_(value) {}
  batch value_;
};
#endif

template <class Arch>
inline constexpr bool has_simd = !std::same_as<Arch, scalar_arch>;

}  // namespace garner::detail
