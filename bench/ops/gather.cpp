// SPDX-License-Identifier: BSD-3-Clause
// gather: along the last, the first and a middle dim, from strided sources, and tiny.
#include <garner/ops/gather.hpp>

#include "support/cases.hpp"

namespace {

using namespace bench;

struct gather {
  static constexpr auto name = operation::gather;
  static auto shape(const auto&, int, const auto& index) { return index.shape(); }
  static void read(auto& out, const auto& input, int dim, const auto& index, auto... options) {
    garner::gather_into(out, input, dim, index, options...);
  }
};

template <class T, class Index>
void last(const std::string& size, index_t rows, index_t columns, index_t picked) {
  add<gather, T, Index>("gather/last", size, {rows, columns}, 1, {rows, picked});
}

/// An index (n, 1), expanded to whole rows.
template <class Index>
void expanded(const std::string& size, index_t rows, index_t columns) {
  add<gather, float, Index>("gather/expanded", size, {rows, columns}, 0, {rows, 1}, as_is{},
                            [=](auto& index) {
                              return index.expand({-1, columns});
                            });
}

/// 256 of 1024 columns, from a view of a stored matrix.
void strided(const std::string& form, index_t rows, index_t columns, auto look_at_input) {
  add<gather, float, i64>("gather/" + form, "1024x1024/k256", {rows, columns}, 1, {1024, 256},
                          look_at_input);
}

[[maybe_unused]] const bool added = [] {
  last<float, i64>("2048x32000/k1", 2048, 32000, 1);
  last<float, i64>("4096x1024/k256", 4096, 1024, 256);
  last<float, i64>("256x1024/k1024", 256, 1024, 1024);
  last<float, i64>("65536x64/k16", 65536, 64, 16);
  last<float, i64>("256x16384/k4096", 256, 16384, 4096);
  last<float, i64>("1Mx8/k8", M, 8, 8);
  last<float, i64>("1Mx8/k1", M, 8, 1);
  last<u8, i64>("2Mx3/k1", 2 * M, 3, 1);
  last<u8, i64>("256x1024/k1024", 256, 1024, 1024);
  last<i16, i64>("256x1024/k1024", 256, 1024, 1024);
  last<double, i64>("256x1024/k1024", 256, 1024, 1024);
  last<c128, i64>("256x1024/k1024", 256, 1024, 1024);

  last<float, i32>("2048x32000/k1", 2048, 32000, 1);
  last<float, i32>("4096x1024/k256", 4096, 1024, 256);
  last<float, i32>("256x1024/k1024", 256, 1024, 1024);
  last<float, i32>("256x16384/k4096", 256, 16384, 4096);
  last<float, i32>("1Mx8/k8", M, 8, 8);
  last<float, i16>("4096x1024/k256", 4096, 1024, 256);
  last<float, i16>("256x1024/k1024", 256, 1024, 1024);
  last<float, u8>("256x256/k1024", 256, 256, 1024);
  last<float, u8>("65536x64/k16", 65536, 64, 16);
  last<float, u8>("1Mx8/k8", M, 8, 8);
  last<float, u8>("1Mx8/k1", M, 8, 1);
  last<u8, u8>("2Mx3/k1", 2 * M, 3, 1);

  add<gather, float, i64>("gather/first", "1024x1024", {1024, 1024}, 0, {1024, 1024});
  add<gather, float, i64>("gather/first", "1024x4096", {1024, 4096}, 0, {1024, 4096});
  add<gather, float, i32>("gather/first", "1024x1024", {1024, 1024}, 0, {1024, 1024});
  add<gather, float, i32>("gather/first", "1024x4096", {1024, 4096}, 0, {1024, 4096});
  expanded<i64>("4096x64", 4096, 64);
  expanded<i64>("4096x700", 4096, 700);
  expanded<i64>("4096x1024", 4096, 1024);
  expanded<i32>("4096x64", 4096, 64);
  expanded<i32>("4096x700", 4096, 700);
  add<gather, float, i64>("gather/middle", "64x512x64", {64, 512, 64}, 1, {64, 512, 64});
  add<gather, float, i32>("gather/middle", "64x512x64", {64, 512, 64}, 1, {64, 512, 64});

  strided("transposed", 1024, 1024, [](auto& x) { return x.transpose(0, 1); });
  strided("step2", 1024, 2048, [](auto& x) { return x.slice(1, 0, garner::end, 2); });
  strided("reversed", 1024, 1024, [](auto& x) { return x.flip(1); });

  last<float, i64>("4x8/k4", 4, 8, 4);
  last<float, i64>("1x1/k1", 1, 1, 1);
  last<float, i64>("16x64/k16", 16, 64, 16);
  last<float, i32>("4x8/k4", 4, 8, 4);
  return true;
}();

}  // namespace
