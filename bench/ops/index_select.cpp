// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/index_select.hpp>

#include <algorithm>
#include <cstdint>

#include "support/compare.hpp"
#include "support/data.hpp"

namespace {

using garner::index_t;
using garner::tensor;
using i64 = std::int64_t;

/// out[i][c] = input[index[i]][c]
template <class T, class Index>
struct rows {
  rows(index_t count, index_t columns, index_t picked)
      : input(bench::elements<T>(garner::dims{count, columns})),
        index(bench::indices<Index>(garner::dims{picked}, count)),
        out({picked, columns}) {}

  void garner() { garner::index_select_into(out, input, 0, index); }
  void raw() {
    const index_t columns = input.extent(1);
    for (index_t i = 0; i < index.size(); ++i) {
      std::copy_n(input.data() + index.data()[i] * columns, columns, out.data() + i * columns);
    }
  }

  tensor<T, 2> input;
  tensor<Index, 1> index;
  tensor<T, 2> out;
};

/// out[r][k] = input[r][index[k]]
struct last_dim {
  last_dim(index_t count, index_t columns, index_t picked)
      : input(bench::elements<float>(garner::dims{count, columns})),
        index(bench::indices<i64>(garner::dims{picked}, columns)),
        out({count, picked}) {}

  void garner() { garner::index_select_into(out, input, 1, index); }
  void raw() {
    const index_t count = input.extent(0), columns = input.extent(1), picked = index.size();
    for (index_t r = 0; r < count; ++r) {
      for (index_t k = 0; k < picked; ++k) {
        out.data()[r * picked + k] = input.data()[r * columns + index.data()[k]];
      }
    }
  }

  tensor<float, 2> input;
  tensor<i64, 1> index;
  tensor<float, 2> out;
};

struct bytes48 {
  unsigned char bytes[48];
};

template <class Case, class... Sizes>
bool add(const char* name, Sizes... sizes) {
  return bench::compare(name, [=] { return Case(sizes...); });
}

[[maybe_unused]] const bool added[] = {
    add<rows<float, i64>>("index_select/rows/f32/i64/1024x4/n4096", 1024, 4, 4096),
    add<rows<float, i64>>("index_select/rows/f32/i64/4096x16/n4096", 4096, 16, 4096),
    add<rows<float, i64>>("index_select/rows/f32/i64/1024x128/n4096", 1024, 128, 4096),
    add<rows<float, i64>>("index_select/rows/f32/i64/100MBx16/n262144", 1'600'000, 16, 262'144),
    add<rows<float, i64>>("index_select/rows/f32/i64/100MBx768/n8192", 32'000, 768, 8'192),
    add<rows<bytes48, i64>>("index_select/rows/48B/i64/4096x1/n4096", 4096, 1, 4096),
    add<last_dim>("index_select/last/f32/i64/1024x1024/k512", 1024, 1024, 512),
};

}  // namespace
