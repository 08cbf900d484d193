// SPDX-License-Identifier: BSD-3-Clause
// Dims, ranks and shapes that do not fit together, for every operation that takes them: a
// shape_error with nothing written. Beside them, empty operands, which are right.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <garner/garner.hpp>

#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/operation.hpp"
#include "support/problem.hpp"

namespace {

using test::axis;
using test::count;
using test::extents;
using test::kind;
using test::operation;
using test::problem;
using test::raw_view;

using limits = std::numeric_limits<std::int64_t>;

/// Calls f(operation) for all that `is_meant`; there are some.
template <class IsMeant, class F>
void for_each(const IsMeant& is_meant, const F& f) {
  int n = 0;
  for (const operation& op : test::operations_by<std::int64_t>()) {
    if (!is_meant(op)) continue;
    CAPTURE(op.name);
    f(op);
    ++n;
  }
  CHECK(n > 0);
}

bool takes_index(const operation& op) { return op.has_index() && op.kind != kind::validate; }
bool has_out(const operation& op) { return op.into && op.kind != kind::validate; }

/// Whether the operation itself is given the table, not rows that were made of it.
bool has_plain_table(const operation& op) { return op.extra != test::extra::scales; }

/// Whether table and index have equally many dims, as in gather.
bool has_equal_ranks(const operation& op) {
  const auto s = op.shape(4, 5);
  return op.axis == axis::dim && s.table.size() == s.index.size();
}

/// Whether the index is a list of slices, as in index_select.
bool is_list_of_slices(const operation& op) {
  return op.op.rfind("index_", 0) == 0 && op.axis == axis::dim;
}

/// Gives an operand another shape, in memory of its own.
void reshape(problem& p, raw_view& x, const extents& shape) { x = p.dense(shape, x.size); }

/// The same for the index, which holds zeros.
void reshape_index(problem& p, const extents& shape) {
  reshape(p, p.index, shape);
  const auto n = count(shape);
  for (std::int64_t k = 0; k < n; ++k) p.set_index(k, 0);
}

extents with(extents shape, std::size_t d, std::int64_t extent) {
  shape[d] = extent;
  return shape;
}

extents and_one_more(extents shape) {
  shape.push_back(1);
  return shape;
}

}  // namespace

TEST_CASE("a dim of rank, below -rank and at the extremes is refused", "[bad_inputs][dims]") {
  for_each([](const operation& op) { return op.has_dim; },
           [](const operation& op) {
             problem p(op);
             const auto rank = static_cast<std::int64_t>(p.table.shape.size());
             for (const std::int64_t dim : {rank, -rank - 1, limits::min(), limits::max(),
                                            (std::int64_t{1} << 32), -(std::int64_t{1} << 32)}) {
               p.dim = dim;
               CHECK(p.refusal_of_shape("dim " + std::to_string(dim) +
                                        " is out of range for a tensor of ") == "");
             }
           });
}

TEST_CASE("a 0-d table takes one index, or as many as the result has, or none",
          "[bad_inputs][zero_d]") {
  const auto is_meant = [](const operation& op) {
    return takes_index(op) && has_plain_table(op) &&
           op.kind != kind::sparse;  // which is given no table
  };
  for_each(is_meant, [](const operation& op) {
    for (const std::int64_t n : {1, 8}) {
      CAPTURE(n);
      problem p(op);
      p.dim = 0;
      p.batch = 0;
      for (raw_view* x : {&p.table, &p.extra}) reshape(p, *x, {});
      reshape_index(p, {n});
      const bool is_slices = is_list_of_slices(op);
      reshape(p, p.values, is_slices ? extents{} : extents{n});
      p.fill_elements();
      const bool takes_any = op.axis == axis::whole || op.op == "take" || op.op == "take_backward";
      if (takes_any || (is_slices && n == 1)) {
        CHECK(p.difference() == "");
        p.set_index(n - 1, 1);
        CHECK(p.refusal_of_index(n - 1) == "");
      } else {
        CHECK(p.refusal_of_shape() == "");
      }
    }
  });
}

