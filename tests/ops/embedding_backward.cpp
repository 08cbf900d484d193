// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/embedding_backward.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "support/bags.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/fenced.hpp"
#include "support/prop.hpp"
#include "support/tensors.hpp"

namespace {

using garner::embedding_backward;
using garner::embedding_backward_sparse;
using garner::half;
using garner::padding_idx;
using garner::tensor;
using test::index_error_of;
using test::shape_error_of;

using floats = tensor<float, 2>;
using ids_t = tensor<std::int64_t, 1>;

}  // namespace

TEST_CASE("embedding_backward: random sums agree with the equation, dense and sparse",
          "[embedding_backward][property]") {
  test::prop("embedding_backward", 600, [] {
    using namespace test;
    const std::int64_t rows = 1 + below<std::int64_t>(12);
    const std::int64_t columns = one_of(extents{0, 1, 7, 8, 9, 16, 33, 80});
    const extents shape = random_shape(2, 40);
    placed<std::int16_t, 2> ids(shape, operand::read);
    placed<float, 3> grad({shape[0], shape[1], columns}, operand::read);
    placed<float, 2> sums({rows, columns}, operand::written);
    const auto seed = below<std::uint64_t>(1u << 20);
    for (std::size_t k = 0; k < grad.size(); ++k) grad[k] = random_number<float>(seed + k);
    for (std::size_t k = 0; k < ids.size(); ++k) {
      ids[k] = static_cast<std::int16_t>(mix(seed + 3 * k) % static_cast<std::uint64_t>(rows + 4)) -
               2;  // some outside
    }
    const std::int64_t padding = below(rows);
    std::vector<float> expected(static_cast<std::size_t>(rows * columns));
    std::vector<bool> is_touched(static_cast<std::size_t>(rows));
    for (std::size_t k = 0; k < ids.size(); ++k) {
      const std::int64_t r = ids[k];
      if (r < 0 || r >= rows || r == padding) continue;
      is_touched[static_cast<std::size_t>(r)] = true;
      for (std::int64_t j = 0; j < columns; ++j) {
        expected[static_cast<std::size_t>(r * columns + j)] +=
            grad[k * static_cast<std::size_t>(columns) + static_cast<std::size_t>(j)];
      }
    }
    const std::vector<float> before(sums.memory().begin(), sums.memory().end());
    embedding_backward(sums.view(), grad.read(), ids.read(), garner::fill(0), padding_idx(padding));
    RC_ASSERT(sums.is_kept_between(before));
    for (std::size_t k = 0; k < sums.size(); ++k) RC_ASSERT(same_bits(sums[k], expected[k]));

    const auto sparse = embedding_backward_sparse(grad.read(), ids.read(), rows, garner::fill(0),
                                                  padding_idx(padding));
    std::int64_t n = 0;
    for (std::int64_t r = 0; r < rows; ++r) {
      if (!is_touched[static_cast<std::size_t>(r)]) continue;
      RC_ASSERT(sparse.rows(n) == r);
      for (std::int64_t j = 0; j < columns; ++j) {
        const float sum = expected[static_cast<std::size_t>(r * columns + j)];
        RC_ASSERT(same_bits(sparse.values(n, j), sum));
      }
      ++n;
    }
    RC_ASSERT(sparse.rows.size() == n);
  });
}

TEST_CASE("embedding_backward: adds to what is there", "[embedding_backward]") {
  floats sums{{1, 1}, {1, 1}};
  embedding_backward(sums, floats{{1, 2}, {4, 8}}, ids_t{1, 1});
  CHECK(sums == floats{{1, 1}, {6, 11}});
  embedding_backward(sums, floats{{1, 2}}, ids_t{-1}, garner::from_end);
  CHECK(sums == floats{{1, 1}, {7, 13}});
}

