// SPDX-License-Identifier: BSD-3-Clause
// The _into forms allocate nothing: every operator new of this program is counted.
#include <cstddef>
#include <cstdint>
#include <string>

#include <garner/garner.hpp>

#include "support/catch.hpp"
#include "support/counted_new.hpp"
#include "support/tensors.hpp"

namespace {

using test::allocations;

template <class Call>
std::size_t allocations_of(const Call& call) {
  const std::size_t before = allocations;
  call();
  return allocations - before;
}

/// How often call(options...) allocates under all sets of options together.
template <class Call>
std::size_t under_all_options(const Call& call) {
  using namespace garner;
  return allocations_of([&] {
    call();
    call(checked, reject_negative);
    call(wrap, noalias);
    call(from_end, clip);
    call(fill(7.0f));
    call(noalias, from_end, unchecked);
  });
}

struct operands {
  garner::tensor<float, 3> input = test::counted<float>(9, 9, 9);
  garner::tensor<std::int32_t, 3> index{garner::dims{5, 9, 9}};
  garner::tensor<std::int32_t, 1> list{8, 0, 3, 3, 1};
  garner::tensor<float, 3> out{garner::dims{5, 9, 9}};
};

}  // namespace

TEST_CASE("the counter counts", "[allocation]") {
  operands x;
  CHECK(allocations_of([&] { garner::gather(x.input, 0, x.index); }) == 1);
  CHECK(allocations_of([] { ::operator delete(::operator new(1)); }) == 1);
}

TEST_CASE("gather_into: allocates nothing", "[gather][allocation][promise]") {
  operands x;
  CHECK(under_all_options(
            [&](auto... o) { garner::gather_into(x.out, x.input, 0, x.index, o...); }) == 0);
  // Not even for operands that lie in no order.
  const auto turned = x.input.transpose(0, 2).flip(1);
  const auto expanded = x.list.unsqueeze(-1).unsqueeze(-1).expand({5, 9, 9});
  CHECK(under_all_options(
            [&](auto... o) { garner::gather_into(x.out, turned, 0, expanded, o...); }) == 0);
  const garner::view<float> out = x.out;
  const garner::view<const float> input = turned;
  const garner::view<const std::int32_t> index = expanded;
  CHECK(under_all_options([&](auto... o) { garner::gather_into(out, input, 0, index, o...); }) ==
        0);
}

TEST_CASE("take_along_dim_into: allocates nothing", "[take_along_dim][allocation][promise]") {
  operands x;
  const auto index = x.list.unsqueeze(-1).unsqueeze(-1);
  const garner::view<float> any_out = x.out;
  const garner::view<const float> any_input = x.input;
  const garner::view<const std::int32_t> any_index = index;
  CHECK(under_all_options(
            [&](auto... o) { garner::take_along_dim_into(x.out, x.input, index, 0, o...); }) == 0);
  CHECK(under_all_options([&](auto... o) {
          garner::take_along_dim_into(any_out, any_input, any_index, 0, o...);
        }) == 0);
  const auto turned = x.input.transpose(0, 2);
  CHECK(under_all_options(
            [&](auto... o) { garner::take_along_dim_into(x.out, turned, x.index, o...); }) == 0);
}

TEST_CASE("index_select_into: allocates nothing", "[index_select][allocation][promise]") {
  operands x;
  const garner::view<float> any_out = x.out;
  const garner::view<const float> any_input = x.input.transpose(0, 1);
  CHECK(under_all_options(
            [&](auto... o) { garner::index_select_into(x.out, x.input, 0, x.list, o...); }) == 0);
  CHECK(under_all_options([&](auto... o) {
          garner::index_select_into(any_out, any_input, 0, x.list, o...);
        }) == 0);
}

TEST_CASE("take_into: allocates nothing", "[take][allocation][promise]") {
  operands x;
  const garner::view<float> any_out = x.out;
  const garner::view<const float> any_input = x.input;
  const garner::view<const std::int32_t> any_list = x.list;
  CHECK(under_all_options([&](auto... o) { garner::take_into(x.out, x.input, x.list, 0, o...); }) ==
        0);
  CHECK(under_all_options([&](auto... o) {
          garner::take_into(any_out, any_input, any_list, 0, garner::batch_dims(0), o...);
        }) == 0);
  const auto turned = x.input.transpose(0, 2);
  CHECK(under_all_options([&](auto... o) { garner::take_into(x.out, turned, x.index, o...); }) ==
        0);
  CHECK(under_all_options([&](auto... o) {
          garner::take_into(any_out, garner::view<const float>(turned),
                            garner::view<const std::int32_t>(x.index), o...);
        }) == 0);
}

TEST_CASE("a validated index allocates nothing", "[validate][allocation][promise]") {
  operands x;
  CHECK(allocations_of([&] {
          const auto index = garner::validate(x.list, 9);
          garner::index_select_into(x.out, x.input, 0, index);
        }) == 0);
}