TEST_CASE("a 0-d input has one element to find, sort or keep", "[bad_inputs][zero_d]") {
  for_each([](const operation& op) { return op.axis == axis::none && op.has_dim; },
           [](const operation& op) {
             for (const std::int64_t dim : {0, -1}) {
               problem p(op);
               p.dim = dim;
               reshape(p, p.table, {});
               const bool is_mask = op.kind == kind::mask;
               reshape(p, p.index, {1});
               reshape(p, p.values, is_mask ? extents{1} : extents{});
               reshape(p, p.extra, {});
               *p.index.data = std::byte{1};
               op.put_element(p.table.data, 42);
               std::memset(p.values.data, 0x11, p.values.size);
               std::memset(p.extra.data, 0x11, p.extra.size);
               op.into(p);
               if (is_mask || op.kind == kind::topk) {
                 CHECK(std::memcmp(p.values.data, p.table.data, p.table.size) == 0);
               }
               const raw_view& found = op.kind == kind::topk ? p.extra : p.values;
               const std::int64_t zero = 0;
               if (!is_mask) CHECK(std::memcmp(found.data, &zero, sizeof(zero)) == 0);
             }
           });
}

TEST_CASE("values of another rank are refused", "[bad_inputs][rank]") {
  for_each(has_out, [](const operation& op) {
    problem p(op);
    reshape(p, p.values, and_one_more(p.values.shape));
    CHECK((op.writes_values() ? p.refusal_of_written() : p.refusal_of_shape()) == "");
  });
}

TEST_CASE("a table of another rank is refused", "[bad_inputs][rank]") {
  const auto is_meant = [](const operation& op) {
    const bool is_flat = op.axis == axis::whole || (op.op == "compress" && !op.has_dim);
    return has_out(op) && has_plain_table(op) && !is_flat;
  };
  for_each(is_meant, [](const operation& op) {
    problem p(op);
    reshape(p, p.table, and_one_more(p.table.shape));
    CHECK(p.refusal_of_written() == "");
  });
}

TEST_CASE("an index of another rank is refused", "[bad_inputs][rank]") {
  const auto is_meant = [](const operation& op) { return takes_index(op) && has_out(op); };
  for_each(is_meant, [](const operation& op) {
    problem p(op);
    reshape_index(p, and_one_more(p.index.shape));
    // Where an index may have any rank, it is the result that has another one.
    const bool takes_any = op.axis == axis::whole || op.axis == axis::tuples || op.op == "take" ||
                           op.op == "embedding";
    CHECK((takes_any ? p.refusal_of_written() : p.refusal_of_shape()) == "");
  });
}

TEST_CASE("an index larger than the table off dim is refused", "[bad_inputs][shape]") {
  for_each(has_equal_ranks, [](const operation& op) {
    problem p(op);
    const std::size_t off = p.dim == 0 ? 1 : 0;
    const auto larger = p.table.shape[off] + 1;
    reshape_index(p, with(p.index.shape, off, larger));
    reshape(p, p.values, with(p.values.shape, off, larger));
    CHECK(p.refusal_of_shape() == "");
  });
  for_each([](const operation& op) { return op.axis == axis::last; },
           [](const operation& op) {
             problem p(op);
             reshape_index(p, with(p.index.shape, 0, p.index.shape[0] + 1));
             reshape(p, p.values, p.index.shape);
             CHECK(p.refusal_of_shape("logits have shape") == "");
           });
}

TEST_CASE("src smaller than what is indexed is refused", "[bad_inputs][shape]") {
  for_each([](const operation& op) { return op.writes_table(); },
           [](const operation& op) {
             for (std::size_t d = 0; d < op.shape(4, 67).values.size(); ++d) {
               problem p(op);
               if (p.values.shape[d] == 1) continue;
               reshape(p, p.values, with(p.values.shape, d, p.values.shape[d] - 1));
               CHECK(p.refusal_of_shape() == "");
             }
           });
}

TEST_CASE("src of as many elements, or of a half, in another shape is refused",
          "[bad_inputs][shape]") {
  for_each([](const operation& op) { return op.writes_table(); },
           [](const operation& op) {
             problem p(op, 4, 66);
             auto shape = p.values.shape;
             if (count(shape) == 1) return;
             std::rotate(shape.begin(), shape.begin() + 1, shape.end());
             if (shape.size() == 1) shape[0] /= 2;
             reshape(p, p.values, shape);
             CHECK(p.refusal_of_shape() == "");
           });
}

TEST_CASE("out of the wrong shape is refused", "[bad_inputs][shape]") {
  for_each([](const operation& op) { return has_out(op) && op.writes_values(); },
           [](const operation& op) {
             for (std::size_t d = 0; d < op.shape(4, 67).values.size(); ++d) {
               for (const int more : {-1, 1, 67}) {
                 problem p(op);
                 if (op.kind == kind::topk && d == 1) continue;              // that is k
                 if (op.op == "scatter_add_backward" && more > 0) continue;  // may be larger
                 reshape(p, p.values, with(p.values.shape, d, p.values.shape[d] + more));
                 CHECK(p.refusal_of_written() == "");
               }
             }
           });
  for_each(
      [](const operation& op) {
        return op.writes_extra() || op.op.find("log_probs_b") < 99 ||
               op.kind == kind::add_bag_factor;
      },
      [](const operation& op) {
        problem p(op);
        reshape(p, p.extra, with(p.extra.shape, 0, p.extra.shape[0] - 1));
        CHECK(p.refusal_of_written() == "");
      });
}

