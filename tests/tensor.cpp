// SPDX-License-Identifier: BSD-3-Clause
// tensor: ownership, construction, comparison.
#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <garner/tensor.hpp>

#include "support/catch.hpp"
#include "support/errors.hpp"

using garner::dims;
using garner::end;
using garner::index_t;
using garner::shape_error;
using garner::tensor;
using garner::view;
using test::message_of;

namespace {

template <class X>
std::vector<typename X::value_type> elements(const X& x) {
  return std::vector<typename X::value_type>(x.begin(), x.end());
}

bool is_aligned(const void* data, std::size_t to) {
  return reinterpret_cast<std::uintptr_t>(data) % to == 0;
}

/// Counts those alive, and throws when `until_throw` operations have been survived.
struct counted {
  static inline int alive = 0;
  static inline int until_throw = -1;
  int value = 0;

  static void tick() {
    if (until_throw == 0) throw std::runtime_error("counted");
    if (until_throw > 0) --until_throw;
  }
  counted() {
    tick();
    ++alive;
  }
  explicit counted(int v) : value(v) { ++alive; }
  counted(const counted& other) : value(other.value) { ++alive; }
  counted& operator=(const counted& other) {
    tick();
    value = other.value;
    return *this;
  }
  ~counted() { --alive; }
};

struct alignas(256) wide_aligned {
  int value;
};

/// Only value-initialisation gives `id` a value.
struct record {
  int id;
  std::string name;
};

struct twelve {
  std::int32_t a, b, c;
};

static_assert(!std::is_convertible_v<int, tensor<int, 1>>, "a size is no tensor");
static_assert(!std::is_convertible_v<dims<2>, tensor<int, 2>>);
static_assert(!std::is_convertible_v<view<int, 2>, tensor<int, 2>>, "a copy is asked for");
static_assert(std::is_constructible_v<tensor<int, 2>, view<const int, 2>>);
static_assert(!std::is_constructible_v<tensor<int, 2>, view<int, 3>>);
static_assert(!std::is_constructible_v<tensor<int, 2>, view<float, 2>>);
static_assert(std::is_nothrow_move_constructible_v<tensor<std::string, 2>>);
static_assert(std::is_nothrow_move_assignable_v<tensor<std::string>>);
static_assert(std::is_convertible_v<tensor<int, 2>&, view<int, 2>>);
static_assert(std::is_convertible_v<tensor<int, 2>&, view<int>>);
static_assert(std::is_convertible_v<tensor<int, 2>&, view<const int>>);
static_assert(std::is_convertible_v<const tensor<int, 2>&, view<const int, 2>>);
static_assert(!std::is_convertible_v<const tensor<int, 2>&, view<int, 2>>);
static_assert(!std::is_convertible_v<const tensor<int, 2>&, view<int>>);
static_assert(!std::is_convertible_v<tensor<int, 2>, view<int, 2>>, "it would dangle");

}  // namespace

TEST_CASE("tensor: from a shape, all elements are zero", "[tensor][construction]") {
  // Freed memory is dirty, so that zeros do not come by chance.
  for (int round = 0; round < 4; ++round) {
    tensor<int, 2> dirty({3, 4});
    std::fill(dirty.begin(), dirty.end(), -1);
  }
  const tensor<int, 2> x({3, 4});
  CHECK(x.shape() == dims(3, 4));
  CHECK(x.strides() == dims(4, 1));
  CHECK(x.rank() == 2);
  CHECK(x.size() == 12);
  CHECK_FALSE(x.is_empty());
  CHECK(elements(x) == std::vector<int>(12, 0));
  CHECK(elements(tensor<std::string, 1>(3)) == std::vector<std::string>(3));
  CHECK(elements(tensor<std::complex<float>, 1>(2)) == std::vector<std::complex<float>>(2));
  CHECK(elements(tensor<int*, 1>(2)) == std::vector<int*>(2));
  CHECK(tensor<int>(std::vector<std::int64_t>{2, 3}).shape() == dims(2, 3));
  CHECK(tensor<int>({2, 3}).shape() == dims(2, 3));
  CHECK(tensor<float, 3>(dims(1, 2, 3)).size() == 6);
}

