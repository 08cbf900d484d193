// SPDX-License-Identifier: BSD-3-Clause
// A row's maximum and its sum of exp(x - maximum) in one pass, and that sum's gradient. Rows are
// taken in blocks that stay in the first-level cache. What is not dense, or is stored in 16 bits,
// is brought into a dense block first, so that the order of additions never depends on the layout.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <garner/detail/kernels/simd.hpp>
#include <garner/error.hpp>

namespace garner::detail {

/// A vector of one lane, where there is no SIMD.
template <class T>
struct single {
  static constexpr std::size_t size = 1;
  T value;

  GARNER_INLINE static single load(const T* from) { return {*from}; }
  GARNER_INLINE static single broadcast(T value) { return {value}; }
  GARNER_INLINE void store(T* to) const { *to = value; }
  GARNER_INLINE friend single operator+(single a, single b) { return {a.value + b.value}; }
  GARNER_INLINE friend single operator-(single a, single b) { return {a.value - b.value}; }
  GARNER_INLINE friend single operator*(single a, single b) { return {a.value * b.value}; }
  GARNER_INLINE friend single max(single a, single b) { return a.value > b.value ? a : b; }
  GARNER_INLINE friend single exp(single a) { return {std::exp(a.value)}; }
};

template <class T, class Arch>
using lanes = std::conditional_t<has_simd<Arch>, simd<T, Arch>, single<T>>;

/// Four vectors side by side: enough to hide the latency of additions.
template <class Vector>
inline constexpr index_t group_of = 4 * static_cast<index_t>(Vector::size);
/// 32 additions per lane are exact to a few units in the last place; blocks are summed in double.
template <class Vector>
inline constexpr index_t block_of = 32 * group_of<Vector>;

/// Calls visit(k, i, x[i, i + size)) for all vectors of x in order, k = 0, 1, 2, 3, 0, ...; the
/// last one is filled up with -infinity, whose exp is 0.
template <class Vector, class T, class Visit>
GARNER_INLINE void for_each_of_four(const T* x, index_t n, const Visit& visit) {
  constexpr auto width = static_cast<index_t>(Vector::size);
  index_t i = 0;
  for (; i + 4 * width <= n; i += 4 * width) {
    for (int k = 0; k < 4; ++k) visit(k, i + k * width, Vector::load(x + i + k * width));
  }
  for (int k = 0; k < 4; ++k, i += width) {
    if (i + width <= n) {
      visit(k, i, Vector::load(x + i));
    } else if (i < n) {
      T last[Vector::size];
      for (index_t j = 0; j < width; ++j) {
        last[j] = i + j < n ? x[i + j] : -std::numeric_limits<T>::infinity();
      }
      visit(k, i, Vector::load(last));
    }
  }
}

/// All lanes of four vectors as one number.
template <class Vector, class T, class Combine>
GARNER_INLINE T reduce(const Vector (&four)[4], const Combine& combine) {
  T lane[Vector::size];
  combine(combine(four[0], four[1]), combine(four[2], four[3])).store(lane);
  for (std::size_t half = Vector::size / 2; half > 0; half /= 2) {
    for (std::size_t j = 0; j < half; ++j) {
      lane[j] = combine(single<T>{lane[j]}, single<T>{lane[j + half]}).value;
    }
  }
  return lane[0];
}

/// Calls visit(first, block, count) for the row's blocks x[first, first + count), as dense T's.
template <class Arch, class T, class Stored, class Visit>
GARNER_INLINE void for_each_block(const Stored* x, index_t stride, index_t n, const Visit& visit) {
  constexpr index_t size = block_of<lanes<T, Arch>>;
  if constexpr (std::same_as<T, Stored>) {
    if (stride == 1) {
      for (index_t first = 0; first < n; first += size) {
        visit(first, x + first, std::min(size, n - first));
      }
      return;
    }
  }
  T dense[size];
  for (index_t first = 0; first < n; first += size) {
    const index_t count = std::min(size, n - first);
    const Stored* const from = x + first * stride;
    if (stride == 1) {
      for (index_t i = 0; i < count; ++i) dense[i] = static_cast<T>(from[i]);
    } else {
      for (index_t i = 0; i < count; ++i) dense[i] = static_cast<T>(from[i * stride]);
    }
    visit(first, dense, count);
  }
}

/// log(sum of exp(x[i])) = max + log(sum). In a row that holds a NaN or +infinity, sum is NaN; it
/// is 0 where there is nothing but -infinity.
template <class T>
struct exp_sum {
  T max = std::numeric_limits<T>::lowest();
  double sum = 0;
};

template <class Arch, class T>
void add_block(exp_sum<T>& total, const T* x, index_t n) {
  using vector = lanes<T, Arch>;
  const auto low = vector::broadcast(total.max);
  vector most[] = {low, low, low, low};
  // In this order x86's max drops a NaN, which the sum then meets.
  for_each_of_four<vector>(x, n, [&](int k, index_t, vector v) { most[k] = max(v, most[k]); });
  const T peak = reduce<vector, T>(most, [](auto a, auto b) { return max(a, b); });
  if (!(peak <= total.max)) {
    if (total.sum != 0) total.sum *= std::exp(double{total.max} - double{peak});
    total.max = peak;
  }
  const auto shift = vector::broadcast(total.max);
  const auto zero = vector::broadcast(0);
  vector sums[] = {zero, zero, zero, zero};
  const auto next = reinterpret_cast<std::uintptr_t>(x + block_of<vector>);
  for_each_of_four<vector>(x, n, [&](int k, index_t i, vector v) {
    prefetch(next + static_cast<std::uintptr_t>(i) * sizeof(T));
    sums[k] = sums[k] + exp(v - shift);
  });
  total.sum += double{reduce<vector, T>(sums, [](auto a, auto b) { return a + b; })};
}

/// Of a row of n elements, `stride` apart.
template <class Arch, class T, class Stored>
exp_sum<T> sum_exp(const Stored* x, index_t stride, index_t n) {
  exp_sum<T> total;
  for_each_block<Arch, T>(x, stride, n, [&](index_t, const T* block, index_t count) {
    add_block<Arch>(total, block, count);
  });
  return total;
}

/// to[i] += g * ((i == picked) - exp(x[i] - max) / sum), rounded once.
template <class Arch, class T, class Stored>
void add_log_prob_gradient(Stored* to, index_t to_stride, const Stored* x, index_t stride,
                           index_t n, const exp_sum<T>& total, index_t picked, T g) {
  using vector = lanes<T, Arch>;
  constexpr auto width = static_cast<index_t>(vector::size);
  const auto shift = vector::broadcast(total.max);
  const auto factor = vector::broadcast(static_cast<T>(-double{g} / total.sum));
  for_each_block<Arch, T>(x, stride, n, [&](index_t first, const T* block, index_t count) {
    T step[block_of<vector>];
    for_each_of_four<vector>(
        block, count, [&](int, index_t i, vector v) { (exp(v - shift) * factor).store(step + i); });
    if (first <= picked && picked < first + count) step[picked - first] += g;
    Stored* const at = to + first * to_stride;
    index_t i = 0;
    if constexpr (std::same_as<T, Stored>) {
      if (to_stride == 1) {
        for (; i + width <= count; i += width) {
          (vector::load(at + i) + vector::load(step + i)).store(at + i);
        }
      }
    }
    for (; i < count; ++i) {
      Stored& element = at[i * to_stride];
      element = static_cast<Stored>(static_cast<T>(element) + step[i]);
    }
  });
}

}  // namespace garner::detail
