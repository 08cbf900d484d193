// SPDX-License-Identifier: BSD-3-Clause
// Do two views share a byte, or does one hit the same element twice? "No" is always right; "yes"
// may be too careful for strides that do not nest, and noalias is the way round it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include <garner/detail/layout.hpp>

namespace garner::detail {

/// The bytes of a non-empty view: where it begins, and how it steps on from there; all steps are
/// positive.
struct footprint {
  struct dim {
    std::size_t steps;
    std::size_t bytes;
  };

  std::uintptr_t begin;
  std::size_t element;
  std::array<dim, max_rank> dims;  // without those of extent 1
  int rank = 0;

  template <int Rank>
  footprint(const void* data, const layout<Rank>& x, std::size_t element_size)
      : begin(reinterpret_cast<std::uintptr_t>(data)), element(element_size) {
    for (int d = 0; d < x.rank(); ++d) {
      if (x.shape[d] == 1) continue;
      const dim next{static_cast<std::size_t>(x.shape[d] - 1), magnitude(x.strides[d]) * element};
      if (x.strides[d] < 0) begin -= next.steps * next.bytes;
      dims[static_cast<std::size_t>(rank++)] = next;
    }
  }

  const dim* first() const { return dims.data(); }
  const dim* last() const { return dims.data() + rank; }

  /// How many bytes it spans when only steps that are no multiple of `period` are taken; 0 means
  /// all are.
  std::size_t span(std::size_t period) const {
    std::size_t bytes = element;
    for (const dim* d = first(); d != last(); ++d) {
      if (period == 0 || d->bytes % period != 0) bytes += d->steps * d->bytes;
    }
    return bytes;
  }
};

/// Whether a and b keep apart modulo `period`: like two columns of one matrix, modulo its row.
inline bool keep_apart(const footprint& a, const footprint& b, std::size_t period) {
  if (period == 0) return false;
  const std::size_t distance = b.begin >= a.begin
                                   ? (b.begin - a.begin) % period
                                   : (period - (a.begin - b.begin) % period) % period;
  const std::size_t a_span = a.span(period);
  const std::size_t b_span = b.span(period);
  return a_span <= distance && b_span <= period - distance;
}

/// Whether a and b may share a byte.
inline bool may_overlap(const footprint& a, const footprint& b) {
  if (a.begin + a.span(0) <= b.begin || b.begin + b.span(0) <= a.begin) return false;
  std::size_t common = 0;
  for (const footprint* x : {&a, &b}) {
    for (const auto* d = x->first(); d != x->last(); ++d) {
      if (keep_apart(a, b, d->bytes)) return false;
      common = std::gcd(common, d->bytes);
    }
  }
  return !keep_apart(a, b, common);
}

/// Whether two coordinates of x may be one element: no if each step outreaches all smaller ones
/// together.
inline bool may_overlap_itself(footprint x) {
  std::sort(x.dims.begin(), x.dims.begin() + x.rank,
            [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  std::size_t reached = x.element;
  for (const auto* d = x.first(); d != x.last(); ++d) {
    if (d->bytes < reached) return true;
    reached += d->steps * d->bytes;
  }
  return false;
}

}  // namespace garner::detail
