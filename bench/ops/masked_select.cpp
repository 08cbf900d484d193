// SPDX-License-Identifier: BSD-3-Clause
// masked_select: dense operands of which few, half or most stay, and masks that are broadcast.
#include <garner/ops/masked_select.hpp>

#include "peers/libtorch.hpp"
#include "support/cases.hpp"
#include "support/numbers.hpp"

namespace {

using namespace bench;

template <class T>
void add_case(const std::string& form, garner::dims<2> shape, garner::dims<2> mask_shape,
              int percent) {
  add_benchmark(
      "masked_select/" + form + "/" + name_of<T>() + "/" + std::to_string(percent) + "%",
      [=](const runner& run) {
        auto x = random_elements<T>(shape);
        auto mask = random_mask(mask_shape, percent);
        const auto all = mask.expand(shape);
        auto out = garner::masked_select(x, mask);
        const auto plain = [&] {
          index_t n = 0;
          for (index_t i = 0; i < shape[0]; ++i) {
            for (index_t j = 0; j < shape[1]; ++j) {
              if (all(i, j)) out(n++) = x(i, j);
            }
          }
        };
        contest c{{{"plain", plain}, {"garner", [&] { garner::masked_select_into(out, x, mask); }}},
                  std::as_writable_bytes(std::span(out.begin(), out.end()))};
#ifdef GARNER_BENCH_LIBTORCH
        auto m = garner::view<u8, 2>(reinterpret_cast<u8*>(mask.data()), mask_shape);
        c.contenders.push_back(
            {"libtorch", libtorch_masked_select(describe(garner::as_view(out)),
                                                describe(garner::as_view(x)), describe(m))});
#endif
        run(c);
      });
}

[[maybe_unused]] const bool added = [] {
  for (int percent : {1, 50, 99}) {
    add_case<float>("1M", {1, M}, {1, M}, percent);
    add_case<float>("rows1024x1024", {K, K}, {K, 1}, percent);
    add_case<float>("columns1024x1024", {K, K}, {1, K}, percent);
  }
  add_case<u8>("1M", {1, M}, {1, M}, 50);
  add_case<i16>("1M", {1, M}, {1, M}, 50);
  add_case<i64>("1M", {1, M}, {1, M}, 50);
  add_case<float>("1000", {1, 1000}, {1, 1000}, 50);
  return true;
}();

}  // namespace
