// SPDX-License-Identifier: BSD-3-Clause
// What the kernels over bags walk: a few bags of ids, and rows that hold numbers or stand for them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <garner/config.hpp>
#include <garner/detail/kernels/simd.hpp>
#include <garner/error.hpp>

namespace garner::detail {

/// Stands for the type of factors where there are none.
struct unweighted {};

/// Weight is const where factors are read. Bag b holds the ids from bounds[b] to bounds[b + 1],
/// counted from `ids` on.
template <class Index, class Weight>
struct bag_group {
  static constexpr index_t most_bags = 64;

  const Index* ids;
  index_t id_stride;
  Weight* weights;  // one factor per id
  index_t weight_stride;
  const index_t* bounds;
  index_t count;
  index_t reach;  // how many ids there are from `ids` on, those of later groups included
};

/// Where an id's row is, if it is not to be skipped.
template <class Resolve>
struct row_of_id {
  Resolve resolve;
  index_t padding;  // or -1

  GARNER_INLINE bool may_skip() const { return padding >= 0 || Resolve::fills; }
  GARNER_INLINE bool skips(index_t row) const {
    return row == padding || (Resolve::fills && row < 0);
  }
  /// How many of a bag's ids count.
  template <class Index>
  GARNER_INLINE index_t count(const Index* ids, index_t stride, index_t n) const {
    if (!may_skip()) return n;
    index_t used = 0;
    for (index_t i = 0; i < n; ++i) used += !skips(resolve(ids[i * stride]));
    return used;
  }
};

/// Asks for `bytes` bytes.
template <index_t Bytes>
GARNER_INLINE void prefetch_run(std::uintptr_t at) {
  for (index_t i = 0; i < Bytes; i += line_bytes) prefetch(at + static_cast<std::uintptr_t>(i));
  if (at % line_bytes != 0) prefetch(at + static_cast<std::uintptr_t>(Bytes - 1));
}

/// How many rows ahead of its use to ask for one, when `Bytes` are read of each.
template <index_t Bytes>
inline constexpr index_t rows_ahead = std::clamp<index_t>(4096 / Bytes, 8, 16);

/// The address of an element, as a number: for a prefetch it need not be one.
template <class T>
GARNER_INLINE std::uintptr_t address_of(const T* data, index_t offset) {
  return reinterpret_cast<std::uintptr_t>(data) + static_cast<std::uintptr_t>(offset) * sizeof(T);
}

/// Rows that hold their numbers; T may be const.
template <class T>
struct plain_rows {
  T* data;
  index_t stride;  // from one row to the next
  index_t step;    // from one column to the next

  template <class Vector>
  struct row {
    T* at;
    GARNER_INLINE Vector load(index_t offset) const { return Vector::load_as(at + offset); }
  };
  template <class Vector>
  GARNER_INLINE row<Vector> at(index_t r, index_t first = 0) const {
    return {data + r * stride + first};
  }
  template <std::size_t Elements>
  GARNER_INLINE void ask_for(index_t r, index_t offset) const {
    prefetch_run<static_cast<index_t>(Elements * sizeof(T))>(address_of(data, r * stride + offset));
  }
};

/// Rows of small integers with a factor and a summand each.
template <class T>
struct scaled_rows {
  plain_rows<const T> values;
  const float* scale;
  index_t scale_stride;
  const float* bias;
  index_t bias_stride;
  index_t step;  // of the values

  template <class Vector>
  struct row {
    const T* at;
    Vector scale;
    Vector bias;
    GARNER_INLINE Vector load(index_t offset) const {
      return product(scale, Vector::load_as(at + offset)) + bias;
    }
  };
  template <class Vector>
  GARNER_INLINE row<Vector> at(index_t r, index_t first = 0) const {
    return {values.data + r * values.stride + first, Vector::broadcast(scale[r * scale_stride]),
            Vector::broadcast(bias[r * bias_stride])};
  }
  template <std::size_t Elements>
  GARNER_INLINE void ask_for(index_t r, index_t offset) const {
    values.template ask_for<Elements>(r, offset);
    prefetch(address_of(scale, r * scale_stride));
    prefetch(address_of(bias, r * bias_stride));
  }
};

/// What rows that hold T's are summed up in.
template <class Rows>
struct sum_of;
template <class T>
struct sum_of<plain_rows<const T>> {
  using type = accumulator_t<T>;
};
template <class T>
struct sum_of<scaled_rows<T>> {
  using type = float;
};
template <class Rows>
using sum_of_t = typename sum_of<std::remove_cv_t<Rows>>::type;

/// A column's place in a row: of stride 1 for vectors, of any stride for singles.
template <class Vector>
GARNER_INLINE index_t column_offset(index_t column, index_t step) {
  return Vector::size > 1 ? column : column * step;
}

}  // namespace garner::detail