TEST_CASE("token_log_probs_into: allocates nothing, nor does its gradient",
          "[token_log_probs][allocation][promise]") {
  for (const garner::index_t columns : {9, 90, 3000}) {
    garner::tensor<float, 3> logits(garner::dims{5, 9, columns});
    garner::tensor<float, 3> gradient(garner::dims{5, 9, columns});
    const garner::tensor<std::int32_t, 2> ids(garner::dims{5, 9});
    garner::tensor<float, 2> out(garner::dims{5, 9});
    CHECK(under_all_options([&](auto... o) {
            garner::token_log_probs_into(out, logits, ids, o...);
            garner::token_log_probs_backward(gradient, out, logits, ids, o...);
          }) == 0);
    const garner::view<const float> any_logits = logits.flip(2);
    const garner::view<const std::int32_t> any_ids = ids;
    CHECK(under_all_options([&](auto... o) {
            garner::token_log_probs_into(out, any_logits, any_ids, o...);
            garner::token_log_probs_backward(gradient.flip(2), out, any_logits, any_ids, o...);
          }) == 0);
  }
}

TEST_CASE("argmax_into, argsort_into, topk_into: allocate nothing",
          "[argmax][argsort][topk][allocation][promise]") {
  operands x;
  garner::tensor<std::int64_t, 3> order{garner::dims{9, 9, 9}};
  garner::tensor<std::int64_t, 2> best{garner::dims{9, 9}};
  garner::tensor<std::int64_t, 3> at{garner::dims{9, 4, 9}};
  garner::tensor<float, 3> values{garner::dims{9, 4, 9}};
  const auto turned = x.input.transpose(0, 2);
  const auto strings = garner::tensor<std::string, 1>{"b", "a"};
  const auto line = test::counted<double>(5000);  // longer than what is sorted on the stack
  garner::tensor<std::int64_t, 2> orders({5000, 2});
  garner::tensor<double, 1> many(3000);
  CHECK(allocations_of([&] {
          garner::argmax_into(best, turned, 1);
          garner::argmin_into(order.slice(0, 0, 1), x.input, 0, garner::keepdim);
          garner::argsort_into(order, turned, 0, garner::descending);
          garner::argsort_into(order.select(0, 0).select(0, 0).slice(0, 0, 2), strings, 0);
          garner::argsort_into(orders.select(1, 1), line, 0);
          garner::topk_into(values, at, turned, 4, 1);
          garner::topk_into(many, orders.select(1, 0).slice(0, 0, 3000), line, 3000, 0);
        }) == 0);
}

TEST_CASE("masked_select_into, compress_into: allocate nothing",
          "[masked_select][compress][allocation][promise]") {
  operands x;
  const garner::tensor<bool, 1> mask{true, false, true, false, false, false, false, false, true};
  garner::tensor<float, 1> out(243);
  garner::tensor<float, 3> slices({9, 3, 9});
  const auto turned = x.input.transpose(0, 2);
  CHECK(allocations_of([&] {
          garner::masked_select_into(out, turned, mask);
          garner::compress_into(slices, mask, turned, 1);
          garner::compress_into(out.slice(0, 0, 3), mask, turned);
        }) == 0);
}

TEST_CASE("embedding_bag_into and the gradients allocate nothing",
          "[embedding_bag][allocation][promise]") {
  using namespace garner;
  const tensor<float, 2> weight(dims{9, 33});
  const tensor<std::int32_t, 1> ids{8, 0, 3, 3, 1};
  const tensor<std::int64_t, 1> offsets{0, 2};
  const tensor<float, 1> factors(dims{5});
  const tensor<float, 2> grads(dims{5, 33});
  tensor<float, 2> out(dims{2, 33});
  tensor<float, 2> sums(dims{9, 33});
  tensor<float, 1> factor_sums(dims<1>{5});
  CHECK(allocations_of([&] {
          embedding_bag_into<bag_mode::sum>(out, weight, ids, offsets, per_sample_weights(factors));
          embedding_bag_into(out, weight, ids, offsets, padding_idx(-1), wrap);
          embedding_bag_backward(sums, out, ids, offsets, noalias);
          embedding_bag_backward<bag_mode::max>(sums, out, weight, ids, offsets);
          per_sample_weights_backward(factor_sums, out, weight, ids, offsets);
          embedding_backward(sums, grads, ids, from_end);
        }) == 0);
}

TEST_CASE("writing through an index allocates nothing, nor do its gradients",
          "[scatter][allocation][promise]") {
  using namespace garner;
  tensor<float, 2> self(dims{9, 33});
  tensor<half, 2> halves(dims{9, 33});
  tensor<float, 2> long_axis(dims{5000, 33});
  tensor<float, 2> src(dims{5, 33});
  const tensor<half, 2> half_src(dims{5, 33});
  const tensor<std::int32_t, 2> index(dims{5, 33});
  const tensor<std::int64_t, 1> rows{8, 0, 3, 3, 1};
  const tensor<std::int16_t, 2> pairs{{1, 2}, {8, 32}};
  const tensor<float, 1> two{1, 2};
  CHECK(under_all_options([&](auto... o) {
          scatter_into(self, 0, index, src, o...);
          scatter_add_into(halves, 0, index, half_src, o...);
          scatter_reduce_into<reduce::mean>(self, 0, index, src, include_self(false), o...);
          index_add_into(self, 0, rows, src, alpha(2), o...);
          index_copy_into(self.flip(1), 0, rows, src, o...);
          index_fill_into(self, 0, rows, 1, o...);
          put_into(self.transpose(0, 1), rows, 2, accumulate, o...);
          put_along_dim_into(self, index, src, 0, o...);
          scatter_nd_into<reduce::amax>(self, pairs, two, o...);
          scatter_reduce_into<reduce::mean>(long_axis, 0, index, src, o...);
          gather_backward(self, src, 0, index, o...);
          index_add_backward(src, self, 0, rows, o...);
        }) == 0);
}
