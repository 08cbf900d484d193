// SPDX-License-Identifier: BSD-3-Clause
// Rows' maxima and their sums of exp(x - maximum) in one pass, and the gradients of log(sum). Long
// rows are taken in blocks that stay in the first-level cache; of short ones, each lane takes one.
// What is not dense, or stored in 16 bits, is brought into a dense block first: the order of
// additions depends on the length of a row only, never on its layout or its neighbours.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <garner/detail/kernels/simd.hpp>
#include <garner/error.hpp>

namespace garner::detail {

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
  using std::integral_constant;
  index_t i = 0;
  for (; i + 4 * width <= n; i += 4 * width) {
    visit(integral_constant<int, 0>{}, i, Vector::load(x + i));
    visit(integral_constant<int, 1>{}, i + width, Vector::load(x + i + width));
    visit(integral_constant<int, 2>{}, i + 2 * width, Vector::load(x + i + 2 * width));
    visit(integral_constant<int, 3>{}, i + 3 * width, Vector::load(x + i + 3 * width));
  }
  const auto visit_last = [&](auto k) {
    if (i + width <= n) {
      visit(k, i, Vector::load(x + i));
    } else if (i < n) {
      T last[Vector::size];
      for (index_t j = 0; j < width; ++j) {
        last[j] = i + j < n ? x[i + j] : -std::numeric_limits<T>::infinity();
      }
      visit(k, i, Vector::load(last));
    }
    i += width;
  };
  visit_last(integral_constant<int, 0>{});
  visit_last(integral_constant<int, 1>{});
  visit_last(integral_constant<int, 2>{});
  visit_last(integral_constant<int, 3>{});
}

