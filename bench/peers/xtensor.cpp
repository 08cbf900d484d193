// SPDX-License-Identifier: BSD-3-Clause
// xtensor: a view that keeps a list of indices along one dim. It has no gather. The list that it
// keeps is copied from the index inside the call, as its user would have to.
#include <array>
#include <cstddef>

#include <xtensor/xadapt.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xview.hpp>

#include "peers/peers.hpp"
#include "peers/select.hpp"

namespace bench {

namespace {

template <class T, std::size_t Rank>
auto adapt(const array& x) {
  std::array<std::size_t, Rank> shape;
  std::size_t size = 1;
  for (std::size_t d = 0; d < Rank; ++d) size *= shape[d] = static_cast<std::size_t>(x.shape[d]);
  return xt::adapt(static_cast<T*>(x.data), size, xt::no_ownership(), shape);
}

template <std::size_t Rank, class T, class Index>
call select(const problem& p) {
  return [out = adapt<T, Rank>(p.out), input = adapt<T, Rank>(p.input),
          index = adapt<Index, 1>(p.index), dim = p.dim]() mutable {
    // What xt::keep makes, but of wide integers: keep(uint8s) counts its indices in uint8.
    const xt::xkeep_slice<std::ptrdiff_t> kept(index);
    if (dim == 0) {
      xt::noalias(out) = xt::view(input, kept);
    } else if constexpr (Rank > 1) {
      xt::noalias(out) = xt::view(input, xt::all(), kept);
    }
  };
}

}  // namespace

call xtensor(const problem& p) {
  if (!is_selection(p)) return {};
  return with_types(p, [&]<class T, class Index>(T, Index) -> call {
    switch (p.input.rank()) {
      case 1:
        return select<1, T, Index>(p);
      case 2:
        return select<2, T, Index>(p);
      case 3:
        return select<3, T, Index>(p);
      default:
        return {};
    }
  });
}

}  // namespace bench
