// SPDX-License-Identifier: BSD-3-Clause
// A gradient is the adjoint of its operation: <op(x), g> == <x, backward(g)> for all x and g. Over
// integers that holds exactly.
#include <garner/ops/backward.hpp>

#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

#include <rapidcheck.h>

#include <garner/garner.hpp>

#include "support/catch.hpp"
#include "support/elements.hpp"
#include "support/errors.hpp"
#include "support/prop.hpp"
#include "support/random_layout.hpp"
#include "support/tensors.hpp"

namespace {

using garner::dims;
using garner::tensor;
using garner::view;
using test::below;
using test::index_error_of;
using test::once_in;
using test::shape_error_of;

using number = std::int64_t;
using numbers = tensor<number>;

/// A tensor of random numbers, laid out at random.
struct operand {
  test::placement where;
  std::vector<number> memory;

  explicit operand(const test::extents& shape, test::operand use = test::operand::read)
      : where(test::random_placement(shape, use)), memory(static_cast<std::size_t>(where.size)) {
    const auto seed = below<std::uint64_t>(1000);
    for (std::size_t k = 0; k < memory.size(); ++k) {
      memory[k] = static_cast<number>(test::mix(seed + k) % 2001) - 1000;
    }
  }
  view<number> get() {
    return {memory.data() + where.first, dims<>(where.shape), dims<>(where.strides)};
  }
};

/// The sum of products of two tensors of one shape.
number dot(const view<const number>& a, const view<const number>& b) {
  REQUIRE(a.shape() == b.shape());
  const numbers x(a), y(b);
  number total = 0;
  for (garner::index_t k = 0; k < x.size(); ++k) total += x.data()[k] * y.data()[k];
  return total;
}

tensor<int> random_index(const test::extents& shape, number lowest, number highest) {
  tensor<int> index{dims<>(shape)};
  for (int& i : index) i = static_cast<int>(lowest + below(highest - lowest + 1));
  return index;
}

/// forward(x) reads, backward(grad, g) adds its gradient.
void check_adjoint(
    const test::extents& input, const std::function<numbers(const view<const number>&)>& forward,
    const std::function<void(const view<number>&, const view<const number>&)>& backward) {
  operand x(input);
  const numbers result = forward(x.get());
  operand g(test::extents(result.shape().begin(), result.shape().end()));
  operand grad(input, test::operand::written);
  const numbers before(grad.get());
  backward(grad.get(), g.get());
  numbers change(grad.get());
  for (garner::index_t k = 0; k < change.size(); ++k) change.data()[k] -= before.data()[k];
  RC_ASSERT(dot(result, g.get()) == dot(x.get(), change));
}

/// Calls check(options...) with nothing and with each option that changes where is read.
template <class Check>
void with_each_option(const Check& check) {
  check();
  check(garner::wrap);
  check(garner::clip);
  check(garner::fill(number{0}));
  check(garner::unchecked);
}

/// A shape without empty dims, a dim of it, and indices for an axis of extent n: beyond it where
/// the options allow.
struct problem {
  test::extents shape;
  std::size_t dim;
  number n;

  explicit problem(std::size_t least_rank = 1) {
    const std::size_t rank = least_rank + below<std::size_t>(3);
    for (std::size_t d = 0; d < rank; ++d) shape.push_back(1 + below(number{6}));
    dim = below(rank);
    n = shape[dim];
  }
  template <class... Options>
  tensor<int> index(const test::extents& of, number extent, bool from_end,
                    const Options&...) const {
    constexpr bool is_tame =
        sizeof...(Options) == 0 || (std::is_same_v<Options, garner::unchecked_t> && ...);
    return is_tame ? random_index(of, from_end ? -extent : 0, extent - 1)
                   : random_index(of, -3 * extent, 3 * extent);
  }
};

}  // namespace

