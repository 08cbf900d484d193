// SPDX-License-Identifier: BSD-3-Clause
// per_sample_weights_backward: the gradient of embedding_bag by its factors.
#pragma once

#include <concepts>
#include <utility>

#include <garner/bag.hpp>
#include <garner/detail/bag_call.hpp>
#include <garner/detail/kernels/row_products.hpp>

namespace garner {

namespace detail {

struct per_sample_weights_backward_op {
  static constexpr const char* name = "per_sample_weights_backward";
  using negatives = reject_negative_t;
};

template <class Arch, class Target, class GradOut, class Table, class Ids, class Offsets,
          class... Options>
void add_to_factors(Target&& target, const GradOut& grad_argument, const Table& table,
                    const Ids& ids, const Offsets& offsets, const Options&... options) {
  using op = per_sample_weights_backward_op;
  using set = bag_options<Options...>;
  using rules = policy<op, Ids, typename set::for_index>;
  static_assert(!is_fill<typename rules::outside>, "garner: fill(v) has no meaning in a bag");
  static_assert(!set::is_weighted,
                "garner: the gradient of per_sample_weights does not depend on them");
  static_assert(viewable<Target>,
                "garner: grad_factors is no tensor: pass a garner view or tensor, but no temporary "
                "that owns its elements");
  constexpr int rank = std::same_as<Offsets, no_offsets> ? 2 : 1;
  const auto to = with_rank<rank>(op::name, "grad_factors", as_view(target));
  static_assert(is_one_of<typename decltype(to)::element_type, float, double>,
                "garner: grad_factors is a writable float or double");
  using number = typename decltype(to)::value_type;
  const auto grad = with_rank<2>(op::name, "grad_out", gradients<number>(grad_argument));
  const auto weight = rows_of(op::name, table);
  const auto& rows = weight.first;
  const auto& values = weight.second;
  static_assert(std::same_as<sum_of_t<decltype(weight.first)>, number>,
                "garner: grad_factors is double for a double weight, and float for any other");
  const auto bags = make_bags<Arch, set::says_last>(op::name, index_view(ids), offsets);
  const index_t padding = padding_row(op::name, values.extent(0), options...);
  check_extents(op::name, "grad_out", grad.shape(), dims<2>(bags.count, values.extent(1)));
  if (to.shape() != bags.ids.shape()) {
    fail_shape(op::name, "grad_factors has shape ", to.shape(), ", but ids has ", bags.ids.shape());
  }
  if (set::checks_overlap && !to.is_empty()) {
    const auto keep_apart_from = [&](const char* name, const auto& x) {
      check_apart(op::name, "grad_factors", to, name, x);
    };
    check_distinct(op::name, "grad_factors", to);
    keep_apart_from("grad_out", grad);
    keep_apart_from("weight", values);
    if constexpr (is_quantized<Table>) {
      keep_apart_from("the scales", table.scale());
      keep_apart_from("the biases", table.bias());
    }
    keep_apart_from("ids", bags.ids);
    if constexpr (!std::same_as<Offsets, no_offsets>) keep_apart_from("offsets", bags.offsets);
  }
  const bool may_be_negative = check_ids<op, Arch, rules>(ids, bags.ids, values.extent(0));
  if (to.is_empty() || grad.is_empty()) return;

  using index = typename decltype(bags.ids)::value_type;
  using part = typename decltype(grad)::value_type;
  with_resolver<index, rules>(
      values.extent(0), may_be_negative, [&]<class Resolve>(const Resolve& resolve) {
        for_each_group(bags, to, [&](const auto& group, index_t first) {
          const row_products<std::remove_cvref_t<decltype(rows)>, part, Resolve> problem{
              rows,
              {resolve, padding},
              values.extent(1),
              {grad.data() + first * grad.stride(0), grad.stride(0), grad.stride(1)},
              is_far(values)};
          add_products<Arch>(problem, group);
        });
      });
}

}  // namespace detail

/// grad_factors[i] += sum over j of weight[ids[i]][j] * grad_out[b][j], where
/// offsets[b] <= i < offsets[b + 1]
/// The gradient of embedding_bag<bag_mode::sum> by its per_sample_weights, which it does not depend
/// on; padded ids have none. Adds into the caller's grad_factors, float or double. Throws
/// shape_error or index_error before the first write; allocates nothing.
template <class GradFactors, class GradOut, class Weight, class Ids, detail::bag_offsets Offsets,
          class... Options, class Arch = detail::default_arch>
void per_sample_weights_backward(GradFactors&& grad_factors, const GradOut& grad_out,
                                 const Weight& weight, const Ids& ids, const Offsets& offsets,
                                 const Options&... options) {
  detail::add_to_factors<Arch>(std::forward<GradFactors>(grad_factors), grad_out, weight, ids,
                               offsets, options...);
}

/// The same where all bags hold equally many ids, which have two dims, as grad_factors has.
template <class GradFactors, class GradOut, class Weight, class Ids, class... Options,
          class Arch = detail::default_arch>
void per_sample_weights_backward(GradFactors&& grad_factors, const GradOut& grad_out,
                                 const Weight& weight, const Ids& ids, const Options&... options) {
  detail::add_to_factors<Arch>(std::forward<GradFactors>(grad_factors), grad_out, weight, ids,
                               detail::no_offsets{}, options...);
}

}  // namespace garner
