// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/argsort.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/placed.hpp"
#include "support/prop.hpp"
#include "support/tensors.hpp"

namespace {

using garner::argsort;
using garner::argsort_into;
using garner::descending;
using garner::stable;
using garner::tensor;
using garner::view;
using test::shape_error_of;

using indices = tensor<std::int64_t, 2>;
using list = tensor<std::int64_t, 1>;
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

template <class T, int Rank = garner::dynamic_rank>
void agree(int cases) {
  test::prop("argsort agrees with counting", cases, [] {
    const auto l = test::random_lined(Rank);
    const auto x = test::random_numbers<T>(l.shape);
    const bool descends = test::once_in(2);
    const auto values = x.elements();
    std::vector<std::int64_t> expected(values.size());
    if (!values.empty()) {
      test::for_each_place(l.with_extent(1), [&](const auto& at) {
        const auto line = l.line(at);
        const auto order = test::reference_order(values, line, descends);
        for (std::size_t i = 0; i < line.size(); ++i) expected[line[i]] = order[i];
      });
    }
    const auto in = x.template view<Rank>();
    const std::int64_t blank = -77;
    auto out = test::blank_out<std::int64_t>(l.shape, blank);
    if (descends) {
      test::check_result(argsort(in, l.dim, descending), l.shape, expected);
      argsort_into(out.template view<Rank>(), in, l.dim, garner::noalias, descending, stable);
    } else {
      test::check_result(argsort(in, l.dim, stable), l.shape, expected);
      argsort_into(out.template view<Rank>(), in, l.dim);
    }
    test::check_written(out, expected, blank);
  });
}

/// 5000 elements: more than the stack has scratch memory for.
template <class T>
void agree_on_a_long_line(const std::vector<T>& values) {
  std::vector<std::int64_t> up(values.size());
  std::iota(up.begin(), up.end(), std::int64_t{0});
  auto down = up;
  const auto at = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
  std::stable_sort(up.begin(), up.end(),
                   [&](auto a, auto b) { return test::is_below(at(a), at(b)); });
  std::stable_sort(down.begin(), down.end(),
                   [&](auto a, auto b) { return test::is_below(at(b), at(a)); });
  const auto is = [](const auto& got, const std::vector<std::int64_t>& wanted) {
    return std::equal(got.begin(), got.end(), wanted.begin(), wanted.end());
  };
  CHECK(is(argsort(values, 0), up));
  CHECK(is(argsort(values, 0, descending), down));
  std::vector<std::int64_t> out(values.size());
  argsort_into(out, values, 0);
  CHECK(out == up);
  argsort_into(out, values, 0, descending);
  CHECK(out == down);
  indices wide({static_cast<garner::index_t>(values.size()), garner::index_t{3}});
  argsort_into(wide.select(1, 1), values, 0);
  CHECK(wide.select(1, 1) == garner::as_view(up));
}

template <class T>
void agree_on_long_lines() {
  std::mt19937_64 next(7);
  std::vector<T> values(5000);
  for (T& x : values) x = test::random_value<T>(next);
  agree_on_a_long_line(values);
}

}  // namespace

TEST_CASE("argsort: random calls agree with counting", "[argsort][property]") {
  agree<float>(400);
  agree<double>(150);
#ifndef GARNER_TEST_LIGHT
  agree<std::int8_t>(100);
  agree<std::uint16_t>(100);
  agree<std::int32_t>(100);
  agree<std::uint32_t>(100);
  agree<std::int64_t>(150);
  agree<std::uint64_t>(100);
  agree<garner::half>(100);
#endif
  agree<garner::bfloat16>(100);
  agree<long double>(100);
  agree<std::string>(100);
}

TEST_CASE("argsort: random calls of static rank agree with counting", "[argsort][property]") {
#ifndef GARNER_TEST_LIGHT
  agree<float, 0>(20);
  agree<float, 1>(100);
#endif
  agree<std::int64_t, 3>(100);
}

TEST_CASE("argsort: long lines", "[argsort][large]") {
  agree_on_long_lines<float>();
#ifndef GARNER_TEST_LIGHT
  agree_on_long_lines<double>();
  agree_on_long_lines<std::int64_t>();
  agree_on_long_lines<std::uint8_t>();
#endif
  agree_on_long_lines<long double>();
}

TEST_CASE("argsort: keys of 64 bits that 32 bits cannot tell apart", "[argsort][large]") {
  for (const std::size_t n : {std::size_t{50}, std::size_t{1000}, std::size_t{5000}}) {
    std::mt19937_64 next(8);
    std::vector<std::int64_t> values(n);
    for (auto& x : values) x = static_cast<std::int64_t>(next() % 100);
    values[n / 2] = std::numeric_limits<std::int64_t>::max();  // so that all others look alike
    values[n / 3] = std::numeric_limits<std::int64_t>::min();
    agree_on_a_long_line(values);
    std::vector<double> close(n);
    for (auto& x : close) x = 1.0 + static_cast<double>(next() % 64) * 0x1p-52;
    agree_on_a_long_line(close);
    close[n / 2] = -1e300;
    agree_on_a_long_line(close);
  }
}

TEST_CASE("argsort: the last elements of a line look alike, as does what lies behind it",
          "[argsort]") {
  // 32 bits tell the element before the last and the last one from the others, no more. They are
  // sorted in two passes, after which the first of the others stands behind the result, too.
  std::vector<std::int64_t> values;
  for (std::int64_t i = 0; i < 100; ++i) values.push_back((std::int64_t{1} << 62) + 99 - i);
  values.push_back(0);
  values.push_back(std::int64_t{1} << 39);
  agree_on_a_long_line(values);
}

