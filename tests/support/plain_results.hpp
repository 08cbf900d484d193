// SPDX-License-Identifier: BSD-3-Clause
// What the operations of all_operations.hpp do to a call's operands, by plain loops that share
// nothing with include/.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "support/numbers.hpp"
#include "support/operation.hpp"

namespace test {

/// Whether elements can be added.
template <class T>
inline constexpr bool is_number =
    (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) || is_short_float<T>;

/// What sums of elements are taken in.
template <class T>
using total_of = std::conditional_t<is_short_float<T>, float, T>;

// Which element of the table each element beside the index is.

using relation = reference (*)(const call&, const index_numbers&, meaning);

inline std::size_t dim_of(const call& c) {
  const auto rank = std::max<std::int64_t>(1, static_cast<std::int64_t>(c.table.shape.size()));
  return static_cast<std::size_t>(c.dim < 0 ? c.dim + rank : c.dim);
}
inline reference gathered(const call& c, const index_numbers& index, meaning m) {
  return gather_reference(c.table.shape, dim_of(c), index, m);
}
inline reference along(const call& c, const index_numbers& index, meaning m) {
  return take_along_dim_reference(c.table.shape, dim_of(c), index, m);
}
inline reference selected(const call& c, const index_numbers& index, meaning m) {
  return index_select_reference(c.table.shape, dim_of(c), index, m);
}
inline reference taken(const call& c, const index_numbers& index, meaning m) {
  return take_reference(c.table.shape, dim_of(c), static_cast<std::size_t>(c.batch), index, m);
}
inline reference embedded(const call& c, const index_numbers& index, meaning m) {
  return take_reference(c.table.shape, 0, 0, index, m);
}
inline reference flattened(const call& c, const index_numbers& index, meaning m) {
  return flat_reference(c.table.shape, index, m);
}
inline reference by_coordinates(const call& c, const index_numbers& index, meaning m) {
  return gather_nd_reference(c.table.shape, static_cast<std::size_t>(c.batch), index, m);
}
inline reference picked(const call& c, const index_numbers& index, meaning m) {
  return solve(
      index.shape, c.table.shape, c.table.shape.back(), index, m,
      [](const coordinates& at) { return at; },
      [](coordinates at, std::int64_t i) {
        at.push_back(i);
        return at;
      });
}

// What comes out, by plain loops.

inline image bytes_of(const raw_view& x) {
  image result;
  const auto n = count(x.shape);
  for (std::int64_t k = 0; k < n; ++k) result.insert(result.end(), x.at(k), x.at(k) + x.size);
  return result;
}
template <class T>
std::vector<T> numbers_in(const raw_view& x) {
  std::vector<T> result(static_cast<std::size_t>(count(x.shape)));
  const image bytes = bytes_of(x);
  if (!bytes.empty()) std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}
/// A bool is true unless its byte is 0.
template <>
inline std::vector<bool> numbers_in<bool>(const raw_view& x) {
  std::vector<bool> result;
  for (std::byte b : bytes_of(x)) result.push_back(b != std::byte{0});
  return result;
}
template <class T>
image image_of(const std::vector<T>& x) {
  image result(x.size() * sizeof(T));
  if (!x.empty()) std::memcpy(result.data(), x.data(), result.size());
  return result;
}

/// The sum and so on; integers wrap around.
template <class T>
T joined(kind k, T a, T b) {
  if (k == kind::amax || k == kind::amin) {
    if (a != a) return a;
    return b != b || (k == kind::amax ? b > a : b < a) ? b : a;
  }
  if constexpr (std::is_integral_v<T>) {
    const wide result = k == kind::prod ? static_cast<wide>(a) * b : static_cast<wide>(a) + b;
    return static_cast<T>(result);
  } else {
    volatile T result = k == kind::prod ? a * b : a + b;
    return result;
  }
}
template <class T>
T divided(T total, std::int64_t n) {
  if constexpr (std::is_integral_v<T>) {
    const wide rest = ((static_cast<wide>(total) % n) + n) % n;
    return static_cast<T>((static_cast<wide>(total) - rest) / n);
  } else {
    return total / static_cast<T>(n);
  }
}

/// Elements move as bytes.
inline image moved(const operation& op, const call& c, const reference& r) {
  if (op.kind == kind::read) {
    image result;
    for (auto from : r.source) {
      result.insert(result.end(), c.table.at(from), c.table.at(from) + c.table.size);
    }
    return result;
  }
  image result = bytes_of(c.table);
  for (std::size_t k = 0; k < r.source.size(); ++k) {
    const auto n = static_cast<std::int64_t>(k);
    std::memcpy(result.data() + static_cast<std::size_t>(r.source[k]) * c.table.size,
                c.values.at(n), c.table.size);
  }
  return result;
}

/// The numbers of an operand as what sums are taken in, and sums as elements.
template <class T>
std::vector<total_of<T>> totals_in(const raw_view& x) {
  const auto numbers = numbers_in<T>(x);
  return std::vector<total_of<T>>(numbers.begin(), numbers.end());
}
template <class T>
image image_of_totals(const std::vector<total_of<T>>& x) {
  std::vector<T> result;
  for (const auto total : x) result.push_back(static_cast<T>(total));
  return image_of(result);
}

template <class T>
image reduced(const operation& op, const call& c, const reference& r) {
  auto table = totals_in<T>(c.table);
  auto values = totals_in<T>(c.values);
  std::vector<std::int64_t> counts(table.size(), 1);
  for (std::size_t k = 0; k < r.source.size(); ++k) {
    const auto at = static_cast<std::size_t>(r.source[k]);
    if (op.kind == kind::add_read) {
      values[k] = joined(kind::sum, values[k], table[at]);
    } else {
      table[at] = joined(op.kind, table[at], values[k]);
      ++counts[at];
    }
  }
  if (op.kind == kind::add_read) return image_of_totals<T>(values);
  for (std::size_t k = 0; op.kind == kind::mean && k < table.size(); ++k) {
    if (counts[k] > 1) table[k] = divided(table[k], counts[k]);
  }
  return image_of_totals<T>(table);
}

/// The bag of each id.
inline std::vector<std::size_t> bag_of_ids(const call& c) {
  std::vector<std::size_t> result;
  const auto n = count(c.index.shape);
  if (c.index.shape.size() == 2) {
    for (std::int64_t k = 0; k < n; ++k) {
      result.push_back(static_cast<std::size_t>(k / c.index.shape[1]));
    }
    return result;
  }
  const auto offsets = numbers_in<std::int64_t>(c.offsets);
  std::size_t bag = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    while (bag + 1 < offsets.size() && k >= offsets[bag + 1]) ++bag;
    result.push_back(bag);
  }
  return result;
}

