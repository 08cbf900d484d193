// SPDX-License-Identifier: BSD-3-Clause
// Every public operation once. The test `layers` fails if a public function of an ops header is not
// called here.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include <garner/garner.hpp>

#include "support/operation_lister.hpp"

namespace test {

/// Operations that move elements.
template <class T, class I, depth Depth>
void list_moves(lister<T, I, Depth>& to) {
  using given = arguments<T, I>;
  to.add(
      {"gather", kind::read, axis::dim, gathered, false, true},
      {{" along dim 0", by_first_dim}, {" along dim 1", by_last_dim}},
      [](const given& a, const auto&... o) {
        garner::gather_into(a.to_values(), a.table(), a.dim, a.index(), o...);
      },
      [](const given& a, const auto&... o) {
        return garner::gather(a.table(), a.dim, a.index(), o...);
      });
  to.add(
      {"take_along_dim", kind::read, axis::dim, along, true, true},
      {{" along dim 0", by_first_dim}, {" along dim 1", by_last_dim}, {", repeated", broadcast}},
      [](const given& a, const auto&... o) {
        garner::take_along_dim_into(a.to_values(), a.table(), a.index(), a.dim, o...);
      },
      [](const given& a, const auto&... o) {
        return garner::take_along_dim(a.table(), a.index(), a.dim, o...);
      });
  to.add(
      {"take_along_dim", kind::read, axis::whole, flattened, true}, {{", flat", flat}},
      [](const given& a, const auto&... o) {
        garner::take_along_dim_into(a.to_values(), a.table(), a.index(), o...);
      },
      [](const given& a, const auto&... o) {
        return garner::take_along_dim(a.table(), a.index(), o...);
      });
  to.add(
      {"index_select", kind::read, axis::dim, selected, false, true},
      {{" of rows", rows}, {" of columns", columns}},
      [](const given& a, const auto&... o) {
        garner::index_select_into(a.to_values(), a.table(), a.dim, a.index(), o...);
      },
      [](const given& a, const auto&... o) {
        return garner::index_select(a.table(), a.dim, a.index(), o...);
      });
  to.add(
      {"take", kind::read, axis::dim, taken, true, true, true},
      {{" of rows", rows},
       {" of columns", columns},
       {", inserted", inserted},
       {", batched", batched}},
      [](const given& a, const auto&... o) {
        garner::take_into(a.to_values(), a.table(), a.index(), a.dim, a.batch, o...);
      },
      [](const given& a, const auto&... o) {
        return garner::take(a.table(), a.index(), a.dim, a.batch, o...);
      });
  to.add(
      {"take", kind::read, axis::whole, flattened, true}, {{", flat", flat}},
      [](const given& a, const auto&... o) {
        garner::take_into(a.to_values(), a.table(), a.index(), o...);
      },
      [](const given& a, const auto&... o) { return garner::take(a.table(), a.index(), o...); });
  to.add(
      {"gather_nd", kind::read, axis::tuples, by_coordinates, true, false, true},
      {{" of pairs", pairs}, {" of slices", slices}},
      [](const given& a, const auto&... o) {
        garner::gather_nd_into(a.to_values(), a.table(), a.index(), a.batch, o...);
      },
      [](const given& a, const auto&... o) {
        return garner::gather_nd(a.table(), a.index(), a.batch, o...);
      });
  to.add(
      {"embedding", kind::read, axis::first, embedded}, {{"", rows}},
      [](const given& a, const auto&... o) {
        garner::embedding_into(a.to_values(), a.table(), a.index(), o...);
      },
      [](const given& a, const auto&... o) {
        return garner::embedding(a.table(), a.index(), o...);
      });
  to.add(
      {"scatter", kind::assign, axis::dim, gathered, false, true},
      {{" along dim 0", by_first_dim}, {" along dim 1", by_last_dim}},
      [](const given& a, const auto&... o) {
        garner::scatter_into(a.to_table(), a.dim, a.index(), a.values(), o...);
      },
      [](const given& a, const auto&... o) {
        return garner::scatter(a.table(), a.dim, a.index(), a.values(), o...);
      });
  to.add(
      {"index_copy", kind::assign, axis::dim, selected, false, true},
      {{" of rows", rows}, {" of columns", columns}},
      [](const given& a, const auto&... o) {
        garner::index_copy_into(a.to_table(), a.dim, a.index(), a.values(), o...);
      },
      [](const given& a, const auto&... o) {
        return garner::index_copy(a.table(), a.dim, a.index(), a.values(), o...);
      });
  to.add(
      {"index_fill", kind::assign, axis::dim, selected, true, true},
      {{" of rows", rows}, {" of columns", columns}},
      [](const given& a, const auto&... o) {
        garner::index_fill_into(a.to_table(), a.dim, a.index(), a.values(), o...);
      },
      [](const given& a, const auto&... o) {
        return garner::index_fill(a.table(), a.dim, a.index(), a.values(), o...);
      });
  to.add(
      {"put", kind::assign, axis::whole, flattened, true}, {{"", flat}},
      [](const given& a, const auto&... o) {
        garner::put_into(a.to_table(), a.index(), a.values(), o...);
      },
      [](const given& a, const auto&... o) {
        return garner::put(a.table(), a.index(), a.values(), o...);
      });
  to.add(
      {"put_along_dim", kind::assign, axis::dim, along, true, true},
      {{" along dim 0", by_first_dim}, {" along dim 1", by_last_dim}},
      [](const given& a, const auto&... o) {
        garner::put_along_dim_into(a.to_table(), a.index(), a.values(), a.dim, o...);
      },
      [](const given& a, const auto&... o) {
        return garner::put_along_dim(a.table(), a.index(), a.values(), a.dim, o...);
      });
  to.add(
      {"put_along_dim", kind::assign, axis::whole, flattened, true}, {{", flat", flat}},
      [](const given& a, const auto&... o) {
        garner::put_along_dim_into(a.to_table(), a.index(), a.values(), o...);
      },
      [](const given& a, const auto&... o) {
        return garner::put_along_dim(a.table(), a.index(), a.values(), o...);
      });
  to.add(
      {"scatter_nd", kind::assign, axis::tuples, by_coordinates, true, false, true},
      {{" of pairs", pairs}, {" of slices", slices}},
      [](const given& a, const auto&... o) {
        garner::scatter_nd_into(a.to_table(), a.index(), a.values(), a.batch, o...);
      },
      [](const given& a, const auto&... o) {
        return garner::scatter_nd(a.table(), a.index(), a.values(), a.batch, o...);
      });
  to.add(
      {"validate", kind::validate, axis::whole}, {{"", list}},
      [](const given& a,
         const auto&... o) requires(!(std::is_same_v<decltype(o), const garner::wrap_t&> || ...)) {
        static_cast<void>(garner::validate(a.index(), a.c.table.shape[0], o...));
      },
      no_form{});
}

template <class T, class I, depth Depth>
void list_scatter_add(lister<T, I, Depth>& to) {
  using given = arguments<T, I>;
  to.add(
      {"scatter_add", kind::sum, axis::dim, gathered, false, true},
      {{" along dim 0", by_first_dim}, {" along dim 1", by_last_dim}},
      [](const given& a, const auto&... o) {
        garner::scatter_add_into(a.to_table(), a.dim, a.index(), a.values(), o...);
      },
      [](const given& a, const auto&... o) {
        return garner::scatter_add(a.table(), a.dim, a.index(), a.values(), o...);
      });
}

/// Operations that combine numbers.
template <class T, class I, depth Depth>
void list_sums(lister<T, I, Depth>& to) {
  using given = arguments<T, I>;
  list_scatter_add(to);
  const auto add_reduction = [&]<reduce Kind>(test::kind k, const char* along_0,
                                              const char* along_1) {
    to.add(
        {"scatter_reduce", k, axis::dim, gathered, false, true},
        {{along_0, by_first_dim}, {along_1, by_last_dim}},
        [](const given& a, const auto&... o) {
          garner::scatter_reduce_into<Kind>(a.to_table(), a.dim, a.index(), a.values(), o...);
        },
        [](const given& a, const auto&... o) {
          return garner::scatter_reduce<Kind>(a.table(), a.dim, a.index(), a.values(), o...);
        });
  };
  add_reduction.template operator()<reduce::prod>(kind::prod, ", product, dim 0",
                                                  ", product, dim 1");
  add_reduction.template operator()<reduce::mean>(kind::mean, ", mean, dim 0", ", mean, dim 1");
  add_reduction.template operator()<reduce::amax>(kind::amax, ", amax, dim 0", ", amax, dim 1");
  add_reduction.template operator()<reduce::amin>(kind::amin, ", amin, dim 0", ", amin, dim 1");
  to.add(
      {"index_add", kind::sum, axis::dim, selected, false, true},
      {{" of rows", rows}, {" of columns", columns}},
      [](const given& a, const auto&... o) {
        garner::index_add_into(a.to_table(), a.dim, a.index(), a.values(), o...);
      },
      [](const given& a, const auto&... o) {
        return garner::index_add(a.table(), a.dim, a.index(), a.values(), o...);
      });
  to.add(
      {"put", kind::sum, axis::whole, flattened, true}, {{", accumulated", flat}},
      [](const given& a, const auto&... o) {
        garner::put_into(a.to_table(), a.index(), a.values(), garner::accumulate, o...);
      },
      [](const given& a, const auto&... o) {
        return garner::put(a.table(), a.index(), a.values(), garner::accumulate, o...);
      });
  to.add(
      {"scatter_nd", kind::sum, axis::tuples, by_coordinates, true, false, true},
      {{" of pairs, sum", pairs}, {" of slices, sum", slices}},
      [](const given& a, const auto&... o) {
        garner::scatter_nd_into<reduce::sum>(a.to_table(), a.index(), a.values(), a.batch, o...);
      },
      [](const given& a, const auto&... o) {
        return garner::scatter_nd<reduce::sum>(a.table(), a.index(), a.values(), a.batch, o...);
      });
}

/// Gradients, which add.
template <class T, class I, depth Depth>
void list_gradients(lister<T, I, Depth>& to) {
  using given = arguments<T, I>;
  to.add(
      {"gather_backward", kind::sum, axis::dim, gathered, false, true},
      {{" along dim 0", by_first_dim}, {" along dim 1", by_last_dim}},
      [](const given& a, const auto&... o) {
        garner::gather_backward(a.to_table(), a.values(), a.dim, a.index(), o...);
      },
      no_form{});
  to.add(
      {"take_along_dim_backward", kind::sum, axis::dim, along, true, true},
      {{" along dim 0", by_first_dim}, {" along dim 1", by_last_dim}, {", repeated", broadcast}},
      [](const given& a, const auto&... o) {
        garner::take_along_dim_backward(a.to_table(), a.values(), a.index(), a.dim, o...);
      },
      no_form{});
  to.add(
      {"take_along_dim_backward", kind::sum, axis::whole, flattened, true}, {{", flat", flat}},
      [](const given& a, const auto&... o) {
        garner::take_along_dim_backward(a.to_table(), a.values(), a.index(), o...);
      },
      no_form{});
  to.add(
      {"index_select_backward", kind::sum, axis::dim, selected, false, true},
      {{" of rows", rows}, {" of columns", columns}},
      [](const given& a, const auto&... o) {
        garner::index_select_backward(a.to_table(), a.values(), a.dim, a.index(), o...);
      },
      no_form{});
  to.add(
      {"take_backward", kind::sum, axis::dim, taken, true, true, true},
      {{" of rows", rows},
       {" of columns", columns},
       {", inserted", inserted},
       {", batched", batched}},
      [](const given& a, const auto&... o) {
        garner::take_backward(a.to_table(), a.values(), a.index(), a.dim, a.batch, o...);
      },
      no_form{});
  to.add(
      {"take_backward", kind::sum, axis::whole, flattened, true}, {{", flat", flat}},
      [](const given& a, const auto&... o) {
        garner::take_backward(a.to_table(), a.values(), a.index(), o...);
      },
      no_form{});
  to.add(
      {"gather_nd_backward", kind::sum, axis::tuples, by_coordinates, true, false, true},
      {{" of pairs", pairs}, {" of slices", slices}},
      [](const given& a, const auto&... o) {
        garner::gather_nd_backward(a.to_table(), a.values(), a.index(), a.batch, o...);
      },
      no_form{});
  to.add(
      {"scatter_add_backward", kind::add_read, axis::dim, gathered, false, true},
      {{" along dim 0", by_first_dim}, {" along dim 1", by_last_dim}},
      [](const given& a, const auto&... o) {
        garner::scatter_add_backward(a.to_values(), a.table(), a.dim, a.index(), o...);
      },
      no_form{});
  to.add(
      {"index_add_backward", kind::add_read, axis::dim, selected, false, true},
      {{" of rows", rows}, {" of columns", columns}},
      [](const given& a, const auto&... o) {
        garner::index_add_backward(a.to_values(), a.table(), a.dim, a.index(), o...);
      },
      no_form{});
}

/// Operations on rows of floats.
template <class I, depth Depth>
void list_rows(lister<float, I, Depth>& to) {
  using given = arguments<float, I>;
  const auto add_mode = [&]<bag_mode Mode>(test::kind k, const char* by_offsets,
                                           const char* square) {
    to.add(
        {"embedding_bag", k, axis::first, embedded}, {{by_offsets, bags}},
        [](const given& a, const auto&... o) {
          garner::embedding_bag_into<Mode>(a.to_values(), a.table(), a.index(), a.offsets(), o...);
        },
        [](const given& a, const auto&... o) {
          return garner::embedding_bag<Mode>(a.table(), a.index(), a.offsets(), o...);
        });
    to.add(
        {"embedding_bag", k, axis::first, embedded}, {{square, square_bags}},
        [](const given& a, const auto&... o) {
          garner::embedding_bag_into<Mode>(a.to_values(), a.table(), a.index(), o...);
        },
        [](const given& a, const auto&... o) {
          return garner::embedding_bag<Mode>(a.table(), a.index(), o...);
        });
  };
  add_mode.template operator()<bag_mode::sum>(kind::bag_sum, ", sum", ", sum, square");
  add_mode.template operator()<bag_mode::mean>(kind::bag_mean, ", mean", ", mean, square");
  add_mode.template operator()<bag_mode::max>(kind::bag_max, ", max", ", max, square");
  to.add(
      {"embedding_bag_backward", kind::add_bag_mean, axis::first, embedded}, {{", mean", bags}},
      [](const given& a, const auto&... o) {
        garner::embedding_bag_backward(a.to_table(), a.values(), a.index(), a.offsets(), o...);
      },
      no_form{});
  to.add(
      {"embedding_bag_backward", kind::add_bag_sum, axis::first, embedded},
      {{", sum, square", square_bags}},
      [](const given& a, const auto&... o) {
        garner::embedding_bag_backward<bag_mode::sum>(a.to_table(), a.values(), a.index(), o...);
      },
      no_form{});
  to.add(
      {"embedding_bag_backward", kind::add_bag_max, axis::first, embedded, false, false, false,
       extra::elements},
      {{", max", bags}},
      [](const given& a, const auto&... o) {
        garner::embedding_bag_backward<bag_mode::max>(a.to_table(), a.values(), a.extra(),
                                                      a.index(), a.offsets(), o...);
      },
      no_form{});
  to.add(
      {"per_sample_weights_backward", kind::add_bag_factor, axis::first, embedded, false, false,
       false, extra::elements},
      {{"", factors_of_bags}},
      [](const given& a, const auto&... o) {
        garner::per_sample_weights_backward(a.to_values(), a.extra(), a.table(), a.index(),
                                            a.offsets(), o...);
      },
      no_form{});
  to.add(
      {"per_sample_weights_backward", kind::add_bag_factor, axis::first, embedded, false, false,
       false, extra::elements},
      {{", square", factors_of_square_bags}},
      [](const given& a, const auto&... o) {
        garner::per_sample_weights_backward(a.to_values(), a.extra(), a.table(), a.index(), o...);
      },
      no_form{});
  to.add(
      {"embedding_backward", kind::sum, axis::first, embedded}, {{"", rows}},
      [](const given& a, const auto&... o) {
        garner::embedding_backward(a.to_table(), a.values(), a.index(), o...);
      },
      no_form{});
  to.add({"embedding_backward_sparse", kind::sparse, axis::first, embedded}, {{"", rows}},
         no_form{}, [](const given& a, const auto&... o) {
           return garner::embedding_backward_sparse(a.values(), a.index(), a.c.table.shape[0],
                                                    o...);
         });
  to.add(
      {"token_log_probs", kind::log_prob, axis::last, picked},
      {{"", tokens}, {" of one", one_token}},
      [](const given& a, const auto&... o) {
        garner::token_log_probs_into(a.to_values(), a.table(), a.index(), o...);
      },
      [](const given& a, const auto&... o) {
        return garner::token_log_probs(a.table(), a.index(), o...);
      });
  to.add(
      {"token_log_probs_backward", kind::log_prob_gradient, axis::last, picked, false, false, false,
       extra::elements},
      {{"", tokens}, {" of one", one_token}},
      [](const given& a, const auto&... o) {
        garner::token_log_probs_backward(a.to_table(), a.values(), a.extra(), a.index(), o...);
      },
      no_form{});
}

/// Bags with a factor for each id.
template <class I, depth Depth>
void list_weighted_bags(lister<float, I, Depth>& to) {
  using given = arguments<float, I>;
  const entry sum{"embedding_bag", kind::bag_sum, axis::first, embedded,
                  false,           false,         false,       extra::factors};
  to.add(
      sum, {{", weighted", weighted_bags}},
      [](const given& a, const auto&... o) {
        garner::embedding_bag_into<bag_mode::sum>(a.to_values(), a.table(), a.index(), a.offsets(),
                                                  garner::per_sample_weights(a.floats()), o...);
      },
      [](const given& a, const auto&... o) {
        return garner::embedding_bag<bag_mode::sum>(a.table(), a.index(), a.offsets(),
                                                    garner::per_sample_weights(a.floats()), o...);
      });
  to.add(
      sum, {{", weighted, square", weighted_square_bags}},
      [](const given& a, const auto&... o) {
        garner::embedding_bag_into<bag_mode::sum>(a.to_values(), a.table(), a.index(), o...,
                                                  garner::per_sample_weights(a.floats()));
      },
      [](const given& a, const auto&... o) {
        return garner::embedding_bag<bag_mode::sum>(a.table(), a.index(), o...,
                                                    garner::per_sample_weights(a.floats()));
      });
}

/// Bags of rows that hold no floats themselves: 16-bit floats, or small integers with a scale and a
/// bias for each row.
template <class T, class I, depth Depth>
void list_other_bags(lister<T, I, Depth>& to) {
  using given = arguments<T, I>;
  constexpr bool is_scaled = std::is_integral_v<T>;
  const auto out = [](const given& a) { return view_of<float>(a.c.values); };
  const auto weight = [](const given& a) {
    if constexpr (is_scaled) {
      return garner::quantized_rows<T>(a.table(), a.floats(), a.bias());
    } else {
      return a.table();
    }
  };
  const auto entry_of = [](test::kind k) {
    return entry{"embedding_bag", k,     axis::first, embedded,
                 false,           false, false,       is_scaled ? extra::scales : extra::none};
  };
  to.add(
      entry_of(kind::bag_sum), {{", sum", is_scaled ? scaled_bags : bags}},
      [=](const given& a, const auto&... o) {
        garner::embedding_bag_into<bag_mode::sum>(out(a), weight(a), a.index(), a.offsets(), o...);
      },
      no_form{});
  to.add(
      entry_of(kind::bag_mean), {{", mean, square", is_scaled ? scaled_square_bags : square_bags}},
      [=](const given& a, const auto&... o) {
        garner::embedding_bag_into<bag_mode::mean>(out(a), weight(a), a.index(), o...);
      },
      no_form{});
  to.add(
      entry_of(kind::bag_max), {{", max", is_scaled ? scaled_bags : bags}},
      [=](const given& a, const auto&... o) {
        garner::embedding_bag_into<bag_mode::max>(out(a), weight(a), a.index(), a.offsets(), o...);
      },
      no_form{});
}

/// Operations without an index.
template <class T, class I, depth Depth>
void list_makers(lister<T, I, Depth>& to) {
  using given = arguments<T, I>;
  to.add(
      {"argmax", kind::argmax, axis::none, nullptr, false, true},
      {{" of lines", lines}, {" across", across}},
      [](const given& a) { garner::argmax_into(a.to_indices(), a.table(), a.dim); },
      [](const given& a) { return garner::argmax(a.table(), a.dim); });
  to.add(
      {"argmin", kind::argmin, axis::none, nullptr, false, true},
      {{" of lines", lines}, {" across", across}},
      [](const given& a) { garner::argmin_into(a.to_indices(), a.table(), a.dim); },
      [](const given& a) { return garner::argmin(a.table(), a.dim); });
  to.add({"argmax", kind::argmax, axis::none}, {{", flat", whole}}, no_form{},
         [](const given& a) { return garner::argmax(a.table()); });
  to.add({"argmin", kind::argmin, axis::none}, {{", flat", whole}}, no_form{},
         [](const given& a) { return garner::argmin(a.table()); });
  to.add(
      {"argsort", kind::argsort, axis::none, nullptr, false, true}, {{"", sorted_lines}},
      [](const given& a) { garner::argsort_into(a.to_indices(), a.table(), a.dim); },
      [](const given& a) { return garner::argsort(a.table(), a.dim); });
  to.add(
      {"topk", kind::topk, axis::none, nullptr, false, true, false, extra::indices},
      {{"", first_of_lines}},
      [](const given& a) {
        const auto k = a.c.values.shape.empty() ? 1 : a.c.values.shape.back();
        garner::topk_into(a.to_values(), view_of<std::int64_t>(a.c.extra), a.table(), k, a.dim);
      },
      [](const given& a) {
        const auto k = a.c.values.shape.empty() ? 1 : a.c.values.shape.back();
        return garner::topk(a.table(), k, a.dim);
      });
  to.add(
      {"masked_select", kind::mask, axis::none}, {{"", masked}},
      [](const given& a) { garner::masked_select_into(a.to_values(), a.table(), a.mask()); },
      [](const given& a) { return garner::masked_select(a.table(), a.mask()); });
  to.add(
      {"compress", kind::mask, axis::none, nullptr, false, true},
      {{" of columns", kept_columns}, {" of rows", kept_rows}},
      [](const given& a) { garner::compress_into(a.to_values(), a.mask(), a.table(), a.dim); },
      [](const given& a) { return garner::compress(a.mask(), a.table(), a.dim); });
  to.add(
      {"compress", kind::mask, axis::none}, {{", flat", kept_elements}},
      [](const given& a) { garner::compress_into(a.to_values(), a.mask(), a.table()); },
      [](const given& a) { return garner::compress(a.mask(), a.table()); });
}

/// All that take elements and indices of these types.
template <class T, class I, depth Depth>
std::vector<operation> list_operations() {
  lister<T, I, Depth> to;
  list_moves(to);
  if constexpr (is_number<T>) {
    list_sums(to);
    list_gradients(to);
  }
  if constexpr (std::is_same_v<T, float>) list_rows(to);
  if constexpr (std::is_same_v<I, std::int64_t>) list_makers(to);
  return to.operations;
}

}  // namespace test
