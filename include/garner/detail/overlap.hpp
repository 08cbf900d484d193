// SPDX-License-Identifier: BSD-3-Clause
// Do two views share a byte, or does one hit the same element twice? "No" is always right; "yes"
// may be too careful for strides that do not nest, and noalias is the way round it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include <garner/detail/layout.hpp>

namespace garner::detail {

/// The bytes from the first to the last of a non-empty view.
struct byte_range {
  std::uintptr_t begin;
  std::uintptr_t end;

  template <int Rank>
  GARNER_INLINE byte_range(const void* data, const layout<Rank>& x, std::size_t element_size)
      : begin(reinterpret_cast<std::uintptr_t>(data)), end(begin + element_size) {
    for (int d = 0; d < x.rank(); ++d) {
      const index_t bytes = (x.shape[d] - 1) * x.strides[d] * static_cast<index_t>(element_size);
      (bytes < 0 ? begin : end) += static_cast<std::uintptr_t>(bytes);
    }
  }

  bool meets(const byte_range& other) const { return begin < other.end && other.begin < end; }
};

/// How a non-empty view steps through its bytes; all steps are positive.
template <int Rank>
struct footprint : byte_range {
  struct dim {
    std::size_t steps;
    std::size_t bytes;
  };

  std::size_t element;
  std::array<dim, rank_capacity<Rank>> dims;  // smallest steps first, without extents of 1
  std::size_t rank = 0;

  footprint(const void* data, const layout<Rank>& x, std::size_t element_size)
      : byte_range(data, x, element_size), element(element_size) {
    for (int d = 0; d < x.rank(); ++d) {
      if (x.shape[d] == 1) continue;
      const dim next{static_cast<std::size_t>(x.shape[d] - 1), magnitude(x.strides[d]) * element};
      std::size_t k = rank++;
      for (; k > 0 && dims[k - 1].bytes > next.bytes; --k) dims[k] = dims[k - 1];
      dims[k] = next;
    }
  }

  /// How many bytes it spans when no step is taken that is a multiple of `period`.
  std::size_t span(std::size_t period) const {
    std::size_t bytes = element;
    for (std::size_t k = 0; k < rank; ++k) {
      if (dims[k].bytes % period != 0) bytes += dims[k].steps * dims[k].bytes;
    }
    return bytes;
  }
};

/// Whether a and b keep apart modulo `period`: like two columns of one matrix, modulo its row.
template <int A, int B>
bool keep_apart(const footprint<A>& a, const footprint<B>& b, std::size_t period) {
  if (period == 0) return false;
  const std::size_t distance = b.begin >= a.begin
                                   ? (b.begin - a.begin) % period
                                   : (period - (a.begin - b.begin) % period) % period;
  return a.span(period) <= distance && b.span(period) <= period - distance;
}

/// Whether a and b may share a byte.
template <int A, int B>
bool may_overlap(const footprint<A>& a, const footprint<B>& b) {
  if (!a.meets(b)) return false;
  std::size_t common = 0;
  const auto is_apart_in = [&](const auto& x) {
    for (std::size_t k = 0; k < x.rank; ++k) {
      if (keep_apart(a, b, x.dims[k].bytes)) return true;
      common = std::gcd(common, x.dims[k].bytes);
    }
    return false;
  };
  return !is_apart_in(a) && !is_apart_in(b) && !keep_apart(a, b, common);
}

/// Whether two coordinates of x may be one element: no if each step outreaches all smaller ones
/// together.
template <int Rank>
bool may_overlap_itself(const footprint<Rank>& x) {
  std::size_t reached = x.element;
  for (std::size_t k = 0; k < x.rank; ++k) {
    if (x.dims[k].bytes < reached) return true;
    reached += x.dims[k].steps * x.dims[k].bytes;
  }
  return false;
}

}  // namespace garner::detail
