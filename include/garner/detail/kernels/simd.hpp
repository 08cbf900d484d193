// SPDX-License-Identifier: BSD-3-Clause
// The one place that names xsimd: which architecture this translation unit is built for, and a
// vector type in the subset that xsimd has kept from 8.1 on. Without SIMD, or with GARNER_NO_SIMD,
// the architecture is scalar_arch. What xsimd lacks, stores past the caches and lookups in a
// register, are intrinsics where there are any.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include <garner/config.hpp>
#include <garner/detail/kernels/single.hpp>
#include <garner/detail/kernels/widen.hpp>
#include <garner/error.hpp>

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

namespace native {

// stream(to, value): a store past the caches, to an address that is a multiple of the vector.
//
// pick(table, index): byte i is table[index[i]]; indices are below 16, tables have 16 bytes, again
// in each 16 bytes of the vector.
//
// divide(a, b): rounded as it should be, where xsimd 8.1 multiplies by an approximate reciprocal.
//
// Without arguments they only make the names known everywhere.
void stream();
void pick();
void divide();

#if defined(__SSE2__)
GARNER_INLINE void stream(void* to, __m128i value) {
  _mm_stream_si128(static_cast<__m128i*>(to), value);
}
#endif
#if defined(__SSSE3__)
GARNER_INLINE __m128i pick(__m128i table, __m128i index) { return _mm_shuffle_epi8(table, index); }
#endif
#if defined(__AVX__) && defined(__SSE2__)
GARNER_INLINE void stream(void* to, __m256i value) {
  _mm256_stream_si256(static_cast<__m256i*>(to), value);
}
#endif
#if defined(__AVX2__)
GARNER_INLINE __m256i pick(__m256i table, __m256i index) {
  return _mm256_shuffle_epi8(table, index);
}
#endif
#if defined(__AVX512F__) && defined(__SSE2__)
GARNER_INLINE void stream(void* to, __m512i value) {
  _mm512_stream_si512(static_cast<__m512i*>(to), value);
}
#endif
#if defined(__AVX512BW__)
GARNER_INLINE __m512i pick(__m512i table, __m512i index) {
  return _mm512_shuffle_epi8(table, index);
}
#endif
#if defined(__aarch64__)
GARNER_INLINE uint8x16_t pick(uint8x16_t table, uint8x16_t index) {
  return vqtbl1q_u8(table, index);
}
GARNER_INLINE float32x4_t divide(float32x4_t a, float32x4_t b) { return vdivq_f32(a, b); }
GARNER_INLINE float64x2_t divide(float64x2_t a, float64x2_t b) { return vdivq_f64(a, b); }
#endif

}  // namespace native

/// A register of T's. Loads and stores take any alignment and, as vector instructions may, any
/// element type.
template <class T, class Arch>
class simd {
  using batch = xsimd::batch<T, Arch>;
  using reg = typename batch::register_type;

 public:
  static constexpr std::size_t size = batch::size;
  static constexpr std::size_t bytes = sizeof(T) * size;
  static constexpr bool can_stream = requires(void* to, reg v) { native::stream(to, v); };
  static constexpr bool can_pick = requires(reg v) { native::pick(v, v); };

  simd() = default;
  static simd load(const void* from) { return batch::load_unaligned(static_cast<const T*>(from)); }
  void store(void* to) const { value_.store_unaligned(static_cast<T*>(to)); }

  /// The same, or past the caches where that is possible; `to` is then a multiple of `bytes`.
  void store(void* to, bool is_streamed) const {
    if constexpr (can_stream) {
      if (is_streamed) return native::stream(to, static_cast<reg>(value_));
    }
    store(to);
  }

  /// Floats from elements that convert to them.
  template <class S>
  static simd load_as(const S* from) {
    if constexpr (std::same_as<S, T>) {
      return load(from);
    } else if constexpr (requires(reg & to) { native::widen(to, from); }) {
      reg to;
      native::widen(to, from);
      return batch(to);
    } else {
      T values[size];
      for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<T>(from[i]);
      return load(values);
    }
  }
  template <class S>
  void store_as(S* to) const {
    if constexpr (std::same_as<S, T>) {
      store(to);
    } else {
      T values[size];
      store(values);
      for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<S>(values[i]);
    }
  }

  static simd broadcast(T value) { return batch(value); }
  template <class... Values>
  static simd of(Values... values) {
    return batch{values...};  // an initializer_list in 8.1, a pack later
  }

