// SPDX-License-Identifier: BSD-3-Clause
// Plans, pinned at compile time: how deep, which loops, which kernel.
#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <set>
#include <sstream>
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
constexpr plan<Rank> plan_of(const indexed_copy<Rank, AxisRank>& problem) {
  return make_plan(problem, row_major_strides(problem.shape));
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
// A transposed input is only other strides.
static_assert(is(plan_of(gather_op::lower(strided(dims(6, 100), dims(1, 6)), dense(dims(6, 8)), 1)),
                 kernel::lookup, {{6, 8, 1, 8}, {8, 1, 0, 1}}));
// So is a reversed one.
static_assert(is(plan_of(gather_op::lower(strided(dims(100, 6), dims(6, -1)), dense(dims(8, 6)),
                                          0)),
                 kernel::offset_gather, {{8, 6, 0, 6}, {6, 1, -1, 1}}));
// Dims of extent 1 are dropped, whatever their strides.
static_assert(is(plan_of(gather_op::lower(strided(dims(1, 100, 1), dims(77, 3, -5)),
                                          strided(dims(1, 8, 1), dims(99, 2, 99)), 1)),
                 kernel::lookup, {{8, 1, 0, 2}}));
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
                 kernel::lookup, {{32, 8, 100, 0}, {8, 1, 0, 1}}));
static_assert(is(plan_of(index_select_op::lower(dense(dims(2, 16, 100)), dense(dims(8)), 2)),
                 kernel::lookup, {{32, 8, 100, 0}, {8, 1, 0, 1}}),
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
static_assert(is(plan_of(take_op::lower(dense(dims(7, 100)), dense(dims(3, 5)), 1)), kernel::lookup,
                 {{7, 15, 100, 0}, {15, 1, 0, 1}}));
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
                 kernel::lookup, {{6, 8, 100, 0}, {8, 1, 0, 1}}),
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
static_assert(is(make_plan(square, dims(1, 6)), kernel::offset_gather,
                 {{8, 6, 0, 1}, {6, 1, 100, 8}}));
static_assert(is(make_plan(square, dims(-1, -6)), kernel::offset_gather,
                 {{8, -6, 0, 1}, {6, -1, 100, 8}}));
static_assert(is(make_plan(square, dims(16, 2)), kernel::lookup, {{6, 16, 100, 8}, {8, 2, 0, 1}}));
static_assert(is(make_plan(index_select_op::lower(dense(dims(100, 6)), dense(dims(8)), 0),
                           dims(12, 2)),
                 kernel::strided_run, {{8, 12, 0, 1}, {6, 2, 1, 0}}),
              "a copy into every other element is no row copy");
// A padded out keeps loops apart that a dense one would join.
static_assert(is(make_plan(take_op::lower(dense(dims(9)), dense(dims(3, 5)), 0), dims(8, 1)),
                 kernel::lookup, {{3, 8, 0, 5}, {5, 1, 0, 1}}));

static_assert(can_join({3, 20, 0, 4}, {4, 5, 0, 1}));
static_assert(!can_join({3, 21, 0, 4}, {4, 5, 0, 1}));
static_assert(!can_join({3, 20, 1, 4}, {4, 5, 0, 1}));
static_assert(!can_join({3, 20, 0, 5}, {4, 5, 0, 1}));

/// All triples of offsets that a walk touches, sorted: the order of writes is free.
using triples = std::vector<std::array<index_t, 3>>;

template <int Rank>
triples walk(const plan<Rank>& p) {
  triples result;
  const loop& run = p.run();
  auto place = p.runs();
  do {
    for (index_t i = 0; i < run.extent; ++i) {
      result.push_back({place.out + i * run.out_stride, place.src + i * run.src_stride,
                        place.index + i * run.index_stride});
    }
  } while (place.next());
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

TEST_CASE("plan: prints as one line", "[plan][print]") {
  std::ostringstream out;
  out << plan_of(gather_op::lower(dense(dims(2048, 1000)), dense(dims(2048, 8)), 1));
  CHECK(out.str() == "lookup: 2048 x (8, 1000, 8) > 8 x (1, 0, 1)");
  out.str("");
  out << plan_of(gather_op::lower(dense(dims(100, 1)), dense(dims(1, 1)), 0));
  CHECK(out.str() == "copy_run: 1 x (1, 1, 0)");
  CHECK(name(kernel::strided_run) == std::string("strided_run"));
  CHECK(name(kernel::offset_gather) == std::string("offset_gather"));
}

TEST_CASE("plan: walks the coordinates of its problem, each once", "[plan][property]") {
  test::prop("a plan is the nest of loops it came from", 3000, [] {
    const auto rank = *uniform<std::size_t>(0, 5);
    const auto extents = uniform<index_t>(1, 4);
    const auto strides = rc::gen::element<index_t>(0, 0, 1, 1, 2, 3, 4, 6, 12, -1, -2, -6);
    using list = std::vector<index_t>;
    const list shape = *rc::gen::container<list>(rank, extents);
    const list src = *rc::gen::container<list>(rank, strides);
    const list index = *rc::gen::container<list>(rank, strides);
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

    const indexed_copy<dynamic_rank> problem{shape, src, index, {dims(9), dims(1)}, 0};
    const auto p = make_plan(problem, dims<>(out));
    RC_ASSERT(p.depth >= 1u);
    RC_ASSERT(walk(p) == expected);
    for (std::size_t k = 1; k < p.depth; ++k) {
      RC_ASSERT(std::abs(p.loops[k - 1].out_stride) >= std::abs(p.loops[k].out_stride));
      RC_ASSERT(!can_join(p.loops[k - 1], p.loops[k]));
    }
    const loop run = p.run();
    RC_ASSERT((p.inner == kernel::copy_run || p.inner == kernel::strided_run) ==
              (run.index_stride == 0));
    RC_ASSERT((p.inner == kernel::lookup) == (run.index_stride != 0 && run.src_stride == 0));
  });
}
