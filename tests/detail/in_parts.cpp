// SPDX-License-Identifier: BSD-3-Clause
// Large indices, which calls that return a tensor check part by part: the same results and the same
// errors as the _into forms, which check first.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include <garner/detail/execute.hpp>
#include <garner/detail/plan.hpp>
#include <garner/garner.hpp>

#include "support/catch.hpp"
#include "support/elements.hpp"
#include "support/errors.hpp"
#include "support/throwing.hpp"

using garner::dims;
using garner::index_t;
using garner::tensor;
using namespace garner::detail;

namespace {

/// Numbers below `extent` that look random.
template <class Index, int Rank>
tensor<Index, Rank> indices(const dims<Rank>& shape, index_t extent) {
  tensor<Index, Rank> result(shape);
  std::uint64_t n = 0;
  for (Index& i : result) {
    i = static_cast<Index>(test::mix(++n) % static_cast<std::uint64_t>(extent));
  }
  return result;
}

template <class T = int, int Rank>
tensor<T, Rank> numbered(const dims<Rank>& shape) {
  tensor<T, Rank> result(shape);
  std::iota(result.begin(), result.end(), T{});
  return result;
}

/// Executes the plan in parts of all sizes, against the plan as a whole; and stops at each part.
template <int Rank>
void check_parts(kernel expected_kernel, const indexed_copy<Rank>& problem,
                 const tensor<int, Rank>& src, index_t least = 1) {
  index_t count = 1;
  for (int d = 0; d < problem.shape.rank(); ++d) {
    if (problem.index_strides[d] != 0) count *= problem.shape[d];
  }
  const auto list = indices<std::int64_t>(dims(count), problem.axis_extent());
  const std::vector<std::int64_t> index(list.begin(), list.end());
  using cell = bits<4>;
  tensor<int, Rank> expected(problem.shape);
  const auto plan = make_plan(problem, row_major_strides(problem.shape), sizeof(int));
  REQUIRE(plan.inner == expected_kernel);
  REQUIRE(plan.has_parts());
  const locator<cell, resolver<std::int64_t, garner::unchecked_t, garner::reject_negative_t>,
                even_axis>
      locate{{problem.axis_extent()}, {problem.axis.strides[0]}, nullptr};
  execute<default_arch, cell>(plan, cell::erase(expected.data()), cell::erase(src.data()),
                              index.data(), locate);
  for (index_t most = least; most <= std::ssize(index) + 1; most += 1 + most / 3) {
    INFO(name(plan.inner) << " in parts of " << most);
    index_t parts = 1000;
    for (index_t stop = 1000; stop >= 0; stop = std::min(stop, parts) - 1) {
      std::vector<int> seen(index.size());
      parts = 0;
      tensor<int, Rank> out(problem.shape);
      const bool is_done = execute_in_parts<default_arch, cell>(
          plan, cell::erase(out.data()), cell::erase(src.data()), index.data(), locate, most,
          [&](const block& part, const std::int64_t* first) {
            const index_t run = part.run.index_stride == 0 ? 1 : part.run.extent;
            CHECK(part.rows.extent * run < 2 * most);
            for (index_t r = 0; r < part.rows.extent; ++r) {
              for (index_t i = 0; i < run; ++i) {
                const auto at =
                    first - index.data() + r * part.rows.index_stride + i * part.run.index_stride;
                ++seen[static_cast<std::size_t>(at)];
              }
            }
            return ++parts <= stop;
          });
      if (is_done) {
        CHECK(std::equal(out.begin(), out.end(), expected.begin()));
        CHECK(seen == std::vector<int>(index.size(), 1));
        CHECK(parts <= stop);
      } else {
        CHECK(parts == stop + 1);
        if (stop == 0) CHECK(std::all_of(out.begin(), out.end(), [](int x) { return x == 0; }));
      }
    }
  }
}

/// The call that returns a tensor against the one that writes into memory, for an index that is
/// legal; then for one that is bad in the first, some middle or the last place.
template <class Call, class CallInto, class T, int Rank, class Index, int IndexRank>
void check_call(const Call& call, const CallInto& call_into, tensor<T, Rank> expected,
                const tensor<Index, IndexRank>& legal, Index bad) {
  auto index = legal;
  call_into(expected, index);
  const auto got = call(index);
  REQUIRE(got.shape() == expected.shape());
  CHECK(std::equal(got.begin(), got.end(), expected.begin()));
  for (const index_t at : {index_t{0}, index.size() / 2, index.size() - 1}) {
    index = legal;
    index.data()[at] = bad;
    const auto message = test::index_error_of([&] { call_into(expected, index); });
    CHECK(message != "nothing was thrown");
    CHECK(test::index_error_of([&] { call(index); }) == message);
  }
}

constexpr index_t many = 150'001;  // of any size they take more than 128 KB, of 8 bytes a MB

template <int Rank>
constexpr layout<Rank> dense(const dims<Rank>& shape) {
  return {shape, row_major_strides(shape)};
}

}  // namespace

