// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/take_along_dim.hpp>

#include <cstdint>

#include "support/compare.hpp"
#include "support/data.hpp"

namespace {

using garner::index_t;
using garner::tensor;
using i64 = std::int64_t;

/// out[r][k] = input[r][order[r][k]], each row of order being a permutation
template <class Index>
struct sorted {
  sorted(index_t rows, index_t columns)
      : input(bench::elements<float>(garner::dims{rows, columns})),
        order(bench::orders<Index>(rows, columns)),
        out({rows, columns}) {}

  void garner() { garner::take_along_dim_into(out, input, order, 1); }
  void raw() {
    const index_t rows = input.extent(0), columns = input.extent(1);
    for (index_t r = 0; r < rows; ++r) {
      for (index_t c = 0; c < columns; ++c) {
        out.data()[r * columns + c] = input.data()[r * columns + order.data()[r * columns + c]];
      }
    }
  }

  tensor<float, 2> input;
  tensor<Index, 2> order;
  tensor<float, 2> out;
};

/// out[r][k] = input[r][index[k]], the index broadcast over rows
struct broadcast_index {
  broadcast_index(index_t rows, index_t columns, index_t picked)
      : input(bench::elements<float>(garner::dims{rows, columns})),
        index(bench::indices<i64>(garner::dims{index_t{1}, picked}, columns)),
        out({rows, picked}) {}

  void garner() { garner::take_along_dim_into(out, input, index, 1); }
  void raw() {
    const index_t rows = input.extent(0), columns = input.extent(1), picked = index.extent(1);
    for (index_t r = 0; r < rows; ++r) {
      for (index_t k = 0; k < picked; ++k) {
        out.data()[r * picked + k] = input.data()[r * columns + index.data()[k]];
      }
    }
  }

  tensor<float, 2> input;
  tensor<i64, 2> index;
  tensor<float, 2> out;
};

/// out[r][k] = input[index[r][k]], the input broadcast over rows
struct broadcast_input {
  broadcast_input(index_t rows, index_t columns, index_t picked)
      : input(bench::elements<float>(garner::dims{index_t{1}, columns})),
        index(bench::indices<i64>(garner::dims{rows, picked}, columns)),
        out({rows, picked}) {}

  void garner() { garner::take_along_dim_into(out, input, index, 1); }
  void raw() {
    const index_t n = index.size();
    for (index_t i = 0; i < n; ++i) out.data()[i] = input.data()[index.data()[i]];
  }

  tensor<float, 2> input;
  tensor<i64, 2> index;
  tensor<float, 2> out;
};

template <class Case, class... Sizes>
bool add(const char* name, Sizes... sizes) {
  return bench::compare(name, [=] { return Case(sizes...); });
}

[[maybe_unused]] const bool added[] = {
    add<sorted<i64>>("take_along_dim/order/f32/i64/256x1024", 256, 1024),
    add<sorted<std::uint16_t>>("take_along_dim/order/f32/u16/256x1024", 256, 1024),
    add<broadcast_index>("take_along_dim/broadcast_index/f32/i64/256x1024/k256", 256, 1024, 256),
    add<broadcast_input>("take_along_dim/broadcast_input/f32/i64/256x1024/k256", 256, 1024, 256),
};

}  // namespace