TEST_CASE("tensor: a shape of one extent and an element of its own kind are no riddle",
          "[tensor][construction]") {
  // Asked inside a template, so that a "no" is a failed check and not a failed build.
  const auto is_shape = []<class T>(T) {
    return requires { tensor<T>({3}); };
  };
  CHECK(is_shape(1));
  CHECK(std::is_constructible_v<tensor<std::string, 0>, const char(&)[5]>);
  CHECK(std::is_constructible_v<tensor<std::string, 0>, std::string>);
}

TEST_CASE("tensor: members without a constructor are zero too", "[tensor][construction]") {
  constexpr index_t n = 64;
  for (int round = 0; round < 4; ++round) {
    tensor<record, 1> dirty(n);
    for (auto& r : dirty) r.id = -1;
  }
  const tensor<record, 1> x(n);
  int sum = 0;
  for (const auto& r : x) sum += r.id != 0;
  CHECK(sum == 0);
}

TEST_CASE("tensor: nested braces hold the elements", "[tensor][construction]") {
  const tensor<int, 1> a{5, 6, 7};
  CHECK(a.shape() == dims(3));
  CHECK(elements(a) == std::vector<int>{5, 6, 7});
  CHECK(tensor<int, 1>{5}.shape() == dims(1));
  CHECK(tensor<int, 1>(5).shape() == dims(5));

  const tensor<int, 2> b{{1, 2, 3}, {4, 5, 6}};
  CHECK(b.shape() == dims(2, 3));
  CHECK(elements(b) == std::vector<int>{1, 2, 3, 4, 5, 6});
  CHECK(tensor<int, 2>{{3, 4}}.shape() == dims(1, 2));
  CHECK(tensor<int, 2>({3, 4}).shape() == dims(3, 4));

  const tensor<double, 3> c{{{1}, {2}}, {{3}, {4}}, {{5}, {6}}};
  CHECK(c.shape() == dims(3, 2, 1));
  CHECK(c(2, 1, 0) == 6);

  const tensor<int, 4> d{{{{1, 2}}, {{3, 4}}}};
  CHECK(d.shape() == dims(1, 2, 1, 2));
  CHECK(elements(d) == std::vector<int>{1, 2, 3, 4});

  CHECK((tensor<int, 2>{{}, {}}.shape() == dims(2, 0)));
  CHECK(tensor<int, 2>{}.shape() == dims(0, 0));
  const tensor<int, 2> assigned = {{1}, {2}};
  CHECK(assigned(1, 0) == 2);
}

TEST_CASE("tensor: ragged braces are refused", "[tensor][construction][error]") {
  CHECK(message_of<shape_error>([] {
          tensor<int, 2>{{1, 2}, {3}};
        }) == "tensor: the braces hold 1 entries where 2 are needed in dim 1");
  CHECK_THROWS_AS((tensor<int, 2>{{1, 2}, {3, 4, 5}}), shape_error);
  CHECK_THROWS_AS((tensor<int, 2>{{}, {1}}), shape_error);
  CHECK_THROWS_AS((tensor<int, 2>{{1}, {}}), shape_error);
  CHECK_THROWS_AS((tensor<int, 3>{{{1}, {2}}, {{3}}}), shape_error);
  CHECK_THROWS_AS((tensor<int, 3>{{{1}, {2}}, {{3}, {4, 5}}}), shape_error);
  CHECK_THROWS_AS((tensor<std::string, 2>{{"a", "b"}, {"c"}}), shape_error);
}