TEST_CASE("in parts: each index once, just before it is used", "[in_parts]") {
  const auto src = numbered(dims(40, 50));
  const layout<2> rows = dense(dims(40, 50));
  const layout<2> columns{dims(50, 40), dims(1, 50)};
  check_parts(kernel::lookup, gather_op::lower(rows, dense(dims(40, 7)), 1), src);
  check_parts(kernel::offset_gather, gather_op::lower(rows, dense(dims(9, 50)), 0), src);
  check_parts(kernel::strided_gather,
              gather_op::lower(columns, layout<2>{dims(8, 12), dims(1, 8)}, 1), src);
  check_parts(kernel::copy_run, index_select_op::lower(rows, dense(dims(33)), 0), src);
  check_parts(kernel::strided_run, index_select_op::lower(columns, dense(dims(33)), 0), src);
  const auto cube = numbered(dims(4, 5, 6));
  check_parts(kernel::offset_gather,
              gather_op::lower(dense(dims(4, 5, 6)), dense(dims(3, 11, 4)), 1), cube);
  const auto line = numbered(dims(3000));
  check_parts(kernel::lookup, index_select_op::lower(dense(dims(3000)), dense(dims(500)), 0), line);
  // A register's worth of indices at least.
  check_parts(kernel::register_lookup, index_select_op::lower(dense(dims(16)), dense(dims(700)), 0),
              line, 128);
}

TEST_CASE("in parts: not where an index is read for several rows", "[in_parts]") {
  const auto has_parts = [](const auto& problem) {
    return make_plan(problem, row_major_strides(problem.shape), 4).has_parts();
  };
  CHECK(has_parts(index_select_op::lower(dense(dims(40, 50)), dense(dims(33)), 0)));
  CHECK_FALSE(has_parts(index_select_op::lower(dense(dims(40, 50)), dense(dims(33)), 1)));
  CHECK_FALSE(has_parts(index_select_op::lower(dense(dims(4, 50, 6)), dense(dims(33)), 1)));
  // Nor where columns are packed for all of them.
  CHECK_FALSE(has_parts(
      gather_op::lower(layout<2>{dims(1024, 1024), dims(1, 1024)}, dense(dims(1024, 1024)), 1)));
}

TEST_CASE("in parts: gather", "[in_parts]") {
  const auto input = numbered(dims(1500, 101));
  const auto along = [&](index_t dim) {
    return std::pair([&input, dim](const auto& index) { return garner::gather(input, dim, index); },
                     [&input, dim](auto& out, const auto& index) {
                       garner::gather_into(out, input, dim, index);
                     });
  };
  const auto wide = indices<std::int64_t>(dims(1500, 101), 101);
  const auto [last, last_into] = along(1);
  check_call(last, last_into, tensor<int, 2>(dims(1500, 101)), wide, std::int64_t{101});
  check_call(last, last_into, tensor<int, 2>(dims(1500, 101)), wide, std::int64_t{-1});
  const auto [first, first_into] = along(0);
  check_call(first, first_into, tensor<int, 2>(dims(1500, 101)),
             indices<std::uint64_t>(dims(1500, 101), 1500), ~std::uint64_t{0});
  const auto narrow = indices<std::uint8_t>(dims(1500, 1001), 101);
  check_call(last, last_into, tensor<int, 2>(dims(1500, 1001)), narrow, std::uint8_t{101});
}

