// SPDX-License-Identifier: BSD-3-Clause
// take: from flat tables, far ones and such as fit into registers.
#include <garner/ops/take.hpp>

#include "support/cases.hpp"

namespace {

using namespace bench;

struct take {
  static constexpr auto name = operation::take;
  static auto shape(const auto&, int, const auto& index) { return index.shape(); }
  static void read(auto& out, const auto& input, int, const auto& index, auto... options) {
    garner::take_into(out, input, index, options...);
  }
};

template <class T, class Index>
void flat(const std::string& size, index_t extent, index_t picked) {
  add<take, T, Index>("take/flat", size, {extent}, 0, {picked});
}

/// A table that fits into registers: the report sums these up by their name.
template <class T, class Index>
void table(const std::string& size, index_t extent, index_t picked) {
  add<take, T, Index>("take/table", size, {extent}, 0, {picked});
}

[[maybe_unused]] const bool added = [] {
  flat<float, i64>("4K/n1M", 4 * K, M);
  flat<float, i64>("256K/n1M", 256 * K, M);
  flat<float, i64>("64M/n1M", 64 * M, M);
  flat<float, i32>("4K/n1M", 4 * K, M);
  flat<float, i32>("256K/n1M", 256 * K, M);
  flat<float, i32>("64M/n1M", 64 * M, M);
  flat<float, i16>("4K/n1M", 4 * K, M);
  flat<float, u8>("256/n1M", 256, M);
  table<u8, u8>("16/n4M", 16, 4 * M);
  table<u8, u8>("256/n4M", 256, 4 * M);
  table<float, u8>("16/n1M", 16, M);
  table<u8, i64>("16/n4M", 16, 4 * M);
  table<u8, i64>("256/n4M", 256, 4 * M);
  flat<float, i64>("8/n1", 8, 1);
  return true;
}();

}  // namespace
