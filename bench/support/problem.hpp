// SPDX-License-Identifier: BSD-3-Clause
// A call without its types: what a peer needs to make the same call, in a translation unit of its
// own.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include <garner/view.hpp>

namespace bench {

using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u8 = std::uint8_t;
using c128 = std::complex<double>;

/// A row of 48 bytes as one element; peers see it as 12 floats of the last dim.
struct row48 {
  float values[12];
};

enum class kind { float32, uint8, int16, int32, int64, float64, complex128 };

/// What peers see an element type as.
template <class T>
inline constexpr kind kind_of = kind::float32;
template <>
inline constexpr kind kind_of<u8> = kind::uint8;
template <>
inline constexpr kind kind_of<i16> = kind::int16;
template <>
inline constexpr kind kind_of<i32> = kind::int32;
template <>
inline constexpr kind kind_of<i64> = kind::int64;
template <>
inline constexpr kind kind_of<double> = kind::float64;
template <>
inline constexpr kind kind_of<c128> = kind::complex128;

/// An element type in the name of a case.
template <class T>
std::string name_of() {
  constexpr const char* names[] = {"f32", "u8", "i16", "i32", "i64", "f64", "c128"};
  return std::is_same_v<T, row48> ? "48B" : names[static_cast<int>(kind_of<T>)];
}

/// A view whose type is known at run time only. Strides count elements.
struct array {
  void* data;
  kind type;
  std::vector<i64> shape;
  std::vector<i64> strides;

  int rank() const { return static_cast<int>(shape.size()); }
};

template <class T, int Rank>
array describe(const garner::view<T, Rank>& x) {
  array result{
      const_cast<std::remove_const_t<T>*>(x.data()), kind_of<std::remove_const_t<T>>, {}, {}};
  result.shape.assign(x.shape().begin(), x.shape().end());
  result.strides.assign(x.strides().begin(), x.strides().end());
  if constexpr (std::is_same_v<std::remove_const_t<T>, row48>) {
    for (i64& stride : result.strides) stride *= 12;
    result.shape.back() *= 12;
    result.strides.back() = 1;
  }
  return result;
}

enum class operation { gather, take_along_dim, index_select, take };

/// out = operation(input, dim, index). A take is flat: dim 0 of 1.
struct problem {
  operation op;
  array out;
  array input;
  int dim;
  array index;
};

using call = std::function<void()>;

}  // namespace bench