TEST_CASE("an empty index, and slices without elements, give what they should",
          "[bad_inputs][empty]") {
  for_each([](const operation& op) { return op.axis != axis::none || op.has_dim; },
           [](const operation& op) {
             if (op.kind == kind::topk || op.name.rfind("argmax of lines", 0) == 0) return;
             problem p(op, 4, 0);
             CHECK(p.difference() == "");
           });
}

TEST_CASE("an empty index of any rank gives nothing", "[bad_inputs][empty]") {
  const auto is_meant = [](const operation& op) {
    return takes_index(op) && op.kind <= kind::amin && op.axis != axis::first;
  };
  for_each(is_meant, [](const operation& op) {
    for (std::size_t rank = 1; rank <= 16; ++rank) {
      CAPTURE(rank);
      for (std::size_t d = 0; d < rank; ++d) {
        problem p(op);
        p.batch = 0;
        p.dim = static_cast<std::int64_t>(d);
        const extents ones(rank, 1);
        const auto empty = with(ones, d, 0);
        if (op.axis == axis::tuples) {
          reshape(p, p.table, ones);
          reshape_index(p, {0, static_cast<std::int64_t>(rank)});
          reshape(p, p.values, {0});
        } else if (is_list_of_slices(op)) {
          reshape(p, p.table, ones);
          reshape_index(p, {0});
          reshape(p, p.values, empty);
        } else {
          const bool is_replaced = op.axis == axis::whole || op.has_batch;
          reshape(p, p.table, is_replaced ? extents{2} : ones);
          if (is_replaced) p.dim = 0;
          reshape_index(p, empty);
          reshape(p, p.values, empty);
        }
        p.fill_elements();
        CHECK(p.difference() == "");
      }
    }
  });
}

TEST_CASE("batch_dims of 10, -1, rank, past dim and at the extremes are refused",
          "[bad_inputs][batch_dims]") {
  for_each(
      [](const operation& op) { return op.has_batch; },
      [](const operation& op) {
        problem p(op);
        const auto rank = static_cast<std::int64_t>(p.index.shape.size());
        for (const std::int64_t batch : {std::int64_t{10}, std::int64_t{-1}, rank, rank + 1,
                                         limits::min(), limits::max(), (std::int64_t{1} << 32)}) {
          p.batch = batch;
          CHECK(p.refusal_of_shape() == "");
        }
        if (op.axis != axis::dim || rank < 2) return;
        p.batch = 2;  // index and table share so many extents only in name
        reshape_index(p, {p.table.shape[0], p.table.shape[1]});
        CHECK(p.refusal_of_shape("dim 1 is one of 2 batch dims") == "");
      });
}

TEST_CASE("batch extents that differ are refused", "[bad_inputs][batch_dims]") {
  for_each([](const operation& op) { return op.shape(4, 5).batch > 0; },
           [](const operation& op) {
             for (const int more : {-1, 1}) {
               problem p(op);
               reshape_index(p, with(p.index.shape, 0, p.index.shape[0] + more));
               reshape(p, p.values, with(p.values.shape, 0, p.index.shape[0]));
               CHECK(p.refusal_of_shape() == "");
             }
           });
}

TEST_CASE("more coordinates than dims are refused", "[bad_inputs][shape]") {
  for_each([](const operation& op) { return op.axis == axis::tuples; },
           [](const operation& op) {
             problem p(op);
             const auto rank = static_cast<std::int64_t>(p.table.shape.size());
             for (const std::int64_t k : {rank - p.batch + 1, std::int64_t{17}}) {
               reshape_index(p, with(p.index.shape, p.index.shape.size() - 1, k));
               CHECK(p.refusal_of_shape(std::to_string(k) + " coordinates for ") == "");
             }
             extents huge = with(p.index.shape, p.index.shape.size() - 1, std::int64_t{1} << 32);
             huge[huge.size() - 2] = 0;
             p.index.shape = huge;
             CHECK(p.refusal_of_shape("4294967296 coordinates for ") == "");
           });
}