  friend simd operator+(const simd& a, const simd& b) { return a.value_ + b.value_; }
  friend simd operator/(const simd& a, const simd& b) {
    if constexpr (requires(reg v) { native::divide(v, v); }) {
      return batch(native::divide(static_cast<reg>(a.value_), static_cast<reg>(b.value_)));
    } else {
      return a.value_ / b.value_;
    }
  }
  /// a * b, rounded whatever becomes of it
  friend simd product(const simd& a, const simd& b) {
    auto value = static_cast<reg>(a.value_ * b.value_);
    keep(value);
    return batch(value);
  }
  /// a / b, divided whatever becomes of it. Where b or a is selected, clang divides by b or 1,
  /// which quiets a NaN.
  friend simd quotient(const simd& a, const simd& b) {
    auto value = static_cast<reg>((a / b).value_);
    keep(value);
    return batch(value);
  }
  /// b where it is larger or NaN, a elsewhere
  friend simd larger(const simd& a, const simd& b) {
    // Not by b != b: on AVX, xsimd 8.1 takes NaN for equal to itself there.
    return xsimd::select((a.value_ < b.value_) || !(b.value_ == b.value_), b.value_, a.value_);
  }
  friend simd operator-(const simd& a, const simd& b) { return a.value_ - b.value_; }
  friend simd operator*(const simd& a, const simd& b) { return a.value_ * b.value_; }
  friend simd operator|(const simd& a, const simd& b) { return a.value_ | b.value_; }
  friend simd min(const simd& a, const simd& b) { return xsimd::min(a.value_, b.value_); }
  friend simd max(const simd& a, const simd& b) { return xsimd::max(a.value_, b.value_); }
  friend auto operator<(const simd& a, const simd& b) { return a.value_ < b.value_; }
  friend auto operator>(const simd& a, const simd& b) { return a.value_ > b.value_; }
  friend auto operator==(const simd& a, const simd& b) { return a.value_ == b.value_; }
  /// a where the mask is set, b elsewhere
  template <class Mask>
  friend simd select_first(const Mask& mask, const simd& a, const simd& b) {
    return xsimd::select(mask, a.value_, b.value_);
  }
  friend bool any_less(const simd& a, const simd& b) { return xsimd::any(a.value_ < b.value_); }
  friend simd exp(const simd& a) { return xsimd::exp(a.value_); }
  friend simd log(const simd& a) { return xsimd::log(a.value_); }
  friend simd pick(const simd& table, const simd& index) {
    return batch(native::pick(static_cast<reg>(table.value_), static_cast<reg>(index.value_)));
  }

 private:
  simd(const batch& value) : value_(value) {}
  batch value_;
};
#endif

template <class T>
GARNER_INLINE T select_first(bool is_first, const T& a, const T& b) {
  return is_first ? a : b;
}
template <class Arch>
inline constexpr bool has_simd = !std::same_as<Arch, scalar_arch>;

/// Orders the stores past the caches before all that follows.
GARNER_INLINE void end_stream() {
#if defined(__SSE2__)
  __builtin_ia32_sfence();
#endif
}

inline constexpr index_t line_bytes = 64;    // of a cache line
inline constexpr index_t ahead = 32;         // how many elements ahead of their use to ask for them
inline constexpr index_t lead_bytes = 1024;  // the same in bytes, for what is read one by one

/// Asks for a cache line. The address need not be a valid one, which is why it is no pointer.
GARNER_INLINE void prefetch([[maybe_unused]] std::uintptr_t address) {
#if defined(__GNUC__)
  __builtin_prefetch(reinterpret_cast<const void*>(address));  // NOLINT(performance-no-int-to-ptr)
#endif
}
GARNER_INLINE void prefetch(const void* address) {
  prefetch(reinterpret_cast<std::uintptr_t>(address));
}

/// Asks for the lines that will be read later where `Bytes` bytes at a time are read one by one.
template <index_t Bytes>
GARNER_INLINE void prefetch_stream(const void* address) {
  for (index_t k = 0; k < Bytes; k += line_bytes) {
    prefetch(reinterpret_cast<std::uintptr_t>(address) +
             static_cast<std::uintptr_t>(lead_bytes + k));
  }
}

/// f(0), ... f(Count - 1), each a constant. In a loop, g++ 12 would keep an array of vectors in
/// memory.
template <int Count, class F>
GARNER_INLINE void unrolled(const F& f) {
  [&]<int... K>(std::integer_sequence<int, K...>) GARNER_INLINE_LAMBDA {
    (f(std::integral_constant<int, K>{}), ...);
  }
  (std::make_integer_sequence<int, Count>{});
}

template <class T, class Arch>
using lanes = std::conditional_t<has_simd<Arch>, simd<T, Arch>, single<T, Arch>>;

}  // namespace garner::detail
