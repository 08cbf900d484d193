// SPDX-License-Identifier: BSD-3-Clause
// Shapes, and where their elements lie: any strides whatsoever. What overlaps is told by listing
// all elements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <garner/view.hpp>

#include "fuzz/source.hpp"
#include "support/reference.hpp"

namespace fuzz {

using test::coordinates;
using test::count;
using test::extents;
using test::for_each_place;
using test::wide;

inline std::int64_t draw_extent(source& s, std::int64_t most) {
  const auto extent =
      s.one_of<std::int64_t>({1, 2, 3, 0, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 65, 130});
  return std::min(extent, most);
}

inline extents draw_shape(source& s, std::int64_t most_dims, std::int64_t most) {
  extents shape(static_cast<std::size_t>(s.below(most_dims + 1)));
  for (auto& extent : shape) {
    extent = draw_extent(s, std::max<std::int64_t>(most, 1));
    if (extent > 0) most /= extent;
  }
  return shape;
}

/// Now and then, something else than was meant.
inline void bend(source& s, extents& shape) {
  if (!s.once_in(12)) return;
  if (shape.empty() || s.once_in(4)) {
    shape.push_back(draw_extent(s, 9));
  } else if (s.once_in(4)) {
    shape.pop_back();
  } else {
    auto& extent =
        shape[static_cast<std::size_t>(s.below(static_cast<std::int64_t>(shape.size())))];
    extent = std::max<std::int64_t>(extent + s.one_of<std::int64_t>({1, -1, 2, -extent}), 0);
  }
}

struct place {
  extents shape;
  extents strides;
  std::int64_t first = 0;  // where the element at the origin lies
  std::int64_t size = 0;   // what memory it takes
  bool is_nested = true;   // each stride outreaches all smaller ones together

  bool is_empty() const { return count(shape) == 0; }

  /// Where each element lies, in row-major order.
  std::vector<std::size_t> offsets() const {
    std::vector<std::size_t> result;
    for_each_place(shape, [&](const coordinates& at) {
      std::int64_t offset = first;
      for (std::size_t d = 0; d < at.size(); ++d) {
        if (at[d] > 0) offset += at[d] * strides[d];
      }
      result.push_back(static_cast<std::size_t>(offset));
    });
    return result;
  }

  template <class T>
  garner::view<T> view(T* memory) const {
    return {memory + first, garner::dims<>(shape), garner::dims<>(strides)};
  }
};

/// Sets `first` and `size` such that no element can be spared at either end.
inline void settle(place& p) {
  p.first = 0;
  p.size = p.is_empty() ? 0 : 1;
  for (std::size_t d = 0; d < p.shape.size() && p.size > 0; ++d) {
    if (p.shape[d] == 1) continue;
    const std::int64_t span = (p.shape[d] - 1) * p.strides[d];
    p.size += std::abs(span);
    if (span < 0) p.first -= span;
  }
}

inline place draw_place(source& s, const extents& shape) {
  place p{shape, extents(shape.size())};
  std::vector<std::size_t> order(shape.size());  // innermost first
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  const auto kind = s.below(6);
  if (kind == 1 || kind == 2) {
    for (std::size_t k = order.size(); k > 1; --k) {
      std::swap(order[k - 1],
                order[static_cast<std::size_t>(s.below(static_cast<std::int64_t>(k)))]);
    }
  }
  std::int64_t room = 1;
  for (const std::size_t d : order) {
    auto& stride = p.strides[d];
    stride = room;
    if (kind == 2) {  // padded, stepped over, reversed
      stride = room * (1 + s.below(3)) + s.below(3);
    } else if (kind == 3) {  // anything
      stride = s.below(41) - 20;
      p.is_nested = false;
    } else if (kind == 4 && s.once_in(2)) {  // repeated
      stride = 0;
      p.is_nested = false;
    }
    if (shape[d] > 0) room = std::max(room, std::abs(stride) * shape[d]);
    if (kind == 2 && s.once_in(3)) stride = -stride;
    if (shape[d] <= 1 && kind == 5) {  // never used
      stride = s.one_of<std::int64_t>({0, -1, std::int64_t{1} << 62,
                                       std::numeric_limits<std::int64_t>::min(),
                                       std::numeric_limits<std::int64_t>::max()});
    }
  }
  settle(p);
  if (p.size <= 20000) return p;
  p.is_nested = true;
  room = 1;
  for (std::size_t d = shape.size(); d-- > 0; room *= std::max<std::int64_t>(shape[d], 1)) {
    p.strides[d] = room;
  }
  settle(p);
  return p;
}

/// Whether an element lies twice in one place.
inline bool overlaps_itself(const place& p) {
  auto all = p.offsets();
  std::sort(all.begin(), all.end());
  return std::adjacent_find(all.begin(), all.end()) != all.end();
}

inline bool overlap(const place& a, const place& b) {
  const auto taken = a.offsets();
  for (auto at : b.offsets()) {
    if (std::find(taken.begin(), taken.end(), at) != taken.end()) return true;
  }
  return false;
}

/// Whether one lies between elements of the other.
inline bool meet(const place& a, const place& b) {
  if (a.is_empty() || b.is_empty()) return false;
  const auto [a_low, a_high] =
      std::pair(std::ranges::min(a.offsets()), std::ranges::max(a.offsets()));
  const auto [b_low, b_high] =
      std::pair(std::ranges::min(b.offsets()), std::ranges::max(b.offsets()));
  return a_low <= b_high && b_low <= a_high;
}

}  // namespace fuzz
