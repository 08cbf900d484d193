// SPDX-License-Identifier: BSD-3-Clause
// plan: how to walk an indexed_copy. Drops dims of extent 1, orders the rest by how out lies in
// memory, joins what one stride can walk, and picks the kernel for the innermost run. A plain
// value; execute.hpp follows it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include <garner/detail/indexed_copy.hpp>

namespace garner::detail {

/// The memory pattern of the innermost run: out[i] = ...
enum class kernel {
  copy_run,       // src[i]: one index for the run, both sides dense
  strided_run,    // src[i * stride]: one index for the run
  lookup,         // table[axis(index[i])]: the run reads one table
  offset_gather,  // src[i * stride + axis(index[i])]: each element has a table of its own
};

constexpr const char* name(kernel k) {
  constexpr const char* names[] = {"copy_run", "strided_run", "lookup", "offset_gather"};
  return names[static_cast<std::size_t>(k)];
}

struct loop {
  index_t extent;
  index_t out_stride;
  index_t src_stride;
  index_t index_stride;

  friend constexpr bool operator==(const loop&, const loop&) = default;
};

/// Steps through a nest of loops, outermost first. Where it stands is told by three offsets.
class walker {
 public:
  constexpr walker(const loop* loops, std::size_t depth) : loops_(loops), depth_(depth) {}

  index_t out = 0;
  index_t src = 0;
  index_t index = 0;

  /// Goes to the next iteration; false after the last one.
  constexpr bool next() {
    for (std::size_t k = depth_; k-- > 0;) {
      const loop& l = loops_[k];
      const bool is_last = at_[k] + 1 == l.extent;
      const index_t steps = is_last ? -at_[k] : 1;
      at_[k] += steps;
      out += steps * l.out_stride;
      src += steps * l.src_stride;
      index += steps * l.index_stride;
      if (!is_last) return true;
    }
    return false;
  }

 private:
  const loop* loops_;
  std::size_t depth_;
  std::array<index_t, max_rank> at_{};
};

template <int Rank>
struct plan {
  // Room for two at least: in an array of one, g++ 12 warns of the second loop that is never there.
  static constexpr auto capacity =
      static_cast<std::size_t>(Rank == dynamic_rank ? max_rank : std::max(Rank, 2));

  std::array<loop, capacity> loops;  // outermost first; the last is the kernel's run
  std::size_t depth;                 // at least 1
  kernel inner;

  constexpr const loop& run() const { return loops[depth - 1]; }
  constexpr walker runs() const { return {loops.data(), depth - 1}; }
};

/// Whether the two loops are one loop with the inner one's strides.
constexpr bool can_join(const loop& outer, const loop& inner) {
  return outer.out_stride == wrapping_product(inner.extent, inner.out_stride) &&
         outer.src_stride == wrapping_product(inner.extent, inner.src_stride) &&
         outer.index_stride == wrapping_product(inner.extent, inner.index_stride);
}

constexpr kernel choose_kernel(const loop& run) {
  if (run.index_stride != 0) return run.src_stride == 0 ? kernel::lookup : kernel::offset_gather;
  return run.out_stride == 1 && run.src_stride == 1 ? kernel::copy_run : kernel::strided_run;
}

/// The problem must not be empty. The order of writes is free: no two coordinates write one
/// element.
template <int Rank, int AxisRank>
constexpr plan<Rank> make_plan(const indexed_copy<Rank, AxisRank>& problem,
                               const dims<Rank>& out_strides) {
  plan<Rank> result{{{{1, 1, 1, 0}}}, 1, {}};
  auto& loops = result.loops;
  std::size_t count = 0;
  for (int d = 0; d < problem.shape.rank(); ++d) {
    if (problem.shape[d] == 1) continue;
    const loop next{problem.shape[d], out_strides[d], problem.src_strides[d],
                    problem.index_strides[d]};
    std::size_t k = count++;
    for (; k > 0 && magnitude(loops[k - 1].out_stride) < magnitude(next.out_stride); --k) {
      loops[k] = loops[k - 1];
    }
    loops[k] = next;
  }
  for (std::size_t k = 1; k < count; ++k) {
    loop& last = loops[result.depth - 1];
    if (can_join(last, loops[k])) {
      const index_t outer_extent = last.extent;
      last = loops[k];
      last.extent *= outer_extent;
    } else {
      loops[result.depth++] = loops[k];
    }
  }
  result.inner = choose_kernel(result.run());
  return result;
}

/// lookup: 2048 x (8, 1000, 8) > 8 x (1, 0, 1), each loop as extent x (out, src, index stride).
template <class Stream, int Rank>
Stream& operator<<(Stream& out, const plan<Rank>& p) {
  out << name(p.inner) << ':';
  for (std::size_t k = 0; k < p.depth; ++k) {
    const loop& l = p.loops[k];
    out << (k ? " > " : " ") << l.extent << " x (" << l.out_stride << ", " << l.src_stride << ", "
        << l.index_stride << ')';
  }
  return out;
}

}  // namespace garner::detail
