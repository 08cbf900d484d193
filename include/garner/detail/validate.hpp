// SPDX-License-Identifier: BSD-3-Clause
// Is every index legal? One pass over the index, before anything is written; only if it fails is
// the first bad index, in row-major order, looked for and named.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
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
/// What it should have kept to, extents[k] of dim `dim` + k, is told by its last coordinate, or is
/// extents[0] where there is only one.
template <class Index, int Rank, class IsBad>
[[noreturn]] GARNER_COLD void fail_index(const char* op, view<const Index, Rank> index, index_t dim,
                                         std::span<const index_t> extents, IsBad is_bad) {
  // In a repeated dim the first one is at coordinate 0.
  auto shape = read_once(index);
  if (extents.size() > 1) shape[index.rank() - 1] = index.shape()[index.rank() - 1];
  const auto& strides = index.strides();
  auto position = dims<Rank>::of_rank(shape.size());
  const Index* at = index.data();
  const auto which = [&] {
    return extents.size() > 1 ? static_cast<std::size_t>(position[index.rank() - 1]) : 0;
  };
  while (!is_bad(*at, extents[which()])) {
    int d = index.rank() - 1;
    for (; position[d] + 1 == shape[d]; --d) {
      at -= position[d] * strides[d];
      position[d] = 0;
    }
    ++position[d];
    at += strides[d];
  }
  const std::size_t k = which();
  if (dim >= 0) dim += static_cast<index_t>(k);
  raise(index_error(op, {position.data(), position.size()}, *at, dim, extents[k]));
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

/// Whether each index is legal under these options on an axis of this extent.
enum class legality { none_negative, some_negative, bad };
template <class Arch, class Outside, class Negatives, class Index, int Rank>
GARNER_INLINE legality judge_index(const view<const Index, Rank>& index, index_t extent) {
  constexpr bool counts_from_end = resolver<Index, Outside, Negatives>::counts_from_end;
  constexpr auto unknown = counts_from_end ? legality::some_negative : legality::none_negative;
  if (index.is_empty()) return legality::none_negative;
  if (is_fill<Outside>) return unknown;
  if (extent == 0) return legality::bad;
  if (!is_one_of<Outside, checked_t>) return unknown;
  const auto bounds = bounds_for<Index, reject_negative_t>(extent);
  if (bounds.accept_all() || all_within<Arch>(index, bounds)) return legality::none_negative;
  if (counts_from_end && all_within<Arch>(index, bounds_for<Index, Negatives>(extent))) {
    return legality::some_negative;
  }
  return legality::bad;
}

/// Throws index_error for the first index that is not legal; there is one.
template <class Outside, class Negatives, class Index, int Rank>
[[noreturn]] GARNER_COLD void fail_illegal(const char* op, view<const Index, Rank> index,
                                           index_t dim, std::span<const index_t> extents) {
  fail_index(op, index, dim, extents, [](Index value, index_t extent) {
    if (extent == 0) return true;
    if (!is_one_of<Outside, checked_t>) return false;
    const auto bounds = bounds_for<Index, Negatives>(extent);
    return value < bounds.lowest || value > bounds.highest;
  });
}

/// The same for a single extent. Takes all by value, so that the caller's can stay in registers.
template <class Outside, class Negatives, class Index, int Rank>
[[noreturn]] GARNER_COLD void fail_illegal(const char* op, view<const Index, Rank> index,
                                           index_t dim, index_t extent) {
  fail_illegal<Outside, Negatives>(op, index, dim, std::span(&extent, 1));
}

/// Throws index_error unless each index is legal under these options on an axis of this extent.
/// False means that none is negative.
template <class Arch, class Outside, class Negatives, class Index, int Rank>
GARNER_INLINE bool check_index(const char* op, const view<const Index, Rank>& index, index_t dim,
                               index_t extent) {
  const legality found = judge_index<Arch, Outside, Negatives>(index, extent);
  if (found == legality::bad) fail_illegal<Outside, Negatives>(op, index, dim, extent);
  return found == legality::some_negative;
}

/// The same for coordinates, which the last dim of `index` holds: [.., k] counts along extents[k].
template <class Arch, class Outside, class Negatives, class Index, int Rank>
bool check_coordinates(const char* op, const view<const Index, Rank>& index, index_t dim,
                       const dims<>& extents) {
  // One pass over all of them is quicker, and enough if they fit into the shortest dim.
  if (extents.rank() > 1 &&
      judge_index<Arch, Outside, Negatives>(
          index, *std::min_element(extents.begin(), extents.end())) == legality::none_negative) {
    return false;
  }
  bool some_negative = false;
  for (int k = 0; k < extents.rank(); ++k) {
    const legality found = judge_index<Arch, Outside, Negatives>(index.select(-1, k), extents[k]);
    if (found == legality::bad) {
      fail_illegal<Outside, Negatives>(op, index, dim,
                                       std::span<const index_t>(extents.data(), extents.size()));
    }
    some_negative |= found == legality::some_negative;
  }
  return some_negative;
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