TEST_CASE("offsets that are malformed in any way are refused", "[bad_inputs][offsets]") {
  const auto is_meant = [](const operation& op) { return !op.shape(4, 5).offsets.empty(); };
  struct bad {
    std::vector<std::int64_t> offsets;
    std::string message;
  };
  const std::vector<bad> list{
      {{1, 2}, "offsets[0] = 1 is not 0"},
      {{-1, 2}, "offsets[0] = -1 is not 0"},
      {{5, 5}, "offsets[0] = 5 is not 0"},
      {{0, -1}, "offsets[1] = -1 is less than offsets[0] = 0"},
      {{0, 6}, "offsets[1] = 6 is past the end of 5 ids"},
      {{0, limits::max()}, "offsets[1] = 9223372036854775807 is past the end of 5 ids"},
      {{0, limits::min()}, "offsets[1] = -9223372036854775808 is less than offsets[0] = 0"},
      {{limits::min(), 2}, "offsets[0] = -9223372036854775808 is not 0"},
      {{0, (std::int64_t{1} << 32)}, "offsets[1] = 4294967296 is past the end of 5 ids"},
      {{0, 3, 2}, "offsets[2] = 2 is less than offsets[1] = 3"},
      {{0, 6, 5}, "offsets[1] = 6 is past the end of 5 ids"},
      {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 2},
       "offsets[17] = 2 is less than offsets[16] = 3"},
  };
  for_each(is_meant, [&](const operation& op) {
    for (const bad& b : list) {
      for (const auto how : {test::placing::dense, test::placing::spread}) {
        CAPTURE(b.message);
        problem p(op);
        const auto bags = static_cast<std::int64_t>(b.offsets.size());
        reshape(p, p.offsets, {bags});
        raw_view& beside = op.kind == kind::add_bag_factor ? p.extra : p.values;
        reshape(p, beside, with(beside.shape, 0, bags));
        for (std::size_t k = 0; k < b.offsets.size(); ++k) {
          p.set_offset(static_cast<std::int64_t>(k), b.offsets[k]);
        }
        p.place(p.offsets, how);
        CHECK(p.refusal_of_shape(b.message) == "");
      }
    }
    problem p(op);  // no bags at all, but an out or a gradient of two
    reshape(p, p.offsets, {0});
    CHECK(p.refusal_of_written() == "");
    reshape(p, p.offsets, {2, 1});
    CHECK(p.refusal_of_shape("offsets has shape (2, 1)") == "");
  });
}

TEST_CASE("a last offset that is not there, or malformed, is refused", "[bad_inputs][offsets]") {
  using namespace garner;
  const tensor<float, 2> weight(dims{3, 2});
  const tensor<int, 1> ids{0, 1};
  tensor<float, 2> out(dims{1, 2});
  const auto run = [&](const tensor<int, 1>& offsets) {
    return test::shape_error_of(
        [&] { embedding_bag_into(out, weight, ids, offsets, include_last_offset); });
  };
  CHECK(run(tensor<int, 1>(0)) ==
        "embedding_bag: offsets is empty, but its last one is where the last bag ends");
  CHECK(run({0, 3}) == "embedding_bag: offsets[1] = 3 is past the end of 2 ids");
  CHECK(run({1, 2}) == "embedding_bag: offsets[0] = 1 is not 0");
  CHECK(run({0, -1}) == "embedding_bag: offsets[1] = -1 is less than offsets[0] = 0");
}

TEST_CASE("a factor too few or too many, or of another rank, is refused", "[bad_inputs][factors]") {
  for_each(
      [](const operation& op) { return op.extra == test::extra::factors; },
      [](const operation& op) {
        const auto right = op.shape(4, 67).extra;
        auto turned = right;
        std::reverse(turned.begin(), turned.end());
        auto flat = extents{count(right)};
        for (const extents& shape : {with(right, 0, right[0] - 1), with(right, 0, right[0] + 1),
                                     with(right, 0, 0), turned, flat}) {
          if (shape == right) continue;
          problem p(op);
          reshape(p, p.extra, shape);
          const bool is_equal_rank = shape.size() == right.size();
          CHECK(p.refusal_of_shape(is_equal_rank ? "per_sample_weights has shape "
                                                 : "per_sample_weights has shape (6), not") == "");
        }
        problem p(op);
        reshape(p, p.extra, and_one_more(right));
        CHECK(p.refusal_of_shape("per_sample_weights has shape ") == "");
        reshape(p, p.extra, {});
        CHECK(p.refusal_of_shape("per_sample_weights has shape ()") == "");
      });
}