TEST_CASE("in parts: negative indices, wherever the first one is", "[in_parts]") {
  const auto input = numbered(dims(777));
  const auto legal = indices<std::int64_t>(dims(many), 777);
  tensor<int, 1> expected(dims<1>{many});
  for (const index_t at : {index_t{0}, many / 2, many - 1}) {
    auto index = legal;
    index.data()[at] = -777;
    garner::take_into(expected, input, index, 0);
    const auto got = garner::take(input, index, 0);
    CHECK(std::equal(got.begin(), got.end(), expected.begin()));
    CHECK(got.data()[at] == 0);
  }
  check_call([&](const auto& index) { return garner::take(input, index); },
             [&](auto& out, const auto& index) { garner::take_into(out, input, index); }, expected,
             legal, std::int64_t{-778});
}

TEST_CASE("in parts: rows, views and axes without a stride", "[in_parts]") {
  const auto input = numbered(dims(30, 4));
  check_call([&](const auto& index) { return garner::index_select(input, 0, index); },
             [&](auto& out, const auto& index) { garner::index_select_into(out, input, 0, index); },
             tensor<int, 2>(dims(many, 4)), indices<std::int64_t>(dims(many), 30),
             std::int64_t{30});
  const auto columns = input.transpose(0, 1);  // flat, it is no axis with a stride
  check_call([&](const auto& index) { return garner::take(columns, index.flip(0)); },
             [&](auto& out, const auto& index) { garner::take_into(out, columns, index.flip(0)); },
             tensor<int, 1>(dims<1>{many}), indices<std::int64_t>(dims(many), 120),
             std::int64_t{120});
  // An expanded index is small.
  const auto one = indices<std::int64_t>(dims(1, 4), 30);
  const auto got = garner::gather(input, 0, one.expand({many, 4}));
  for (index_t j = 0; j < 4; ++j) CHECK(got(many - 1, j) == input(one(0, j), j));
}

TEST_CASE("in parts: an index that is read for several rows, or cannot be bad", "[in_parts]") {
  const auto input = numbered(dims(3, 300));
  check_call([&](const auto& index) { return garner::index_select(input, 1, index); },
             [&](auto& out, const auto& index) { garner::index_select_into(out, input, 1, index); },
             tensor<int, 2>(dims(3, many)), indices<std::int64_t>(dims(many), 300),
             std::int64_t{300});
  const auto index = indices<std::uint8_t>(dims(8 * many), 256);
  const auto got = garner::take(input, index);
  REQUIRE(got.size() == index.size());
  CHECK(std::equal(got.begin(), got.end(), index.begin()));
}

TEST_CASE("in parts: indices are checked where nothing is read", "[in_parts]") {
  const tensor<int, 2> input(dims(5, 0));
  check_call([&](const auto& index) { return garner::index_select(input, 0, index); },
             [&](auto& out, const auto& index) { garner::index_select_into(out, input, 0, index); },
             tensor<int, 2>(dims(many, 0)), indices<std::int64_t>(dims(many), 5), std::int64_t{5});
}

TEST_CASE("in parts: an empty axis has no legal index", "[in_parts]") {
  const tensor<int, 2> input(dims(many, 0));
  const tensor<std::int64_t, 2> index(dims(many, 1));
  CHECK(test::index_error_of([&] { garner::gather(input, 1, index); }) ==
        "gather: index[0,0] = 0 is out of range for dim 1 of extent 0");
}

TEST_CASE("in parts: a copy that throws leaves nothing behind", "[in_parts]") {
  using test::throwing;
  const long before = throwing::live;
  {
    const tensor<throwing, 1> input(dims<1>{10});
    const auto index = indices<std::int64_t>(dims(many), 10);
    throwing::copies_left = many / 2;
    CHECK_THROWS_AS(garner::take(input, index), std::runtime_error);
    throwing::copies_left = -1;
    CHECK(throwing::live == before + 10);
  }
  CHECK(throwing::live == before);
}
