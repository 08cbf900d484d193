// SPDX-License-Identifier: BSD-3-Clause
// layout: shape and strides without a pointer, and every rule about them that needs no data:
// overflow-safe checks, row-major strides, slices, expansion, reshaping.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include <garner/shape.hpp>

namespace garner::detail {

inline constexpr std::size_t max_bytes = std::numeric_limits<index_t>::max();

/// Room for one entry per dim, and for two at least: in an array of one, g++ 12 warns of a second
/// entry that is never there.
template <int Rank>
inline constexpr auto rank_capacity = static_cast<std::size_t>(Rank == dynamic_rank ? max_rank
                                                               : Rank < 2           ? 2
                                                                                    : Rank);

/// |value|, for the lowest value too.
constexpr std::size_t magnitude(index_t value) {
  const auto bits = static_cast<std::size_t>(value);
  return value < 0 ? std::size_t{0} - bits : bits;
}

/// a * b, wrapped around. One stride past the last element may not fit into index_t; where it does
/// not, no stride of a checked layout equals it.
constexpr index_t wrapping_product(index_t a, index_t b) {
  return static_cast<index_t>(static_cast<std::size_t>(a) * static_cast<std::size_t>(b));
}

/// Whether a * b fits into index_t; neither is negative, and b is not 0. Divides only if it must.
constexpr bool is_product_safe(index_t a, index_t b) {
  return ((a | b) >> (std::numeric_limits<index_t>::digits / 2)) == 0 ||
         a <= std::numeric_limits<index_t>::max() / b;
}

/// Where element (i, j, ...) lies: i * strides[0] + j * strides[1] + ..., in elements.
template <int Rank>
struct layout {
  dims<Rank> shape;
  dims<Rank> strides;

  constexpr int rank() const { return shape.rank(); }

  constexpr bool is_empty() const {
    for (index_t extent : shape) {
      if (extent == 0) return true;
    }
    return false;
  }

  constexpr index_t size() const {
    if (is_empty()) return 0;  // first: the other extents' product may not fit
    index_t size = 1;
    for (index_t extent : shape) size *= extent;
    return size;
  }

  friend constexpr bool operator==(const layout&, const layout&) = default;
};

/// Throws unless no extent is negative and the number of elements fits into index_t.
template <int Rank>
constexpr void check_shape(const char* op, const dims<Rank>& shape) {
  bool is_empty = false;
  bool is_too_large = false;
  index_t size = 1;
  for (int d = 0; d < shape.rank(); ++d) {
    if (shape[d] < 0) fail_shape(op, "extent ", shape[d], " of dim ", d, " is negative");
    if (shape[d] == 0) {
      is_empty = true;
    } else if (!is_product_safe(size, shape[d])) {
      is_too_large = true;
    } else {
      size *= shape[d];
    }
  }
  if (is_too_large && !is_empty) fail_shape(op, "shape ", shape, " has too many elements");
}

template <int Rank>
constexpr dims<Rank> row_major_strides(const dims<Rank>& shape) {
  auto strides = dims<Rank>::of_rank(shape.size());
  index_t stride = 1;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    strides[d] = stride;
    if (shape[d] <= 1) continue;
    // Too large only beside an empty extent, where strides say nothing.
    stride = is_product_safe(stride, shape[d]) ? stride * shape[d] : 0;
  }
  return strides;
}

/// How far a layout reaches below and above its first element, in elements.
struct reach {
  std::size_t below = 0;
  std::size_t above = 0;
};

/// Throws unless the layout is one that memory could hold: afterwards no offset overflows, in bytes
/// either.
template <int Rank>
constexpr reach checked_reach(const char* op, const layout<Rank>& x, std::size_t element_size) {
  check_shape(op, x.shape);
  reach result;
  if (x.is_empty()) return result;
  std::size_t left = max_bytes / element_size - 1;
  for (int d = 0; d < x.rank(); ++d) {
    const auto steps = static_cast<std::size_t>(x.shape[d] - 1);
    const std::size_t step = magnitude(x.strides[d]);
    if (steps == 0 || step == 0) continue;
    if (steps > left / step) {
      fail_shape(op, "shape ", x.shape, " with strides ", x.strides, " reaches past all memory");
    }
    left -= steps * step;
    (x.strides[d] < 0 ? result.below : result.above) += steps * step;
  }
  return result;
}

/// `dim` counted from the front; `rank` is how many there are to choose from.
constexpr int normalize_dim(const char* op, index_t dim, int rank) {
  if (dim < -rank || dim >= rank) {
    fail_shape(op, "dim ", dim, " is out of range for a tensor of ", rank, " dims");
  }
  return static_cast<int>(dim < 0 ? dim + rank : dim);
}

/// Where a slice starts (in steps of the old dim), how many elements it takes, and by which step.
struct slice_range {
  index_t start;
  index_t count;
  index_t step;
};

