// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/take.hpp>

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

/// out[i] = input[index[i]]
template <class T, class Index>
struct flat {
  flat(index_t extent, index_t picked)
      : input(bench::elements<T>(garner::dims{extent})),
        index(bench::indices<Index>(garner::dims{picked}, extent)),
        out(garner::dims{picked}) {}

  void garner() { garner::take_into(out, input, index, garner::reject_negative); }
  void raw() {
    const index_t n = index.size();
    for (index_t i = 0; i < n; ++i) out.data()[i] = input.data()[index.data()[i]];
  }

  tensor<T, 1> input;
  tensor<Index, 1> index;
  tensor<T, 1> out;
};

/// The same, where -1 is the last element: NumPy's habit, and take's default.
struct flat_from_end : flat<float, i64> {
  flat_from_end(index_t extent, index_t picked) : flat(extent, picked) {
    for (index_t i = 0; i < picked; i += 2) index(i) -= extent;
  }

  void garner() { garner::take_into(out, input, index); }
  void raw() {
    const index_t n = index.size(), extent = input.size();
    for (index_t i = 0; i < n; ++i) {
      const i64 at = index.data()[i];
      out.data()[i] = input.data()[at < 0 ? at + extent : at];
    }
  }
};

/// out[b][l][d] = embeddings[ids[b][l]][d]
struct embeddings {
  embeddings(index_t vocabulary, index_t width, index_t batch, index_t length)
      : input(bench::elements<float>(garner::dims{vocabulary, width})),
        ids(bench::indices<i32>(garner::dims{batch, length}, vocabulary)),
        out({batch, length, width}) {}

  void garner() { garner::take_into(out, input, ids, 0); }
  void raw() {
    const index_t width = input.extent(1);
    for (index_t i = 0; i < ids.size(); ++i) {
      std::copy_n(input.data() + ids.data()[i] * width, width, out.data() + i * width);
    }
  }

  tensor<float, 2> input;
  tensor<i32, 2> ids;
  tensor<float, 3> out;
};

template <class Case, class... Sizes>
bool add(const char* name, Sizes... sizes) {
  return bench::compare(name, [=] { return Case(sizes...); });
}

[[maybe_unused]] const bool added[] = {
    add<flat<float, i64>>("take/flat/f32/i64/4K/n1M", 4096, 1'000'000),
    add<flat<float, i32>>("take/flat/f32/i32/4K/n1M", 4096, 1'000'000),
    add<flat<float, i64>>("take/flat/f32/i64/256K/n1M", 262'144, 1'000'000),
    add<flat_from_end>("take/flat/f32/i64/256K/n1M/from_end", 262'144, 1'000'000),
    add<flat<float, i64>>("take/flat/f32/i64/64M/n1M", 67'108'864, 1'000'000),
    add<flat<u8, u8>>("take/table/u8/u8/16/n4M", 16, 4'000'000),
    add<flat<u8, u8>>("take/table/u8/u8/256/n4M", 256, 4'000'000),
    add<embeddings>("take/embeddings/f32/i32/32000x128/8x512", 32'000, 128, 8, 512),
    add<flat<float, i64>>("take/flat/f32/i64/8/n1", 8, 1),
};

}  // namespace
