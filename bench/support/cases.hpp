// SPDX-License-Identifier: BSD-3-Clause
// One line per case: an operation, its types and shapes. Who takes part, and on which data, is
// decided here.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <garner/garner.hpp>

#include "peers/peers.hpp"
#include "support/compare.hpp"
#include "support/data.hpp"
#include "support/plain_loop.hpp"

namespace bench {

using garner::index_t;

inline constexpr index_t K = 1024;
inline constexpr index_t M = K * K;

/// Leaves an input or an index as it is.
struct as_is {
  auto operator()(auto& x) const { return garner::as_view(x); }
};

/// garner with and without checks, the plain loop, the peers, and memcpy of as many bytes.
template <class Op, class T, class Index>
void run_case(const runner& run, auto& out, const auto& input, int dim, const auto& index) {
  const problem p{Op::name, describe(garner::as_view(out)), describe(input), dim, describe(index)};
  using scalar = std::conditional_t<std::is_same_v<T, row48>, float, T>;
  contest c{{{"plain", plain_loop<scalar, Index>(p)}},
            std::as_writable_bytes(std::span(out.begin(), out.end()))};
  c.contenders.front().run();
  const auto result = out;
  c.contenders.push_back({"garner", [&] { Op::read(out, input, dim, index); }});
  if constexpr (std::is_same_v<Index, i64>) {
    c.contenders.push_back(
        {"unchecked", [&] { Op::read(out, input, dim, index, garner::unchecked); }});
  }
  for (const peer& other : peers) {
    if (call made = other.make(p)) c.contenders.push_back({other.name, std::move(made)});
  }
  c.contenders.push_back(
      {"memcpy", [&] { std::memcpy(c.out.data(), result.data(), c.out.size()); }});
  run(c);
}

/// Adds the case <form>/<T>/<Index>/<size>: Op on an input and an index of these shapes, after they
/// went through look_at_input and look_at_index.
template <class Op, class T, class Index, std::size_t R, std::size_t Q, class Input = as_is,
          class Indices = as_is>
void add(const std::string& form, const std::string& size, const index_t (&input_shape)[R], int dim,
         const index_t (&index_shape)[Q], Input look_at_input = {}, Indices look_at_index = {}) {
  const auto name = form + "/" + name_of<T>() + "/" + name_of<Index>() + "/" + size;
  const garner::dims<R> stored(std::to_array(input_shape));
  const garner::dims<Q> picked(std::to_array(index_shape));
  add_benchmark(name, [=](const runner& run) {
    auto elements = random_elements<T>(stored);
    const auto input = look_at_input(elements);
    auto indices = random_indices<Index>(picked, input.extent(dim));
    const auto index = look_at_index(indices);
    garner::tensor<T, R> out(Op::shape(input, dim, index));
    run_case<Op, T, Index>(run, out, input, dim, index);
  });
}

}  // namespace bench
