// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/gather.hpp>

#include <algorithm>
#include <cstdint>

#include "support/compare.hpp"
#include "support/data.hpp"

namespace {

using garner::index_t;
using garner::tensor;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u8 = std::uint8_t;

/// out[r][k] = input[r][index[r][k]]
template <class T, class Index, class... Options>
struct last_dim {
  last_dim(index_t rows, index_t columns, index_t picked)
      : input(bench::elements<T>(garner::dims{rows, columns})),
        index(bench::indices<Index>(garner::dims{rows, picked}, columns)),
        out({rows, picked}) {}

  void garner() { garner::gather_into(out, input, 1, index, Options{}...); }
  void raw() {
    const index_t rows = index.extent(0), picked = index.extent(1), columns = input.extent(1);
    for (index_t r = 0; r < rows; ++r) {
      for (index_t k = 0; k < picked; ++k) {
        out.data()[r * picked + k] = input.data()[r * columns + index.data()[r * picked + k]];
      }
    }
  }

  tensor<T, 2> input;
  tensor<Index, 2> index;
  tensor<T, 2> out;
};

/// out[i][c] = input[index[i][c]][c]
template <class T, class Index>
struct first_dim {
  first_dim(index_t rows, index_t columns)
      : input(bench::elements<T>(garner::dims{rows, columns})),
        index(bench::indices<Index>(garner::dims{rows, columns}, rows)),
        out({rows, columns}) {}

  void garner() { garner::gather_into(out, input, 0, index); }
  void raw() {
    const index_t rows = index.extent(0), columns = index.extent(1);
    for (index_t i = 0; i < rows; ++i) {
      for (index_t c = 0; c < columns; ++c) {
        out.data()[i * columns + c] = input.data()[index.data()[i * columns + c] * columns + c];
      }
    }
  }

  tensor<T, 2> input;
  tensor<Index, 2> index;
  tensor<T, 2> out;
};

/// out[i][c] = input[index[i]][c], the index expanded along c
struct expanded {
  expanded(index_t rows, index_t columns, index_t picked)
      : input(bench::elements<float>(garner::dims{rows, columns})),
        index(bench::indices<i64>(garner::dims{picked, index_t{1}}, rows)),
        out({picked, columns}) {}

  void garner() { garner::gather_into(out, input, 0, index.expand({-1, input.extent(1)})); }
  void raw() {
    const index_t columns = input.extent(1);
    for (index_t i = 0; i < index.extent(0); ++i) {
      std::copy_n(input.data() + index.data()[i] * columns, columns, out.data() + i * columns);
    }
  }

  tensor<float, 2> input;
  tensor<i64, 2> index;
  tensor<float, 2> out;
};

/// out[r][k] = input[index[r][k]][r], a transposed source
struct transposed {
  transposed(index_t rows, index_t columns, index_t picked)
      : input(bench::elements<float>(garner::dims{columns, rows})),
        index(bench::indices<i64>(garner::dims{rows, picked}, columns)),
        out({rows, picked}) {}

  void garner() { garner::gather_into(out, input.transpose(0, 1), 1, index); }
  void raw() {
    const index_t rows = index.extent(0), picked = index.extent(1);
    for (index_t r = 0; r < rows; ++r) {
      for (index_t k = 0; k < picked; ++k) {
        out.data()[r * picked + k] = input.data()[index.data()[r * picked + k] * rows + r];
      }
    }
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
    add<last_dim<float, i64>>("gather/last/f32/i64/2048x32000/k1", 2048, 32000, 1),
    add<last_dim<float, i64>>("gather/last/f32/i64/4096x1024/k256", 4096, 1024, 256),
    add<last_dim<float, i64, garner::unchecked_t>>("gather/last/f32/i64/4096x1024/k256/unchecked",
                                                   4096, 1024, 256),
    add<last_dim<float, i32>>("gather/last/f32/i32/4096x1024/k256", 4096, 1024, 256),
    add<last_dim<float, i64>>("gather/last/f32/i64/256x1024/k1024", 256, 1024, 1024),
    add<last_dim<double, i64>>("gather/last/f64/i64/65536x64/k16", 65536, 64, 16),
    add<last_dim<float, i64>>("gather/last/f32/i64/1Mx8/k8", 1'000'000, 8, 8),
    add<last_dim<float, u8>>("gather/last/f32/u8/1Mx8/k8", 1'000'000, 8, 8),
    add<last_dim<u8, i64>>("gather/last/u8/i64/2Mx3/k1", 2'000'000, 3, 1),
    add<first_dim<float, i64>>("gather/first/f32/i64/1024x1024", 1024, 1024),
    add<expanded>("gather/first/f32/i64/expanded/4096x64/n4096", 4096, 64, 4096),
    add<expanded>("gather/first/f32/i64/expanded/4096x700/n4096", 4096, 700, 4096),
    add<transposed>("gather/last/f32/i64/transposed/1024x1024/k256", 1024, 1024, 256),
    add<last_dim<float, i64>>("gather/last/f32/i64/4x8/k4", 4, 8, 4),
};

}  // namespace
