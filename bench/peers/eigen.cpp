// SPDX-License-Identifier: BSD-3-Clause
// Eigen: rows, columns or elements by a list of indices. It has no gather, and no third dim.
#include <Eigen/Core>

#include "peers/peers.hpp"
#include "peers/select.hpp"

namespace bench {

namespace {

template <class T>
auto matrix(const array& x) {
  using matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<matrix>(static_cast<T*>(x.data), x.shape[0], x.shape[1]);
}

template <class T>
auto vector(const array& x) {
  return Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>(static_cast<T*>(x.data), x.shape[0]);
}

template <class T, class Index>
call select(const problem& p) {
  const auto index = vector<Index>(p.index);
  if (p.input.rank() == 1) {
    return [out = vector<T>(p.out), input = vector<T>(p.input), index]() mutable {
      out = input(index);
    };
  }
  auto out = matrix<T>(p.out);
  auto input = matrix<T>(p.input);
  if (p.dim == 0) return [=]() mutable { out = input(index, Eigen::all); };
  return [=]() mutable { out = input(Eigen::all, index); };
}

}  // namespace

call eigen(const problem& p) {
  if (!is_selection(p) || p.input.rank() > 2) return {};
  return with_types(p, [&]<class T, class Index>(T, Index) -> call { return select<T, Index>(p); });
}

}  // namespace bench
