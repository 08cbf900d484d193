// SPDX-License-Identifier: BSD-3-Clause
// Reductions that an element's own room is not enough for: sums of 16-bit floats, which are rounded
// once, and means, which need a count. A part of the axis at a time gets slots on the stack, and
// all indices are looked through for those that fall into it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include <garner/detail/execute.hpp>
#include <garner/detail/plan.hpp>

namespace garner::detail {

inline constexpr index_t slot_count = 2048;

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

/// For each line and each place on its axis that an index names: a slot, which begins as Slot{},
/// gets add(slot, value offset, table offset) for each index in order, and then finish(slot, table
/// offset). slot.count tells how many there have been. `extent` is how many places there are.
template <class Arch, class Slot, int Rank, class Indices, class Resolve, class Axis, class Add,
          class Finish>
void settle(const split_nest<Rank>& loops, index_t extent, Indices index, const Resolve& resolve,
            const Axis& axis, const Add& add, const Finish& finish) {
  std::array<Slot, slot_count> slots;
  walker<Rank> line(loops.lines.loops.data(), loops.lines.depth);
  do {
    for (index_t first = 0; first < extent; first += slot_count) {
      const index_t count = std::min(extent - first, slot_count);
      std::fill_n(slots.begin(), count, Slot{});
      const loop run = loops.bound.depth > 0 ? loops.bound.run() : single_row;
      walker<Rank> each(loops.bound.loops.data(), std::max(loops.bound.depth, std::size_t{1}) - 1);
      do {
        const auto at = index + (line.index + each.index);
        for (index_t i = 0; i < run.extent; ++i) {
          const index_t place = resolve(at[i * run.index_stride]);
          if (place < first || place >= first + count) continue;  // what is outside lies below
          Slot& slot = slots[static_cast<std::size_t>(place - first)];
          add(slot, line.out + each.out + i * run.out_stride, line.src + axis.offset(place));
          ++slot.count;
        }
      } while (each.next());
      for (index_t place = first; place < first + count; ++place) {
        const Slot& slot = slots[static_cast<std::size_t>(place - first)];
        if (slot.count > 0) finish(slot, line.src + axis.offset(place));
      }
    }
  } while (line.next());
}

}  // namespace garner::detail
