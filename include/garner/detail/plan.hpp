// SPDX-License-Identifier: BSD-3-Clause
// plan: how to walk an indexed_copy. Drops dims of extent 1, orders the rest by how out lies in
// memory, joins what one stride can walk, and picks the kernel for the innermost run. A plain
// value; execute.hpp follows it.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <utility>

#include <garner/detail/indexed_copy.hpp>
#include <garner/detail/kernels/block.hpp>
#include <garner/detail/kernels/packed_gather.hpp>
#include <garner/detail/kernels/register_lookup.hpp>

namespace garner::detail {

/// The memory pattern of the two innermost loops, the rows and the run: out[r, i] = ...
/// Of those that accept a problem, the first is the best.
enum class kernel {
  copy_run,         // src[r, i]: one index for the run, both sides dense
  strided_run,      // src[r, i]: one index for the run
  register_lookup,  // table[r][index[r, i]]: a table that fits into registers
  shared_lookup,    // table[r][index[i]]: the same index for all rows
  lookup,           // table[r][index[r, i]]: the run reads one table; all but rows are dense
  packed_gather,    // src[r] at index[r, i]: tables side by side, their elements far apart
  offset_gather,    // src[r, i] at index[r, i]: out and index are dense
  strided_gather,   // the same for all strides
};

struct kernel_name {
  kernel value;
  const char* text;
};
/// All kernels.
inline constexpr kernel_name kernels[] = {
    {kernel::copy_run, "copy_run"},
    {kernel::strided_run, "strided_run"},
    {kernel::register_lookup, "register_lookup"},
    {kernel::shared_lookup, "shared_lookup"},
    {kernel::lookup, "lookup"},
    {kernel::packed_gather, "packed_gather"},
    {kernel::offset_gather, "offset_gather"},
    {kernel::strided_gather, "strided_gather"},
};

constexpr const char* name(kernel k) { return kernels[static_cast<std::size_t>(k)].text; }

/// Steps through a nest of loops, outermost first. Where it stands is told by three offsets.
template <int Rank>
class walker {
 public:
  GARNER_INLINE constexpr walker(const loop* loops, std::size_t depth)
      : loops_(loops), depth_(depth) {}

  index_t out = 0;
  index_t src = 0;
  index_t index = 0;

  /// Goes to the next iteration; false after the last one.
  GARNER_INLINE constexpr bool next() {
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
  std::array<index_t, rank_capacity<Rank>> at_{};
};

/// A nest of loops, outermost first.
template <int Rank>
struct nest {
  std::array<loop, rank_capacity<Rank>> loops;  // the last is a kernel's run, before it its rows
  std::size_t depth;                            // at least 1

  GARNER_INLINE constexpr const loop& run() const { return loops[depth - 1]; }
  GARNER_INLINE constexpr const loop& rows() const {
    return depth > 1 ? loops[depth - 2] : single_row;
  }
  GARNER_INLINE constexpr walker<Rank> blocks() const {
    return {loops.data(), depth > 1 ? depth - 2 : 0};
  }
};

template <int Rank>
struct plan : nest<Rank> {
  kernel inner;
  index_t strip;  // how much of the run is done at a time, in all rows, before the next
  hints memory;

  /// Whether a few rows at a time are as good as all of them, and each index is read for one row.
  constexpr bool has_parts() const {
    bool result = inner != kernel::packed_gather;
    for (std::size_t k = 0; k + 1 < this->depth; ++k) result &= this->loops[k].index_stride != 0;
    return result;
  }