TEST_CASE("tensor: a copy of a view of any layout", "[tensor][construction]") {
  tensor<int, 2> x{{1, 2, 3}, {4, 5, 6}};
  CHECK(elements(tensor<int, 2>(x.transpose(0, 1))) == std::vector<int>{1, 4, 2, 5, 3, 6});
  CHECK(elements(tensor<int, 2>(x.flip(1))) == std::vector<int>{3, 2, 1, 6, 5, 4});
  CHECK(elements(tensor<int, 2>(x.slice(1, 0, end, 2))) == std::vector<int>{1, 3, 4, 6});
  CHECK(elements(tensor<int, 3>(x.expand({2, 2, 3}))) ==
        std::vector<int>{1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
  CHECK(elements(tensor<int, 0>(x.select(0, 1).select(0, 2))) == std::vector<int>{6});
  CHECK(tensor<int>(x.transpose(0, 1)).shape() == dims(3, 2));
  CHECK(tensor<int, 2>(x.slice(0, 1, 1)).shape() == dims(0, 3));
  const view<const int> any = x;
  CHECK(elements(tensor<int>(any)) == elements(x));
  CHECK(tensor<int>(any).data() != x.data());
}

TEST_CASE("tensor: without dims it holds one element", "[tensor][0-d]") {
  const tensor<int, 0> zero;
  CHECK(zero.size() == 1);
  CHECK(zero() == 0);
  tensor<int, 0> x(5);
  CHECK(x() == 5);
  CHECK(x.at() == 5);
  x() = 6;
  CHECK(*x.data() == 6);
  CHECK(x.shape() == dims<0>());
  CHECK(tensor<int, 0>(x)() == 6);
  CHECK(x == tensor<int, 0>(6));
  CHECK(tensor<std::string, 0>(std::string("text"))() == "text");
  CHECK(tensor<int>(dims<>()).size() == 1);
  CHECK(tensor<int>().size() == 0);
  CHECK(tensor<int>().rank() == 1);
  tensor<int, 0> y = std::move(x);
  CHECK(y() == 6);
  x = y;
  CHECK(x() == 6);
  CHECK(std::move(x).unsqueeze(0)(0) == 6);
}

TEST_CASE("tensor: copies are deep, moves keep the storage", "[tensor][ownership]") {
  tensor<std::string, 2> x{{"a", "b"}, {"c", "d"}};
  const std::string* data = x.data();
  tensor<std::string, 2> copy = x;
  CHECK(copy.data() != data);
  CHECK(copy == x);
  copy(0, 0) = "changed";
  CHECK(x(0, 0) == "a");

  tensor<std::string, 2> moved = std::move(x);
  CHECK(moved.data() == data);
  CHECK(moved.shape() == dims(2, 2));
  CHECK(x.size() == 0);
  CHECK(x.data() == nullptr);
  CHECK(elements(x).empty());
  CHECK(x == tensor<std::string, 2>());

  x = moved;
  CHECK(x == moved);
  CHECK(x.data() != moved.data());
  x = std::move(moved);
  CHECK(x.data() == data);
  CHECK(moved.is_empty());

  tensor<std::string> any = std::move(x);
  CHECK(any.data() == data);
  CHECK(any.shape() == dims(2, 2));
  CHECK(x.is_empty());
  tensor<std::string> taken = std::move(any);
  CHECK(any.is_empty());
  CHECK(any.rank() == 1);
  const tensor<std::string> converted = tensor<std::string, 1>{"z"};
  CHECK(converted(0) == "z");
  const tensor<int, 2> constant{{1, 2}};
  const tensor<int> forgotten = constant;
  CHECK(forgotten == constant);
  CHECK(forgotten.data() != constant.data());
}

TEST_CASE("tensor: assignment to itself changes nothing", "[tensor][ownership]") {
  tensor<std::string, 1> x{"a", "a text too long for the small-string buffer"};
  const auto before = elements(x);
  auto& same = x;
  x = same;
  CHECK(elements(x) == before);
  x = std::move(same);
  CHECK(elements(x) == before);
}

TEST_CASE("tensor: assignment may change the shape", "[tensor][ownership]") {
  tensor<int, 2> x({3, 4});
  x = tensor<int, 2>{{7}};
  CHECK(x.shape() == dims(1, 1));
  CHECK(x(0, 0) == 7);
  tensor<int> any(3);
  any = tensor<int>({2, 2});
  CHECK(any.shape() == dims(2, 2));
}

TEST_CASE("tensor: storage begins on a 64-byte boundary, or the element's own",
          "[tensor][alignment]") {
  for (index_t n = 1; n < 40; ++n) {
    CHECK(is_aligned(tensor<char, 1>(n).data(), 64));
    CHECK(is_aligned(tensor<twelve, 1>(n).data(), 64));
    CHECK(is_aligned(tensor<std::string, 1>(n).data(), 64));
    CHECK(is_aligned(tensor<wide_aligned, 1>(n).data(), 256));
  }
  tensor<wide_aligned, 1> x{{{1}, {2}}};
  const tensor<wide_aligned, 1> copy = x;
  CHECK(copy(1).value == 2);
  x = tensor<wide_aligned, 1>(5);
  CHECK(is_aligned(&x(4), 256));
}

TEST_CASE("tensor: bools are elements like others", "[tensor][bool]") {
  tensor<bool, 2> x{{true, false}, {false, true}};
  bool& element = x(0, 1);
  element = true;
  CHECK(elements(x) == std::vector<bool>{true, true, false, true});
  const view<bool, 2> v = x;
  CHECK(v.transpose(0, 1)(0, 1) == false);
}

TEST_CASE("tensor: a shape that no memory can hold is refused", "[tensor][error]") {
  constexpr index_t two_to_62 = index_t{1} << 62;
  CHECK(message_of<shape_error>([] { tensor<double, 1> x(two_to_62); }) ==
        "tensor: 4611686018427387904 elements of 8 bytes are more than memory can hold");
  CHECK(message_of<shape_error>([] {
          tensor<char, 2> x({two_to_62, 4});
        }) == "tensor: shape (4611686018427387904, 4) has too many elements");
  CHECK(message_of<shape_error>([] {
          tensor<char, 2> x({2, -1});
        }) == "tensor: extent -1 of dim 1 is negative");
  CHECK_THROWS_AS((tensor<char, 2>({0, -1})), shape_error);
  CHECK_THROWS_AS((tensor<std::string, 1>(index_t{1} << 58)), shape_error);
  // As many bytes as can be counted are the allocator's to refuse.
  volatile index_t most = std::numeric_limits<index_t>::max();
  CHECK_THROWS_AS((tensor<char, 1>(index_t{most})), std::bad_alloc);
  CHECK((tensor<char, 3>({two_to_62, 0, two_to_62}).is_empty()));
  const char one = 'x';
  const view<const char, 2> everywhere(&one, {1, 1});
  CHECK_THROWS_AS((tensor<char, 3>(everywhere.expand({two_to_62, 2, 2}))), shape_error);
  const twelve element{};
  const view<const twelve, 1> many(&element, {index_t{1} << 60}, {0});
  CHECK_THROWS_AS((tensor<twelve, 1>(many)), shape_error);
}

TEST_CASE("tensor: methods give views, mutable or not", "[tensor][view]") {
  tensor<int, 2> x{{1, 2, 3}, {4, 5, 6}};
  const auto& constant = x;
  static_assert(std::is_same_v<decltype(x.slice(0, 0)), view<int, 2>>);
  static_assert(std::is_same_v<decltype(constant.slice(0, 0)), view<const int, 2>>);
  static_assert(std::is_same_v<decltype(constant.select(0, 0)), view<const int, 1>>);
  static_assert(std::is_same_v<decltype(constant.transpose(0, 1)), view<const int, 2>>);
  static_assert(std::is_same_v<decltype(constant.permute({1, 0})), view<const int, 2>>);
  static_assert(std::is_same_v<decltype(constant.flip(0)), view<const int, 2>>);
  static_assert(std::is_same_v<decltype(constant.expand({1, 2, 3})), view<const int, 3>>);
  static_assert(std::is_same_v<decltype(constant.unsqueeze(0)), view<const int, 3>>);
  static_assert(std::is_same_v<decltype(constant.squeeze(0)), view<const int, 1>>);
  static_assert(std::is_same_v<decltype(constant.reshape({6})), view<const int, 1>>);
  static_assert(std::is_same_v<decltype(constant.flatten()), view<const int, 1>>);
  static_assert(std::is_same_v<decltype(x.flatten()), view<int, 1>>);
  CHECK(constant.permute({1, 0})(2, 1) == constant(1, 2));
  CHECK(constant.unsqueeze(0).shape() == dims(1, 2, 3));
  const std::initializer_list<std::initializer_list<int>> none{};
  CHECK(tensor<int, 2>(none).shape() == dims(0, 0));
  const tensor<int, 2> row{{1, 2}};
  CHECK(row.squeeze(0)(1) == 2);
  x.transpose(0, 1)(2, 0) = 30;
  x.select(0, -1).slice(0, end, end, -1)(0) = 60;
  x.flip(0).permute({1, 0})(0, 0) = 40;
  x.reshape({3, 2})(0, 1) = 20;
  x.flatten()(4) = 50;
  x.unsqueeze(1)(0, 0, 0) = 10;
  x.expand({5, 2, 3})(4, 0, 0) += 1;
  CHECK(elements(x) == std::vector<int>{11, 20, 30, 40, 50, 60});
  x.at(1, 1) = 7;
  CHECK(constant.at(1, 1) == 7);
  CHECK(constant(1, 1) == 7);
  CHECK(constant.extent(-1) == 3);
  CHECK(constant.stride(0) == 3);
  CHECK_THROWS_AS(constant.at(2, 0), garner::index_error);
  CHECK_THROWS_AS(x.at(0, -1), garner::index_error);
  CHECK(x.slice(0, 1).slice(1, 1).squeeze(0).shape() == dims(2));
}

TEST_CASE("tensor: a temporary that only changes shape keeps its storage", "[tensor][view]") {
  tensor<int, 2> x{{1, 2, 3}, {4, 5, 6}};
  const int* data = x.data();
  tensor<int, 3> a = std::move(x).unsqueeze(1);
  CHECK(a.data() == data);
  CHECK(a.shape() == dims(2, 1, 3));
  CHECK(x.is_empty());
  tensor<int, 2> b = std::move(a).squeeze(-2);
  CHECK(b.data() == data);
  CHECK(b.shape() == dims(2, 3));
  tensor<int, 2> c = std::move(b).reshape({3, -1});
  CHECK(c.data() == data);
  CHECK(c.shape() == dims(3, 2));
  tensor<int> d = std::move(c).reshape(std::vector<int>{1, 6});
  CHECK(d.data() == data);
  CHECK(d.shape() == dims(1, 6));
  tensor<int, 1> e = std::move(d).flatten();
  CHECK(e.data() == data);
  CHECK(elements(e) == std::vector<int>{1, 2, 3, 4, 5, 6});
  CHECK(d.is_empty());

  CHECK_THROWS_AS(std::move(e).reshape({4, 2}), shape_error);
  CHECK(e.data() == data);
  CHECK(e.size() == 6);
  static_assert(std::is_same_v<decltype(tensor<int, 2>().flatten()), tensor<int, 1>>);
}

TEST_CASE("tensor: == compares shapes and elements across types and layouts", "[tensor][compare]") {
  tensor<int, 2> x{{1, 2}, {3, 4}};
  const tensor<int, 2> transposed{{1, 3}, {2, 4}};
  CHECK(x == x);
  CHECK(x != transposed);
  CHECK(x.transpose(0, 1) == transposed);
  CHECK(transposed == x.transpose(0, 1));
  CHECK(x.transpose(0, 1) == transposed.slice(0, 0));
  CHECK(tensor<int>(view<int>(x)) == x);
  CHECK(x == view<const int>(x));
  CHECK(x != tensor<int, 1>{1, 2, 3, 4});
  CHECK(x != tensor<int, 2>{{1, 2, 3, 4}});
  CHECK(x != tensor<int, 3>{{{1, 2}, {3, 4}}});
  CHECK(x == tensor<long, 2>{{1, 2}, {3, 4}});
  CHECK(tensor<double, 1>{1.5} != tensor<int, 1>{1});
  CHECK(tensor<int, 2>({0, 3}) == tensor<int, 2>({0, 3}));
  CHECK(tensor<int, 2>({0, 3}) != tensor<int, 2>({3, 0}));
  CHECK(tensor<int, 1>{7}.squeeze(0) == tensor<int, 0>(7));
  CHECK(tensor<std::string, 1>{"a"} == tensor<std::string, 1>{"a"});
  CHECK(tensor<std::string, 1>{"a"} != tensor<std::string, 1>{"b"});
  for (int i = 0; i < 4; ++i) {
    auto other = x;
    other.data()[i] = 99;
    CHECK(x != other);
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(tensor<double, 1>{nan} != tensor<double, 1>{nan});
}

TEST_CASE("tensor: whatever throws, nothing leaks", "[tensor][ownership][error]") {
  REQUIRE(counted::alive == 0);
  {
    const counted one(1);
    counted::until_throw = -1;
    const tensor<counted, 2> source({2, 3});
    CHECK(counted::alive == 7);
    int throws = 0;
    for (int survived = 0; survived < 14; ++survived) {
      INFO("after " << survived);
      const auto attempt = [&](const auto& make) {
        counted::until_throw = survived;
        try {
          make();
        } catch (const std::runtime_error&) {
          ++throws;
        }
        counted::until_throw = -1;
        CHECK(counted::alive == 7);
      };
      attempt([] { tensor<counted, 2> x({2, 3}); });
      attempt([&] { tensor<counted, 2> x = source; });
      attempt([&] { tensor<counted, 2> x(source.transpose(0, 1).transpose(0, 1)); });
      attempt([&] { tensor<counted, 1> x{one, one, one}; });
      attempt([&] { tensor<counted, 0> x(one); });
    }
    CHECK(throws == 6 + 12 + 12 + 6 + 2);
    CHECK_THROWS_AS((tensor<counted, 2>{{one, one}, {one}}), shape_error);
    CHECK(counted::alive == 7);

    tensor<counted, 2> target({1, 1});
    target(0, 0).value = 42;
    counted::until_throw = 3;
    CHECK_THROWS_AS(target = source, std::runtime_error);
    counted::until_throw = -1;
    CHECK(target.shape() == dims(1, 1));
    CHECK(target(0, 0).value == 42);
    target = tensor<counted, 2>({2, 2});
    CHECK(counted::alive == 7 + 4);
    const auto moved = std::move(target);
    CHECK(counted::alive == 7 + 4);
  }
  CHECK(counted::alive == 0);
}

TEST_CASE("tensor: without elements there is nothing to walk", "[tensor][empty]") {
  const tensor<int, 2> none(dims{index_t{1} << 40, 0});
  const auto copy = none;
  CHECK(copy == none);
  const view<const int, 2> wild(nullptr, {5, 0}, {index_t{1} << 62, 1});
  CHECK(tensor<int, 2>(wild).shape() == dims(5, 0));
}

TEST_CASE("tensor: a run-time rank is fixed when told to, and checked", "[tensor][rank]") {
  tensor<int> x(tensor<int, 2>{{1, 2}, {3, 4}});
  CHECK(tensor<int, 2>(x) == x);
  CHECK(view<int, 2>(x)(1, 0) == 3);
  CHECK(message_of<shape_error>([&] { static_cast<void>(tensor<int, 3>(x)); }) ==
        "dims: 2 dims where 3 are needed");
  CHECK(message_of<shape_error>([&] { static_cast<void>(view<int, 3>(x)); }) ==
        "dims: 2 dims where 3 are needed");
  const int* const storage = x.data();
  const tensor<int, 2> moved(std::move(x));
  CHECK(moved.data() == storage);
  static_assert(!std::is_convertible_v<tensor<int>, tensor<int, 2>>);
  static_assert(!std::is_convertible_v<tensor<int>&, view<int, 2>>);
}
