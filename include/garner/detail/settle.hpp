// SPDX-License-Identifier: BSD-3-Clause
// Reductions that an element's own room is not enough for: sums of 16-bit floats, which are rounded
// once, and means, which need a count. A part of the axis at a time gets slots on the stack, and
// all indices are looked through for those that fall into it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include <garner/detail/buffer.hpp>
#include <garner/detail/execute.hpp>
#include <garner/detail/plan.hpp>

namespace garner::detail {

inline constexpr index_t slot_count = 2048;  // on the stack

/// A problem's loops in two nests: `lines`, which is_line picks, and `bound`, along which the table
/// stays in place. Loops of neither kind are left to the caller.
template <int Rank>
struct split_nest {
  nest<Rank> lines{{{single_row}}, 0};
  nest<Rank> bound{{{single_row}}, 0};

  template <class IsLine>
  split_nest(const nest<Rank>& all, const IsLine& is_line) {
    for (std::size_t k = 0; k < all.depth; ++k) {
      const loop& l = all.loops[k];
      if (l.extent == 1) continue;
      if (l.src_stride == 0) {
        bound.loops[bound.depth++] = l;
      } else if (is_line(l)) {
        lines.loops[lines.depth++] = l;
      }
    }
  }
};

/// For each line: a part of the axis at a time gets slots, which begin as Slot{}. add(slot, value
/// offset, line's table offset, place) is called for each index in order that names a place of that
/// part, then finish(slots, line's table offset, first place). `extent` is how many places there
/// are; where memory may be allocated, they are one part.
template <class Arch, class Slot, bool MayAllocate, int Rank, class Indices, class Resolve,
          class Add, class Finish>
void settle(const split_nest<Rank>& loops, index_t extent, Indices index, const Resolve& resolver,
            const Add& add, const Finish& finish) {
  const Resolve resolve = resolver;
  std::array<Slot, slot_count> on_stack;
  const buffer<Slot> on_heap(MayAllocate && extent > slot_count ? extent : 0, start::without_value);
  Slot* const slots = on_heap.get() ? on_heap.get() : on_stack.data();
  const index_t most = on_heap.get() ? extent : slot_count;
  walker<Rank> line(loops.lines.loops.data(), loops.lines.depth);
  do {
    for (index_t first = 0; first < extent; first += most) {
      const auto count = static_cast<std::size_t>(std::min(extent - first, most));
      std::fill_n(slots, count, Slot{});
      const loop run = loops.bound.depth > 0 ? loops.bound.run() : single_row;
      walker<Rank> each(loops.bound.loops.data(), std::max(loops.bound.depth, std::size_t{1}) - 1);
      do {
        const auto at = index + (line.index + each.index);
        for (index_t i = 0; i < run.extent; ++i) {
          const index_t place = resolve(at[i * run.index_stride]);
          // As unsigned numbers, places before the first, and what is outside, come after the last.
          const auto k = static_cast<std::size_t>(place) - static_cast<std::size_t>(first);
          if (k < count) add(slots[k], line.out + each.out + i * run.out_stride, line.src, place);
        }
      } while (each.next());
      finish(std::span<const Slot>(slots, count), line.src, first);
    }
  } while (line.next());
}

}  // namespace garner::detail
