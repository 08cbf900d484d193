// SPDX-License-Identifier: BSD-3-Clause
// Where a view's elements lie, by plain loops that share nothing with include/.
#pragma once

#include <functional>
#include <numeric>
#include <type_traits>
#include <vector>

#include <garner/view.hpp>

namespace test {

using garner::index_t;
using index_list = std::vector<index_t>;

/// 0, 1, ... n - 1: elements that know where they lie.
inline std::vector<int> counted(std::size_t n) {
  std::vector<int> result(n);
  std::iota(result.begin(), result.end(), 0);
  return result;
}

template <class List>
index_list to_list(const List& x) {
  return index_list(x.begin(), x.end());
}

inline index_t product(const index_list& shape) {
  return std::accumulate(shape.begin(), shape.end(), index_t{1}, std::multiplies<>());
}

/// The coordinates of `shape` in row-major order.
inline std::vector<index_list> coordinates(const index_list& shape) {
  std::vector<index_list> result;
  const index_t count = product(shape);
  for (index_t flat = 0; flat < count; ++flat) {
    index_list at(shape.size());
    index_t rest = flat;
    for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d]) at[d] = rest % shape[d];
    result.push_back(at);
  }
  return result;
}

inline index_t dot(const index_list& a, const index_list& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), index_t{0});
}

/// Where the elements lie, in row-major order, counted from data().
inline index_list offsets(const index_list& shape, const index_list& strides) {
  index_list result;
  for (const auto& at : coordinates(shape)) result.push_back(dot(at, strides));
  return result;
}

/// The elements in row-major order.
template <class T, int Rank>
std::vector<std::remove_cv_t<T>> elements(const garner::view<T, Rank>& x) {
  std::vector<std::remove_cv_t<T>> result;
  for (index_t at : offsets(to_list(x.shape()), to_list(x.strides())))
    result.push_back(x.data()[at]);
  return result;
}

}  // namespace test
