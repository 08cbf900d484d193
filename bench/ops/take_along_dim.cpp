// SPDX-License-Identifier: BSD-3-Clause
// take_along_dim: in the order of an argsort, and with one list of indices for all rows.
#include <garner/ops/take_along_dim.hpp>

#include "support/cases.hpp"

namespace {

using namespace bench;

struct take_along_dim {
  static constexpr auto name = operation::take_along_dim;
  static auto shape(const auto& input, int dim, const auto& index) {
    auto result = input.shape();
    result[dim] = index.extent(dim);
    return result;
  }
  static void read(auto& out, const auto& input, int dim, const auto& index, auto... options) {
    garner::take_along_dim_into(out, input, index, dim, options...);
  }
};

template <class Index>
void order() {
  add<take_along_dim, float, Index>("take_along_dim/order", "256x1024", {256, 1024}, 1, {256, 1024},
                                    as_is{}, [](auto& index) {
                                      draw_orders(index);
                                      return garner::as_view(index);
                                    });
}

template <class Index>
void broadcast() {
  add<take_along_dim, float, Index>("take_along_dim/broadcast", "256x1024/k256", {256, 1024}, 1,
                                    {1, 256});
}

[[maybe_unused]] const bool added = [] {
  order<i64>();
  order<i32>();
  order<i16>();
  broadcast<i64>();
  broadcast<i32>();
  broadcast<i16>();
  return true;
}();

}  // namespace
