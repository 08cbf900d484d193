// SPDX-License-Identifier: BSD-3-Clause
// Your memory, your layout: strides, views of views, run-time rank, and a matrix type of your own.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <garner/garner.hpp>

#include "check.hpp"

using garner::gather;
using garner::tensor;
using garner::view;

/// A column-major matrix, as a user might have one.
class matrix {
 public:
  matrix(std::size_t rows, std::size_t columns) : rows_(rows), elements_(rows * columns) {}
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return elements_.size() / rows_; }
  double* data() { return elements_.data(); }
  const double* data() const { return elements_.data(); }
  double& at(std::size_t r, std::size_t c) { return elements_[c * rows_ + r]; }

 private:
  std::size_t rows_;
  std::vector<double> elements_;
};

/// All that garner needs to know of it.
template <>
struct garner::view_adapter<matrix> {
  template <class Matrix>
  static auto to_view(Matrix& m) {
    return garner::view<std::remove_pointer_t<decltype(m.data())>, 2>{
        m.data(), {m.rows(), m.columns()}, {std::size_t{1}, m.rows()}};
  }
};

int main() {
  std::vector<int> memory(12);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<int>(i);

  say("a pointer and a shape, over a std::vector");
  const view<int, 2> x{memory.data(), {3, 4}};
  show("x", x, tensor<int, 2>{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}});

  say("views of views copy nothing");
  show("x.transpose(0, 1)", x.transpose(0, 1),
       tensor<int, 2>{{0, 4, 8}, {1, 5, 9}, {2, 6, 10}, {3, 7, 11}});
  show("x.flip(1)", x.flip(1), tensor<int, 2>{{3, 2, 1, 0}, {7, 6, 5, 4}, {11, 10, 9, 8}});
  show("x.slice(1, 0, end, 2)", x.slice(1, 0, garner::end, 2),
       tensor<int, 2>{{0, 2}, {4, 6}, {8, 10}});
  show("x.slice(0, -2, end).select(1, -1)", x.slice(0, -2, garner::end).select(1, -1),
       tensor<int, 1>{7, 11});
  show("x.reshape({2, 3, 2}).permute({2, 0, 1})", x.reshape({2, 3, 2}).permute({2, 0, 1}),
       tensor<int, 3>{{{0, 2, 4}, {6, 8, 10}}, {{1, 3, 5}, {7, 9, 11}}});

  say("operations read and write every layout alike");
  const tensor<int, 2> index{{2, 0}, {1, 1}, {0, 2}, {2, 2}};
  show("gather(x.transpose(0, 1), 1, index)", gather(x.transpose(0, 1), 1, index),
       tensor<int, 2>{{8, 0}, {5, 5}, {2, 10}, {11, 11}});
  tensor<int, 2> out({2, 4});
  gather_into(out.transpose(0, 1), x.transpose(0, 1), 1, index);
  show("the same into a transposed out", out, tensor<int, 2>{{8, 5, 2, 11}, {0, 5, 10, 11}});
  show("take(x.flip(0), [0, 5, 11]), flat though no single stride walks it",
       garner::take(x.flip(0), std::vector<int>{0, 5, 11}), tensor<int, 1>{8, 5, 3});

  say("a rank that is known at run time only: shape and strides come from any ranges of integers");
  const std::vector<std::int64_t> shape{2, 3, 2};
  const std::vector<std::int64_t> strides{6, 1, 3};
  const view<int> any{memory.data(), shape, strides};
  show("rank", any.rank(), 3);
  show("index_select(any, -1, [1])", garner::index_select(any, -1, std::vector<int>{1}),
       tensor<int, 3>{{{3}, {4}, {5}}, {{9}, {10}, {11}}});
  show("fixed again, checked: view<int, 3>(any)(1, 2, 0)", view<int, 3>(any)(1, 2, 0), 8);

  say("make_view proves that a layout stays inside its memory, or refuses it");
  const std::span<int> span(memory);
  show("make_view(span, {2, 3}, {-4, 1}, 8)", garner::make_view(span, {2, 3}, {-4, 1}, 8),
       tensor<int, 2>{{8, 9, 10}, {4, 5, 6}});
  std::string message;
  try {
    garner::make_view(span, {2, 3}, {-4, 1}, 2);
  } catch (const garner::shape_error& error) {
    message = error.what();
  }
  show("make_view(span, {2, 3}, {-4, 1}, 2)", message,
       "make_view: shape (2, 3) with strides (-4, 1) at offset 2 leaves the span of 12 elements");

  say("a type of your own, by a view_adapter of five lines");
  matrix m(2, 3);
  for (std::size_t r = 0; r < 2; ++r) {
    for (std::size_t c = 0; c < 3; ++c) m.at(r, c) = static_cast<double>(10 * r + c);
  }
  show("as_view(m)", garner::as_view(m), tensor<double, 2>{{0, 1, 2}, {10, 11, 12}});
  show("take(m, [2, 0], 1)", garner::take(m, std::vector<int>{2, 0}, 1),
       tensor<double, 2>{{2, 0}, {12, 10}});
  matrix result(2, 2);
  garner::take_into(result, m, std::vector<int>{1, 1}, 1);
  show("take_into(result, m, [1, 1], 1)", garner::as_view(result),
       tensor<double, 2>{{1, 1}, {11, 11}});

  say("elements that are no plain bits work too");
  const std::vector<std::string> words{"reap", "bind", "garner"};
  show("take(words, [2, 0, -2])", garner::take(words, std::vector<int>{2, 0, -2}),
       tensor<std::string, 1>{"garner", "reap", "bind"});
}
