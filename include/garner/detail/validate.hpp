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
[[noreturn]] GARNER_COLD void fail_index(const char* op, const view<const Index, Rank>& index,
                                         index_t dim, index_t extent, const IsBad& is_bad) {
  // In a repeated dim the first one is at coordinate 0.
  const auto shape = read_once(index);
  index_t count = 0;
  Index value{};
  all_of_offsets(shape, std::array{index.strides()}, [&](const auto& at) {
    value = index.data()[at[0]];
    if (is_bad(value)) return false;
    ++count;
    return true;
  });
  auto position = dims<Rank>::of_rank(shape.size());
  for (int d = index.rank() - 1; d >= 0; --d) {
    position[d] = count % shape[d];
    count /= shape[d];
  }
  raise(index_error(op, {position.data(), position.size()}, value, dim, extent));
}

/// Whether all indices lie within the bounds; an expanded index is read once.
template <class Arch, class Index, int Rank>
bool all_within(const view<const Index, Rank>& index, const index_bounds<Index>& bounds) {
  // As a copy of the index onto itself the plan's joining and ordering of loops serve here too.
  const indexed_copy<Rank> scan{read_once(index), index.strides(), index.strides(), {}, -1};
  const plan<Rank> plan = make_plan(scan, index.strides());
  const loop& run = plan.run();
  bool within = true;
  auto place = plan.runs();
  do {
    const Index* first = index.data() + place.out;
    if (run.out_stride == 1) {
      within &= all_within<Arch>(first, run.extent, bounds.lowest, bounds.highest);
    } else {
      for (index_t i = 0; i < run.extent; ++i) {
        const Index value = first[i * run.out_stride];
        within &= bounds.lowest <= value && value <= bounds.highest;
      }
    }
  } while (place.next());
  return within;
}

/// Throws index_error unless each index is legal under these options on an axis of this extent.
template <class Arch, class Outside, class Negatives, class Index, int Rank>
void check_index(const char* op, const view<const Index, Rank>& index, index_t dim,
                 index_t extent) {
  if (is_fill<Outside> || index.is_empty()) return;
  if (extent == 0) fail_index(op, index, dim, extent, [](Index) { return true; });
  if (!is_one_of<Outside, checked_t>) return;
  const auto bounds = bounds_for<Index, Negatives>(extent);
  if (bounds.accept_all() || all_within<Arch>(index, bounds)) return;
  fail_index(op, index, dim, extent,
             [&](Index value) { return value < bounds.lowest || value > bounds.highest; });
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

 private:
  template <class Arch, class N, class I, int R>
  friend validated_index<I, R, N> detail::prove_index(const view<const I, R>& index,
                                                      index_t extent);

  constexpr validated_index(const view<const Index, Rank>& index, index_t extent)
      : index_(index), extent_(extent) {}

  view<const Index, Rank> index_;
  index_t extent_;
};

namespace detail {

template <class Arch, class Negatives, class Index, int Rank>
validated_index<Index, Rank, Negatives> prove_index(const view<const Index, Rank>& index,
                                                    index_t extent) {
  if (extent < 0) fail_shape("validate", "extent ", extent, " is negative");
  check_index<Arch, checked_t, Negatives>("validate", index, -1, extent);
  return {index, extent};
}

}  // namespace detail
}  // namespace garner