TEST_CASE("embedding_backward_sparse: sorted rows, once each", "[embedding_backward]") {
  const auto sparse =
      embedding_backward_sparse(floats{{1, 2}, {4, 8}, {16, 32}}, ids_t{7, 3, 7}, 9);
  CHECK(sparse.rows == ids_t{3, 7});
  CHECK(sparse.values == floats{{4, 8}, {17, 34}});
  CHECK(embedding_backward_sparse(floats(garner::dims{0, 2}), ids_t(0), 9).rows.size() == 0);
}

TEST_CASE("embedding_backward_sparse: half is rounded once", "[embedding_backward][half]") {
  // In steps, 2048 + 1 is 2048 again.
  const tensor<half, 2> grad{{half(2048)}, {half(1)}, {half(1)}};
  const auto sparse = embedding_backward_sparse(grad, ids_t{0, 0, 0}, 1);
  CHECK(static_cast<float>(sparse.values(0, 0)) == 2050);
}

TEST_CASE("embedding_backward_sparse: half rows of every length", "[embedding_backward][half]") {
  for (const garner::index_t columns : {1, 7, 8, 9, 16, 31, 33, 80}) {
    tensor<half, 2> grad(garner::dims{garner::index_t{3}, columns});
    for (garner::index_t i = 0; i < grad.size(); ++i) grad.data()[i] = half(static_cast<float>(i));
    const auto sparse = embedding_backward_sparse(grad, ids_t{4, 2, 4}, 5);
    CHECK(sparse.rows == ids_t{2, 4});
    int wrong = 0;
    for (garner::index_t j = 0; j < columns; ++j) {
      wrong += static_cast<float>(sparse.values(0, j)) != static_cast<float>(columns + j);
      wrong += static_cast<float>(sparse.values(1, j)) != static_cast<float>(2 * columns + 2 * j);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("embedding_backward: a 0-d id", "[embedding_backward][zero_d]") {
  const tensor<float, 1> grad{3, 4};
  const tensor<std::int64_t, 0> id(1);
  const auto sparse = embedding_backward_sparse(grad, id, 2);
  CHECK(sparse.rows == ids_t{1});
  CHECK(sparse.values == floats{{3, 4}});
  CHECK(shape_error_of([&] {
          embedding_backward_sparse(tensor<float, 0>(3), id, 2);
        }) ==
        "embedding_backward_sparse: grad_out has shape (), which is not that of ids, (), and one "
        "more dim of 0");
  const tensor<float, 0> single(3);
  CHECK(shape_error_of([&] {
          embedding_backward_sparse(garner::view<const float>(single), id, 2);
        }) ==
        "embedding_backward_sparse: grad_out has shape (), which is not that of ids, (), and one "
        "more dim of 0");
}

TEST_CASE("embedding_backward: a table larger than the caches, and no id read that is not there",
          "[embedding_backward][far]") {
  const garner::index_t rows = 9000, columns = 40, n = 300;
  const test::fenced<std::int64_t> ids(n, GENERATE(test::flush::begin, test::flush::end));
  floats grad(garner::dims{n, columns}), sums(garner::dims{rows, columns});
  auto expected = sums;
  for (garner::index_t k = 0; k < n; ++k) {
    const garner::index_t r = k * k * 37 % rows;
    ids[static_cast<std::size_t>(k)] = r;
    for (garner::index_t j = 0; j < columns; ++j) {
      grad(k, j) = static_cast<float>(k + j);
      expected(r, j) += grad(k, j);
    }
  }
  embedding_backward(sums, grad, ids.span());
  CHECK(sums == expected);
}

TEST_CASE("embedding_backward: grad_weight overlaps neither the ids nor itself, unless it is empty",
          "[embedding_backward][error][overlap]") {
  alignas(16) std::byte memory[16]{};
  const auto numbers = reinterpret_cast<float*>(memory);
  const garner::view<float, 2> sums(numbers, {1, 2});
  const garner::view<const std::int64_t, 1> zeros(reinterpret_cast<std::int64_t*>(memory), {1});
  const floats grad{{2, 4}};
  CHECK(shape_error_of([&] { embedding_backward(sums, grad, zeros); }) ==
        "embedding_backward: grad_weight overlaps ids");
  CHECK(shape_error_of([&] {
          embedding_backward(garner::view<float, 2>(numbers, {1, 2}, {2, 0}), grad, ids_t{0});
        }).find("grad_weight overlaps itself") != std::string::npos);
  CHECK(numbers[0] == 0);
  // Elements 0, 5, 10 and 1, 4, 7, which the test takes for an overlap.
  auto mixed = test::counted<float>(11);
  const garner::view<float, 2> written(mixed.data(), {1, 3}, {1, 5});
  const garner::view<const float, 2> read(mixed.data() + 1, {1, 3}, {1, 3});
  CHECK_THROWS_AS(embedding_backward(written, read, ids_t{0}), garner::shape_error);
  embedding_backward(written, read, ids_t{0}, garner::noalias);
  CHECK(mixed == tensor<float, 1>{1, 1, 2, 3, 4, 9, 6, 7, 8, 9, 17});
  CHECK(shape_error_of([&] {
          embedding_backward_sparse(grad, ids_t{0, 1}, 2);
        }) ==
        "embedding_backward_sparse: grad_out has shape (1, 2), which is not that of ids, (2), and "
        "one more dim of 2");
  CHECK_NOTHROW(embedding_backward_sparse(floats(garner::dims{0, 2}), ids_t(garner::dims{0}), 0));
  std::int64_t several[3] = {0, 1, 2};
  const garner::view<float, 2> nothing(reinterpret_cast<float*>(several + 1), {3, 0}, {0, 0});
  CHECK_NOTHROW(embedding_backward(nothing, floats(garner::dims{3, 0}),
                                   garner::view<const std::int64_t, 1>(several, {3})));
}

TEST_CASE("embedding_backward: a call that throws has written nothing",
          "[embedding_backward][error][promise]") {
  floats sums{{1, 1}, {1, 1}};
  const auto before = sums;
  const floats grad{{2, 4}, {8, 16}};
  CHECK(index_error_of([&] {
          embedding_backward(sums, grad, ids_t{0, 2});
        }) == "embedding_backward: index[1] = 2 is out of range for dim 0 of extent 2");
  CHECK(index_error_of([&] {
          embedding_backward_sparse(grad, ids_t{0, -1}, 2);
        }) == "embedding_backward_sparse: index[1] = -1 is out of range for dim 0 of extent 2");
  CHECK(shape_error_of([&] { embedding_backward(sums, grad, ids_t{0}); }) ==
        "embedding_backward: grad_out has shape (2, 2), which is not that of ids, (1), and one "
        "more dim of 2");
  CHECK(shape_error_of([&] {
          embedding_backward(sums, grad.slice(1, 0, 1), ids_t{0, 1});
        }) ==
        "embedding_backward: grad_out has shape (2, 1), which is not that of ids, (2), and one "
        "more dim of 2");
  const garner::view<const float> flat = grad.flatten();
  CHECK_THROWS_AS(embedding_backward(sums, flat, ids_t{0, 1, 0, 1}), garner::shape_error);
  CHECK(shape_error_of([&] {
          embedding_backward_sparse(grad, ids_t{0, 1}, -1);
        }) == "embedding_backward_sparse: num_weights -1 is negative");
  CHECK(shape_error_of([&] {
          embedding_backward(sums, sums, ids_t{0, 1});
        }) == "embedding_backward: grad_weight overlaps grad_out");
  CHECK(shape_error_of([&] {
          embedding_backward(sums, grad, ids_t{0, 1}, padding_idx(2));
        }) == "embedding_backward: padding_idx(2) is out of range for 2 rows");
  CHECK(sums == before);
}
