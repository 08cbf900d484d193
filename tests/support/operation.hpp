// SPDX-License-Identifier: BSD-3-Clause
// operation: one public operation behind an interface without types, so that a test of bad inputs
// is a loop over all of them. The list is in all_operations.hpp; it is compiled once for a few
// types, in support/operations/, and tests that use it compile quickly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include <garner/half.hpp>

#include "support/reference.hpp"

namespace test {

/// A view without its types.
struct raw_view {
  std::byte* data = nullptr;
  extents shape{};
  extents strides{};
  std::size_t size = 0;  // of an element, in bytes

  bool is_empty() const { return count(shape) == 0; }
  /// Element `n` in row-major order.
  std::byte* at(std::int64_t n) const {
    const auto place = place_of(n, shape);
    std::byte* result = data;
    for (std::size_t d = 0; d < place.size(); ++d) {
      result += place[d] * strides[d] * static_cast<std::int64_t>(size);
    }
    return result;
  }
};

/// What a call is given.
struct call {
  raw_view table;    // what the index counts along: input, self, weight, logits, grad_input
  raw_view values;   // what lies beside the index: out, src, updates, grad_out
  raw_view index{};  // or the mask
  raw_view extra{};  // what test::extra says
  raw_view bias{};   // of each row, beside its scale
  raw_view offsets{};
  std::int64_t dim = 0;
  std::int64_t batch = 0;
  test::outside outside = outside::checked;
};

/// The shapes of a problem, which has an axis of `e` entries and rows of `n` elements.
struct shapes {
  extents table;
  extents index{};
  extents values{};
  std::int64_t dim = 0;
  std::int64_t batch = 0;
  extents extra{};
  extents offsets{};
};

/// What else an operation is given.
enum class extra {
  none,
  elements,  // the logits, or the weight of a maximum's gradient
  indices,   // of topk, which are written
  factors,   // a float for each id
  scales,    // a float for each row, and another in `bias`
};

/// What becomes of the elements.
enum class kind {
  read,      // values[k] = table[...]
  add_read,  // values[k] += table[...]
  assign,    // table[...] = values[k]
  sum,
  prod,
  mean,
  amax,
  amin,
  bag_sum,
  bag_mean,
  bag_max,
  add_bag_sum,  // the gradients of bags
  add_bag_mean,
  add_bag_max,
  add_bag_factor,
  log_prob,
  log_prob_gradient,
  sparse,  // embedding_backward_sparse
  argmax,
  argmin,
  argsort,
  topk,
  mask,
  validate,
};

/// What the index counts along.
enum class axis {
  none,    // there is no index
  dim,     // the call's dim
  first,   // dim 0
  last,    // the last dim
  whole,   // all of the table, in row-major order
  tuples,  // each coordinate along a dim of its own
};

/// What an operand should hold afterwards, in row-major order.
using image = std::vector<std::byte>;

struct outcome {
  extents shape;  // of what is returned
  image data;
};

struct operation {
  std::string name;  // for the test's messages
  std::string op;    // as the library's messages begin
  test::kind kind{};
  test::axis axis{};
  bool from_end = false;  // what a negative index means
  bool has_dim = false;
  bool has_batch = false;
  bool takes_outside = false;  // wrap and clip are compiled
  test::extra extra{};
  shapes (*shape)(std::int64_t e, std::int64_t n) = nullptr;
  /// Which element of the table each element beside the index is.
  reference (*relate)(const call&, const index_numbers&, meaning) = nullptr;
  std::size_t element_size = 0;  // of the table
  std::size_t value_size = 0;    // of values
  std::size_t index_size = 0;
  void (*put_element)(void* at, std::int64_t number) = nullptr;
  void (*put_value)(void* at, std::int64_t number) = nullptr;
  void (*put_index)(void* at, wide value) = nullptr;
  wide (*get_index)(const void* at) = nullptr;
  /// The form that writes, and the one that returns a tensor; either may be missing.
  std::function<void(const call&)> into;
  std::function<outcome(const call&)> make;
  /// What the written operand holds after `into`, by plain loops; topk's indices in `extra`.
  std::function<image(const call&, image* extra)> expect;

  bool writes_table() const {
    return (kind >= kind::assign && kind <= kind::amin) ||
           (kind >= kind::add_bag_sum && kind <= kind::add_bag_max) ||
           kind == kind::log_prob_gradient;
  }
  bool writes_values() const {
    return !writes_table() && kind != kind::validate && kind != kind::sparse;
  }
  bool writes_extra() const { return extra == extra::indices; }
  bool has_index() const { return axis != axis::none; }
  raw_view& written(call& c) const { return writes_table() ? c.table : c.values; }
  /// What the written operand is made of.
  raw_view& read(call& c) const { return writes_table() ? c.values : c.table; }
};

/// Where entry k of the index counts, as messages name it; dim is -1 where that is no single dim.
struct axis_place {
  std::int64_t dim;
  std::int64_t extent;
};
inline axis_place axis_of(const operation& op, const call& c, std::int64_t k) {
  const auto rank = static_cast<std::int64_t>(c.table.shape.size());
  const auto at = [&](std::int64_t d) {
    return axis_place{d, rank == 0 ? 1 : c.table.shape[static_cast<std::size_t>(d)]};
  };
  switch (op.axis) {
    case axis::dim:
      return at(c.dim < 0 ? c.dim + rank : c.dim);
    case axis::first:
      return at(0);
    case axis::last:
      return at(rank - 1);
    case axis::tuples:
      return at(c.batch + k % c.index.shape.back());
    default:
      return {-1, count(c.table.shape)};
  }
}

/// The index as numbers.
inline index_numbers numbers_of(const operation& op, const raw_view& index) {
  index_numbers result{index.shape, {}};
  const auto n = count(index.shape);
  for (std::int64_t k = 0; k < n; ++k) result.values.push_back(op.get_index(index.at(k)));
  return result;
}

/// All operations on elements of this type with indices of this type; which there are is told by
/// the files in support/operations/.
template <class Element, class Index>
const std::vector<operation>& operations();

/// All by indices of this type: on floats, and by 64-bit ones also on floats of 16 bits and on rows
/// of small integers.
template <class Index>
const std::vector<operation>& operations_by() {
  if constexpr (!std::is_same_v<Index, std::int64_t>) return operations<float, Index>();
  static const auto all = [] {
    auto result = operations<float, std::int64_t>();
    for (const auto* more :
         {&operations<garner::half, std::int64_t>(), &operations<garner::bfloat16, std::int64_t>(),
          &operations<std::int8_t, std::int64_t>()}) {
      result.insert(result.end(), more->begin(), more->end());
    }
    return result;
  }();
  return all;
}

}  // namespace test
