// SPDX-License-Identifier: BSD-3-Clause
// embedding_backward: the gradient of embedding, added into a table or as the rows that it touches.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <garner/bag.hpp>
#include <garner/detail/bag_call.hpp>
#include <garner/detail/kernels/add_rows.hpp>
#include <garner/detail/kernels/reduce_rows.hpp>

namespace garner {

/// A gradient that is zero but for some rows: values[k] is that of row rows[k]. Rows are sorted,
/// each is there once.
template <class T>
struct sparse_rows {
  tensor<std::int64_t, 1> rows;
  tensor<T, 2> values;
};

namespace detail {

struct embedding_backward_op {
  static constexpr const char* name = "embedding_backward";
  using negatives = reject_negative_t;
};
struct embedding_backward_sparse_op {
  static constexpr const char* name = "embedding_backward_sparse";
  using negatives = reject_negative_t;
};

/// The options of both, of which padding_idx(i) is the only one of a bag.
template <class... Options>
struct row_options : bag_options<Options...> {
  static_assert(!bag_options<Options...>::is_weighted && !bag_options<Options...>::says_last,
                "garner: per_sample_weights(w) and include_last_offset are options of bags");
};

/// Throws unless grad_out has the shape of the ids and one more dim, of `columns`.
template <class Grad, class Ids>
void check_grad(const char* op, const Grad& grad, const Ids& ids, index_t columns) {
  bool fits = grad.rank() == ids.rank() + 1 && grad.shape()[ids.rank()] == columns;
  for (int d = 0; fits && d < ids.rank(); ++d) fits = grad.shape()[d] == ids.shape()[d];
  if (!fits) {
    fail_shape(op, "grad_out has shape ", grad.shape(), ", which is not that of ids, ", ids.shape(),
               ", and one more dim of ", columns);
  }
}

/// The layout without its last dim.
template <int Rank>
layout<plus_rank(Rank, -1)> without_last(const layout<Rank>& x) {
  return {erase(x.shape, x.rank() - 1), erase(x.strides, x.rank() - 1)};
}

/// Adds the gradients of `n` ids, `id_stride` and `grad_stride` apart.
template <class Arch, class Number, class Resolve, class Grad, class Index>
void add_list(const view<Number, 2>& to, const row_of_id<Resolve>& row, const Grad* grad,
              index_t grad_stride, index_t grad_step, const Index* ids, index_t id_stride,
              index_t n) {
  const view<const Index, 2> bags(trusted{}, ids, {{n, 1}, {id_stride, id_stride}});
  const view<const unweighted, 2> weights(trusted{}, nullptr, {{n, 1}, {}});
  const bag_list<Index, 2, no_offsets> list{bags, n};
  for_each_group(list, weights, [&](const auto& group, index_t first) {
    add_rows<Arch>(
        row_addition<Number, Grad, Resolve>{{to.data(), to.stride(0), to.stride(1)},
                                            row,
                                            to.extent(1),
                                            {grad + first * grad_stride, grad_stride, grad_step},
                                            false,
                                            is_far(to)},
        group);
  });
}

}  // namespace detail

/// grad_weight[ids[a][b]][j] += grad_out[a][b][j]
/// The gradient of embedding, added into the caller's grad_weight, float or double, in row-major
/// order of the ids. Ids of any shape; options are those of an index, where fill(v) drops what is
/// outside, and padding_idx(i), whose ids are dropped. Throws shape_error or index_error before the
/// first write; allocates nothing.
template <class GradWeight, class GradOut, class Ids, class... Options,
          class Arch = detail::default_arch>
void embedding_backward(GradWeight&& grad_weight, const GradOut& grad_out, const Ids& ids_argument,
                        const Options&... options) {
  using namespace detail;
  using op = embedding_backward_op;
  using set = row_options<Options...>;
  using rules = policy<op, Ids, typename set::for_index>;
  const auto to = gradient_rows(op::name, std::forward<GradWeight>(grad_weight));
  using number = typename decltype(to)::value_type;
  const auto grad = gradients<number>(grad_out);
  const auto ids = index_view(ids_argument);
  check_grad(op::name, grad, ids, to.extent(1));
  const index_t padding = padding_row(op::name, to.extent(0), options...);
  check_rows<set::checks_overlap>(op::name, "grad_weight", to, to.shape());
  if (set::checks_overlap && !to.is_empty()) {
    check_apart(op::name, "grad_weight", to, "grad_out", grad);
    check_apart(op::name, "grad_weight", to, "ids", ids);
  }
  const bool may_be_negative = check_ids<op, Arch, rules>(ids_argument, ids, to.extent(0));
  if (to.is_empty() || grad.is_empty()) return;

  using index = typename decltype(ids)::value_type;
  const index_t step = grad.strides()[ids.rank()];
  const auto list = without_last(grad.layout());
  with_resolver<index, rules>(
      to.extent(0), may_be_negative, [&]<class Resolve>(const Resolve& resolve) {
        const row_of_id<Resolve> row{resolve, padding};
        const auto id_stride = flat_stride(ids.layout());
        const auto grad_stride = flat_stride(list);
        if (id_stride && grad_stride) {
          return add_list<Arch>(to, row, grad.data(), *grad_stride, step, ids.data(), *id_stride,
                                ids.size());
        }
        const decltype(list.strides) id_strides(ids.strides());
        all_of_offsets(list.shape, std::array{id_strides, list.strides}, [&](const auto& at) {
          add_list<Arch>(to, row, grad.data() + at[1], 0, step, ids.data() + at[0], 0, 1);
          return true;
        });
      });
}

/// The same as the rows that are touched, sorted, and their sums: each is summed up in the order of
/// its ids, in float for half and bfloat16, and rounded once. `num_weights` is how many rows the
/// table has. Costs a sort of the ids and a pass over grad_out.
template <class GradOut, class Ids, class... Options, class Arch = detail::default_arch>
auto embedding_backward_sparse(const GradOut& grad_out, const Ids& ids_argument,
                               index_t num_weights, const Options&... options) {
  using namespace detail;
  using op = embedding_backward_sparse_op;
  using rules = policy<op, Ids, typename row_options<Options...>::for_index>;
  const auto grad = read_only(grad_out);
  using element = typename decltype(grad)::value_type;
  using number = accumulator_t<element>;
  static_assert(is_one_of<number, float, double>,
                "garner: gradients hold float, double, half or bfloat16");
  const auto ids = index_view(ids_argument);
  if (num_weights < 0) fail_shape(op::name, "num_weights ", num_weights, " is negative");
  const index_t columns = grad.rank() == 0 ? 0 : grad.shape()[grad.rank() - 1];
  check_grad(op::name, grad, ids, columns);
  const index_t padding = padding_row(op::name, num_weights, options...);
  const bool may_be_negative = check_ids<op, Arch, rules>(ids_argument, ids, num_weights);

  struct touch {
    index_t row;
    index_t position;
    bool operator<(const touch& other) const {
      return row != other.row ? row < other.row : position < other.position;
    }
  };
  std::vector<touch> touches;
  touches.reserve(static_cast<std::size_t>(ids.size()));
  using index = typename decltype(ids)::value_type;
  with_resolver<index, rules>(
      num_weights, may_be_negative, [&]<class Resolve>(const Resolve& resolve) {
        const row_of_id<Resolve> row{resolve, padding};
        index_t position = 0;
        all_of_offsets(ids.shape(), std::array{ids.strides()}, [&](const auto& at) {
          const index_t r = row.resolve(ids.data()[at[0]]);
          if (!row.skips(r)) touches.push_back({r, position});
          ++position;
          return true;
        });
      });
  std::sort(touches.begin(), touches.end());

  // Summing up is a bag of positions for each row.
  const auto n = static_cast<index_t>(touches.size());
  auto positions = tensor<index_t, 1>::uninitialized(dims{n});
  std::vector<index_t> offsets;
  for (index_t i = 0; i < n; ++i) {
    const auto& next = touches[static_cast<std::size_t>(i)];
    positions(i) = next.position;
    if (i == 0 || next.row != touches[static_cast<std::size_t>(i - 1)].row) offsets.push_back(i);
  }
  const auto count = static_cast<index_t>(offsets.size());
  sparse_rows<element> result{tensor<std::int64_t, 1>::uninitialized(dims{count}),
                              tensor<element, 2>::uninitialized(dims{count, columns})};
  for (index_t k = 0; k < count; ++k) {
    const index_t first = offsets[static_cast<std::size_t>(k)];
    result.rows(k) = touches[static_cast<std::size_t>(first)].row;
  }
  if (result.values.size() == 0) return result;

  const auto list = without_last(grad.layout());
  const auto stride = flat_stride(list);
  tensor<element> copy;  // of a grad_out whose rows no single stride can walk
  if (!stride) copy = tensor<element>(view<const element>(grad));
  const plain_rows<const element> rows =
      stride ? plain_rows<const element>{grad.data(), *stride, grad.strides()[grad.rank() - 1]}
             : plain_rows<const element>{copy.data(), columns, 1};
  using resolve = resolver<index_t, unchecked_t, reject_negative_t>;
  const bag_list<index_t, 1, index_t> bags{positions, as_view(std::as_const(offsets)), count};
  const view<const unweighted, 1> weights(trusted{}, nullptr, {dims<1>(n), {}});
  for_each_group(bags, weights, [&](const auto& group, index_t first) {
    reduce_rows<Arch>(
        row_reduction<sum_step, plain_rows<const element>, resolve, element>{
            rows,
            {{ids.size()}, -1},
            columns,
            {result.values.data() + first * columns, columns, 1},
            false,
            true},
        group);
  });
  return result;
}

}  // namespace garner
