// SPDX-License-Identifier: BSD-3-Clause
// What one raw index means under a call's options: a place on the axis, or outside of it.
// Whether all indices are legal is decided before, in validate.hpp.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <garner/detail/layout.hpp>
#include <garner/options.hpp>

namespace garner::detail {

/// Maps a raw index to [0, extent), or to `outside` where the option is fill. Constant time for any
/// value.
template <integer Index, class Outside, class Negatives>
struct resolver {
  static constexpr index_t outside = -1;
  static constexpr bool fills = is_fill<Outside>;
  static constexpr bool counts_from_end =
      std::signed_integral<Index> && std::same_as<Negatives, from_end_t>;
  /// Whether a look at the sign is all it takes, and whether not even that.
  static constexpr bool is_quick = is_one_of<Outside, checked_t, unchecked_t>;
  static constexpr bool is_identity = is_quick && !counts_from_end;

  index_t extent;

  GARNER_INLINE constexpr index_t operator()(Index raw) const {
    if constexpr (std::same_as<Outside, wrap_t>) {
      if constexpr (std::signed_integral<Index>) {
        const std::int64_t rest = std::int64_t{raw} % extent;
        return static_cast<index_t>(rest < 0 ? rest + extent : rest);
      } else {
        return static_cast<index_t>(raw % static_cast<std::uint64_t>(extent));
      }
    } else if constexpr (is_quick) {
      return static_cast<index_t>(from_front(static_cast<std::int64_t>(raw)));
    } else {
      const bool is_above = std::cmp_greater_equal(raw, extent);
      const std::int64_t at = is_above ? extent - 1 : from_front(static_cast<std::int64_t>(raw));
      if constexpr (fills) {
        return is_above || at < 0 ? outside : static_cast<index_t>(at);
      } else {
        return at < 0 ? 0 : static_cast<index_t>(at);
      }
    }
  }

 private:
  GARNER_INLINE constexpr std::int64_t from_front(std::int64_t at) const {
    if constexpr (counts_from_end) {
      return at < 0 ? at + extent : at;
    } else {
      return at;
    }
  }
};

/// A list of raw indices, read where each stands: as the first of several coordinates.
template <integer Index>
struct coordinate_cursor {
  const Index* at;

  GARNER_INLINE constexpr const Index* operator[](index_t i) const { return at + i; }
  GARNER_INLINE constexpr coordinate_cursor operator+(index_t i) const { return {at + i}; }
};

/// Maps the coordinates at `raw`, one for each dim of `axes`, to an offset, or to `outside`.
template <integer Index, class Outside, class Negatives, int Rank>
struct coordinate_resolver {
  static constexpr index_t outside = std::numeric_limits<index_t>::min();
  static constexpr bool fills = is_fill<Outside>;
  static constexpr bool is_quick = false;

  layout<Rank> axes;
  index_t stride;  // from one coordinate to the next

  GARNER_INLINE constexpr index_t operator()(const Index* raw) const {
    using one = resolver<Index, Outside, Negatives>;
    index_t offset = 0;
    for (int d = 0; d < axes.rank(); ++d) {
      const index_t i = one{axes.shape[d]}(raw[d * stride]);
      if (fills && i == one::outside) return outside;
      offset += i * axes.strides[d];
    }
    return offset;
  }
};

/// The raw indices that a checked call accepts.
template <integer Index>
struct index_bounds {
  Index lowest;
  Index highest;

  constexpr bool accept_all() const {
    return lowest == std::numeric_limits<Index>::min() &&
           highest == std::numeric_limits<Index>::max();
  }
};

/// `extent` must not be 0: an empty axis accepts nothing.
template <integer Index, class Negatives>
constexpr index_bounds<Index> bounds_for(index_t extent) {
  using limits = std::numeric_limits<Index>;
  index_bounds<Index> bounds{0, limits::max()};
  if (std::cmp_less(extent - 1, limits::max())) bounds.highest = static_cast<Index>(extent - 1);
  if constexpr (std::signed_integral<Index> && std::same_as<Negatives, from_end_t>) {
    bounds.lowest =
        std::cmp_less(-extent, limits::min()) ? limits::min() : static_cast<Index>(-extent);
  }
  return bounds;
}

}  // namespace garner::detail