/// The rows of a bag's table as floats.
template <class T>
std::vector<float> rows_in(const operation& op, const call& c) {
  const auto numbers = numbers_in<T>(c.table);
  std::vector<float> result(numbers.begin(), numbers.end());
  if (op.extra != extra::scales) return result;
  const auto scales = numbers_in<float>(c.extra);
  const auto biases = numbers_in<float>(c.bias);
  const auto width = static_cast<std::size_t>(c.table.shape[1]);
  for (std::size_t k = 0; k < result.size(); ++k) {
    result[k] =
        joined(kind::sum, joined(kind::prod, scales[k / width], result[k]), biases[k / width]);
  }
  return result;
}

template <class T>
image bagged(const operation& op, const call& c, const reference& r) {
  const auto bag = bag_of_ids(c);
  const auto width = static_cast<std::size_t>(c.table.shape[1]);
  auto table = rows_in<T>(op, c);
  std::vector<float> factors;
  if (op.extra == extra::factors) factors = numbers_in<float>(c.extra);
  auto values = numbers_in<float>(c.values);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(c.values.shape[0]));
  for (auto b : bag) ++counts[b];
  const auto each = [&](const auto& f) {  // f(number of id, column, bag, place in the table)
    for (std::size_t i = 0; i < bag.size(); ++i) {
      for (std::size_t j = 0; j < width; ++j) {
        f(i, j, bag[i], static_cast<std::size_t>(r.source[i * width + j]));
      }
    }
  };
  if (op.kind == kind::bag_sum || op.kind == kind::bag_mean || op.kind == kind::bag_max) {
    std::vector<bool> begun(values.size());
    std::fill(values.begin(), values.end(), 0.0f);
    each([&](std::size_t i, std::size_t j, std::size_t b, std::size_t at) {
      float& to = values[b * width + j];
      const float x = factors.empty() ? table[at] : joined(kind::prod, table[at], factors[i]);
      to = op.kind != kind::bag_max || !begun[b * width + j] ? joined(kind::sum, to, x)
                                                             : joined(kind::amax, to, x);
      begun[b * width + j] = true;
    });
    for (std::size_t k = 0; op.kind == kind::bag_mean && k < values.size(); ++k) {
      if (counts[k / width] > 0) values[k] = divided(values[k], counts[k / width]);
    }
    return image_of(values);
  }
  if (op.kind == kind::add_bag_factor) {  // of integers, whose sums are exact
    const auto grad = numbers_in<float>(c.extra);
    each([&](std::size_t i, std::size_t j, std::size_t b, std::size_t at) {
      values[i] += table[at] * grad[b * width + j];
    });
    return image_of(values);
  }
  if (op.kind == kind::add_bag_max) {
    const auto weight = numbers_in<float>(c.extra);
    std::vector<std::int64_t> best(values.size(), -1);
    each([&](std::size_t, std::size_t j, std::size_t b, std::size_t at) {
      auto& now = best[b * width + j];
      if (now < 0 || weight[at] > weight[static_cast<std::size_t>(now)]) {
        now = static_cast<std::int64_t>(at);
      }
    });
    for (std::size_t k = 0; k < best.size(); ++k) {
      if (best[k] >= 0) table[static_cast<std::size_t>(best[k])] += values[k];
    }
    return image_of(table);
  }
  each([&](std::size_t, std::size_t j, std::size_t b, std::size_t at) {
    const float g = values[b * width + j];
    table[at] += op.kind == kind::add_bag_mean ? divided(g, counts[b]) : g;
  });
  return image_of(table);
}

