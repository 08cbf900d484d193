// SPDX-License-Identifier: BSD-3-Clause
// The fuzzer's target: the first byte chooses an operation with types and options, the others its
// shapes, layouts, indices and values. Few types, so that it compiles quickly.
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "fuzz/bags.hpp"
#include "fuzz/lines.hpp"
#include "fuzz/reading.hpp"
#include "fuzz/source.hpp"
#include "fuzz/views.hpp"
#include "fuzz/writing.hpp"

namespace {

using namespace fuzz;
using enum outside;

using plain = types<std::int64_t, std::int64_t, checked, negatives::by_default>;
using bytes = types<std::uint8_t, std::int8_t, checked, negatives::from_end>;
using wrapped = types<float, std::int32_t, wrap, negatives::by_default>;
using filled = types<test::rgb, std::uint64_t, fill, negatives::from_end>;
using clipped = types<std::uint16_t, std::int16_t, clip, negatives::rejected>;

using floats = types<float, std::int64_t, checked, negatives::from_end>;
using halves = types<garner::half, std::uint16_t, fill, negatives::by_default>;
using trusted = types<float, std::int32_t, unchecked, negatives::from_end>;
using apart = types<std::uint16_t, std::uint32_t, checked, negatives::by_default, aliases::vouched>;
using vouched =
    types<std::int64_t, std::int64_t, unchecked, negatives::by_default, aliases::vouched>;
using shorts = types<std::int16_t, std::int8_t, clip, negatives::from_end>;

void (*const targets[])(source&) = {
    read_gather<plain>,
    read_gather<bytes>,
    read_gather<wrapped>,
    read_gather<filled>,
    read_gather<clipped>,
    read_take_along_dim<plain>,
    read_take_along_dim<filled>,
    read_index_select<plain>,
    read_index_select<bytes>,
    read_flat<plain>,
    read_flat<bytes>,
    read_flat<wrapped>,
    read_take<plain>,
    read_take<filled>,
    read_gather_nd<plain>,
    read_gather_nd<bytes>,
    write_scatter<plain>,
    write_scatter<bytes>,
    write_scatter_add<floats>,
    write_scatter_add<halves>,
    write_scatter_reduce<floats, reduce::prod>,
    write_scatter_reduce<floats, reduce::mean>,
    write_scatter_reduce<floats, reduce::amax>,
    write_scatter_reduce<shorts, reduce::mean>,
    write_index_add<floats>,
    write_index_add<shorts>,
    write_index_copy<plain>,
    write_index_fill<bytes>,
    write_put<plain>,
    write_accumulate<floats>,
    write_put_along_dim<bytes>,
    write_scatter_nd<plain, reduce::none>,
    write_scatter_nd<floats, reduce::sum>,
    try_bags<floats, std::int64_t, bag_mode::sum>,
    try_bags<types<garner::half, std::int32_t, checked, negatives::by_default>, std::uint32_t,
             bag_mode::mean>,
    try_bags<wrapped, std::int8_t, bag_mode::max>,
    try_make_view<int>,
    try_make_view<test::rgb>,
    try_views,
    read_gather<trusted>,
    read_gather<vouched>,
    read_take_along_dim<apart>,
    read_index_select<vouched>,
    read_flat<trusted>,
    read_take<apart>,
    read_gather_nd<trusted>,
    write_scatter<vouched>,
    write_scatter_add<trusted>,
    write_scatter_reduce<vouched, reduce::mean>,
    write_index_copy<apart>,
    write_put<vouched>,
    write_scatter_nd<trusted, reduce::sum>,
    try_bags<trusted, std::int64_t, bag_mode::max>,
    try_bags<types<float, std::int64_t, unchecked, negatives::rejected, aliases::vouched>,
             std::int32_t, bag_mode::sum>,
    [](source& s) { try_argsort<float, aliases::tested>(s); },
    [](source& s) { try_argsort<std::int8_t, aliases::vouched>(s, garner::descending); },
    [](source& s) { try_topk<float, aliases::tested>(s); },
    [](source& s) { try_topk<std::int16_t, aliases::vouched>(s, garner::smallest); },
    try_masked_select<float, std::uint8_t, aliases::tested>,
    try_masked_select<std::uint8_t, bool, aliases::vouched>,
    try_compress<std::int64_t, std::uint8_t, aliases::tested, form::select>,
    try_compress<std::uint8_t, bool, aliases::vouched, form::select>,
    try_compress<float, std::uint8_t, aliases::tested, form::flat>,
};

}  // namespace

std::size_t fuzz::target_count() { return std::size(targets); }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  source s({data, size});
  targets[s.below(std::size(targets))](s);
  return 0;
}
