// SPDX-License-Identifier: BSD-3-Clause
// embedding_bag: the sum, mean or maximum of the rows that each bag of ids names, without a matrix
// of rows in between.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <garner/bag.hpp>
#include <garner/detail/bag_call.hpp>
#include <garner/detail/kernels/reduce_rows.hpp>

namespace garner {

namespace detail {

struct embedding_bag_op {
  static constexpr const char* name = "embedding_bag";
  using negatives = reject_negative_t;
};

template <class Weight>
using bag_number = sum_of_t<decltype(rows_of("", std::declval<const Weight&>()).first)>;

/// All that a call reads; made of legal shapes.
template <class Rows, class Values, class Bags, class Weights>
struct bag_reading {
  Rows rows;
  Values values;
  Bags bags;
  Weights weights;
  index_t padding;

  dims<2> shape() const { return {bags.count, values.extent(1)}; }
};

/// Throws shape_error.
template <bag_mode Mode, class Arch, class Weight, class Ids, class Offsets, class... Options>
auto read_bags(const Weight& weight, const Ids& ids, const Offsets& offsets,
               const Options&... options) {
  using set = bag_options<Options...>;
  constexpr const char* op = embedding_bag_op::name;
  static_assert(!(false || ... || is_fill<Options>), "garner: fill(v) has no meaning in a bag");
  static_assert(Mode == bag_mode::sum || !set::is_weighted,
                "garner: per_sample_weights(w) is an option of bag_mode::sum only");
  const auto [rows, values] = rows_of(op, weight);
  const auto bags = make_bags<Arch, set::says_last>(op, index_view(ids), offsets);
  const auto weights = make_weights<bag_number<Weight>>(op, bags.ids, options...);
  const index_t padding = padding_row(op, values.extent(0), options...);
  return bag_reading<std::decay_t<decltype(rows)>, std::decay_t<decltype(values)>,
                     std::decay_t<decltype(bags)>, std::decay_t<decltype(weights)>>{
      rows, values, bags, weights, padding};
}

template <bag_mode Mode, class Arch, class Rules, class Reading, class Number>
void write_bags(const view<Number, 2>& out, const Reading& reading, bool may_be_negative) {
  if (out.is_empty()) return;
  using index = typename decltype(reading.bags.ids)::value_type;
  using step = std::conditional_t<Mode == bag_mode::max, max_step, sum_step>;
  const index_t rows = reading.values.extent(0);
  with_resolver<index, Rules>(rows, may_be_negative, [&]<class Resolve>(const Resolve& resolve) {
    for_each_group(reading.bags, reading.weights, [&](const auto& group, index_t first) {
      reduce_rows<Arch>(
          row_reduction<step, std::decay_t<decltype(reading.rows)>, Resolve, Number>{
              reading.rows,
              {resolve, reading.padding},
              out.extent(1),
              {out.data() + first * out.stride(0), out.stride(0), out.stride(1)},
              Mode == bag_mode::mean,
              is_far(reading.values)},
          group);
    });
  });
}

template <bag_mode Mode, class Arch, class Weight, class Ids, class Offsets, class... Options>
auto embed_bags(const Weight& weight, const Ids& ids, const Offsets& offsets,
                const Options&... options) {
  using rules = policy<embedding_bag_op, Ids, typename bag_options<Options...>::for_index>;
  const auto reading = read_bags<Mode, Arch>(weight, ids, offsets, options...);
  const bool may_be_negative =
      check_ids<embedding_bag_op, Arch, rules>(ids, reading.bags.ids, reading.values.extent(0));
  auto out = tensor<bag_number<Weight>, 2>::uninitialized(reading.shape());
  write_bags<Mode, Arch, rules>(as_view(out), reading, may_be_negative);
  return out;
}

template <bag_mode Mode, class Arch, class Out, class Weight, class Ids, class Offsets,
          class... Options>
void embed_bags_into(Out&& out_argument, const Weight& weight, const Ids& ids,
                     const Offsets& offsets, const Options&... options) {
  using set = bag_options<Options...>;
  using rules = policy<embedding_bag_op, Ids, typename set::for_index>;
  constexpr const char* op = embedding_bag_op::name;
  const auto reading = read_bags<Mode, Arch>(weight, ids, offsets, options...);
  const auto out =
      with_rank<2>(op, "out", writable<bag_number<Weight>>(std::forward<Out>(out_argument)));
  check_rows<set::checks_overlap>(op, "out", out, reading.shape());
  if (set::checks_overlap && !out.is_empty()) {
    check_apart(op, "out", out, "weight", reading.values);
    check_apart(op, "out", out, "ids", reading.bags.ids);
    if constexpr (is_quantized<Weight>) {
      check_apart(op, "out", out, "the scales", weight.scale());
      check_apart(op, "out", out, "the biases", weight.bias());
    }
    if constexpr (!std::same_as<Offsets, no_offsets>) {
      check_apart(op, "out", out, "offsets", reading.bags.offsets);
    }
    if constexpr (set::is_weighted) {
      check_apart(op, "out", out, "per_sample_weights", reading.weights);
    }
  }
  const bool may_be_negative =
      check_ids<embedding_bag_op, Arch, rules>(ids, reading.bags.ids, reading.values.extent(0));
  write_bags<Mode, Arch, rules>(out, reading, may_be_negative);
}

}  // namespace detail

/// out[b][j] = the sum, mean or maximum of weight[ids[i]][j], offsets[b] <= i < offsets[b + 1]
/// torch.nn.functional.embedding_bag(ids, weight, offsets, mode). `weight` has two dims and holds
/// float, double, half or bfloat16, or is quantized_rows; ids and offsets have one. The last bag
/// ends where ids does. The result is float, or double for double. An empty bag gives zeros; rows
/// are added in the order of the ids; a maximum propagates NaN. Options: per_sample_weights(w),
/// padding_idx(i), include_last_offset and those of an index but fill. Throws shape_error or
/// index_error. Costs a pass over offsets and ids, one allocation, and reading the rows.
template <bag_mode Mode = bag_mode::mean, class Weight, class Ids, detail::bag_offsets Offsets,
          class... Options, class Arch = detail::default_arch>
auto embedding_bag(const Weight& weight, const Ids& ids, const Offsets& offsets,
                   const Options&... options) {
  return detail::embed_bags<Mode, Arch>(weight, ids, offsets, options...);
}

/// out[b][j] = the sum, mean or maximum of weight[ids[b][i]][j] over all i
/// The same where all bags hold equally many ids.
template <bag_mode Mode = bag_mode::mean, class Weight, class Ids, class... Options,
          class Arch = detail::default_arch>
auto embedding_bag(const Weight& weight, const Ids& ids, const Options&... options) {
  return detail::embed_bags<Mode, Arch>(weight, ids, detail::no_offsets{}, options...);
}

/// The same into `out`; allocates nothing, and writes nothing if it throws.
template <bag_mode Mode = bag_mode::mean, class Out, class Weight, class Ids,
          detail::bag_offsets Offsets, class... Options, class Arch = detail::default_arch>
void embedding_bag_into(Out&& out, const Weight& weight, const Ids& ids, const Offsets& offsets,
                        const Options&... options) {
  detail::embed_bags_into<Mode, Arch>(std::forward<Out>(out), weight, ids, offsets, options...);
}

/// The same where all bags hold equally many ids.
template <bag_mode Mode = bag_mode::mean, class Out, class Weight, class Ids, class... Options,
          class Arch = detail::default_arch>
void embedding_bag_into(Out&& out, const Weight& weight, const Ids& ids,
                        const Options&... options) {
  detail::embed_bags_into<Mode, Arch>(std::forward<Out>(out), weight, ids, detail::no_offsets{},
                                      options...);
}

}  // namespace garner