TEST_CASE("gather_backward: the adjoint of gather", "[backward][property]") {
  test::prop("adjoint", 200, [] {
    const problem p;
    auto shape = p.shape;
    for (auto& extent : shape) extent = 1 + below(extent);
    shape[p.dim] = below(number{8});
    with_each_option([&](const auto&... options) {
      const auto index = p.index(shape, p.n, false, options...);
      check_adjoint(
          p.shape, [&](const auto& x) { return garner::gather(x, p.dim, index, options...); },
          [&](const auto& grad, const auto& g) {
            garner::gather_backward(grad, g, p.dim, index, options...);
          });
    });
  });
}

TEST_CASE("take_along_dim_backward: the adjoint, summed over repeated dims",
          "[backward][property]") {
  test::prop("adjoint", 200, [] {
    const problem p;
    auto shape = p.shape, input = p.shape;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (once_in(3)) (once_in(2) ? shape : input)[d] = 1;
    }
    shape[p.dim] = below(number{8});
    input[p.dim] = p.n;
    with_each_option([&](const auto&... options) {
      const auto index = p.index(shape, p.n, true, options...);
      check_adjoint(
          input, [&](const auto& x) { return garner::take_along_dim(x, index, p.dim, options...); },
          [&](const auto& grad, const auto& g) {
            garner::take_along_dim_backward(grad, g, index, p.dim, options...);
          });
      const number all = test::count(input);
      const auto flat = p.index({3, 2}, all, true, options...);
      check_adjoint(
          input, [&](const auto& x) { return garner::take_along_dim(x, flat, options...); },
          [&](const auto& grad, const auto& g) {
            garner::take_along_dim_backward(grad, g, flat, options...);
          });
    });
  });
}

TEST_CASE("index_select_backward and take_backward: the adjoints", "[backward][property]") {
  test::prop("adjoint", 200, [] {
    const problem p;
    with_each_option([&](const auto&... options) {
      const auto rows = p.index({below(number{8})}, p.n, false, options...);
      check_adjoint(
          p.shape, [&](const auto& x) { return garner::index_select(x, p.dim, rows, options...); },
          [&](const auto& grad, const auto& g) {
            garner::index_select_backward(grad, g, p.dim, rows, options...);
          });
      const auto index = p.index({2, 3}, p.n, true, options...);
      check_adjoint(
          p.shape, [&](const auto& x) { return garner::take(x, index, p.dim, options...); },
          [&](const auto& grad, const auto& g) {
            garner::take_backward(grad, g, index, p.dim, options...);
          });
      const auto flat = p.index({2, 3}, test::count(p.shape), true, options...);
      check_adjoint(
          p.shape, [&](const auto& x) { return garner::take(x, flat, options...); },
          [&](const auto& grad, const auto& g) {
            garner::take_backward(grad, g, flat, options...);
          });
      const auto batched = p.index({p.shape[0], 2}, p.shape.back(), true, options...);
      if (p.shape.size() > 1) {
        const garner::batch_dims batch(1);
        check_adjoint(
            p.shape, [&](const auto& x) { return garner::take(x, batched, -1, batch, options...); },
            [&](const auto& grad, const auto& g) {
              garner::take_backward(grad, g, batched, -1, batch, options...);
            });
      }
    });
  });
}

TEST_CASE("gather_nd_backward: the adjoint of gather_nd", "[backward][property]") {
  test::prop("adjoint", 200, [] {
    const problem p(2);
    const number least = std::min(p.shape[0], p.shape[1]);
    with_each_option([&](const auto&... options) {
      const auto index = p.index({4, 2}, least, true, options...);
      check_adjoint(
          p.shape, [&](const auto& x) { return garner::gather_nd(x, index, options...); },
          [&](const auto& grad, const auto& g) {
            garner::gather_nd_backward(grad, g, index, options...);
          });
    });
  });
}

