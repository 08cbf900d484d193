// SPDX-License-Identifier: BSD-3-Clause
// Is every index legal? One pass over the index, before anything is written; only if it fails is
// the first bad index, in row-major order, looked for and named.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include <garner/detail/kernels/all_within.hpp>
#include <garner/detail/kernels/simd.hpp>
#include <garner/detail/layout.hpp>
#include <garner/detail/plan.hpp>
#include <garner/detail/resolve.hpp>
#include <garner/view.hpp>

namespace garner {

template <class Index, int Rank, class Negatives>
class validated_index;

namespace detail {

template <class Arch, class Negatives, class Index, int Rank>
validated_index<Index, Rank, Negatives> prove_index(const view<const Index, Rank>& index,
                                                    index_t extent);

/// The index's shape without repetitions.
template <class Index, int Rank>
dims<Rank> read_once(const view<const Index, Rank>& index) {
  auto shape = index.shape();
  for (int d = 0; d < index.rank(); ++d) {
    if (index.strides()[d] == 0) shape[d] = 1;
  }
  return shape;
}

/// Throws index_error for the first index, in row-major order, that `is_bad`; there must be one.
template <class Index, int Rank, class IsBad>
[[noreturn]] GARNER_COLD void fail_index(const char* op, view<const Index, Rank> index, index_t dim,
                                         index_t extent, IsBad is_bad) {
  // In a repeated dim the first one is at coordinate 0.
  const auto shape = read_once(index);
  const auto& strides = index.strides();
  auto position = dims<Rank>::of_rank(shape.size());
  const Index* at = index.data();
  while (!is_bad(*at)) {
    int d = index.rank() - 1;
    for (; position[d] + 1 == shape[d]; --d) {
      at -= position[d] * strides[d];
      position[d] = 0;
    }
    ++position[d];
    at += strides[d];
  }
  raise(index_error(op, {position.data(), position.size()}, *at, dim, extent));
}

/// Whether all indices lie within the bounds, whatever the strides; an expanded index is read once.
/// Takes the view by value, so that the caller's can stay in registers.
template <class Arch, class Index, int Rank>
bool all_within_strides(view<const Index, Rank> index, index_bounds<Index> bounds) {
  // As a copy of the index onto itself the joining and ordering of loops serve here too.
  const auto& strides = index.strides();
  const indexed_copy<Rank> scan{read_once(index), strides, strides, {}, -1};
  const nest<Rank> loops = make_nest(scan, strides);
  const loop run = loops.run();
  const loop rows = loops.rows();
  bool within = true;
  auto place = loops.blocks();
  do {
    for (index_t r = 0; r < rows.extent; ++r) {
      const Index* const first = index.data() + place.out + r * rows.out_stride;
      if (run.out_stride == 1) {
        within &= all_within<Arch>(first, run.extent, bounds.lowest, bounds.highest);
      } else {
        for (index_t i = 0; i < run.extent; ++i) {
          const Index value = first[i * run.out_stride];
          within &= bounds.lowest <= value && value <= bounds.highest;
        }
      }
    }
  } while (place.next());
  return within;
}

/// The same; the quick answer, for a dense index, first.
template <class Arch, class Index, int Rank>
GARNER_INLINE bool all_within(const view<const Index, Rank>& index,
                              const index_bounds<Index>& bounds) {
  if (flat_stride(index.layout()) == 1) {
    return all_within<Arch>(index.data(), index.size(), bounds.lowest, bounds.highest);
  }
  return all_within_strides<Arch>(index, bounds);
}

/// Throws index_error unless each index is legal under these options on an axis of this extent.
/// False means that none is negative.
template <class Arch, class Outside, class Negatives, class Index, int Rank>
GARNER_INLINE bool check_index(const char* op, const view<const Index, Rank>& index, index_t dim,
                               index_t extent) {
  constexpr bool counts_from_end = resolver<Index, Outside, Negatives>::counts_from_end;
  if (index.is_empty()) return false;
  if (is_fill<Outside>) return counts_from_end;
  if (extent == 0) fail_index(op, index, dim, extent, [](Index) { return true; });
  if (!is_one_of<Outside, checked_t>) return counts_from_end;
  const auto bounds = bounds_for<Index, reject_negative_t>(extent);
  if (bounds.accept_all() || all_within<Arch>(index, bounds)) return false;
  const auto wider = bounds_for<Index, Negatives>(extent);
  if (counts_from_end && all_within<Arch>(index, wider)) return true;
  fail_index(op, index, dim, extent,
             [wider](Index value) { return value < wider.lowest || value > wider.highest; });
}

}  // namespace detail

/// An index that validate() has found to lie within an axis of `extent` elements. Operations that
/// are given it instead of the index read it without checking again, so the indices must not change
/// meanwhile.
template <class Index, int Rank, class Negatives>
class validated_index {
 public:
  constexpr view<const Index, Rank> index() const { return index_; }
  constexpr index_t extent() const { return extent_; }
  /// Whether one of them counts from the end.
  constexpr bool has_negatives() const { return has_negatives_; }

 private:
  template <class Arch, class N, class I, int R>
  friend validated_index<I, R, N> detail::prove_index(const view<const I, R>& index,
                                                      index_t extent);

  constexpr validated_index(const view<const Index, Rank>& index, index_t extent,
                            bool has_negatives)
      : index_(index), extent_(extent), has_negatives_(has_negatives) {}

  view<const Index, Rank> index_;
  index_t extent_;
  bool has_negatives_;
};

namespace detail {

template <class Arch, class Negatives, class Index, int Rank>
validated_index<Index, Rank, Negatives> prove_index(const view<const Index, Rank>& index,
                                                    index_t extent) {
  if (extent < 0) fail_shape("validate", "extent ", extent, " is negative");
  const bool has_negatives = check_index<Arch, checked_t, Negatives>("validate", index, -1, extent);
  return {index, extent, has_negatives};
}

}  // namespace detail
}  // namespace garner
