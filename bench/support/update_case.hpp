// SPDX-License-Identifier: BSD-3-Clause
// One line per case of an operation that writes through an index: in place, on random floats.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include <garner/garner.hpp>

#include "peers/libtorch.hpp"
#include "support/cases.hpp"
#include "support/compare.hpp"
#include "support/data.hpp"

namespace bench {

/// Adds the case Op::name/<form>/f32/<Index>/<size>. Op::plain(self, dim, index, src) is the
/// equation in plain loops, Op::run(...) garner's call; Op::peer is libtorch's.
template <class Op, class Index, std::size_t R, std::size_t Q, std::size_t S, class Indices = as_is>
void add_update(const std::string& form, const std::string& size, const index_t (&self_shape)[R],
                int dim, const index_t (&index_shape)[Q], const index_t (&src_shape)[S],
                Indices look_at_index = {}) {
  const auto name = std::string(Op::name) + "/" + form + "/f32/" + name_of<Index>() + "/" + size;
  const garner::dims<R> shape(std::to_array(self_shape));
  const garner::dims<Q> picked(std::to_array(index_shape));
  const garner::dims<S> values(std::to_array(src_shape));
  add_benchmark(name, [=](const runner& run) {
    const auto start = random_floats(shape);
    auto self = start;
    auto indices = random_indices<Index>(picked, shape[dim]);
    const auto index = look_at_index(indices);
    auto src = random_floats(values);
    contest c{{{"plain", [&] { Op::plain(self, dim, index, src); }},
               {"garner", [&] { Op::run(self, dim, index, src); }}},
              std::as_writable_bytes(std::span(self.begin(), self.end())),
              is_close,
              [&] { std::copy(start.begin(), start.end(), self.begin()); }};
    if constexpr (std::is_same_v<Index, i64>) {
      c.contenders.push_back(
          {"unchecked", [&] { Op::run(self, dim, index, src, garner::unchecked); }});
    }
#ifdef GARNER_BENCH_LIBTORCH
    c.contenders.push_back(
        {"libtorch", libtorch_update(Op::peer, describe(garner::as_view(self)), dim,
                                     describe(index), describe(garner::as_view(src)))});
#endif
    run(c);
  });
}

/// For each element of a matrix of indices, visit(self's element, src's).
template <class Visit>
void along_dim(auto& self, int dim, const auto& index, const auto& src, const Visit& visit) {
  for (index_t i = 0; i < index.extent(0); ++i) {
    for (index_t j = 0; j < index.extent(1); ++j) {
      const auto k = static_cast<index_t>(index(i, j));
      visit(dim == 0 ? self(k, j) : self(i, k), src(i, j));
    }
  }
}

/// For each element of the rows that a list of indices names, visit(self's element, src's).
template <class Visit>
void along_rows(auto& self, const auto& index, const auto& src, const Visit& visit) {
  const index_t columns = self.extent(1);
  for (index_t i = 0; i < index.extent(0); ++i) {
    float* to = &self(index(i), 0);
    const float* from = &src(i, 0);
    for (index_t j = 0; j < columns; ++j) visit(to[j], from[j]);
  }
}

}  // namespace bench
