// SPDX-License-Identifier: BSD-3-Clause
// ONNX's own node tests, and the cases of newer opsets: reductions by max and min.
#include <string>
#include <vector>

#include <garner/garner.hpp>

#include "data/onnx_cases.hpp"
#include "support/catch.hpp"

namespace {

using garner::from_end;
using garner::reduce;
using garner::tensor;

template <class T>
tensor<T> tensor_of(const test::onnx_tensor& x) {
  tensor<T> result{garner::dims<>(x.shape)};
  T* out = result.data();
  for (const double number : x.numbers) *out++ = static_cast<T>(number);
  return result;
}

/// Calls f<Kind>() for the reduction of that name.
template <class F>
auto with_reduction(const std::string& name, const F& f) {
  if (name == "add") return f.template operator()<reduce::sum>();
  if (name == "mul") return f.template operator()<reduce::prod>();
  if (name == "max") return f.template operator()<reduce::amax>();
  if (name == "min") return f.template operator()<reduce::amin>();
  REQUIRE(name == "none");
  return f.template operator()<reduce::none>();
}

template <class T>
tensor<T> run(const test::onnx_case& c) {
  const auto data = tensor_of<T>(c.data);
  const auto indices = tensor_of<std::int64_t>(c.indices);
  const auto updates = tensor_of<T>(c.updates);
  if (c.op == "Gather") return garner::take(data, indices, c.axis);
  if (c.op == "GatherElements") return garner::gather(data, c.axis, indices, from_end);
  if (c.op == "GatherND") return garner::gather_nd(data, indices, garner::batch_dims(c.batch_dims));
  return with_reduction(c.reduction, [&]<reduce Kind>() {
    if (c.op == "ScatterND") return garner::scatter_nd<Kind>(data, indices, updates);
    REQUIRE((c.op == "Scatter" || c.op == "ScatterElements"));
    return garner::scatter_reduce<Kind>(data, c.axis, indices, updates, from_end);
  });
}

void check(const test::onnx_case& c) {
  INFO(c.name);
  if (c.is_int32) {
    CHECK(run<std::int32_t>(c) == tensor_of<std::int32_t>(c.output));
  } else {
    CHECK(run<float>(c) == tensor_of<float>(c.output));
  }
}

}  // namespace

TEST_CASE("onnx: the project's node tests", "[onnx]") {
  CHECK(test::onnx_cases.size() == 19);
  for (const auto& c : test::onnx_cases) check(c);
}

TEST_CASE("onnx: reductions of newer opsets", "[onnx]") {
  const test::onnx_tensor row{{1, 5}, {1, 2, 3, 4, 5}}, twice{{1, 2}, {1, 1}};
  const test::onnx_tensor updates{{1, 2}, {1.5, 2.5}};
  const auto elements = [&](const char* reduction, double result) {
    check({reduction,
           "ScatterElements",
           1,
           0,
           reduction,
           false,
           row,
           twice,
           updates,
           {{1, 5}, {1, result, 3, 4, 5}}});
  };
  elements("max", 2.5);
  elements("min", 1.5);
  elements("mul", 2 * 1.5 * 2.5);
  elements("add", 2 + 1.5 + 2.5);

  const test::onnx_tensor matrix{{2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}}, first{{2, 1}, {0, 0}};
  const test::onnx_tensor rows{{2, 4}, {5, 1, 5, 1, 0, 3, 2, 9}};
  check({"max",
         "ScatterND",
         0,
         0,
         "max",
         false,
         matrix,
         first,
         rows,
         {{2, 4}, {5, 3, 5, 9, 5, 6, 7, 8}}});
  check({"min",
         "ScatterND",
         0,
         0,
         "min",
         true,
         matrix,
         first,
         rows,
         {{2, 4}, {0, 1, 2, 1, 5, 6, 7, 8}}});
  // One tuple of coordinates for each element.
  const test::onnx_tensor tuples{{3, 2}, {0, 3, -1, 0, 0, 3}}, three{{3}, {10, 20, 30}};
  check({"mul",
         "ScatterND",
         0,
         0,
         "mul",
         false,
         matrix,
         tuples,
         three,
         {{2, 4}, {1, 2, 3, 1200, 100, 6, 7, 8}}});
  check({"none",
         "ScatterND",
         0,
         0,
         "none",
         false,
         matrix,
         tuples,
         three,
         {{2, 4}, {1, 2, 3, 30, 20, 6, 7, 8}}});
  check({"tuples", "GatherND", 0, 0, "none", false, matrix, tuples, {}, {{3}, {4, 5, 4}}});
}
