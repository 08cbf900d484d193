// SPDX-License-Identifier: BSD-3-Clause
// What becomes of an element that another one comes to (steps), and the two kernels that take steps
// through an index: rows that one index decides, and everything else. Values go to the table, or
// the table's elements to the values.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <garner/detail/kernels/block.hpp>
#include <garner/detail/kernels/cell.hpp>
#include <garner/detail/kernels/lookup.hpp>
#include <garner/detail/kernels/merge.hpp>
#include <garner/detail/kernels/simd.hpp>
#include <garner/half.hpp>

namespace garner::detail {

/// An unsigned type in which sums and products of T's wrap around: shorter ones would be promoted
/// to int, which must not overflow.
template <std::integral T>
using wrapping = std::common_type_t<unsigned, std::make_unsigned_t<T>>;

struct plus {
  template <class T>
  GARNER_INLINE T operator()(const T& a, const T& b) const {
    if constexpr (std::integral<T>) {
      return static_cast<T>(static_cast<wrapping<T>>(a) + static_cast<wrapping<T>>(b));
    } else {
      return static_cast<T>(a + b);
    }
  }
};

struct times {
  template <class T>
  GARNER_INLINE T operator()(const T& a, const T& b) const {
    if constexpr (std::integral<T>) {
      return static_cast<T>(static_cast<wrapping<T>>(a) * static_cast<wrapping<T>>(b));
    } else {
      return static_cast<T>(a * b);
    }
  }
};

/// b where it is NaN, else c. A branch for single numbers: g++ 12 would leave the vector registers.
template <class T>
GARNER_INLINE T nan_or(const T& b, const T& c) {
  if constexpr (std::floating_point<T>) {
    if (b != b) {
      GARNER_BRANCH;
      return b;
    }
    return c;
  } else {
    return select_first(b == b, c, b);
  }
}

/// The first of equals; a NaN wins.
struct largest {
  template <class T>
  GARNER_INLINE T operator()(const T& a, const T& b) const {
    return nan_or(b, select_first(b > a, b, a));
  }
};

struct smallest {
  template <class T>
  GARNER_INLINE T operator()(const T& a, const T& b) const {
    return nan_or(b, select_first(b < a, b, a));
  }
};

/// a + factor * b, rounded after each of the two.
template <class T>
struct plus_times {
  T factor;

  GARNER_INLINE T operator()(const T& a, const T& b) const {
    if constexpr (std::integral<T>) {
      return plus{}(a, times{}(factor, b));
    } else {
      return a + product(factor, b);
    }
  }
};

/// to[i] = combine(to[i], from[i]), computed in T's accumulator
template <class Combine>
struct update {
  static constexpr bool can_repeat = false;
  Combine combine;

  template <class Cell, class T>
  GARNER_INLINE void element(T* to, const T* from) const {
    using wide = accumulator_t<T>;
    *to = static_cast<T>(combine(static_cast<wide>(*to), static_cast<wide>(*from)));
  }

  template <class Arch, class Cell, class T>
  GARNER_INLINE void run(T* to, const T* from, index_t n, bool) const {
    index_t i = 0;
    if constexpr (has_simd<Arch> && (std::same_as<T, float> || std::same_as<T, double>)) {
      using vector = simd<T, Arch>;
      constexpr index_t width = vector::size;
      const auto combine_vectors = in_vectors<vector>();
      for (; i + 2 * width <= n; i += 2 * width) {
        const auto one = combine_vectors(vector::load(to + i), vector::load(from + i));
        const auto two =
            combine_vectors(vector::load(to + i + width), vector::load(from + i + width));
        one.store(to + i);
        two.store(to + i + width);
      }
      for (; i + width <= n; i += width) {
        combine_vectors(vector::load(to + i), vector::load(from + i)).store(to + i);
      }
    }
    for (; i < n; ++i) element<Cell>(to + i, from + i);
  }

