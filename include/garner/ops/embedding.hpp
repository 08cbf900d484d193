// SPDX-License-Identifier: BSD-3-Clause
// embedding: the row of a table for each id.
#pragma once

#include <utility>

#include <garner/detail/call.hpp>
#include <garner/detail/lower.hpp>

namespace garner {

namespace detail {

struct embedding_op {
  static constexpr const char* name = "embedding";
  static constexpr const char* table = "weight";
  static constexpr bool takes_batch_dims = false;
  using negatives = reject_negative_t;

  template <int R, int Q>
  static constexpr auto lower(const layout<R>& weight, const layout<Q>& ids) {
    static_assert(R == dynamic_rank || R == 2, "garner: an embedding's weight has two dims");
    if (weight.rank() != 2) fail_shape(name, "weight has shape ", weight.shape, ", not 2 dims");
    return take_rule<embedding_op>::lower(weight, ids, 0);
  }
};

}  // namespace detail

/// out[a][b][j] = weight[ids[a][b]][j]
/// torch.nn.functional.embedding(ids, weight): a row of `weight`, which has two dims, for each of
/// the ids, which have any shape. take(weight, ids, 0), but negative ids are rejected. Throws
/// shape_error or index_error. Costs one pass over the ids, one allocation, one pass over the
/// result.
template <class Weight, class Ids, class... Options, class Arch = detail::default_arch>
auto embedding(const Weight& weight, const Ids& ids, const Options&... options) {
  return detail::read<detail::embedding_op, Arch>(weight, ids, detail::option_set(options...));
}

/// The same into `out`, whose shape is that of the ids and one more dim; allocates nothing, and
/// writes nothing if it throws.
template <class Out, class Weight, class Ids, class... Options, class Arch = detail::default_arch>
void embedding_into(Out&& out, const Weight& weight, const Ids& ids, const Options&... options) {
  detail::read_into<detail::embedding_op, Arch>(std::forward<Out>(out), weight, ids,
                                                detail::option_set(options...));
}

}  // namespace garner
