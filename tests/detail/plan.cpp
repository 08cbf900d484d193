// SPDX-License-Identifier: BSD-3-Clause
// Plans, pinned: how deep, which loops, which kernel, what is said of memory.
#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

#include <garner/detail/plan.hpp>
#include <garner/ops/gather.hpp>
#include <garner/ops/index_select.hpp>
#include <garner/ops/take.hpp>
#include <garner/ops/take_along_dim.hpp>

#include "support/catch.hpp"
#include "support/prop.hpp"

using garner::dims;
using garner::dynamic_rank;
using garner::index_t;
using namespace garner::detail;
using test::uniform;

namespace {

constexpr index_t K = 1024;
constexpr index_t M = K * K;

template <int Rank>
constexpr layout<Rank> dense(const dims<Rank>& shape) {
  return {shape, row_major_strides(shape)};
}

template <int Rank>
constexpr layout<Rank> strided(const dims<Rank>& shape, const dims<Rank>& strides) {
  return {shape, strides};
}

/// The plan for a dense out.
template <int Rank, int AxisRank>
constexpr plan<Rank> plan_of(const indexed_copy<Rank, AxisRank>& problem,
                             std::size_t element_size = 4) {
  return make_plan(problem, row_major_strides(problem.shape), element_size);
}

template <int Rank>
constexpr bool is(const plan<Rank>& p, kernel inner, std::initializer_list<loop> loops) {
  return p.inner == inner && p.depth == loops.size() &&
         std::equal(loops.begin(), loops.end(), p.loops.begin());
}

// Loops are extent, out stride, src stride, index stride.

// gather
static_assert(is(plan_of(gather_op::lower(dense(dims(6, 100)), dense(dims(6, 8)), 1)),
                 kernel::lookup, {{6, 8, 100, 8}, {8, 1, 0, 1}}));
static_assert(is(plan_of(gather_op::lower(dense(dims(100, 6)), dense(dims(8, 6)), 0)),
                 kernel::offset_gather, {{8, 6, 0, 6}, {6, 1, 1, 1}}));
static_assert(is(plan_of(gather_op::lower(dense(dims(100, 6)), dense(dims(8, 4)), 0)),
                 kernel::offset_gather, {{8, 4, 0, 4}, {4, 1, 1, 1}}));
static_assert(is(plan_of(gather_op::lower(dense(dims(3, 100, 5)), dense(dims(3, 8, 5)), 1)),
                 kernel::offset_gather, {{3, 40, 500, 40}, {8, 5, 0, 5}, {5, 1, 1, 1}}));
static_assert(is(plan_of(gather_op::lower(dense(dims(100)), dense(dims(8)), 0)), kernel::lookup,
                 {{8, 1, 0, 1}}));
// One index per row: k = 1 leaves one loop over the rows.
static_assert(is(plan_of(gather_op::lower(dense(dims(64, 10)), dense(dims(64, 1)), 1)),
                 kernel::offset_gather, {{64, 1, 10, 1}}));
// The same over two batch dims, which become one.
static_assert(is(plan_of(gather_op::lower(dense(dims(4, 16, 10)), dense(dims(4, 16, 1)), 2)),
                 kernel::offset_gather, {{64, 1, 10, 1}}));
// An index expanded along the rows copies whole rows.
static_assert(is(plan_of(gather_op::lower(dense(dims(100, 6)), strided(dims(8, 6), dims(1, 0)), 0)),
                 kernel::copy_run, {{8, 6, 0, 1}, {6, 1, 1, 0}}));
static_assert(is(plan_of(gather_op::lower(dense(dims(100, 6, 7)),
                                          strided(dims(8, 6, 7), dims(1, 0, 0)), 0)),
                 kernel::copy_run, {{8, 42, 0, 1}, {42, 1, 1, 0}}));
// ... but not if the input's rows are not dense.
static_assert(is(plan_of(gather_op::lower(strided(dims(100, 6), dims(12, 2)),
                                          strided(dims(8, 6), dims(1, 0)), 0)),
                 kernel::strided_run, {{8, 6, 0, 1}, {6, 1, 2, 0}}));
// A transposed input is only other strides, but its axis is not dense.
static_assert(is(plan_of(gather_op::lower(strided(dims(6, 100), dims(1, 6)), dense(dims(6, 8)), 1)),
                 kernel::offset_gather, {{6, 8, 1, 8}, {8, 1, 0, 1}}));
// So is a reversed one.
static_assert(is(plan_of(gather_op::lower(strided(dims(100, 6), dims(6, -1)), dense(dims(8, 6)),
                                          0)),
                 kernel::offset_gather, {{8, 6, 0, 6}, {6, 1, -1, 1}}));
// Dims of extent 1 are dropped, whatever their strides.
static_assert(is(plan_of(gather_op::lower(strided(dims(1, 100, 1), dims(77, 3, -5)),
                                          strided(dims(1, 8, 1), dims(99, 2, 99)), 1)),
                 kernel::strided_gather, {{8, 1, 0, 2}}));
static_assert(is(plan_of(gather_op::lower(strided(dims(1, 100, 1), dims(77, 3, -5)),
                                          strided(dims(1, 8, 1), dims(99, 1, 99)), 1)),
                 kernel::offset_gather, {{8, 1, 0, 1}}));
// Without dims, or with none left, one element is copied.
static_assert(is(plan_of(gather_op::lower(dense(dims<0>()), dense(dims<0>()), 0)), kernel::copy_run,
                 {{1, 1, 1, 0}}));
static_assert(is(plan_of(gather_op::lower(dense(dims(100, 1)), dense(dims(1, 1)), 0)),
                 kernel::copy_run, {{1, 1, 1, 0}}));
static_assert(is(plan_of(gather_op::lower(dense(dims<>(4, 16, 10)), dense(dims<>(4, 16, 1)), -1)),
                 kernel::offset_gather, {{64, 1, 10, 1}}),
              "a run-time rank plans the same");

// index_select
static_assert(is(plan_of(index_select_op::lower(dense(dims(100, 32)), dense(dims(8)), 0)),
                 kernel::copy_run, {{8, 32, 0, 1}, {32, 1, 1, 0}}));
static_assert(is(plan_of(index_select_op::lower(dense(dims(100, 4, 8)), dense(dims(8)), 0)),
                 kernel::copy_run, {{8, 32, 0, 1}, {32, 1, 1, 0}}));
static_assert(is(plan_of(index_select_op::lower(dense(dims(32, 100)), dense(dims(8)), 1)),
                 kernel::shared_lookup, {{32, 8, 100, 0}, {8, 1, 0, 1}}));
static_assert(is(plan_of(index_select_op::lower(dense(dims(2, 16, 100)), dense(dims(8)), 2)),
                 kernel::shared_lookup, {{32, 8, 100, 0}, {8, 1, 0, 1}}),
              "rows that share one index are one loop");
static_assert(is(plan_of(index_select_op::lower(dense(dims(100, 32)), dense(dims<0>()), 0)),
                 kernel::copy_run, {{32, 1, 1, 0}}));
static_assert(is(plan_of(index_select_op::lower(dense(dims(100, 32)), strided(dims(8), dims(-2)),
                                                0)),
                 kernel::copy_run, {{8, 32, 0, -2}, {32, 1, 1, 0}}));

// take
static_assert(is(plan_of(take_op::lower(dense(dims(100, 32)), dense(dims(3, 5)), 0)),
                 kernel::copy_run, {{15, 32, 0, 1}, {32, 1, 1, 0}}),
              "the dims of the index are one loop");
static_assert(is(plan_of(take_op::lower(dense(dims(7, 100)), dense(dims(3, 5)), 1)),
                 kernel::shared_lookup, {{7, 15, 100, 0}, {15, 1, 0, 1}}));
static_assert(is(plan_of(take_op::lower(dense(dims(7, 100, 4)), dense(dims<0>()), 1)),
                 kernel::copy_run, {{7, 4, 400, 0}, {4, 1, 1, 0}}));
static_assert(is(plan_of(take_op::lower(dense(dims(4, 100, 8)), dense(dims(4, 6)), 1, 1)),
                 kernel::copy_run, {{4, 48, 800, 6}, {6, 8, 0, 1}, {8, 1, 1, 0}}),
              "batch_dims");
static_assert(is(plan_of(take_op::lower(dense(dims(4, 5, 100)), dense(dims(4, 5, 6)), 2, 2)),
                 kernel::lookup, {{20, 6, 100, 6}, {6, 1, 0, 1}}));
static_assert(is(plan_of(flat_op<take_op>::lower(dense(dims(7, 100)), dense(dims(3, 5)))),
                 kernel::lookup, {{15, 1, 0, 1}}));

// take_along_dim
static_assert(is(plan_of(take_along_dim_op::lower(dense(dims(6, 100)), dense(dims(1, 8)), 1)),
                 kernel::shared_lookup, {{6, 8, 100, 0}, {8, 1, 0, 1}}),
              "a broadcast index is read again for each row");
static_assert(is(plan_of(take_along_dim_op::lower(dense(dims(1, 100)), dense(dims(6, 8)), 1)),
                 kernel::lookup, {{48, 1, 0, 1}}),
              "a broadcast input is one table for all");
static_assert(is(plan_of(take_along_dim_op::lower(dense(dims(100, 6)), dense(dims(8, 1)), 0)),
                 kernel::copy_run, {{8, 6, 0, 1}, {6, 1, 1, 0}}));
static_assert(is(plan_of(take_along_dim_op::lower(dense(dims(100, 1)), dense(dims(8, 6)), 0)),
                 kernel::lookup, {{48, 1, 0, 1}}));
static_assert(is(plan_of(take_along_dim_op::lower(dense(dims(6, 100, 5)), dense(dims(6, 1, 5)), 1)),
                 kernel::offset_gather, {{6, 5, 500, 5}, {5, 1, 1, 1}}));

// The layout of out decides the order of the loops, the outermost having the largest step.
constexpr auto square = gather_op::lower(dense(dims(6, 100)), dense(dims(6, 8)), 1);
static_assert(is(make_plan(square, dims(1, 6), 4), kernel::strided_gather,
                 {{8, 6, 0, 1}, {6, 1, 100, 8}}));
static_assert(is(make_plan(square, dims(-1, -6), 4), kernel::strided_gather,
                 {{8, -6, 0, 1}, {6, -1, 100, 8}}));
static_assert(is(make_plan(square, dims(16, 2), 4), kernel::strided_gather,
                 {{6, 16, 100, 8}, {8, 2, 0, 1}}));
static_assert(is(make_plan(index_select_op::lower(dense(dims(100, 6)), dense(dims(8)), 0),
                           dims(12, 2), 4),
                 kernel::strided_run, {{8, 12, 0, 1}, {6, 2, 1, 0}}),
              "a copy into every other element is no row copy");
// A padded out keeps loops apart that a dense one would join.
static_assert(is(make_plan(take_op::lower(dense(dims(9)), dense(dims(3, 5)), 0), dims(8, 1), 4),
                 kernel::lookup, {{3, 8, 0, 5}, {5, 1, 0, 1}}));

static_assert(can_join({3, 20, 0, 4}, {4, 5, 0, 1}));
static_assert(!can_join({3, 21, 0, 4}, {4, 5, 0, 1}));
static_assert(!can_join({3, 20, 1, 4}, {4, 5, 0, 1}));
static_assert(!can_join({3, 20, 0, 5}, {4, 5, 0, 1}));

// register_lookup
constexpr kernel table_kernel(index_t entries, index_t n, std::size_t element_size) {
  return plan_of(take_op::lower(dense(dims(entries)), dense(dims(n)), 0), element_size).inner;
}
static_assert(table_kernel(16, 128, 4) == kernel::register_lookup);
static_assert(table_kernel(16, 127, 4) == kernel::lookup, "too few to be worth it");
static_assert(table_kernel(17, 128, 4) == kernel::lookup, "too many entries");
static_assert(table_kernel(16, 128, 1) == kernel::register_lookup);
static_assert(table_kernel(1, 128, 1) == kernel::register_lookup);
static_assert(table_kernel(16, 128, 8) == kernel::lookup);
static_assert(table_kernel(8, 8, 4) == kernel::register_lookup, "a table that is one load");
static_assert(table_kernel(8, 7, 4) == kernel::lookup);
static_assert(table_kernel(8, 8, 1) == kernel::lookup);
static_assert(plan_of(index_select_op::lower(dense(dims(6, 8)), dense(dims(200)), 1)).inner ==
                  kernel::register_lookup,
              "rather than shared_lookup");
static_assert(plan_of(index_select_op::lower(strided(dims(6, 8), dims(1, 6)), dense(dims(200)), 1))
                      .inner == kernel::offset_gather,
              "a table with gaps");

// A source without elements: no strides, no hints.
constexpr auto forgotten = [] {
  auto p = plan_of(gather_op::lower(dense(dims(4096, 1024)), dense(dims(4096, 256)), 1));
  p.forget_source();
  return p;
}();
static_assert(is(forgotten, kernel::lookup, {{4096, 256, 0, 256}, {256, 1, 0, 1}}));
static_assert(!forgotten.memory.is_far && forgotten.memory.asked_bytes == 0);

// What is asked for while a run is read: the next table ...
constexpr hints next_table =
    plan_of(gather_op::lower(dense(dims(4096, 1024)), dense(dims(4096, 256)), 1)).memory;
static_assert(next_table.asked_from == 4096 && next_table.asked_bytes == 1023 * 4);
// ... from its end if an index counts backwards ...
constexpr hints reversed_table =
    plan_of(gather_op::lower(strided(dims(4096, 1024), dims(1024, -1)), dense(dims(4096, 256)), 1))
        .memory;
static_assert(reversed_table.asked_from == 4096 && reversed_table.asked_bytes == -1023 * 4);
// ... and behind it if that is where the next one lies ...
constexpr hints table_before =
    plan_of(gather_op::lower(strided(dims(4096, 1024), dims(-1024, 1)), dense(dims(4096, 256)), 1))
        .memory;
static_assert(table_before.asked_from == -4096 && table_before.asked_bytes == 1023 * 4);
// ... a few of them if they are short, ...
static_assert(plan_of(gather_op::lower(dense(dims(65536, 64)), dense(dims(65536, 16)), 1))
                  .memory.asked_from == 5 * 256);
// ... or what comes next along the run.
constexpr hints along_run =
    plan_of(gather_op::lower(dense(dims(1 << 20, 8)), dense(dims(1 << 20, 1)), 1)).memory;
static_assert(along_run.asked_from == 33 * 32 && along_run.asked_bytes == 32 << 20);
static_assert(lead(1) == 1025 && lead(-1) == -1025 && lead(2000) == 2000 && lead(-2000) == -2000);

static_assert(spread(dims(3, 1, 5), dims(10, 77, -2), 4) == (20 + 8) * 4);
static_assert(spread(dims<0>(), dims<0>(), 4) == 0);

/// gather along dim 0 from `rows` rows of `columns` elements.
constexpr index_t strip_of(index_t rows, index_t columns, std::size_t element_size) {
  return plan_of(gather_op::lower(dense(dims(rows, columns)), dense(dims(rows, columns)), 0),
                 element_size)
      .strip;
}
static_assert(strip_of(1024, 4096, 4) == 1024);
static_assert(strip_of(1024, 4096, 8) == 512);
static_assert(strip_of(1024, 1024, 4) == 1024, "no strips where all is mapped");
static_assert(strip_of(1025, 4096, 4) == 4096, "nor where a page of each row is not");
static_assert(strip_of(1024, 4, 5000) == 1, "elements larger than a page");

// Where each choice begins.
static_assert(garner::detail::strip_of({4096, 1, 1, 1}, mapped_bytes + 1, 1024, 4) == 1024);
static_assert(garner::detail::strip_of({4096, 1, 2, 1}, mapped_bytes + 1, 1024, 4) == 4096);
static_assert(garner::detail::strip_of({4096, 1, 1, 0}, mapped_bytes + 1, 1024, 4) == 4096);
static_assert(garner::detail::strip_of({4096, 1, 1, 1}, mapped_bytes, 1024, 4) == 4096);
static_assert(garner::detail::strip_of({4096, 1, 1, 1}, mapped_bytes + 1, 1025, 4) == 4096);

static_assert(comb_of({64, 1, 1, 1}, 1024, first_bytes + 1, 4) == 16);
static_assert(comb_of({64, 1, 1, 1}, -512, first_bytes + 1, 8) == 8);
static_assert(comb_of({64, 1, 1, 1}, 128, first_bytes + 1, 32) == 2);
static_assert(comb_of({64, 1, 1, 1}, 64, first_bytes + 1, 64) == 1, "one element a line");
static_assert(comb_of({64, 1, 1, 1}, 1024, first_bytes + 1, 12) == 1, "elements across lines");
static_assert(comb_of({64, 1, 1, 1}, 1024, first_bytes, 4) == 1, "all is in the first cache");
static_assert(comb_of({64, 1, 1, 1}, 1023, first_bytes + 1, 4) == 1, "rows in several sets");
static_assert(comb_of({64, 1, 0, 1}, 1024, first_bytes + 1, 4) == 1, "indices meet in the run");
static_assert(comb_of({64, 1, 2, 1}, 1024, first_bytes + 1, 4) == 1);
static_assert(comb_of({64, 1, 1, 0}, 1024, first_bytes + 1, 4) == 1, "whole rows");

/// Hints for `picked` bytes out of a table of `extent`.
constexpr hints flat_hints(index_t extent, index_t picked) {
  return plan_of(flat_op<take_op>::lower(dense(dims(extent)), dense(dims(picked))), 1).memory;
}
static_assert(!flat_hints(near_bytes + 1, 8192).is_far);
static_assert(flat_hints(near_bytes + 2, 8192).is_far);
static_assert(!flat_hints(mapped_bytes + 1, 8192).is_scattered);
static_assert(flat_hints(mapped_bytes + 2, 8192).is_scattered);
static_assert(!flat_hints(2 * cached_bytes, cached_bytes / 4).is_streamed);
static_assert(flat_hints(2 * cached_bytes, cached_bytes / 4 + 1).is_streamed);
static_assert(!flat_hints(cached_bytes / 2 + 1, cached_bytes / 2).is_streamed);
static_assert(flat_hints(cached_bytes / 2 + 2, cached_bytes / 2).is_streamed);

/// Hints for `picked` bytes out of each of `rows` tables.
constexpr hints row_hints(const layout<2>& tables, index_t picked) {
  return plan_of(gather_op::lower(tables, dense(dims(tables.shape[0], picked)), 1), 1).memory;
}
static_assert(!row_hints(dense(dims(1 << 20, 0)), 8).is_far, "there is nothing to ask for");
static_assert(row_hints(dense(dims(1 << 20, 1)), 1).asked_from == 1025);
static_assert(row_hints(dense(dims(1 << 20, 1)), 1).asked_bytes == 1 << 20);
static_assert(row_hints(dense(dims(4096, 1025)), 8).asked_bytes == 1024, "every other line");
static_assert(row_hints(dense(dims(4096, 1089)), 8).asked_bytes == 0, "too few of the lines");
static_assert(row_hints(strided(dims(1 << 16, 257), dims(64, 1)), 1).asked_bytes == 64 << 16);
static_assert(row_hints(strided(dims(1 << 16, 258), dims(64, 1)), 1).asked_bytes == 0);
static_assert(row_hints(strided(dims(1 << 16, 257), dims(65, 1)), 1).asked_bytes == 0);
// The run steps itself: not the next table but what comes next along the run.
constexpr hints inner_run =
    plan_of(gather_op::lower(strided(dims(K, K, 2), dims(4 * K, 2, 1)), dense(dims(K, K, 1)), 2))
        .memory;
static_assert(inner_run.asked_from == 129 * 8 && inner_run.asked_bytes == 8 * K);
// All rows of a block read one table.
constexpr indexed_copy<3> one_table{
    dims(K, 8, 8), dims(K, 0, 0), dims(256, 16, 1), {dims(4), dims(1)}, 0};
static_assert(plan_of(one_table).memory.is_far && plan_of(one_table).memory.asked_bytes == 0);

// packed_gather: all of its conditions.
constexpr bool packs(const loop& rows, const loop& run) {
  return accepts(kernel::packed_gather, rows, run, {1024, 1024}, 4);
}
static_assert(packs({1024, 256, 1, 256}, {256, 1, 0, 1}));
static_assert(!packs({1024, 256, 2, 256}, {256, 1, 0, 1}));
static_assert(!packs({1024, 256, 1, 256}, {256, 1, 1, 1}));
static_assert(!packs({1024, 256, 1, 256}, {256, 2, 0, 1}));
static_assert(!packs({1024, 256, 1, 256}, {127, 1, 0, 1}));
static_assert(accepts(kernel::strided_gather, {8, 9, 7, 5}, {4, 2, 3, 2}, {5, 3}, 4));
static_assert(is_worth_packing(1024, 4, 4096, 256) && !is_worth_packing(1025, 4, 4096, 1 << 20));
static_assert(!is_worth_packing(8, 4, 0, 256) && !is_worth_packing(8, 4, 1028, 256));
static_assert(!is_worth_packing(8, 3, 3072, 256));
static_assert(is_worth_packing(1024, 4, 4096, 128) && !is_worth_packing(1024, 4, 4096, 127));

// An axis without a single stride is no table to look up in.
static_assert(plan_of(flat_op<take_op>::lower(strided(dims(4, 4), dims(8, 1)), dense(dims(200))))
                  .inner == kernel::offset_gather);

/// Loops over (2, 3) whose second dim has the larger step in out.
constexpr nest<2> nest_of(const dims<2>& src, order among) {
  return make_nest(indexed_copy<2>{dims(2, 3), src, dims(3, 1), {}, 0}, dims(1, 2), among);
}
static_assert(nest_of(dims(0, 0), order::free).loops[0] == loop{3, 2, 0, 1});
static_assert(nest_of(dims(0, 0), order::kept).loops[0] == loop{2, 1, 0, 3});
static_assert(nest_of(dims(0, 1), order::kept).loops[0] == loop{3, 2, 1, 1});
static_assert(nest_of(dims(1, 0), order::kept).loops[0] == loop{3, 2, 0, 1});
static_assert(nest_of(dims(1, 1), order::kept).loops[0] == loop{3, 2, 1, 1});
static_assert(make_nest(indexed_copy<2>{dims(2, 3), dims(5, 7), dims(3, 1), {}, 0}, dims(1, 1))
                      .loops[0] == loop{2, 1, 5, 3},
              "equal steps keep their order");

template <int Rank>
std::string print(const plan<Rank>& p) {
  std::ostringstream out;
  out << p;
  return out.str();
}

/// All triples of offsets that a walk touches, sorted: the order of writes is free.
using triples = std::vector<std::array<index_t, 3>>;

template <int Rank>
triples walk(const plan<Rank>& p) {
  triples result;
  const loop& rows = p.rows();
  const loop& run = p.run();
  for (index_t first = 0; first < run.extent; first += p.strip) {
    auto place = p.blocks();
    do {
      for (index_t r = 0; r < rows.extent; ++r) {
        for (index_t i = first; i < std::min(first + p.strip, run.extent); ++i) {
          result.push_back({place.out + r * rows.out_stride + i * run.out_stride,
                            place.src + r * rows.src_stride + i * run.src_stride,
                            place.index + r * rows.index_stride + i * run.index_stride});
        }
      }
    } while (place.next());
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

TEST_CASE("plan: prints as one line", "[plan][print]") {
  CHECK(print(plan_of(gather_op::lower(dense(dims(2048, 1000)), dense(dims(2048, 8)), 1))) ==
        "lookup, far: 2048 x (8, 1000, 8) > 8 x (1, 0, 1)");
  CHECK(print(plan_of(gather_op::lower(dense(dims(100, 1)), dense(dims(1, 1)), 0))) ==
        "copy_run: 1 x (1, 1, 0)");
  plan<1> all{{{{{64, 1, 1, 1}}}, 1}, kernel::offset_gather, 16, {true, true, true, 64, -1}};
  CHECK(print(all) ==
        "offset_gather, far, scattered, asking, streamed, in strips of 16: 64 x (1, 1, 1)");
  CHECK(name(kernel::strided_run) == std::string("strided_run"));
  CHECK(name(kernel::strided_gather) == std::string("strided_gather"));
}

TEST_CASE("plan: strips and hints at run time", "[plan][choice]") {
  const auto strip = [](index_t entries, index_t size) {
    return garner::detail::strip_of({4096, 1, 1, 1}, mapped_bytes + 1, entries, size);
  };
  CHECK(strip(1024, 4) == 1024);
  CHECK(strip(1025, 4) == 4096);
  CHECK(strip(1024, 5000) == 1);
  CHECK_FALSE(row_hints(dense(dims(1 << 20, 0)), 8).is_far);
  CHECK_FALSE(is_worth_packing(1025, 4, 4096, 1 << 20));
}

// The shapes of bench/ops.

TEST_CASE("plan: gather along the last dim", "[plan][choice]") {
  const auto last = [](index_t rows, index_t columns, index_t picked, std::size_t size) {
    return print(
        plan_of(gather_op::lower(dense(dims(rows, columns)), dense(dims(rows, picked)), 1), size));
  };
  CHECK(last(2048, 32000, 1, 4) == "offset_gather, far, scattered: 2048 x (1, 32000, 1)");
  CHECK(last(4 * K, K, 256, 4) == "lookup, far, asking: 4096 x (256, 1024, 256) > 256 x (1, 0, 1)");
  CHECK(last(256, K, K, 4) == "lookup, far, asking: 256 x (1024, 1024, 1024) > 1024 x (1, 0, 1)");
  CHECK(last(64 * K, 64, 16, 4) == "lookup, far, asking: 65536 x (16, 64, 16) > 16 x (1, 0, 1)");
  CHECK(last(256, 16 * K, 4 * K, 4) ==
        "lookup, far, asking: 256 x (4096, 16384, 4096) > 4096 x (1, 0, 1)");
  CHECK(last(M, 8, 8, 4) ==
        "register_lookup, far, asking, streamed: 1048576 x (8, 8, 8) > 8 x (1, 0, 1)");
  CHECK(last(M, 8, 1, 4) == "offset_gather, far, asking: 1048576 x (1, 8, 1)");
  CHECK(last(2 * M, 3, 1, 1) == "offset_gather, far, asking: 2097152 x (1, 3, 1)");
  CHECK(last(256, K, K, 1) == "lookup: 256 x (1024, 1024, 1024) > 1024 x (1, 0, 1)");
  CHECK(last(256, K, K, 2) == "lookup: 256 x (1024, 1024, 1024) > 1024 x (1, 0, 1)");
  CHECK(last(256, K, K, 16) == "lookup, far, asking: 256 x (1024, 1024, 1024) > 1024 x (1, 0, 1)");
  CHECK(last(4, 8, 4, 4) == "lookup: 4 x (4, 8, 4) > 4 x (1, 0, 1)");
  CHECK(last(16, 64, 16, 4) == "lookup: 16 x (16, 64, 16) > 16 x (1, 0, 1)");
  CHECK(last(1, 1, 1, 4) == "copy_run: 1 x (1, 1, 0)");
}

TEST_CASE("plan: gather along other dims and from strided sources", "[plan][choice]") {
  const auto gather = [](const auto& input, index_t dim, const auto& index) {
    return print(plan_of(gather_op::lower(input, index, dim)));
  };
  const auto small = dense(dims(K, K));
  const auto large = dense(dims(K, 4 * K));
  CHECK(gather(small, 0, small) == "offset_gather, far: 1024 x (1024, 0, 1024) > 1024 x (1, 1, 1)");
  CHECK(gather(large, 0, large) ==
        "offset_gather, far, scattered, in strips of 1024: "
        "1024 x (4096, 0, 4096) > 4096 x (1, 1, 1)");
  const auto expanded = [&](index_t columns) {
    return gather(dense(dims(4 * K, columns)), 0, strided(dims(4 * K, columns), dims(1, 0)));
  };
  CHECK(expanded(64) == "copy_run, far: 4096 x (64, 0, 1) > 64 x (1, 1, 0)");
  CHECK(expanded(700) == "copy_run, far, scattered: 4096 x (700, 0, 1) > 700 x (1, 1, 0)");
  const auto cube = dense(dims(64, 512, 64));
  CHECK(gather(cube, 1, cube) ==
        "offset_gather, far: "
        "64 x (32768, 32768, 32768) > 512 x (64, 0, 64) > 64 x (1, 1, 1)");

  const auto strided_input = [&](index_t row, index_t column) {
    return gather(strided(dims(K, K), dims(row, column)), 1, dense(dims(K, index_t{256})));
  };
  CHECK(strided_input(1, K) == "packed_gather, far: 1024 x (256, 1, 256) > 256 x (1, 0, 1)");
  CHECK(strided_input(2 * K, 2) ==
        "offset_gather, far, asking: 1024 x (256, 2048, 256) > 256 x (1, 0, 1)");
  CHECK(gather(strided(dims(4, 4 * K), dims(1, 256)), 0, dense(dims(4, 4 * K))) ==
        "offset_gather, far: 4 x (4096, 0, 4096) > 4096 x (1, 256, 1)");
  CHECK(strided_input(K, -1) ==
        "offset_gather, far, asking: 1024 x (256, 1024, 256) > 256 x (1, 0, 1)");
}

TEST_CASE("plan: index_select and take_along_dim", "[plan][choice]") {
  const auto rows = [](index_t count, index_t width, index_t picked, std::size_t size) {
    return print(
        plan_of(index_select_op::lower(dense(dims(count, width)), dense(dims(picked)), 0), size));
  };
  CHECK(rows(256, 16, 256, 4) == "copy_run: 256 x (16, 0, 1) > 16 x (1, 1, 0)");
  CHECK(rows(4 * K, 16, 4 * K, 4) == "copy_run: 4096 x (16, 0, 1) > 16 x (1, 1, 0)");
  CHECK(rows(16 * K, 128, 16 * K, 4) == "copy_run, far: 16384 x (128, 0, 1) > 128 x (1, 1, 0)");
  CHECK(rows(200 * K, 128, 32 * K, 4) ==
        "copy_run, far, scattered, streamed: 32768 x (128, 0, 1) > 128 x (1, 1, 0)");
  CHECK(rows(200 * K, 128, 8 * K, 4) ==
        "copy_run, far, scattered: 8192 x (128, 0, 1) > 128 x (1, 1, 0)");
  CHECK(rows(341, 1, 341, 48) == "lookup: 341 x (1, 0, 1)");
  CHECK(rows(2 * M, 1, 300 * K, 48) == "lookup, far, scattered, streamed: 307200 x (1, 0, 1)");

  const auto matrix = dense(dims(K, K));
  CHECK(print(plan_of(index_select_op::lower(matrix, dense(dims(512)), 1))) ==
        "shared_lookup, far, asking: 1024 x (512, 1024, 0) > 512 x (1, 0, 1)");
  CHECK(print(plan_of(index_select_op::lower(dense(dims(64, 512, 64)), dense(dims(256)), 1))) ==
        "copy_run, far: 64 x (16384, 32768, 0) > 256 x (64, 0, 1) > 64 x (1, 1, 0)");
  const auto x = dense(dims(256, 1024));
  CHECK(print(plan_of(take_along_dim_op::lower(x, x, 1))) ==
        "lookup, far, asking: 256 x (1024, 1024, 1024) > 1024 x (1, 0, 1)");
  CHECK(print(plan_of(take_along_dim_op::lower(x, dense(dims(1, 256)), 1))) ==
        "shared_lookup, far, asking: 256 x (256, 1024, 0) > 256 x (1, 0, 1)");
}

TEST_CASE("plan: take from flat tables", "[plan][choice]") {
  const auto flat = [](index_t extent, index_t picked, std::size_t size) {
    return print(plan_of(flat_op<take_op>::lower(dense(dims(extent)), dense(dims(picked))), size));
  };
  CHECK(flat(4 * K, M, 4) == "lookup: 1048576 x (1, 0, 1)");
  CHECK(flat(256 * K, M, 4) == "lookup, far: 1048576 x (1, 0, 1)");
  CHECK(flat(64 * M, M, 4) == "lookup, far, scattered: 1048576 x (1, 0, 1)");
  CHECK(flat(64 * M, 4 * M, 4) == "lookup, far, scattered, streamed: 4194304 x (1, 0, 1)");
  CHECK(flat(64 * M, K, 4) == "lookup: 1024 x (1, 0, 1)");  // too few to think about
  CHECK(flat(64 * M, K + 1, 4) == "lookup, far, scattered: 1025 x (1, 0, 1)");
  CHECK(flat(256, M, 4) == "lookup: 1048576 x (1, 0, 1)");
  CHECK(flat(16, 4 * M, 1) == "register_lookup: 4194304 x (1, 0, 1)");
  CHECK(flat(256, 4 * M, 1) == "lookup: 4194304 x (1, 0, 1)");
  CHECK(flat(16, M, 4) == "register_lookup: 1048576 x (1, 0, 1)");
  CHECK(flat(8, 1, 4) == "copy_run: 1 x (1, 1, 0)");
}

TEST_CASE("plan: walks the coordinates of its problem, each once", "[plan][property]") {
  int in_strips = 0;
  test::prop("a plan is the nest of loops it came from", 3000, [&] {
    const auto rank = *uniform<std::size_t>(0, 5);
    const auto extents = uniform<index_t>(1, 4);
    const auto strides = rc::gen::element<index_t>(0, 0, 1, 1, 2, 3, 4, 6, 12, -1, -2, -6);
    using list = std::vector<index_t>;
    const list shape = *rc::gen::container<list>(rank, extents);
    list src = *rc::gen::container<list>(rank, strides);
    list index = *rc::gen::container<list>(rank, strides);
    // Out's strides nest in a random order, as they must.
    list out(rank);
    std::vector<std::size_t> order(rank);
    for (std::size_t d = 0; d < rank; ++d) order[d] = d;
    for (std::size_t d = rank; d > 1; --d) {
      std::swap(order[d - 1], order[*uniform<std::size_t>(0, d)]);
    }
    index_t stride = *rc::gen::element<index_t>(1, 1, 2);
    for (std::size_t d : order) {
      out[d] = *uniform(0, 4) == 0 ? -stride : stride;
      stride *= shape[d] + *rc::gen::element<index_t>(0, 0, 1);
    }

    if (*uniform(0, 4) == 0) src = index = out;

    triples expected{{0, 0, 0}};
    for (std::size_t d = 0; d < rank; ++d) {
      triples next;
      for (const auto& at : expected) {
        for (index_t i = 0; i < shape[d]; ++i) {
          next.push_back({at[0] + i * out[d], at[1] + i * src[d], at[2] + i * index[d]});
        }
      }
      expected = next;
    }
    std::sort(expected.begin(), expected.end());

    // Large elements far apart call for strips.
    const auto axis_stride = *rc::gen::element<index_t>(1, 1, 2, 1000, -1000);
    const auto size = *rc::gen::element<std::size_t>(1, 4, 1500, 5000);
    const indexed_copy<dynamic_rank> problem{shape, src, index, {dims(9), dims(axis_stride)}, 0};
    const auto p = make_plan(problem, dims<>(out), size);
    RC_ASSERT(p.depth >= 1u);
    RC_ASSERT(p.strip >= 1);
    in_strips += p.strip < p.run().extent;
    RC_ASSERT(walk(p) == expected);
    for (std::size_t k = 1; k < p.depth; ++k) {
      RC_ASSERT(std::abs(p.loops[k - 1].out_stride) >= std::abs(p.loops[k].out_stride));
      RC_ASSERT(!can_join(p.loops[k - 1], p.loops[k]));
    }
    const loop run = p.run();
    RC_ASSERT((p.inner == kernel::copy_run || p.inner == kernel::strided_run) ==
              (run.index_stride == 0));
    const bool is_lookup = p.inner == kernel::lookup || p.inner == kernel::shared_lookup;
    RC_ASSERT(is_lookup == (run.out_stride == 1 && run.index_stride == 1 && run.src_stride == 0 &&
                            axis_stride == 1));
    RC_ASSERT((p.inner == kernel::shared_lookup) ==
              (is_lookup && p.depth > 1 && p.rows().index_stride == 0));
  });
  CHECK(in_strips >= test::case_count(3000) / 400);
}
