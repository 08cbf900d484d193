// SPDX-License-Identifier: BSD-3-Clause
// single: one number with the interface of a vector, so that a kernel's steps are written once.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>

#include <garner/config.hpp>
#include <garner/error.hpp>

namespace garner::detail {

/// Ends an expression for the compiler, so that no product is fused with a sum: a fused one is
/// rounded once, and only where the hardware can. GCC fuses vectors too, unless -ffp-contract=off.
template <class Register>
GARNER_INLINE void keep([[maybe_unused]] Register& value) {
#if defined(__GNUC__) && defined(__AVX512F__)
  __asm__("" : "+v"(value));
#elif defined(__GNUC__) && defined(__SSE2__)
  __asm__("" : "+x"(value));
#elif defined(__GNUC__) && defined(__aarch64__)
  __asm__("" : "+w"(value));
#elif defined(__GNUC__)
  __asm__("" : "+m"(value));  // other machines fuse too: s390x, POWER, RISC-V
#endif
}

/// a * b, rounded whatever becomes of it.
template <class T>
GARNER_INLINE T product(const T& a, const T& b) {
  T value = a * b;
  if constexpr (std::floating_point<T>) keep(value);
  return value;
}

/// One T with the interface of a vector of them, for what a vector does not fit.
template <class T, class Arch>
class single {
 public:
  static constexpr std::size_t size = 1;

  single() = default;
  template <class S>
  GARNER_INLINE static single load_as(const S* from) {
    return static_cast<T>(*from);
  }
  GARNER_INLINE static single load(const T* from) { return *from; }
  GARNER_INLINE static single broadcast(T value) { return value; }
  GARNER_INLINE static single of(T value) { return value; }
  GARNER_INLINE void store(T* to) const { *to = value_; }
  template <class S>
  GARNER_INLINE void store_as(S* to) const {
    *to = static_cast<S>(value_);
  }

  GARNER_INLINE friend single operator+(single a, single b) { return a.value_ + b.value_; }
  GARNER_INLINE friend single operator-(single a, single b) { return a.value_ - b.value_; }
  GARNER_INLINE friend single operator*(single a, single b) { return a.value_ * b.value_; }
  GARNER_INLINE friend single max(single a, single b) { return a.value_ > b.value_ ? a : b; }
  GARNER_INLINE friend single exp(single a) { return std::exp(a.value_); }
  GARNER_INLINE friend single log(single a) { return std::log(a.value_); }
  GARNER_INLINE friend single operator/(single a, single b) { return a.value_ / b.value_; }
  GARNER_INLINE friend single product(single a, single b) { return product(a.value_, b.value_); }
  GARNER_INLINE friend single larger(single a, single b) {
    return a.value_ < b.value_ || b.value_ != b.value_ ? b : a;
  }

 private:
  GARNER_INLINE single(T value) : value_(value) {}
  T value_;
};

}  // namespace garner::detail
