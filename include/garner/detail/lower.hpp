// SPDX-License-Identifier: BSD-3-Clause
// The shape rules: what each way of indexing makes of two layouts, as an indexed_copy. Operations
// share them: scatter indexes as gather does, index_add as index_select. A rule takes the operation
// (`name`, and `table`, what it calls the tensor with the axis) for its messages.
#pragma once

#include <garner/detail/indexed_copy.hpp>

namespace garner::detail {

/// Throws unless table and index have equally many dims.
template <class Op, int R, int Q>
constexpr void check_equal_ranks(const layout<R>& table, const layout<Q>& index) {
  static_assert(R == dynamic_rank || Q == dynamic_rank || R == Q,
                "garner: the index must have as many dims as the input (see unsqueeze and expand)");
  if (table.rank() != index.rank()) {
    fail_shape(Op::name, Op::table, " has shape ", table.shape, " and index ", index.shape,
               ": they must have equally many dims");
  }
}

/// table[i][index[i][j][k]][k]
template <class Op>
struct gather_rule {
  template <int R, int Q>
  static constexpr auto lower(const layout<R>& table, const layout<Q>& index, index_t dim) {
    check_equal_ranks<Op>(table, index);
    auto problem = along<common_rank(R, Q)>(Op::name, table, dim, index.rank());
    for (int d = 0; d < index.rank(); ++d) {
      problem.shape[d] = index.shape[d];
      problem.index_strides[d] = index.strides[d];
      if (d == problem.dim) continue;
      if (index.shape[d] > table.shape[d]) {
        fail_shape(Op::name, "index has extent ", index.shape[d], " in dim ", d, ", but ",
                   Op::table, " only ", table.shape[d]);
      }
      problem.src_strides[d] = table.strides[d];
    }
    return problem;
  }
};

/// The same, with table and index broadcast against each other off `dim`.
template <class Op>
struct along_rule {
  template <int R, int Q>
  static constexpr auto lower(const layout<R>& table, const layout<Q>& index, index_t dim) {
    check_equal_ranks<Op>(table, index);
    auto problem = along<common_rank(R, Q)>(Op::name, table, dim, index.rank());
    for (int d = 0; d < index.rank(); ++d) {
      problem.shape[d] = index.shape[d];
      problem.index_strides[d] = index.strides[d];
      if (d == problem.dim) continue;
      const index_t wanted = table.shape[d];
      if (wanted != 1) problem.src_strides[d] = table.strides[d];
      if (index.shape[d] == wanted) continue;
      if (index.shape[d] == 1) {
        problem.shape[d] = wanted;
        problem.index_strides[d] = 0;
      } else if (wanted != 1) {
        fail_shape(Op::name, Op::table, " and indices have extents ", wanted, " and ",
                   index.shape[d], " in dim ", d, ", which do not broadcast");
      }
    }
    check_shape(Op::name, problem.shape);
    return problem;
  }
};

/// table[i][index[j]][k]
template <class Op>
struct select_rule {
  template <int R, int Q>
  static constexpr auto lower(const layout<R>& table, const layout<Q>& index, index_t dim) {
    static_assert(Q <= 1, "garner: index_select needs an index of one dim (take accepts any)");
    if (index.rank() > 1) fail_shape(Op::name, "index has shape ", index.shape, ", not one dim");
    const bool is_scalar = index.rank() == 0;
    auto problem = along<R>(Op::name, table, dim, table.rank());
    const index_t count = is_scalar ? 1 : index.shape[0];
    if (table.rank() == 0) {
      if (count != 1) {
        fail_shape(Op::name, count, " indices into an input without dims, which takes one");
      }
      return problem;
    }
    problem.shape = table.shape;
    problem.src_strides = table.strides;
    problem.shape[problem.dim] = count;
    problem.src_strides[problem.dim] = 0;
    if (!is_scalar) problem.index_strides[problem.dim] = index.strides[0];
    check_shape(Op::name, problem.shape);
    return problem;
  }
};

/// Throws unless the first `batch` extents of table and index are equal, where the index has
/// `index_rank` dims that may be shared.
template <class Op, int R, int Q>
constexpr void check_batch(const layout<R>& table, const layout<Q>& index, index_t batch,
                           int index_rank) {
  if (batch < 0 || batch > index_rank || batch > table.rank()) {
    fail_shape(Op::name, "batch_dims(", batch, ") for ", Op::table, " ", table.shape, " and index ",
               index.shape);
  }
  for (int d = 0; d < batch; ++d) {
    if (index.shape[d] != table.shape[d]) {
      fail_shape(Op::name, Op::table, " and index have extents ", table.shape[d], " and ",
                 index.shape[d], " in batch dim ", d);
    }
  }
}

/// The problem's dims: the table's before `front`, the first `shared` of which the index has too;
/// then the index's from there up to `index_rank`; then the table's from `back` on.
template <class Problem, int R, int Q>
constexpr void fill_taken(Problem& problem, const layout<R>& table, const layout<Q>& index,
                          int shared, int front, int index_rank, int back) {
  int k = 0;
  for (int d = 0; d < front; ++d, ++k) {
    problem.shape[k] = table.shape[d];
    problem.src_strides[k] = table.strides[d];
    if (d < shared) problem.index_strides[k] = index.strides[d];
  }
  for (int d = shared; d < index_rank; ++d, ++k) {
    problem.shape[k] = index.shape[d];
    problem.index_strides[k] = index.strides[d];
  }
  for (int d = back; d < table.rank(); ++d, ++k) {
    problem.shape[k] = table.shape[d];
    problem.src_strides[k] = table.strides[d];
  }
}

/// table[i][index[a][b]][k], with `batch` leading dims shared by table and index.
template <class Op>
struct take_rule {
  template <int R, int Q>
  static constexpr auto lower(const layout<R>& table, const layout<Q>& index, index_t dim) {
    constexpr int replaced = R == 0 ? 0 : 1;
    constexpr int rank = Q == dynamic_rank ? dynamic_rank : plus_rank(R, Q - replaced);
    return lower_to<rank>(table, index, dim, 0);
  }