/// All lanes of four vectors as one number.
template <class Vector, class T, class Combine>
GARNER_INLINE T across_lanes(const Vector (&four)[4], const Combine& combine) {
  using one = single<T, scalar_arch>;
  T lane[Vector::size];
  combine(combine(four[0], four[1]), combine(four[2], four[3])).store(lane);
  for (std::size_t half = Vector::size / 2; half > 0; half /= 2) {
    for (std::size_t j = 0; j < half; ++j) {
      combine(one::load(lane + j), one::load(lane + j + half)).store(lane + j);
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

/// Adds a block of a row; if asked, keeps exp(x[i] - max) for the max up to here.
template <class Arch, bool Keeps, class T>
void add_block(exp_sum<T>& total, const T* x, index_t n, T* kept) {
  using vector = lanes<T, Arch>;
  const auto low = vector::broadcast(total.max);
  vector most[] = {low, low, low, low};
  // In this order x86's max drops a NaN, which the sum then meets.
  for_each_of_four<vector>(x, n, [&](auto k, index_t, vector v) { most[k] = max(v, most[k]); });
  const T peak = across_lanes<vector, T>(most, [](auto a, auto b) { return max(a, b); });
  if (!(peak <= total.max)) {
    if (total.sum != 0) total.sum *= std::exp(double{total.max} - double{peak});
    total.max = peak;
  }
  const auto shift = vector::broadcast(total.max);
  const auto zero = vector::broadcast(0);
  vector sums[] = {zero, zero, zero, zero};
  const auto next = reinterpret_cast<std::uintptr_t>(x + block_of<vector>);
  for_each_of_four<vector>(x, n, [&](auto k, index_t i, vector v) {
    prefetch(next + static_cast<std::uintptr_t>(i) * sizeof(T));
    const vector e = exp(v - shift);
    if constexpr (Keeps) e.store(kept + i);
    sums[k] = sums[k] + e;
  });
  total.sum += double{across_lanes<vector, T>(sums, [](auto a, auto b) { return a + b; })};
}

/// Of a row of n elements, `stride` apart. If asked, keeps exp(x[i] - max) for the last block.
template <class Arch, class T, bool Keeps = false, class Stored>
exp_sum<T> sum_exp(const Stored* x, index_t stride, index_t n, T* kept = nullptr) {
  exp_sum<T> total;
  for_each_block<Arch, T>(x, stride, n, [&](index_t, const T* block, index_t count) {
    add_block<Arch, Keeps>(total, block, count, kept);
  });
  return total;
}

/// As many rows of at most `most` elements as a vector has lanes: lane r of all vectors belongs to
/// row r.
template <class Arch, class T>
struct short_rows {
  using vector = lanes<T, Arch>;
  static constexpr index_t most = 32;
  static constexpr std::size_t count = vector::size;

  vector peak = vector::broadcast(std::numeric_limits<T>::lowest());
  vector sum = vector::broadcast(0);
  T exps[most][count];  // exp(x[i] - peak)

  template <class Stored>
  short_rows(const Stored* const (&rows)[count], index_t stride, index_t n) {
    // In locals, which unlike members stay in registers. Rows are merged there too: a vector load
    // waits for the stores of single elements before it.
    auto highest = peak;
    [&]<std::size_t... R>(std::index_sequence<R...>) {
      for (index_t i = 0; i < n; ++i) {
        const auto x = vector::of(static_cast<T>(rows[R][i * stride])...);
        x.store(exps[i]);
        highest = max(x, highest);
      }
    }
    (std::make_index_sequence<count>{});
    auto total = sum;
    for (index_t i = 0; i < n; ++i) {
      const vector e = exp(vector::load(exps[i]) - highest);
      e.store(exps[i]);
      total = total + e;
    }
    peak = highest;
    sum = total;
  }
};

/// out[r] = rows[r][ids[r]] - log(sum of exp(rows[r][i])), for the first `used` of the rows.
template <class Arch, class T, class Stored, std::size_t Count>
void log_probs_of_rows(const Stored* const (&rows)[Count], index_t stride, index_t n,
                       const index_t (&ids)[Count], T (&out)[Count], std::size_t used) {
  if (n > short_rows<Arch, T>::most) {
    for (std::size_t r = 0; r < used; ++r) {
      const auto total = sum_exp<Arch, T>(rows[r], stride, n);
      const double picked = static_cast<T>(rows[r][ids[r] * stride]);
      out[r] = static_cast<T>(picked - double{total.max} - std::log(total.sum));
    }
    return;
  }
  const short_rows<Arch, T> all(rows, stride, n);
  for (std::size_t r = 0; r < Count; ++r) out[r] = static_cast<T>(rows[r][ids[r] * stride]);
  using vector = lanes<T, Arch>;
  (vector::load(out) - all.peak - log(all.sum)).store(out);
}

/// to[i] += g * ((i == id) - exp(x[i] - max) / sum), rounded once, for a row of any length.
template <class Arch, class T, class Stored>
void add_log_prob_gradient(Stored* to, index_t to_stride, const Stored* x, index_t stride,
                           index_t n, index_t id, T g) {
  using vector = lanes<T, Arch>;
  constexpr auto width = static_cast<index_t>(vector::size);
  T exps[block_of<vector>];
  const auto total = sum_exp<Arch, T, true>(x, stride, n, exps);
  const auto scale = static_cast<T>(-double{g} / total.sum);
  const auto shift = vector::broadcast(total.max);
  const auto factor = vector::broadcast(scale);
  // From the end, for the exps of the last block are there.
  const auto add = [&](index_t first, index_t count) {
    Stored* const at = to + first * to_stride;
    const T before =
        first <= id && id < first + count ? static_cast<T>(at[(id - first) * to_stride]) : T{};
    index_t i = 0;
    if constexpr (std::same_as<T, Stored>) {
      if (to_stride == 1) {
        for (; i + width <= count; i += width) {
          (vector::load(at + i) + vector::load(exps + i) * factor).store(at + i);
        }
      }
    }
    for (; i < count; ++i) {
      Stored& element = at[i * to_stride];
      element = static_cast<Stored>(static_cast<T>(element) + exps[i] * scale);
    }
    if (first <= id && id < first + count) {
      at[(id - first) * to_stride] = static_cast<Stored>(before + (g + exps[id - first] * scale));
    }
  };
  const index_t last = (n - 1) / block_of<vector> * block_of<vector>;
  add(last, n - last);
  for_each_block<Arch, T>(x, stride, last, [&](index_t first, const T* block, index_t count) {
    for_each_of_four<vector>(block, count,
                             [&](auto, index_t i, vector v) { exp(v - shift).store(exps + i); });
    add(first, count);
  });
}

/// The same for `used` rows at once.
template <class Arch, class T, class Stored, std::size_t Count>
void add_log_prob_gradients(Stored* const (&to)[Count], index_t to_stride,
                            const Stored* const (&rows)[Count], index_t stride, index_t n,
                            const index_t (&ids)[Count], const T (&g)[Count], std::size_t used) {
  if (n > short_rows<Arch, T>::most) {
    for (std::size_t r = 0; r < used; ++r) {
      add_log_prob_gradient<Arch>(to[r], to_stride, rows[r], stride, n, ids[r], g[r]);
    }
    return;
  }
  const short_rows<Arch, T> all(rows, stride, n);
  T sums[Count];
  all.sum.store(sums);
  for (std::size_t r = 0; r < used; ++r) {
    const T scale = -g[r] / sums[r];
    for (index_t i = 0; i < n; ++i) {
      Stored& element = to[r][i * to_stride];
      const T step = all.exps[i][r] * scale;
      element = static_cast<Stored>(static_cast<T>(element) + (i == ids[r] ? g[r] + step : step));
    }
  }
}

}  // namespace garner::detail
