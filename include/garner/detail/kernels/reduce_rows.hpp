// SPDX-License-Identifier: BSD-3-Clause
// Bags of rows become one row each: rows are added, or compared, as they are read, in the order of
// the ids. A block of columns stays in registers for the length of a bag.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>

#include <garner/detail/kernels/bag_group.hpp>
#include <garner/detail/kernels/simd.hpp>
#include <garner/error.hpp>

namespace garner::detail {

struct sum_step {
  template <class T>
  static constexpr T first = T(0);
  template <class Vector>
  GARNER_INLINE static Vector combine(const Vector& sum, const Vector& next) {
    return sum + next;
  }
};
struct max_step {
  template <class T>
  static constexpr T first = -std::numeric_limits<T>::infinity();
  template <class Vector>
  GARNER_INLINE static Vector combine(const Vector& most, const Vector& next) {
    return larger(most, next);
  }
};

/// All of a reduction but the bags.
template <class Step, class Rows, class Resolve, class Out>
struct row_reduction {
  using step = Step;
  using number = sum_of_t<Rows>;

  Rows rows;
  row_of_id<Resolve> row;
  index_t columns;
  plain_rows<Out> out;  // a row per bag
  bool is_mean;
  bool is_far;  // ask for rows ahead of time
};

/// to[j * step] = parts[j]. Not inlined: the loop that keeps sums in registers needs the others.
template <class Vector, class Out, class Number>
GARNER_COLD void spread(Out* to, index_t step, const Number* parts, index_t n) {
  for (index_t j = 0; j < n; ++j) {
    single<Number, Vector>::load_as(parts + j).store_as(to + j * step);
  }
}

/// Count vectors of each row, side by side from `column` on but for the last, which is at `last`.
/// In a plain call ids and out are dense, and no id is skipped: fewer values to keep in registers.
template <class Vector, int Count, bool IsPlain, class Reduction, class Index, class Weight>
void reduce_columns(const Reduction& problem, const bag_group<Index, Weight>& bags, index_t column,
                    index_t last) {
  using number = typename Reduction::number;
  using step = typename Reduction::step;
  constexpr auto width = static_cast<index_t>(Vector::size);
  constexpr std::size_t elements = Count * Vector::size;
  constexpr index_t distance = rows_ahead<static_cast<index_t>(elements * sizeof(number))>;
  // In locals, which unlike members stay in registers.
  const auto rows = problem.rows;
  const auto row_of = problem.row;
  const bool may_skip = !IsPlain && row_of.may_skip();
  const bool is_mean = problem.is_mean;
  const auto out = problem.out;
  const Index* const ids = bags.ids;
  const index_t id_stride = IsPlain ? 1 : bags.id_stride;
  Weight* const weights = bags.weights;
  const index_t weight_stride = bags.weight_stride;
  const index_t* const bounds = bags.bounds;
  const index_t count = bags.count;
  const index_t asked = problem.is_far ? bags.reach - distance : 0;
  const index_t first_offset = column_offset<Vector>(column, rows.step);
  const index_t last_offset = column_offset<Vector>(last - column, rows.step);
  const auto offset = [&](int k) GARNER_INLINE_LAMBDA {
    return k + 1 < Count ? column_offset<Vector>(k * width, rows.step) : last_offset;
  };
  index_t i = bounds[0];
  for (index_t b = 0; b < count; ++b) {
    Vector sums[Count];
    unrolled<Count>([&](auto k) GARNER_INLINE_LAMBDA {
      sums[k] = Vector::broadcast(step::template first<number>);
    });
    const index_t end = bounds[b + 1];
    index_t used = end - i;
    for (; i < end; ++i) {
      if (i < asked) {
        const auto next = row_of.resolve(ids[(i + distance) * id_stride]);
        rows.template ask_for<elements>(next, first_offset);
      }
      const index_t r = row_of.resolve(ids[i * id_stride]);
      if (may_skip && row_of.skips(r)) {
        --used;
        continue;
      }
      const auto row = rows.template at<Vector>(r, first_offset);
      if constexpr (std::same_as<Weight, const unweighted>) {
        unrolled<Count>([&](auto k) GARNER_INLINE_LAMBDA {
          sums[k] = step::combine(sums[k], row.load(offset(k)));
        });
      } else {
        const auto weight = Vector::broadcast(static_cast<number>(weights[i * weight_stride]));
        unrolled<Count>([&](auto k) GARNER_INLINE_LAMBDA {
          sums[k] = step::combine(sums[k], product(weight, row.load(offset(k))));
        });
      }
    }
    if (used == 0) {
      unrolled<Count>([&](auto k) GARNER_INLINE_LAMBDA { sums[k] = Vector::broadcast(number(0)); });
    } else if (is_mean && used > 1) {
      const auto divisor = Vector::broadcast(static_cast<number>(used));
      unrolled<Count>([&](auto k) GARNER_INLINE_LAMBDA { sums[k] = sums[k] / divisor; });
    }
    auto* const to = out.data + b * out.stride;
    if (IsPlain || Vector::size == 1 || out.step == 1) {
      auto* const first = to + column_offset<Vector>(column, out.step);
      unrolled<Count>([&](auto k) GARNER_INLINE_LAMBDA {
        const index_t at = k + 1 < Count ? k * width : last - column;
        sums[k].store_as(first + column_offset<Vector>(at, out.step));
      });
    } else {
      number parts[elements];
      unrolled<Count>([&](auto k) GARNER_INLINE_LAMBDA { sums[k].store_as(parts + k * width); });
      spread<Vector>(to + column * out.step, out.step, parts, (Count - 1) * width);
      spread<Vector>(to + last * out.step, out.step, parts + (Count - 1) * width, width);
    }
  }
}

/// out[b] = the sum, mean or maximum of the rows of bag b, for all b of the group.
template <class Arch, class Reduction, class Index, class Weight>
void reduce_rows(const Reduction& problem, const bag_group<Index, Weight>& bags) {
  using number = typename Reduction::number;
  const index_t columns = problem.columns;
  if constexpr (has_simd<Arch>) {
    using vector = simd<number, Arch>;
    constexpr auto width = static_cast<index_t>(vector::size);
    if (columns >= width && problem.rows.step == 1) {
      const bool is_plain =
          bags.id_stride == 1 && problem.out.step == 1 && !problem.row.may_skip();
      // The last vector is moved back to the end of the row, over columns that are done twice.
      index_t c = 0;
      while (c < columns) {
        const index_t left = (columns - c + width - 1) / width;
        const auto reduce = [&]<int Count>() {
          const index_t last = std::min(c + (Count - 1) * width, columns - width);
          const index_t first = std::min(c, last);
          if (is_plain) {
            reduce_columns<vector, Count, true>(problem, bags, first, last);
          } else {
            reduce_columns<vector, Count, false>(problem, bags, first, last);
          }
          c += Count * width;
        };
        if (left >= 8) {
          reduce.template operator()<8>();
        } else if (left >= 4) {
          reduce.template operator()<4>();
        } else if (left >= 2) {
          reduce.template operator()<2>();
        } else {
          reduce.template operator()<1>();
        }
      }
      return;
    }
  }
  using scalar = single<number, Arch>;
  index_t c = 0;
  for (; c + 8 <= columns; c += 8) reduce_columns<scalar, 8, false>(problem, bags, c, c + 7);
  for (; c < columns; ++c) reduce_columns<scalar, 1, false>(problem, bags, c, c);
}

}  // namespace garner::detail