  template <int R, int Q>
  static constexpr auto lower(const layout<R>& table, const layout<Q>& index, index_t dim,
                              index_t batch) {
    return lower_to<dynamic_rank>(table, index, dim, batch);
  }

 private:
  template <int Rank, int R, int Q>
  static constexpr auto lower_to(const layout<R>& table, const layout<Q>& index, index_t dim,
                                 index_t batch) {
    check_batch<Op>(table, index, batch, index.rank());
    const int shared = static_cast<int>(batch);
    const int after = table.rank() == 0 ? 0 : table.rank() - 1;
    auto problem = along<Rank>(Op::name, table, dim, after + index.rank() - shared);
    if (problem.dim < batch) {
      fail_shape(Op::name, "dim ", problem.dim, " is one of ", batch, " batch dims");
    }
    fill_taken(problem, table, index, shared, static_cast<int>(problem.dim), index.rank(),
               static_cast<int>(problem.dim) + 1);
    check_shape(Op::name, problem.shape);
    return problem;
  }
};

/// table.flatten()[index[a][b]]: the axis is the whole table in row-major order.
template <class Op>
struct flat_rule {
  template <int R, int Q>
  static constexpr indexed_copy<Q, R> lower(const layout<R>& table, const layout<Q>& index) {
    return {index.shape, dims<Q>::of_rank(index.shape.size()), index.strides, table, -1};
  }
};

/// table[i][indices[i][a][0]][indices[i][a][1]][k]: the last dim of the indices holds the
/// coordinates of `k` dims of the table, which are the problem's axis. Batch dims come first.
template <class Op>
struct nd_rule {
  template <int R, int Q>
  static constexpr indexed_tuples lower(const layout<R>& table, const layout<Q>& index,
                                        index_t batch = 0) {
    static_assert(Q != 0, "garner: the indices need a last dim, for the coordinates");
    if (index.rank() == 0) fail_shape(Op::name, "the indices have no dim for the coordinates");
    const int last = index.rank() - 1;
    check_batch<Op>(table, index, batch, last);
    const int shared = static_cast<int>(batch);
    const index_t coordinates = index.shape[last];
    if (coordinates > table.rank() - shared) {
      fail_shape(Op::name, coordinates, " coordinates for ", Op::table, " of shape ", table.shape,
                 " after ", batch, " batch dims");
    }
    const int back = shared + static_cast<int>(coordinates);
    const auto rank = static_cast<std::size_t>(table.rank() - back + last);
    const auto zeros = dims<>::of_rank(rank);
    const auto none = dims<>::of_rank(static_cast<std::size_t>(coordinates));
    indexed_tuples problem{{zeros, zeros, zeros, {none, none}, shared}, index.strides[last]};
    for (int d = shared; d < back; ++d) {
      problem.axis.shape[d - shared] = table.shape[d];
      problem.axis.strides[d - shared] = table.strides[d];
    }
    fill_taken(problem, table, index, shared, shared, last, back);
    check_shape(Op::name, problem.shape);
    return problem;
  }
};

}  // namespace garner::detail