TEST_CASE("rows of integers without a scale and a bias for each are refused",
          "[bad_inputs][factors]") {
  for_each(
      [](const operation& op) { return op.extra == test::extra::scales; },
      [](const operation& op) {
        const auto refused = [](problem& p, const char* text) {
          return p.refusal<garner::shape_error>(text);
        };
        for (const std::int64_t n : {3, 5, 0}) {
          const auto text = std::to_string(n);
          problem p(op);
          reshape(p, p.extra, {n});
          CHECK(refused(p, ("quantized_rows: 4 rows, but " + text + " scales and 4").c_str()) ==
                "");
          problem q(op);
          reshape(q, q.bias, {n});
          CHECK(refused(q, ("quantized_rows: 4 rows, but 4 scales and " + text).c_str()) == "");
        }
        for (const extents& shape : {extents{}, extents{4}, extents{4, 67, 1}}) {
          problem p(op);
          reshape(p, p.table, shape);
          CHECK(refused(p, "dims: ") == "");
        }
        for (const extents& shape : {extents{}, extents{4, 1}}) {
          problem p(op);
          reshape(p, p.extra, shape);
          CHECK(refused(p, "dims: ") == "");
          problem q(op);
          reshape(q, q.bias, shape);
          CHECK(refused(q, "dims: ") == "");
        }
      });
}

TEST_CASE("a padding row outside the table is refused", "[bad_inputs][padding]") {
  using namespace garner;
  const tensor<float, 2> weight{{1, 2}, {3, 4}, {5, 6}};
  const tensor<int, 1> ids{0, 1};
  const tensor<int, 1> offsets{0, 1};
  const tensor<float, 2> gradient{{1, 1}, {1, 1}};
  tensor<float, 2> out{{7, 7}, {7, 7}};
  tensor<float, 2> sums{{7, 7}, {7, 7}, {7, 7}};
  for (const index_t row : {index_t{3}, index_t{-4}, limits::min(), limits::max()}) {
    const std::string rest =
        ": padding_idx(" + std::to_string(row) + ") is out of range for 3 rows";
    const padding_idx padding(row);
    CHECK(test::shape_error_of([&] { embedding_bag(weight, ids, offsets, padding); }) ==
          "embedding_bag" + rest);
    CHECK(test::shape_error_of([&] { embedding_bag_into(out, weight, ids, offsets, padding); }) ==
          "embedding_bag" + rest);
    CHECK(test::shape_error_of([&] {
            embedding_bag_backward(sums, gradient, ids, offsets, padding);
          }) == "embedding_bag_backward" + rest);
    CHECK(test::shape_error_of([&] { embedding_backward(sums, gradient, ids, padding); }) ==
          "embedding_backward" + rest);
    CHECK(test::shape_error_of([&] { embedding_backward_sparse(gradient, ids, 3, padding); }) ==
          "embedding_backward_sparse" + rest);
  }
  CHECK(out == tensor<float, 2>{{7, 7}, {7, 7}});
  CHECK(sums == tensor<float, 2>{{7, 7}, {7, 7}, {7, 7}});
}

TEST_CASE("extents and counts that are negative are refused", "[bad_inputs][shape]") {
  using namespace garner;
  const tensor<int, 1> ids{0, 1};
  const tensor<float, 2> gradient(dims{2, 2});
  const tensor<float, 1> x{1, 2};
  CHECK(test::shape_error_of([&] { validate(ids, limits::min()); }) ==
        "validate: extent -9223372036854775808 is negative");
  CHECK(test::shape_error_of([&] { embedding_backward_sparse(gradient, ids, -1); }) ==
        "embedding_backward_sparse: num_weights -1 is negative");
  for (const index_t k : {index_t{-1}, index_t{3}, limits::min(), limits::max()}) {
    CHECK(test::shape_error_of([&] { topk(x, k, 0); }) ==
          "topk: k = " + std::to_string(k) + " of 2 elements in dim 0");
  }
}

TEST_CASE("masks that do not fit are refused", "[bad_inputs][mask]") {
  for_each([](const operation& op) { return op.kind == kind::mask; },
           [](const operation& op) {
             problem p(op);
             const auto rank = p.index.shape.size();
             if (!op.has_dim && rank > 1) {
               reshape(p, p.index, with(p.index.shape, rank - 1, p.index.shape.back() - 1));
               CHECK(p.refusal_of_shape("input has shape") == "");
               return;
             }
             const auto n = p.index.shape[0];
             reshape(p, p.index, {n + 9});  // true past the end
             p.fill_index();
             for (std::int64_t k = n; k < n + 9; ++k) *p.index.at(k) = std::byte{k == n + 7};
             const std::string at = std::to_string(n + 7);
             CHECK(p.refusal<garner::index_error>("compress: index[" + at + "] = " + at) == "");
             reshape(p, p.index, {n, 1});
             CHECK(p.refusal_of_shape("mask has shape") == "");
           });
}