 private:
  template <class Vector>
  GARNER_INLINE auto in_vectors() const {
    if constexpr (requires { combine.factor; }) {
      return plus_times<Vector>{Vector::broadcast(combine.factor)};
    } else {
      return combine;
    }
  }
};

template <class Combine>
update(Combine) -> update<Combine>;

/// to[i] = from[i], or from[0] again and again
struct assign {
  static constexpr bool can_repeat = true;

  template <class Cell>
  GARNER_INLINE void element(typename Cell::pointer to, typename Cell::const_pointer from) const {
    Cell::copy(to, from);
  }

  template <class Arch, class Cell>
  GARNER_INLINE void run(typename Cell::pointer to, typename Cell::const_pointer from, index_t n,
                         bool is_repeated) const {
    index_t i = 0;
    if constexpr (bitwise<Cell>) {
      if (!is_repeated) {
        std::memcpy(to, from, static_cast<std::size_t>(n * Cell::step));
        return;
      }
    }
    if constexpr (can_merge<Arch, Cell>) {
      using vector = simd<typename lane<Cell>::type, Arch>;
      typename lane<Cell>::type word;
      std::memcpy(&word, from, sizeof(word));
      const auto words = vector::broadcast(word);
      for (; i + merged<Arch, Cell> <= n; i += merged<Arch, Cell>) words.store(Cell::at(to, i));
    }
    for (; i < n; ++i) Cell::copy(Cell::at(to, i), Cell::at(from, is_repeated ? 0 : i));
  }
};

/// Which side of a problem is written: the one with the axis, or the one without.
enum class side { table, values };

/// The pointers of the two sides.
template <class Cell, side Written>
struct sides {
  using table = std::conditional_t<Written == side::table, typename Cell::pointer,
                                   typename Cell::const_pointer>;
  using values = std::conditional_t<Written == side::values, typename Cell::pointer,
                                    typename Cell::const_pointer>;
};

/// table[r, i] <- values[r, i] of the row that index[r] names, or the other way round; both sides
/// are dense, but where the step can repeat a value a row of values may be one. What is outside is
/// left alone.
template <class Arch, class Cell, side Written, class Step, class Indices, class Resolve,
          class Axis>
GARNER_KERNEL void combine_run(const block& b, typename sides<Cell, Written>::table table,
                               typename sides<Cell, Written>::values values, Indices index,
                               const Resolve& resolve_at, const Axis& along, const Step& by) {
  constexpr index_t rows_ahead = 4;
  const Resolve resolve = resolve_at;
  const Axis axis = along;
  const Step step = by;
  const loop rows = b.rows;
  const index_t n = b.run.extent;
  const bool is_repeated = b.run.out_stride == 0;
  const index_t asked = b.memory.is_far ? rows.extent - rows_ahead : 0;
  for (index_t r = 0; r < rows.extent; ++r) {
    if (r < asked) {
      const index_t next = resolve(index[(r + rows_ahead) * rows.index_stride]);
      if (!Resolve::fills || next != Resolve::outside) {
        const auto row = reinterpret_cast<std::uintptr_t>(
            Cell::at(table, (r + rows_ahead) * rows.src_stride + axis.offset(next)));
        prefetch(row);
        prefetch(row + static_cast<std::uintptr_t>(n) * sizeof(*table) - 1);
      }
    }
    const index_t place = resolve(index[r * rows.index_stride]);
    if (Resolve::fills && place == Resolve::outside) continue;
    const auto row = Cell::at(table, r * rows.src_stride + axis.offset(place));
    const auto value = Cell::at(values, r * rows.out_stride);
    if constexpr (Written == side::table) {
      step.template run<Arch, Cell>(row, value, n, is_repeated);
    } else {
      step.template run<Arch, Cell>(value, row, n, is_repeated);
    }
  }
}

/// table[r, i] <- values[r, i] at index[r, i] along the axis, or the other way round.
template <class Arch, class Cell, side Written, class Step, class Indices, class Resolve,
          class Axis>
GARNER_KERNEL void combine_each(const block& b, typename sides<Cell, Written>::table table,
                                typename sides<Cell, Written>::values values, Indices index,
                                const Resolve& resolve_at, const Axis& along, const Step& by) {
  const Resolve resolve = resolve_at;
  const Step step = by;
  const loop rows = b.rows;
  const loop run = b.run;
  const hints memory = b.memory;
  const index_t n = run.extent;
  const index_t comb = memory.comb;
  const auto walk = [&](auto axis, auto table_stride, auto value_stride, auto index_stride,
                        auto at_a_time) {
    constexpr index_t count = at_a_time;
    constexpr auto index_bytes = count * static_cast<index_t>(sizeof(index[0]));
    const look_ahead later(memory, (n + count - 1) / count);
    for (index_t r = 0; r < rows.extent; ++r) {
      const auto row = Cell::at(table, r * rows.src_stride);
      const auto value = Cell::at(values, r * rows.out_stride);
      const auto at = index + r * rows.index_stride;
      const auto visit = [&](index_t i, const auto& f) GARNER_INLINE_LAMBDA {
        const index_t place = resolve(at[i * index_stride]);
        if (Resolve::fills && place == Resolve::outside) return;
        f(Cell::at(row, i * table_stride + axis.offset(place)));
      };
      const auto ask = [&](index_t i) GARNER_INLINE_LAMBDA {
        visit(i, [](auto one) GARNER_INLINE_LAMBDA { prefetch(one); });
      };
      const auto take = [&](index_t i) GARNER_INLINE_LAMBDA {
        visit(i, [&](auto one) GARNER_INLINE_LAMBDA {
          const auto other = Cell::at(value, i * value_stride);
          if constexpr (Written == side::table) {
            step.template element<Cell>(one, other);
          } else {
            step.template element<Cell>(other, one);
          }
        });
      };
      index_t i = 0;
      if constexpr (count > 1) {
        const bool is_long = n >= 8 * count;  // else the hardware asks for enough by itself
        auto next = later.behind(row);
        for (; i + count <= n && comb == 1; i += count) {
          if (is_long) {
            prefetch_stream<index_bytes>(at + i);
            prefetch_stream<count * Cell::size>(Cell::at(value, i));
            later.ask(next);
          }
          if (memory.is_scattered && i + ahead + count <= n) {
            for (index_t k = i + ahead; k < i + ahead + count; ++k) ask(k);
          }
          unrolled<count>([&](auto k) GARNER_INLINE_LAMBDA { take(i + k); });
        }
      }
      if (comb > 1) {
        // By the teeth of a comb, one element of every line first. A load waits for stores before
        // it that go to the same place in a page: where indices are as long as elements, each
        // line's tooth is one further on, so that both are at different places.
        constexpr index_t lines_ahead = 8;
        constexpr index_t slant = sizeof(index[0]) == Cell::size ? 1 : 0;
        const index_t pace = comb + slant;
        const index_t whole = n / comb * comb;
        for (index_t first = 0; first < comb; ++first) {
          index_t tooth = first;
          for (index_t line = 0; line < whole; tooth = 0) {
            const index_t turn = slant == 0 ? whole : line + (comb - tooth) * comb;
            const index_t end = std::min(turn, whole);
            for (index_t k = line + tooth; k < end; k += pace) {
              if (memory.is_scattered) {
                index_t next = k + lines_ahead * pace;
                if (next >= turn) next -= slant * comb;
                if (next < whole) ask(next);
              }
              take(k);
            }
            line = end;
          }
        }
        i = whole;
      }
      for (; i < n; ++i) {
        if (memory.is_scattered && i + ahead < n) ask(i + ahead);
        take(i);
      }
    }
  };
  // Strides that the compiler knows cost nothing.
  constexpr constant<0> none;
  constexpr constant<1> one;
  if constexpr (Resolve::is_quick && std::same_as<Axis, even_axis>) {
    constexpr constant<16> many;
    if (run.out_stride == 1 && run.index_stride == 1) {
      if (run.src_stride == 0 && along.stride == 1) return walk(dense_axis{}, none, one, one, many);
      if (run.src_stride == 1) return walk(along, one, one, one, many);
    }
  }
  walk(along, run.src_stride, run.out_stride, run.index_stride, one);
}

}  // namespace garner::detail