inline image log_probs(const operation& op, const call& c, const reference& r) {
  const bool is_gradient = op.kind == kind::log_prob_gradient;
  const auto logits = numbers_in<float>(is_gradient ? c.extra : c.table);
  const auto width = static_cast<std::size_t>(c.table.shape.back());
  auto table = numbers_in<float>(c.table);
  auto values = numbers_in<float>(c.values);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const float* const row = logits.data() + k * width;
    const double top = *std::max_element(row, row + width);
    double total = 0;
    for (std::size_t v = 0; v < width; ++v) total += std::exp(row[v] - top);
    const auto at = static_cast<std::size_t>(r.source[k]);
    if (!is_gradient) values[k] = static_cast<float>(logits[at] - top - std::log(total));
    for (std::size_t v = 0; is_gradient && v < width; ++v) {
      const double p = std::exp(row[v] - top) / total;
      const double one = k * width + v == at ? 1 : 0;
      table[k * width + v] += static_cast<float>(values[k] * (one - p));
    }
  }
  return image_of(is_gradient ? table : values);
}

/// Whether `a` comes before `b`. NaN is above all others, and argmin finds it first too.
template <class T>
bool comes_first(kind k, T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a || b != b) return k == kind::argsort ? b != b && a == a : a != a && b == b;
  }
  return k == kind::argsort || k == kind::argmin ? a < b : b < a;
}

