// SPDX-License-Identifier: BSD-3-Clause
// Calls that return a tensor, by an index that no near cache holds: it is read once.
#include <garner/garner.hpp>

#include "peers/libtorch.hpp"
#include "support/cases.hpp"

namespace {

using namespace bench;

struct gather {
  static constexpr auto op = operation::gather;
  static constexpr const char* name = "gather";
  static auto run(auto&... arguments) { return garner::gather(arguments...); }
};

struct take {
  static constexpr auto op = operation::take;
  static constexpr const char* name = "take";
  static auto run(auto& input, int, auto&... rest) { return garner::take(input, rest...); }
};

template <class Op, std::size_t R>
void add_returned(const std::string& size, const index_t (&input_shape)[R], int dim,
                  const index_t (&index_shape)[R]) {
  const garner::dims<R> stored(std::to_array(input_shape));
  const garner::dims<R> picked(std::to_array(index_shape));
  add_benchmark(std::string(Op::name) + "/returned/f32/i64/" + size, [=](const runner& run) {
    auto input = random_elements<float>(stored);
    auto index = random_indices<i64>(picked, stored[dim]);
    auto out = Op::run(input, dim, index);
    auto own = out, unchecked = out;
    const problem p{Op::op, describe(garner::as_view(out)), describe(garner::as_view(input)), dim,
                    describe(garner::as_view(index))};
    const auto bytes_of = [](auto& x) {
      return [&x] { return std::as_bytes(std::span(x.begin(), x.end())); };
    };
    contest c{{{"plain", plain_loop<float, i64>(p)},
               {"garner", [&] { own = Op::run(input, dim, index); }, bytes_of(own)},
               {"unchecked", [&] { unchecked = Op::run(input, dim, index, garner::unchecked); },
                bytes_of(unchecked)}},
              std::as_writable_bytes(std::span(out.begin(), out.end()))};
#ifdef GARNER_BENCH_LIBTORCH
    c.contenders.push_back(libtorch_returned(p));
#endif
    run(c);
  });
}

[[maybe_unused]] const bool added = [] {
  add_returned<gather>("4096x1024/k256", {4096, 1024}, 1, {4096, 256});
  add_returned<gather>("65536x64/k16", {65536, 64}, 1, {65536, 16});
  add_returned<gather>("256x16384/k4096", {256, 16384}, 1, {256, 4096});
  add_returned<gather>("1Mx8/k8", {M, 8}, 1, {M, 8});
  add_returned<gather>("1Mx8/k1", {M, 8}, 1, {M, 1});
  add_returned<take>("4K/n1M", {4 * K}, 0, {M});
  add_returned<take>("256K/n1M", {256 * K}, 0, {M});
  return true;
}();

}  // namespace