TEST_CASE("argsort: keys of as many bits as are packed, and of a few more", "[argsort]") {
  for (int bits = 30; bits < 40; ++bits) {
    // Pairs that differ in the lowest bit, the larger first.
    std::vector<std::int64_t> values{(std::int64_t{1} << bits) - 1};
    for (std::int64_t i = 0; i < 100; ++i) values.push_back((99 - i) ^ 1);
    agree_on_a_long_line(values);
    using arch = garner::detail::default_arch;
    const auto digits = garner::detail::digits_of<arch, false>(values.data(), 1, 101);
    CHECK(digits.shift == std::max(0, bits - 32));
    CHECK(digits.of(static_cast<std::uint64_t>(values[0]) ^ std::uint64_t{1} << 63) ==
          static_cast<std::uint32_t>(values[0] >> digits.shift));
  }
  const float one = 1;
  CHECK(garner::detail::digits_of<garner::detail::default_arch, false>(&one, 1, 1).shift == 0);
}

TEST_CASE("argsort: its iterator does all that one of random access can", "[argsort]") {
  using iterator = garner::detail::strided_iterator<int>;
  static_assert(std::random_access_iterator<iterator>);
  int numbers[] = {0, 1, 2, 3, 4, 5};
  CHECK(iterator{numbers}[4] == 4);
  iterator at{numbers, 2};
  CHECK(*at++ == 0);
  CHECK(*at == 2);
  CHECK(*at-- == 2);
  CHECK(*at == 0);
  CHECK(*(1 + at) == 2);
  at += 2;
  CHECK(*at == 4);
  at -= 1;
  CHECK(*at == 2);
}

TEST_CASE("argsort: torch's example", "[argsort]") {
  const tensor<float, 2> x{{0.0785f, 1.5267f, -0.8521f, 0.4065f},
                           {0.1598f, 0.0788f, -0.0745f, -1.2700f}};
  CHECK(argsort(x, 1) == indices{{2, 0, 3, 1}, {3, 2, 1, 0}});
  CHECK(argsort(x, -1, descending) == indices{{1, 3, 0, 2}, {0, 1, 2, 3}});
  CHECK(argsort(x, 0) == indices{{0, 1, 0, 1}, {1, 0, 1, 0}});
}

TEST_CASE("argsort: equal elements keep their order, both ways", "[argsort][stable]") {
  const std::vector<int> x{1, 0, 1, 0, 1};
  CHECK(argsort(x, 0) == list{1, 3, 0, 2, 4});
  CHECK(argsort(x, 0, descending) == list{0, 2, 4, 1, 3});
  CHECK(argsort(x, 0, stable, descending) == list{0, 2, 4, 1, 3});
  CHECK(argsort(std::vector{0.0f, -0.0f, 0.0f, -0.0f}, 0) == list{0, 1, 2, 3});
}

TEST_CASE("argsort: NaN comes last, and first if descending", "[argsort][nan]") {
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> x{1, not_a_number, inf, -not_a_number, -inf};
  CHECK(argsort(x, 0) == list{4, 0, 2, 1, 3});
  CHECK(argsort(x, 0, descending) == list{1, 3, 2, 0, 4});
}

TEST_CASE("argsort: a bool is true whatever its byte", "[argsort][bool]") {
  std::vector<std::uint8_t> bytes{2, 0, 1, 0, 255};
  const view<const bool, 1> x(reinterpret_cast<const bool*>(bytes.data()), {5});
  CHECK(argsort(x, 0) == list{1, 3, 0, 2, 4});
}

TEST_CASE("argsort: empty and 0-d", "[argsort][empty]") {
  static_assert(std::same_as<decltype(argsort(tensor<int, 0>(5), 0)), tensor<std::int64_t, 0>>);
  CHECK(argsort(tensor<int, 0>(5), -1) == tensor<std::int64_t, 0>(0));
  CHECK(argsort(tensor<int, 2>({0, 3}), 0).shape() == garner::dims{0, 3});
  CHECK(argsort(tensor<int, 2>({3, 0}), 0).shape() == garner::dims{3, 0});
}

TEST_CASE("argsort: errors, before anything is written", "[argsort][error][promise]") {
  auto x = test::counted<std::int64_t>(2, 3);
  indices out({2, 3});
  CHECK(shape_error_of([&] { argsort(x, 2); }) ==
        "argsort: dim 2 is out of range for a tensor of 2 dims");
  CHECK(shape_error_of([&] { argsort(tensor<int, 0>(1), 1); }) ==
        "argsort: dim 1 is out of range for a tensor of 0 dims");
  CHECK(shape_error_of([&] { argsort_into(out.slice(1, 1), x, 0); }) ==
        "argsort: out has shape (2, 2), but the result has shape (2, 3)");
  CHECK(shape_error_of([&] { argsort_into(x, x, 0); }) == "argsort: out overlaps the input");
  CHECK(shape_error_of([&] {
          argsort_into(out.select(0, 0).expand({2, 3}), x, 0);
        }) == "argsort: out overlaps itself: shape (2, 3) with strides (0, 1)");
  CHECK(x == test::counted<std::int64_t>(2, 3));
  CHECK(out == indices({2, 3}));
}
