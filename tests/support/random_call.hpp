// SPDX-License-Identifier: BSD-3-Clause
// random_call: one call of a reading operation with everything but the types: shapes, layouts, the
// numbers in the index, and what the reference makes of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "support/elements.hpp"
#include "support/random_layout.hpp"
#include "support/reference.hpp"

namespace test {

/// One call, without its types' elements.
struct random_call {
  std::size_t combination = 0;
  std::string types;
  test::meaning meaning{};
  wide lowest = 0;  // what the index type holds
  wide highest = 0;

  extents input_shape;
  extents index_shape;
  std::int64_t dim = 0;  // as given, perhaps negative
  std::int64_t batch = 0;
  bool is_flat = false;
  extents coordinates;  // the extents that coordinates count along, where an index is several

  placement input;
  placement index;
  placement out;
  std::vector<wide> index_memory;  // gaps included
  reference expected;

  /// dim, counted from the front.
  std::size_t axis() const {
    const auto rank = input_shape.empty() ? 1 : static_cast<std::int64_t>(input_shape.size());
    return static_cast<std::size_t>(dim < 0 ? dim + rank : dim);
  }
  /// How many elements an index may name.
  std::int64_t axis_extent() const {
    if (!coordinates.empty()) return *std::min_element(coordinates.begin(), coordinates.end());
    return is_flat || input_shape.empty() ? count(input_shape) : input_shape[axis()];
  }
  index_numbers numbers() const {
    index_numbers result{index_shape, {}};
    for (auto k : index.offsets()) result.values.push_back(index_memory[k]);
    return result;
  }
};

inline std::string text(wide value) {
  return value < 0 ? std::to_string(static_cast<std::int64_t>(value))
                   : std::to_string(static_cast<std::uint64_t>(value));
}

template <class List>
std::string join(const List& list) {
  std::string result;
  for (auto value : list) {
    if (!result.empty()) result += ',';
    result += text(value);
  }
  return result;
}

inline void showValue(const random_call& c, std::ostream& out) {
  const auto show = [&](const char* name, const placement& x) {
    out << "\n  " << name << ": shape (" << join(x.shape) << "), strides (" << join(x.strides)
        << "), at " << x.first << " of " << x.size
        << (x.side == flush::end ? ", flush to the end" : ", flush to the begin")
        << (x.is_null ? ", null" : "");
  };
  out << c.types << ", dim " << c.dim << ", batch " << c.batch;
  show("input", c.input);
  show("index", c.index);
  show("out", c.out);
  auto numbers = c.numbers().values;
  const bool is_cut = numbers.size() > 100;
  if (is_cut) numbers.resize(100);
  out << "\n  index: " << join(numbers) << (is_cut ? ",..." : "");
}

/// A dim of the input, sometimes counted from the end; one without dims counts as having one.
inline void draw_dim(random_call& c) {
  const auto rank = static_cast<std::int64_t>(std::max<std::size_t>(c.input_shape.size(), 1));
  c.dim = below(rank) - (once_in(3) ? rank : 0);
}

/// Gives dim `axis`, if there is one, an extent of its own.
inline void draw_axis(extents& shape, std::size_t axis) {
  if (shape.empty()) return;
  shape[axis] = 1;
  shape[axis] = random_axis(2000 / std::max<std::int64_t>(count(shape), 1));
}

/// A number within [lowest, highest]; seed 0 counts upwards from 0.
inline wide number_within(std::uint64_t seed, std::uint64_t k, wide lowest, wide highest) {
  const wide room = highest - lowest + 1;
  if (seed == 0) return lowest + (static_cast<wide>(k) - lowest) % room;
  return lowest + static_cast<wide>(mix(mix(seed) + k)) % room;
}

/// Draws c.index_memory: legal indices but for a few, and gaps that no call accepts.
inline void draw_indices(random_call& c) {
  const auto from = [&](wide low) { return std::max(low, c.lowest); };
  const auto to = [&](wide high) { return std::min(high, c.highest); };
  const auto m = c.meaning;
  const wide n = c.axis_extent();
  const auto seed = below<std::uint64_t>(1u << 20);
  const bool is_tame = m.outside == outside::checked || m.outside == outside::unchecked;
  const auto legal = [&](std::uint64_t k) {
    const auto extreme = mix(seed + 3 * k) % 16;
    if (!is_tame && extreme == 0) return c.lowest;
    if (!is_tame && extreme == 1) return c.highest;
    if (!is_tame && extreme == 2) return number_within(seed, k, c.lowest, c.highest);
    const wide around = is_tame ? 0 : n + 1;
    const wide low = -around - (m.from_end ? n : 0);
    return number_within(seed, k, from(low), to(std::max<wide>(n - 1, 0) + around));
  };
  const auto places = c.index.offsets();
  for (std::int64_t k = 0; k < c.index.size; ++k) {
    c.index_memory.push_back(k % 2 || c.lowest == 0 ? c.highest : c.lowest);
  }
  for (auto k : places) c.index_memory[k] = legal(k);
  if (m.outside != outside::checked || places.empty() || !once_in(2)) return;
  const wide one = 1;
  std::vector<wide> candidates{n,        n + 1,        -one,          -n - 1,   2 * n,
                               c.lowest, c.lowest + 1, c.highest - 1, c.highest};
  for (int bit : {7, 8, 16, 31, 32, 63, 64}) {
    const wide power = one << bit;
    candidates.insert(candidates.end(), {power - n, power - 1, power, power + 1, -power});
  }
  std::vector<wide> bad;
  for (wide value : candidates) {
    if (from(value) == value && to(value) == value && !resolve(value, n, m)) bad.push_back(value);
  }
  if (bad.empty()) return;
  for (int some = once_in(3) ? 3 : 1; some > 0; --some) {
    // Often the last, which only a vector's tail sees.
    c.index_memory[once_in(3) ? places.back() : one_of(places)] = one_of(bad);
  }
}

}  // namespace test
