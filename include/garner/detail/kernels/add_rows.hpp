// SPDX-License-Identifier: BSD-3-Clause
// The other way round: one row per bag is added to the rows that the bag's ids name, in the order
// of the ids; or, for a maximum, each column of it to the row that the maximum came from.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>

#include <garner/detail/kernels/bag_group.hpp>
#include <garner/detail/kernels/simd.hpp>
#include <garner/error.hpp>

namespace garner::detail {

/// All of it but the bags.
template <class Number, class Grad, class Resolve>
struct row_addition {
  using number = Number;

  plain_rows<Number> to;
  row_of_id<Resolve> row;
  index_t columns;
  plain_rows<const Grad> from;  // a row per bag
  bool is_mean;
  bool is_far;  // ask for rows ahead of time
};

/// Count vectors of each row, side by side from `column` on.
template <class Vector, int Count, class Addition, class Index, class Weight>
void add_columns(const Addition& problem, const bag_group<Index, Weight>& bags, index_t column) {
  using number = typename Addition::number;
  constexpr auto width = static_cast<index_t>(Vector::size);
  constexpr std::size_t elements = Count * Vector::size;
  constexpr index_t distance = rows_ahead<static_cast<index_t>(elements * sizeof(number))>;
  const auto to = problem.to;
  const auto from = problem.from;
  const auto row_of = problem.row;
  const Index* const ids = bags.ids;
  const index_t id_stride = bags.id_stride;
  const index_t asked = problem.is_far ? bags.reach - distance : 0;
  const index_t first_offset = column_offset<Vector>(column, to.step);
  for (index_t b = 0; b < bags.count; ++b) {
    const index_t begin = bags.bounds[b];
    const index_t end = bags.bounds[b + 1];
    Vector parts[Count];
    const auto part = from.template at<Vector>(b);
    unrolled<Count>([&](auto k) GARNER_INLINE_LAMBDA {
      parts[k] = part.load(column_offset<Vector>(column + k * width, from.step));
    });
    if (problem.is_mean && end - begin > 1) {
      const index_t used = row_of.count(ids + begin * id_stride, id_stride, end - begin);
      const auto divisor = Vector::broadcast(static_cast<number>(used > 1 ? used : 1));
      unrolled<Count>([&](auto k) GARNER_INLINE_LAMBDA { parts[k] = parts[k] / divisor; });
    }
    for (index_t i = begin; i < end; ++i) {
      if (i < asked) {
        const auto next = row_of.resolve(ids[(i + distance) * id_stride]);
        to.template ask_for<elements>(next, first_offset);
      }
      const index_t r = row_of.resolve(ids[i * id_stride]);
      if (row_of.skips(r)) continue;
      number* const row = to.data + r * to.stride + first_offset;
      const auto add = [&](const auto& next) GARNER_INLINE_LAMBDA {
        unrolled<Count>([&](auto k) GARNER_INLINE_LAMBDA {
          number* const at = row + column_offset<Vector>(k * width, to.step);
          (Vector::load_as(at) + next(parts[k])).store_as(at);
        });
      };
      if constexpr (std::same_as<Weight, const unweighted>) {
        add([](const Vector& x) GARNER_INLINE_LAMBDA { return x; });
      } else {
        const auto weight =
            Vector::broadcast(static_cast<number>(bags.weights[i * bags.weight_stride]));
        add([&](const Vector& x) GARNER_INLINE_LAMBDA { return product(weight, x); });
      }
    }
  }
}

/// to[row of id] += from[b] for all ids of bag b, for all b of the group.
template <class Arch, class Addition, class Index, class Weight>
void add_rows(const Addition& problem, const bag_group<Index, Weight>& bags) {
  using number = typename Addition::number;
  using scalar = single<number, Arch>;
  const index_t columns = problem.columns;
  index_t c = 0;
  if constexpr (has_simd<Arch>) {
    using vector = simd<number, Arch>;
    constexpr auto width = static_cast<index_t>(vector::size);
    if (problem.to.step == 1 && problem.from.step == 1) {
      for (; c + 8 * width <= columns; c += 8 * width) add_columns<vector, 8>(problem, bags, c);
      for (; c + 2 * width <= columns; c += 2 * width) add_columns<vector, 2>(problem, bags, c);
      for (; c + width <= columns; c += width) add_columns<vector, 1>(problem, bags, c);
    }
  }
  for (; c + 8 <= columns; c += 8) add_columns<scalar, 8>(problem, bags, c);
  for (; c < columns; ++c) add_columns<scalar, 1>(problem, bags, c);
}

/// to[the first row of bag b that holds the column's maximum][column] += from[b][column], for all b
/// of the group. A NaN is larger than all numbers.
template <class Arch, class Addition, class Rows, class Index>
void add_to_largest(const Addition& problem, const Rows& rows,
                    const bag_group<Index, const unweighted>& bags) {
  using number = typename Addition::number;
  using scalar = single<number, Arch>;
  constexpr index_t width = 64;
  const auto to = problem.to;
  const auto from = problem.from;
  for (index_t column = 0; column < problem.columns; column += width) {
    const index_t n = std::min(width, problem.columns - column);
    for (index_t b = 0; b < bags.count; ++b) {
      number most[width];
      index_t winner[width];
      bool is_first = true;
      for (index_t i = bags.bounds[b]; i < bags.bounds[b + 1]; ++i) {
        const index_t r = problem.row.resolve(bags.ids[i * bags.id_stride]);
        if (problem.row.skips(r)) continue;
        const auto row = rows.template at<scalar>(r);
        for (index_t j = 0; j < n; ++j) {
          number next;
          row.load((column + j) * rows.step).store_as(&next);
          const bool is_larger = is_first || most[j] < next || (next != next && most[j] == most[j]);
          most[j] = is_larger ? next : most[j];
          winner[j] = is_larger ? r : winner[j];
        }
        is_first = false;
      }
      if (is_first) continue;
      for (index_t j = 0; j < n; ++j) {
        number& sum = to.data[winner[j] * to.stride + (column + j) * to.step];
        const auto part = from.template at<scalar>(b).load((column + j) * from.step);
        (scalar::load_as(&sum) + part).store_as(&sum);
      }
    }
  }
}

}  // namespace garner::detail