/// argmax, argsort and topk: by counting who comes before.
template <class T>
image ordered(const operation& op, const call& c, image* indices) {
  const auto elements = totals_in<T>(c.table);
  const extents all = op.has_dim ? c.table.shape : extents{count(c.table.shape)};
  const auto axis = op.has_dim ? dim_of(c) : 0;
  const auto extent = all[axis];
  extents shape = all;
  shape[axis] = op.kind == kind::argsort ? extent
                : op.kind == kind::topk  ? c.values.shape[axis]
                                         : 1;
  std::vector<std::int64_t> places(static_cast<std::size_t>(count(shape)));
  image copies(places.size() * c.table.size);
  extents first_of_lines = all;
  first_of_lines[axis] = 1;
  for_each_place(first_of_lines, [&](coordinates at) {
    const auto place = [&](std::int64_t i, const extents& in) {
      at[axis] = i;
      return number_of(at, in);
    };
    std::vector<total_of<T>> line;
    for (std::int64_t i = 0; i < extent; ++i) {
      line.push_back(elements[static_cast<std::size_t>(place(i, all))]);
    }
    for (std::int64_t i = 0; i < extent; ++i) {
      const auto b = line[static_cast<std::size_t>(i)];
      std::int64_t before = 0;
      for (std::int64_t j = 0; j < extent; ++j) {
        const auto a = line[static_cast<std::size_t>(j)];
        before += comes_first(op.kind, a, b) || (!comes_first(op.kind, b, a) && j < i);
      }
      if (before >= shape[axis]) continue;
      const auto to = static_cast<std::size_t>(place(before, shape));
      places[to] = i;
      std::memcpy(copies.data() + to * c.table.size, c.table.at(place(i, all)), c.table.size);
    }
  });
  if (op.kind != kind::topk) return image_of(places);
  *indices = image_of(places);
  return copies;
}

/// masked_select and compress: a mask of one dim lies along the call's dim, or along all.
inline image masked_out(const call& c) {
  image result;
  const auto n = count(c.table.shape);
  const bool is_flat = count(c.index.shape) == n;
  for (std::int64_t k = 0; k < n; ++k) {
    const auto m = is_flat ? k : place_of(k, c.table.shape)[dim_of(c)];
    if (m >= count(c.index.shape) || *c.index.at(m) == std::byte{0}) continue;
    result.insert(result.end(), c.table.at(k), c.table.at(k) + c.table.size);
  }
  return result;
}

/// The sums of the rows that ids name, in order of the rows.
inline image touched(const call& c, const reference& r) {
  const auto width = static_cast<std::size_t>(c.values.shape.back());
  const auto values = numbers_in<float>(c.values);
  std::vector<float> sums(static_cast<std::size_t>(count(c.table.shape)), -0.0f);
  std::vector<bool> is_touched(sums.size());
  for (std::size_t k = 0; k < r.source.size(); ++k) {
    const auto at = static_cast<std::size_t>(r.source[k]);
    sums[at] = is_touched[at] ? sums[at] + values[k] : values[k];
    is_touched[at] = true;
  }
  std::vector<float> result;
  for (std::size_t k = 0; width > 0 && k < sums.size(); ++k) {
    if (is_touched[k]) result.push_back(sums[k]);
  }
  return image_of(result);
}

template <class T>
image expected_of(const operation& op, const call& c, image* extra) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    if (op.kind == kind::validate) return {};
    if (op.kind == kind::mask) return masked_out(c);
    if constexpr (std::is_arithmetic_v<T> || is_short_float<T>) {
      if (op.kind >= kind::argmax && op.kind <= kind::topk) return ordered<T>(op, c, extra);
    }
    const auto r = op.relate(c, numbers_of(op, c.index), {c.outside, op.from_end});
    if (op.kind == kind::read || op.kind == kind::assign) return moved(op, c, r);
    if constexpr (is_number<T>) {
      if (op.kind < kind::bag_sum) return reduced<T>(op, c, r);
      if constexpr (is_float<T> || sizeof(T) == 1) {
        if (op.kind < kind::log_prob) return bagged<T>(op, c, r);
      }
      if (op.kind == kind::sparse) return touched(c, r);
      if (op.kind < kind::sparse) return log_probs(op, c, r);
    }
  }
  return {};
}

}  // namespace test