TEST_CASE("scatter_add_backward and index_add_backward: the adjoints", "[backward][property]") {
  test::prop("adjoint", 200, [] {
    const problem p;
    auto shape = p.shape;
    shape[p.dim] = below(number{8});
    with_each_option([&](const auto&... options) {
      const auto index = p.index(shape, p.n, false, options...);
      check_adjoint(
          shape,
          [&](const auto& src) {
            return garner::scatter_add(numbers(dims<>(p.shape)), p.dim, index, src, options...);
          },
          [&](const auto& grad, const auto& g) {
            garner::scatter_add_backward(grad, g, p.dim, index, options...);
          });
      const auto rows = p.index({shape[p.dim]}, p.n, false, options...);
      check_adjoint(
          shape,
          [&](const auto& src) {
            return garner::index_add(numbers(dims<>(p.shape)), p.dim, rows, src, garner::alpha(3),
                                     options...);
          },
          [&](const auto& grad, const auto& g) {
            garner::index_add_backward(grad, g, p.dim, rows, garner::alpha(3), options...);
          });
    });
  });
}

TEST_CASE("gather_backward: duplicates add up, filled ones have no gradient", "[backward]") {
  tensor<float, 1> grad{10, 0, 0};
  const tensor<int, 1> index{0, 2, 0, 7};
  garner::gather_backward(grad, tensor<float, 1>{1, 2, 3, 100}, 0, index, garner::fill(0));
  CHECK(grad == tensor<float, 1>{14, 0, 2});
}

TEST_CASE("gather_backward: floats by differences", "[backward]") {
  // f(x) = sum of weight * gather(x)^2, whose gradient is 2 * weight * gather(x), scattered.
  const tensor<double, 2> x{{0.5, -1, 2}, {3, 0.25, -2}};
  const tensor<int, 2> index{{2, 2}, {0, 1}};
  const auto f = [&](const tensor<double, 2>& at) {
    double total = 0;
    const auto picked = garner::gather(at, 1, index);
    for (int k = 0; k < 4; ++k) total += (k + 1) * picked.data()[k] * picked.data()[k];
    return total;
  };
  auto g = garner::gather(x, 1, index);
  for (int k = 0; k < 4; ++k) g.data()[k] *= 2 * (k + 1);
  tensor<double, 2> grad(dims{2, 3});
  garner::gather_backward(grad, g, 1, index);
  for (int k = 0; k < 6; ++k) {
    auto up = x, down = x;
    up.data()[k] += 1e-4;
    down.data()[k] -= 1e-4;
    CHECK(std::abs((f(up) - f(down)) / 2e-4 - grad.data()[k]) < 1e-6);
  }
}

TEST_CASE("backward: bad calls name the operation and write nothing", "[backward][error]") {
  tensor<float, 1> grad{0, 0};
  const tensor<int, 1> index{0, 2};
  const tensor<float, 1> g{1, 1};
  CHECK(index_error_of([&] { garner::gather_backward(grad, g, 0, index); }) ==
        "gather_backward: index[1] = 2 is out of range for dim 0 of extent 2");
  CHECK(index_error_of([&] { garner::take_backward(grad, g, index); }) ==
        "take_backward: index[1] = 2 is out of range for extent 2");
  CHECK(index_error_of([&] { garner::scatter_add_backward(grad, g, 0, index); }) ==
        "scatter_add_backward: index[1] = 2 is out of range for dim 0 of extent 2");
  CHECK(shape_error_of([&] { garner::gather_backward(grad, tensor<float, 1>{1}, 0, index); }) ==
        "gather_backward: grad_out has shape (1), but what is indexed has shape (2)");
  CHECK(shape_error_of([&] { garner::index_select_backward(grad, grad, 0, index); }) ==
        "index_select_backward: grad_input overlaps grad_out");
  CHECK(shape_error_of([&] {
          garner::index_add_backward(grad, tensor<float, 1>{1}, 0, tensor<int, 1>{0});
        }) == "index_add_backward: grad_src has shape (2), but what is indexed has shape (1)");
  CHECK(grad == tensor<float, 1>{0, 0});
}
