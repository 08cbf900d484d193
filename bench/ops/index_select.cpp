// SPDX-License-Identifier: BSD-3-Clause
// index_select: rows of many widths from tables in L1, in L2, in L3 and far out of cache; columns;
// a middle dim.
#include <garner/ops/index_select.hpp>

#include <algorithm>

#include "support/cases.hpp"

namespace {

using namespace bench;

struct index_select {
  static constexpr auto name = operation::index_select;
  static auto shape(const auto& input, int dim, const auto& index) {
    auto result = input.shape();
    result[dim] = index.size();
    return result;
  }
  static void read(auto& out, const auto& input, int dim, const auto& index, auto... options) {
    garner::index_select_into(out, input, dim, index, options...);
  }
};

struct table {
  const char* name;
  index_t bytes;
};
constexpr table in_l1{"16KB", 16 * K};
constexpr table in_l2{"256KB", 256 * K};
constexpr table in_l3{"8MB", 8 * M};
constexpr table far_away{"100MB", 100 * M};

/// As many rows as the table has, but at most 16 MB of them.
template <class T, class Index>
void rows(const table& from, index_t width) {
  const index_t row = width * static_cast<index_t>(sizeof(T));
  const index_t count = from.bytes / row;
  const index_t picked = std::min(count, 16 * M / row);
  add<index_select, T, Index>(
      "index_select/rows",
      std::string(from.name) + "x" + std::to_string(width) + "/n" + std::to_string(picked),
      {count, width}, 0, {picked});
}

template <class Index>
void columns() {
  add<index_select, float, Index>("index_select/last", "1024x1024/n512", {1024, 1024}, 1, {512});
}

template <class Index>
void middle() {
  add<index_select, float, Index>("index_select/middle", "64x512x64/n256", {64, 512, 64}, 1, {256});
}

[[maybe_unused]] const bool added = [] {
  for (const table& from : {in_l1, in_l2, in_l3, far_away}) {
    for (const index_t width : {4, 16, 20, 64, 128, 512, 768}) rows<float, i64>(from, width);
    rows<row48, i64>(from, 1);
  }
  rows<float, i64>(far_away, 6);
  columns<i64>();
  middle<i64>();

  for (const table& from : {in_l2, far_away}) {
    for (const index_t width : {4, 16, 128, 768}) rows<float, i32>(from, width);
  }
  rows<float, u8>(in_l1, 16);
  rows<float, u8>(in_l1, 128);
  columns<i32>();
  columns<i16>();
  middle<i32>();
  middle<i16>();
  return true;
}();

}  // namespace
