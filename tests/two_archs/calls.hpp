// SPDX-License-Identifier: BSD-3-Clause
// Calls that two translation units make of the same operations on the same types, one built for
// AVX2 and one for plain x86-64. Internal linkage, or the linker would keep one of the two.
#pragma once

#include <cstdint>
#include <vector>

#include <garner/garner.hpp>

#include "two_archs/unit.hpp"

namespace {

std::vector<float> call(bool is_bad) {
  using namespace garner;
  tensor<float, 2> x({40, 33});
  for (index_t k = 0; k < x.size(); ++k) x.data()[k] = static_cast<float>(k * 7919 % 1013) * 0.3f;
  std::vector<std::int64_t> rows;
  for (index_t k = 0; k < 90; ++k) rows.push_back(k * 31 % 40);
  if (is_bad) rows[77] = 40;
  const auto picked = index_select(x, 0, rows);
  index_add_into(x, 0, rows, picked, alpha(0.7f));
  scatter_add_into(x, 1, make_view(rows, {30, 3}), picked, wrap);
  const auto order = argsort(x, 1);
  const auto sorted = gather(x, 1, order);
  const auto bags = embedding_bag<bag_mode::mean>(x, rows, std::vector<int>{0, 3, 50});
  std::vector<float> result(sorted.data(), sorted.data() + sorted.size());
  result.insert(result.end(), bags.data(), bags.data() + bags.size());
  return result;
}

unit this_unit() {
  void (*const gather)(const garner::view<float, 2>&, const garner::tensor<float, 2>&, const int&,
                       const garner::tensor<std::int64_t, 2>&) = garner::gather_into;
  return {xsimd::default_arch::name(), reinterpret_cast<const void*>(gather), call};
}

}  // namespace
