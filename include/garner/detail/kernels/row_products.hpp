// SPDX-License-Identifier: BSD-3-Clause
// One number per id: the product of the row that the id names with the row of the id's bag.
#pragma once

#include <algorithm>
#include <cstddef>

#include <garner/config.hpp>
#include <garner/detail/kernels/bag_group.hpp>
#include <garner/detail/kernels/simd.hpp>
#include <garner/error.hpp>

namespace garner::detail {

/// All of it but the bags.
template <class Rows, class Grad, class Resolve>
struct row_products {
  Rows rows;
  row_of_id<Resolve> row;
  index_t columns;
  plain_rows<const Grad> from;  // a row per bag
  bool is_far;                  // ask for rows ahead of time
};

/// The sum of rows[r][c] * from[b][c]. Column c belongs to partial sum c % 16, and the partial sums
/// are added by halves, so that the bits do not depend on the width of a vector.
template <class Vector, class Scalar, class Number, class Products>
GARNER_INLINE Number product_of_rows(const Products& problem, index_t r, index_t b) {
  constexpr index_t parts = 16;
  constexpr auto width = static_cast<index_t>(Vector::size);
  constexpr int count = parts / width;
  const auto rows = problem.rows;
  const auto from = problem.from;
  const auto row = rows.template at<Vector>(r);
  const auto other = from.template at<Vector>(b);
  Vector sums[count];
  unrolled<count>([&](auto k) GARNER_INLINE_LAMBDA { sums[k] = Vector::broadcast(0); });
  index_t c = 0;
  for (; c + parts <= problem.columns; c += parts) {
    unrolled<count>([&](auto k) GARNER_INLINE_LAMBDA {
      const index_t column = c + k * width;
      sums[k] = sums[k] + product(row.load(column_offset<Vector>(column, rows.step)),
                                  other.load(column_offset<Vector>(column, from.step)));
    });
  }
  Number part[parts];
  unrolled<count>([&](auto k) GARNER_INLINE_LAMBDA { sums[k].store(part + k * width); });
  const auto last = rows.template at<Scalar>(r);
  const auto last_other = from.template at<Scalar>(b);
  for (Number* to = part; c < problem.columns; ++c, ++to) {
    (Scalar::load(to) + product(last.load(c * rows.step), last_other.load(c * from.step)))
        .store(to);
  }
  for (index_t half = parts / 2; half > 0; half /= 2) {
    for (index_t j = 0; j < half; ++j) {
      (Scalar::load(part + j) + Scalar::load(part + j + half)).store(part + j);
    }
  }
  return part[0];
}

/// factor of the id += row of the id * from[b], for all ids of bag b, for all b of the group.
template <class Arch, class Products, class Index, class Number>
void add_products(const Products& problem, const bag_group<Index, Number>& bags) {
  using scalar = single<Number, Arch>;
  using vector = lanes<Number, Arch>;
  constexpr index_t distance = 8;
  const auto row_of = problem.row;
  const index_t asked = problem.is_far ? bags.reach - distance : 0;
  const index_t asked_columns = std::min<index_t>(problem.columns, 256);
  const bool is_dense = problem.rows.step == 1 && problem.from.step == 1;
  for (index_t b = 0; b < bags.count; ++b) {
    for (index_t i = bags.bounds[b]; i < bags.bounds[b + 1]; ++i) {
      if (i < asked) {
        const auto next = row_of.resolve(bags.ids[(i + distance) * bags.id_stride]);
        for (index_t c = 0; c < asked_columns; c += 16) {
          problem.rows.template ask_for<16>(next, c * problem.rows.step);
        }
      }
      const index_t r = row_of.resolve(bags.ids[i * bags.id_stride]);
      if (row_of.skips(r)) continue;
      const Number more = is_dense ? product_of_rows<vector, scalar, Number>(problem, r, b)
                                   : product_of_rows<scalar, scalar, Number>(problem, r, b);
      Number* const to = bags.weights + i * bags.weight_stride;
      (scalar::load(to) + scalar::load(&more)).store(to);
    }
  }
}

}  // namespace garner::detail