/// Python's slice rules: negative bounds count from the end, bounds past either end are cut off.
constexpr slice_range resolve_slice(index_t extent, std::optional<index_t> start,
                                    std::optional<index_t> stop, index_t step) {
  if (step == 0) fail_shape("slice", "step must not be 0");
  const bool forward = step > 0;
  const index_t lowest = forward ? 0 : -1;
  const index_t highest = forward ? extent : extent - 1;
  const auto bound = [&](index_t at) {
    if (at < 0) at += extent;  // cannot overflow: the signs differ
    return at < lowest ? lowest : at > highest ? highest : at;
  };
  const index_t first = start ? bound(*start) : forward ? lowest : highest;
  const index_t last = stop ? bound(*stop) : forward ? highest : lowest;
  const index_t length = forward ? last - first : first - last;
  if (length <= 0) return {0, 0, 1};
  const std::size_t count = (static_cast<std::size_t>(length) - 1) / magnitude(step) + 1;
  // A single element has no next one: a step of 1 keeps the stride small enough to multiply.
  return {first, static_cast<index_t>(count), count == 1 ? 1 : step};
}

/// The layout with its dims stretched to `shape` by stride 0; -1 keeps an extent, new dims come
/// first.
template <int Rank, int NewRank>
constexpr layout<NewRank> expand(const layout<Rank>& x, dims<NewRank> shape) {
  const int added = shape.rank() - x.rank();
  if (added < 0) fail_shape("expand", "shape ", shape, " has fewer dims than ", x.shape);
  auto strides = dims<NewRank>::of_rank(shape.size());
  for (int d = added; d < shape.rank(); ++d) {
    const index_t extent = x.shape[d - added];
    if (shape[d] == -1) shape[d] = extent;
    if (shape[d] == extent) {
      strides[d] = x.strides[d - added];
    } else if (extent != 1) {
      fail_shape("expand", "extent ", extent, " cannot become ", shape[d], " in dim ", d);
    }
  }
  check_shape("expand", shape);
  return {shape, strides};
}

/// The one stride that walks all elements in row-major order, if there is one.
template <int Rank>
constexpr std::optional<index_t> flat_stride(const layout<Rank>& x) {
  if (x.is_empty()) return 1;
  index_t stride = 1;
  index_t run = 1;
  for (int d = x.rank() - 1; d >= 0; --d) {
    if (x.shape[d] == 1) continue;
    if (run == 1) stride = x.strides[d];
    if (x.strides[d] != wrapping_product(run, stride)) return std::nullopt;
    run *= x.shape[d];
  }
  return stride;
}

/// The same elements in the same order under another shape, one extent of which may be -1; or an
/// error. Takes x by value: g++ 12 takes a reference to a layout without dims for uninitialised.
template <int Rank, int NewRank>
constexpr layout<NewRank> reshape(const layout<Rank> x, const dims<NewRank>& wanted) {
  const index_t size = x.size();
  dims<NewRank> shape = wanted;
  int unknown = -1;
  for (int d = 0; d < shape.rank(); ++d) {
    if (shape[d] != -1) continue;
    if (unknown >= 0) fail_shape("reshape", "shape ", wanted, " leaves two extents open");
    unknown = d;
    shape[d] = 1;
  }
  check_shape("reshape", shape);
  const index_t known = layout<NewRank>{shape, {}}.size();
  if (unknown >= 0 && known > 0) shape[unknown] = size / known;
  if (layout<NewRank>{shape, {}}.size() != size || (unknown >= 0 && known == 0)) {
    fail_shape("reshape", "shape ", x.shape, " cannot become ", wanted);
  }
  layout<NewRank> result{shape, row_major_strides(shape)};
  if (size == 0) return result;

  // Each new dim, innermost first, must divide what is left of the innermost run of one stride.
  int d = x.rank() - 1;
  index_t left = 1;
  index_t stride = 1;
  for (int k = shape.rank() - 1; k >= 0; --k) {
    if (shape[k] == 1) continue;
    if (left == 1) {
      while (x.shape[d] == 1) --d;
      left = x.shape[d];
      stride = x.strides[d--];
      for (; d >= 0 && (x.shape[d] == 1 || x.strides[d] == wrapping_product(left, stride)); --d) {
        left *= x.shape[d];
      }
    }
    if (left % shape[k] != 0) {
      fail_shape("reshape", "shape ", x.shape, " with strides ", x.strides, " cannot become ",
                 shape, " without a copy");
    }
    result.strides[k] = stride;
    stride = wrapping_product(stride, shape[k]);
    left /= shape[k];
  }
  return result;
}

/// Calls visit(offsets) for each coordinate of `shape` in row-major order, `offsets` being one
/// offset per list of strides, until it returns false; tells whether it never did.
template <int Rank, std::size_t N, class Visit>
constexpr bool all_of_offsets(const dims<Rank>& shape, const std::array<dims<Rank>, N>& strides,
                              Visit visit, const std::array<index_t, N>& at = {}, int d = 0) {
  if (d == 0 && layout<Rank>{shape, {}}.is_empty()) return true;
  if (d == shape.rank()) return visit(at);
  for (index_t i = 0; i < shape[d]; ++i) {
    auto next = at;
    for (std::size_t k = 0; k < N; ++k) next[k] += i * strides[k][d];
    if (!all_of_offsets(shape, strides, visit, next, d + 1)) return false;
  }
  return true;
}

}  // namespace garner::detail
