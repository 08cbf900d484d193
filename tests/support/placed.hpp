// SPDX-License-Identifier: BSD-3-Clause
// Tensors at random places between inaccessible pages, for operations that look at what elements
// hold: numbers with many ties and all special values, and masks.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <rapidcheck.h>

#include <garner/half.hpp>
#include <garner/view.hpp>

#include "support/fenced.hpp"
#include "support/random_layout.hpp"
#include "support/reference.hpp"

namespace test {

template <class T>
inline constexpr bool is_float = std::is_floating_point_v<T> || std::is_same_v<T, garner::half> ||
                                 std::is_same_v<T, garner::bfloat16>;

/// Few different values, so that there are ties; the extreme ones; or any.
template <class T>
T random_value(std::mt19937_64& next) {
  const auto kind = next() % 8;
  if constexpr (std::is_same_v<T, std::string>) {
    return std::string(next() % 3, static_cast<char>('a' + next() % 3));
  } else if constexpr (is_float<T>) {
    using limits = std::numeric_limits<float>;
    static constexpr float special[] = {0.0f,  -0.0f, limits::infinity(), -limits::infinity(),
                                        1e-7f, -1e-7f};
    if (kind == 0) return T(std::copysign(limits::quiet_NaN(), next() % 2 ? 1.0f : -1.0f));
    if (kind == 1) return T(special[next() % 6]);
    if (kind < 5) return T(static_cast<float>(static_cast<int>(next() % 5) - 2));
    return T(static_cast<float>(next() >> 40) - 8e6f);
  } else {
    if (kind == 0) return std::numeric_limits<T>::max();
    if (kind == 1) return std::numeric_limits<T>::min();
    if (kind < 5) return static_cast<T>(next() % 5);
    return static_cast<T>(next());
  }
}

/// The order that every operation goes by: NaN above all others.
template <class T>
bool is_below(const T& a, const T& b) {
  if constexpr (is_float<T>) {
    const auto x = static_cast<long double>(a);
    const auto y = static_cast<long double>(b);
    return std::isnan(y) ? !std::isnan(x) : x < y;
  } else {
    return a < b;
  }
}

/// The same bits, for numbers; equal, for others.
template <class T>
bool is_same_value(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, long double> || std::is_same_v<T, std::string>) {
    return !is_below(a, b) && !is_below(b, a);
  } else {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
  }
}

/// A tensor in memory of its own.
template <class T>
struct placed {
  placement where;
  fenced<T> memory;

  placed(const extents& shape, operand use)
      : where(random_placement(shape, use)),
        memory(static_cast<std::size_t>(where.size), where.side) {}

  template <int Rank = garner::dynamic_rank>
  garner::view<T, Rank> view() const {
    return {where.is_null ? nullptr : memory.data() + where.first, garner::dims<Rank>(where.shape),
            garner::dims<Rank>(where.strides)};
  }
  std::vector<T> elements() const {
    std::vector<T> result;
    for (auto at : where.offsets()) result.push_back(memory[at]);
    return result;
  }
};

template <class T>
placed<T> random_numbers(const extents& shape) {
  placed<T> result(shape, operand::read);
  std::mt19937_64 next(below<std::uint64_t>(1u << 30));
  for (T& x : result.memory) x = random_value<T>(next);
  result.memory.make_read_only();
  return result;
}

/// Elements that differ from all results.
template <class T>
placed<T> blank_out(const extents& shape, const T& blank) {
  placed<T> result(shape, operand::written);
  for (T& x : result.memory) x = blank;
  return result;
}

/// Fails unless out holds `expected`, and nothing was written beside it.
template <class T>
void check_written(const placed<T>& out, const std::vector<T>& expected, const T& blank) {
  std::vector<bool> is_written(out.memory.size());
  const auto offsets = out.where.offsets();
  RC_ASSERT(offsets.size() == expected.size());
  for (std::size_t k = 0; k < offsets.size(); ++k) {
    is_written[offsets[k]] = true;
    if (!is_same_value(out.memory[offsets[k]], expected[k])) {
      RC_FAIL("out[" + std::to_string(k) + "] is wrong");
    }
  }
  for (std::size_t k = 0; k < out.memory.size(); ++k) {
    if (!is_written[k] && !is_same_value(out.memory[k], blank)) RC_FAIL("wrote beside out");
  }
}

/// Fails unless a returned tensor has this shape and these elements.
template <class Tensor, class T>
void check_result(const Tensor& result, const extents& shape, const std::vector<T>& expected) {
  RC_ASSERT(extents(result.shape().begin(), result.shape().end()) == shape);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    if (!is_same_value(result.data()[k], expected[k])) {
      RC_FAIL("result[" + std::to_string(k) + "] is wrong");
    }
  }
}

/// A shape and one of its dims, which may be long; a shape without dims has dim 0 too.
struct lined {
  extents shape;
  int dim = 0;
  std::size_t axis = 0;

  std::int64_t extent() const { return shape.empty() ? 1 : shape[axis]; }
  extents with_extent(std::int64_t n) const {
    extents result = shape;
    if (!result.empty()) result[axis] = n;
    return result;
  }
  extents without_dim() const {
    extents result = shape;
    if (!result.empty()) result.erase(result.begin() + static_cast<std::ptrdiff_t>(axis));
    return result;
  }
  /// The elements of the line through `at`, as places in row-major order.
  std::vector<std::size_t> line(coordinates at) const {
    if (shape.empty()) return {0};
    std::vector<std::size_t> result;
    for (at[axis] = 0; at[axis] < shape[axis]; ++at[axis]) {
      result.push_back(static_cast<std::size_t>(number_of(at, shape)));
    }
    return result;
  }
};

inline lined random_lined(int rank = -1) {
  lined result;
  const auto dims = rank < 0 ? below<std::size_t>(5) : static_cast<std::size_t>(rank);
  result.shape = random_shape(dims, 300);
  if (dims > 0) {
    result.axis = below(dims);
    if (result.shape[result.axis] > 0) result.shape[result.axis] = random_axis(300);
  }
  result.dim = static_cast<int>(result.axis);
  if (once_in(2)) result.dim -= dims == 0 ? 1 : static_cast<int>(dims);
  return result;
}

/// The order of some elements of `values`, by counting for each how many come before it.
template <class T>
std::vector<std::int64_t> reference_order(const std::vector<T>& values,
                                          const std::vector<std::size_t>& line, bool descending) {
  std::vector<std::int64_t> order(line.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    std::size_t rank = 0;
    for (std::size_t j = 0; j < line.size(); ++j) {
      const T& a = values[line[i]];
      const T& b = values[line[j]];
      if (descending ? is_below(a, b) : is_below(b, a)) {
        ++rank;
      } else if (j < i && !is_below(a, b) && !is_below(b, a)) {
        ++rank;
      }
    }
    order[rank] = static_cast<std::int64_t>(i);
  }
  return order;
}

}  // namespace test