  /// For a source without elements: its strides mean nothing, and all is fill.
  constexpr void forget_source() {
    for (loop& l : this->loops) l.src_stride = 0;
    memory = {};
  }
};

/// Whether the two loops are one loop with the inner one's strides.
constexpr bool can_join(const loop& outer, const loop& inner) {
  return outer.out_stride == wrapping_product(inner.extent, inner.out_stride) &&
         outer.src_stride == wrapping_product(inner.extent, inner.src_stride) &&
         outer.index_stride == wrapping_product(inner.extent, inner.index_stride);
}

/// Whether loops may be walked in any order. In a problem that writes to its axis, coordinates may
/// meet in one element; they differ then in loops only that stay in place there (src_stride 0), and
/// these keep their order.
enum class order { free, kept };

/// The problem must not be empty.
template <int Rank, int AxisRank>
constexpr nest<Rank> make_nest(const indexed_copy<Rank, AxisRank>& problem,
                               const dims<Rank>& out_strides, order among = order::free) {
  nest<Rank> result{{{{1, 1, 1, 0}}}, 1};
  auto& loops = result.loops;
  std::size_t count = 0;
  for (int d = 0; d < problem.shape.rank(); ++d) {
    if (problem.shape[d] == 1) continue;
    const loop next{problem.shape[d], out_strides[d], problem.src_strides[d],
                    problem.index_strides[d]};
    const auto goes_before = [&](const loop& other) {
      if (among == order::kept && other.src_stride == 0 && next.src_stride == 0) return false;
      return magnitude(other.out_stride) < magnitude(next.out_stride);
    };
    std::size_t k = count++;
    for (; k > 0 && goes_before(loops[k - 1]); --k) loops[k] = loops[k - 1];
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
  return result;
}

/// What the axis is like: the table that an index counts along.
struct axis_shape {
  index_t extent;
  index_t stride;  // 0 if there is no single one
};

/// Whether the kernel can do these loops.
GARNER_INLINE constexpr bool accepts(kernel k, const loop& rows, const loop& run,
                                     const axis_shape& axis, std::size_t element_size) {
  const auto size = static_cast<index_t>(element_size);
  const bool is_constant = run.index_stride == 0;
  const bool is_dense = run.out_stride == 1 && run.index_stride == 1;
  const bool is_lookup = is_dense && run.src_stride == 0 && axis.stride == 1;
  switch (k) {
    case kernel::copy_run:
      return is_constant && run.out_stride == 1 && run.src_stride == 1;
    case kernel::strided_run:
      return is_constant;
    case kernel::register_lookup:
      return is_lookup && is_register_table(axis.extent, element_size, run.extent);
    case kernel::shared_lookup:
      return is_lookup && rows.index_stride == 0 && rows.extent > 1;
    case kernel::lookup:
      return is_lookup;
    case kernel::packed_gather:
      return is_dense && run.src_stride == 0 && rows.src_stride == 1 &&
             is_worth_packing(axis.extent, size, axis.stride * size, run.extent);
    case kernel::offset_gather:
      return is_dense;
    case kernel::strided_gather:
      return true;
  }
  return false;
}

/// The first kernel that accepts.
GARNER_INLINE constexpr kernel choose_kernel(const loop& rows, const loop& run,
                                             const axis_shape& axis, std::size_t element_size) {
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    kernel result{};
    (... || (result = kernels[K].value, accepts(result, rows, run, axis, element_size)));
    return result;
  }
  (std::make_index_sequence<std::size(kernels)>{});
}

// Sizes of caches, as far as the choices below care.
inline constexpr index_t small_bytes = index_t{1} << 12;   // not worth a thought
inline constexpr index_t first_bytes = index_t{1} << 15;   // the first level of the cache
inline constexpr index_t page_bytes = index_t{1} << 12;    // what the TLB maps at once
inline constexpr index_t set_bytes = index_t{1} << 12;     // what shares a set of the first level
inline constexpr index_t near_bytes = index_t{1} << 19;    // the second level of the cache
inline constexpr index_t mapped_bytes = index_t{1} << 23;  // all that the TLB maps
inline constexpr index_t cached_bytes = index_t{1} << 25;  // the last level of the cache

/// How many bytes lie between the first and the last element.
template <int Rank>
constexpr index_t spread(const dims<Rank>& shape, const dims<Rank>& strides,
                         std::size_t element_size) {
  std::size_t result = 0;
  for (int d = 0; d < shape.rank(); ++d) {
    result += static_cast<std::size_t>(shape[d] - 1) * magnitude(strides[d]) * element_size;
  }
  return static_cast<index_t>(result);
}

/// A few short steps or a long one: how far ahead of its use to ask for what steps like that.
constexpr index_t lead(index_t step) {
  return step * (1 + lead_bytes / static_cast<index_t>(magnitude(step)));
}

/// How many bytes of the source a problem can reach, and how many of them by an index.
struct reach_bytes {
  index_t source;
  index_t table;
};
template <int Rank, int AxisRank>
constexpr reach_bytes reach_of(const indexed_copy<Rank, AxisRank>& problem,
                               std::size_t element_size) {
  const index_t table = spread(problem.axis.shape, problem.axis.strides, element_size);
  return {spread(problem.shape, problem.src_strides, element_size) + table, table};
}

/// What to ask for ahead of its use, where loops like these walk a source.
template <int Rank, int AxisRank>
constexpr hints hints_for(const indexed_copy<Rank, AxisRank>& problem, const loop& rows,
                          const loop& run, const reach_bytes& reach, index_t size) {
  hints result;
  result.is_far = reach.source > near_bytes;
  if (!result.is_far) return result;
  if (run.src_stride == 0 && rows.src_stride != 0 &&
      reach.table / line_bytes <= 2 * run.extent) {  // most lines of each table will be read
    result.asked_from = lead(rows.src_stride * size);
    result.asked_bytes = problem.axis.strides[0] < 0 ? -reach.table : reach.table;
  } else if (run.src_stride != 0 && reach.table <= 4 * line_bytes &&
             magnitude(run.src_stride) <= magnitude(line_bytes / size)) {  // ... or along the run
    result.asked_from = lead(run.src_stride * size);
    result.asked_bytes = run.src_stride * size * run.extent;
  } else {
    result.is_scattered = reach.source > mapped_bytes;
  }
  return result;
}

/// How much of the run to do at a time, in all rows: where the TLB cannot map whole rows, it may be
/// able to map a page of each.
constexpr index_t strip_of(const loop& run, index_t table_bytes, index_t entries, index_t size) {
  if (run.src_stride != 1 || run.index_stride == 0 || table_bytes <= mapped_bytes ||
      entries > mapped_bytes / (2 * page_bytes)) {
    return run.extent;
  }
  return size < page_bytes ? page_bytes / size : 1;
}

/// By which steps to walk a run that writes to rows: where all rows of a column share a set of the
/// cache, neighbours would drive each other out of it, and elements a line apart do not.
constexpr index_t comb_of(const loop& run, index_t axis_stride, index_t table_bytes, index_t size) {
  const bool do_meet = run.src_stride == 1 && run.index_stride != 0 && table_bytes > first_bytes &&
                       axis_stride * size % set_bytes == 0;
  return do_meet && line_bytes % size == 0 ? line_bytes / size : 1;
}

template <int Rank, int AxisRank>
constexpr plan<Rank> make_plan(const indexed_copy<Rank, AxisRank>& problem,
                               const dims<Rank>& out_strides, std::size_t element_size) {
  plan<Rank> result{make_nest(problem, out_strides), {}, {}, {}};
  const loop& rows = result.rows();
  const loop& run = result.run();
  const axis_shape axis{problem.axis_extent(), flat_stride(problem.axis).value_or(0)};
  result.inner = choose_kernel(rows, run, axis, element_size);
  result.strip = run.extent;

  const auto size = static_cast<index_t>(element_size);
  const index_t out_bytes = layout<Rank>{problem.shape, {}}.size() * size;
  if (out_bytes <= small_bytes || axis.extent == 0) return result;
  const reach_bytes reach = reach_of(problem, element_size);
  result.memory = hints_for(problem, rows, run, reach, size);
  result.memory.is_streamed =
      out_bytes > cached_bytes / 4 && reach.source > cached_bytes - out_bytes;
  if (result.inner == kernel::offset_gather) {
    result.strip = strip_of(run, reach.table, axis.extent, size);
  }
  return result;
}

/// lookup: 2048 x (8, 1000, 8) > 8 x (1, 0, 1), each loop as extent x (out, src, index stride).
template <class Stream, int Rank>
Stream& operator<<(Stream& out, const plan<Rank>& p) {
  out << name(p.inner);
  if (p.memory.is_far) out << ", far";
  if (p.memory.is_scattered) out << ", scattered";
  if (p.memory.asked_bytes != 0) out << ", asking";
  if (p.memory.is_streamed) out << ", streamed";
  if (p.strip < p.run().extent) out << ", in strips of " << p.strip;
  out << ':';
  for (std::size_t k = 0; k < p.depth; ++k) {
    const loop& l = p.loops[k];
    out << (k ? " > " : " ") << l.extent << " x (" << l.out_stride << ", " << l.src_stride << ", "
        << l.index_stride << ')';
  }
  return out;
}

}  // namespace garner::detail
