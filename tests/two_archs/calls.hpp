// SPDX-License-Identifier: BSD-3-Clause
// Calls that two translation units make of the same operations on the same types, one built for
// AVX2 and one for plain x86-64. Internal linkage, or the linker would keep one of the two.
#pragma once

#include <cstdint>
#include <vector>

#include <garner/garner.hpp>

#include "two_archs/unit.hpp"

namespace {

/// Appends sums over rows that hold something else than floats.
template <class T>
void add_bags_of(std::vector<float>& result) {
  using namespace garner;
  tensor<T, 2> rows({20, 37});
  for (index_t k = 0; k < rows.size(); ++k) {
    rows.data()[k] = static_cast<T>(static_cast<float>(k * 7919 % 101));
  }
  const std::vector<int> ids{3, 1, 19, 1, 0, 7};
  const std::vector<int> offsets{0, 2};
  tensor<float, 1> scale(20), bias(20);
  for (index_t r = 0; r < 20; ++r) scale(r) = bias(r) = 0.1f * static_cast<float>(r);
  const auto sums = [&] {
    if constexpr (sizeof(T) == 1) {
      return embedding_bag<bag_mode::sum>(quantized_rows(rows, scale, bias), ids, offsets);
    } else {
      return embedding_bag<bag_mode::sum>(rows, ids, offsets);
    }
  }();
  for (const auto x : sums) result.push_back(static_cast<float>(x));
}

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
  add_bags_of<half>(result);
  add_bags_of<bfloat16>(result);
  add_bags_of<std::int8_t>(result);
  add_bags_of<std::uint8_t>(result);
  return result;
}

unit this_unit() {
  void (*const gather)(const garner::view<float, 2>&, const garner::tensor<float, 2>&, const int&,
                       const garner::tensor<std::int64_t, 2>&) = garner::gather_into;
  return {xsimd::default_arch::name(), reinterpret_cast<const void*>(gather), call};
}

}  // namespace
