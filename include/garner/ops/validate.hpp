// SPDX-License-Identifier: BSD-3-Clause
// validate: checks an index once, for many calls.
#pragma once

#include <garner/detail/call.hpp>

namespace garner {

/// An index proven to lie within an axis of `extent` elements; given to an operation in place of
/// `index`, it is not checked again. It refers to `index`, which must outlive it unchanged. Takes
/// reject_negative (the default) or from_end. Throws index_error.
template <class Index, class... Options, class Arch = detail::default_arch>
auto validate(Index&& index, index_t extent, const Options&...) {
  using set = detail::option_set<Options...>;
  static_assert(viewable<const Index&>,
                "garner: the index is no tensor: pass a garner view or tensor, a contiguous range, "
                "or a type with a view_adapter");
  static_assert(viewable<Index>,
                "garner: validate keeps a view of the index: give the index a name first");
  static_assert((detail::is_one_of<Options, checked_t, reject_negative_t, from_end_t> && ...),
                "garner: validate takes checked, reject_negative or from_end only");
  return detail::prove_index<Arch, typename set::template negatives<reject_negative_t>>(
      detail::index_view(index), extent);
}

}  // namespace garner
