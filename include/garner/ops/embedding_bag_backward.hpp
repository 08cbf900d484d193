// SPDX-License-Identifier: BSD-3-Clause
// embedding_bag_backward: each bag's gradient, added to the rows that the bag was made of.
#pragma once

#include <utility>

#include <garner/bag.hpp>
#include <garner/detail/bag_call.hpp>
#include <garner/detail/kernels/add_rows.hpp>

namespace garner {

namespace detail {

struct embedding_bag_backward_op {
  static constexpr const char* name = "embedding_bag_backward";
  using negatives = reject_negative_t;
};

/// Stands for the table where the gradient does not depend on it.
struct no_table {};

template <bag_mode Mode, class Arch, class GradWeight, class GradOut, class Table, class Ids,
          class Offsets, class... Options>
void add_bags(GradWeight&& target, const GradOut& grad_argument, const Table& table, const Ids& ids,
              const Offsets& offsets, const Options&... options) {
  using op = embedding_bag_backward_op;
  using set = bag_options<Options...>;
  using rules = policy<op, Ids, typename set::for_index>;
  static_assert(!is_fill<typename rules::outside>, "garner: fill(v) has no meaning in a bag");
  static_assert(Mode == bag_mode::sum || !set::is_weighted,
                "garner: per_sample_weights(w) is an option of bag_mode::sum only");
  const auto to = gradient_rows(op::name, std::forward<GradWeight>(target));
  using number = typename decltype(to)::value_type;
  const auto grad = with_rank<2>(op::name, "grad_out", gradients<number>(grad_argument));
  const auto bags = make_bags<Arch, set::says_last>(op::name, index_view(ids), offsets);
  const auto weights = make_weights<number>(op::name, bags.ids, options...);
  const index_t padding = padding_row(op::name, to.extent(0), options...);
  check_extents(op::name, "grad_out", grad.shape(), dims<2>(bags.count, to.extent(1)));
  check_rows<set::checks_overlap>(op::name, "grad_weight", to, to.shape());
  const auto keep_apart_from = [&](const char* name, const auto& x) {
    if (set::checks_overlap && !to.is_empty()) check_apart(op::name, "grad_weight", to, name, x);
  };
  keep_apart_from("grad_out", grad);
  keep_apart_from("ids", bags.ids);
  if constexpr (!std::same_as<Offsets, no_offsets>) keep_apart_from("offsets", bags.offsets);
  if constexpr (set::is_weighted) keep_apart_from("per_sample_weights", weights);
  const auto rows = [&] {
    if constexpr (Mode == bag_mode::max) {
      const auto [numbers, values] = rows_of(op::name, table);
      check_extents(op::name, "weight", values.shape(), to.shape());
      keep_apart_from("weight", values);
      if constexpr (is_quantized<Table>) {
        keep_apart_from("the scales", table.scale());
        keep_apart_from("the biases", table.bias());
      }
      static_assert(std::same_as<sum_of_t<decltype(numbers)>, number>,
                    "garner: weight and grad_weight are both float or both double");
      return numbers;
    } else {
      return no_table{};
    }
  }();
  const bool may_be_negative = check_ids<op, Arch, rules>(ids, bags.ids, to.extent(0));
  if (to.is_empty() || grad.is_empty()) return;

  using index = typename decltype(bags.ids)::value_type;
  using part = typename decltype(grad)::value_type;
  with_resolver<index, rules>(
      to.extent(0), may_be_negative, [&]<class Resolve>(const Resolve& resolve) {
        for_each_group(bags, weights, [&](const auto& group, index_t first) {
          const row_addition<number, part, Resolve> problem{
              {to.data(), to.stride(0), to.stride(1)},
              {resolve, padding},
              to.extent(1),
              {grad.data() + first * grad.stride(0), grad.stride(0), grad.stride(1)},
              Mode == bag_mode::mean,
              is_far(to)};
          if constexpr (Mode == bag_mode::max) {
            add_to_largest<Arch>(problem, rows, group);
          } else {
            add_rows<Arch>(problem, group);
          }
        });
      });
}

}  // namespace detail

/// grad_weight[ids[i]][j] += grad_out[b][j], offsets[b] <= i < offsets[b + 1]   // sum
/// The gradient of embedding_bag: times per_sample_weights[i]; for a mean, divided by the number of
/// ids in the bag that count. Adds into the caller's grad_weight, float or double, in the order of
/// the ids. Throws shape_error or index_error before the first write; allocates nothing.
template <bag_mode Mode = bag_mode::mean, class GradWeight, class GradOut, class Ids,
          detail::bag_offsets Offsets, class... Options, class Arch = detail::default_arch>
requires(Mode != bag_mode::max) void embedding_bag_backward(GradWeight&& grad_weight,
                                                            const GradOut& grad_out, const Ids& ids,
                                                            const Offsets& offsets,
                                                            const Options&... options) {
  detail::add_bags<Mode, Arch>(std::forward<GradWeight>(grad_weight), grad_out, detail::no_table{},
                               ids, offsets, options...);
}

/// The same where all bags hold equally many ids, which have two dims.
template <bag_mode Mode = bag_mode::mean, class GradWeight, class GradOut, class Ids,
          class... Options, class Arch = detail::default_arch>
requires(Mode != bag_mode::max) void embedding_bag_backward(GradWeight&& grad_weight,
                                                            const GradOut& grad_out, const Ids& ids,
                                                            const Options&... options) {
  detail::add_bags<Mode, Arch>(std::forward<GradWeight>(grad_weight), grad_out, detail::no_table{},
                               ids, detail::no_offsets{}, options...);
}

/// grad_weight[r][j] += grad_out[b][j], where r is the first row of bag b with the largest
/// weight[r][j]; NaN counts as largest
/// The gradient of a maximum, which takes the weight that it was made from.
template <bag_mode Mode, class GradWeight, class GradOut, class Weight, class Ids,
          detail::bag_offsets Offsets, class... Options, class Arch = detail::default_arch>
requires(Mode == bag_mode::max) void embedding_bag_backward(GradWeight&& grad_weight,
                                                            const GradOut& grad_out,
                                                            const Weight& weight, const Ids& ids,
                                                            const Offsets& offsets,
                                                            const Options&... options) {
  detail::add_bags<Mode, Arch>(std::forward<GradWeight>(grad_weight), grad_out, weight, ids,
                               offsets, options...);
}

/// The same where all bags hold equally many ids, which have two dims.
template <bag_mode Mode, class GradWeight, class GradOut, class Weight, class Ids, class... Options,
          class Arch = detail::default_arch>
requires(Mode == bag_mode::max) void embedding_bag_backward(GradWeight&& grad_weight,
                                                            const GradOut& grad_out,
                                                            const Weight& weight, const Ids& ids,
                                                            const Options&... options) {
  detail::add_bags<Mode, Arch>(std::forward<GradWeight>(grad_weight), grad_out, weight, ids,
                               detail::no_offsets{}, options...);
}

}  // namespace garner
