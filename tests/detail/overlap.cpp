// SPDX-License-Identifier: BSD-3-Clause
// may_overlap and may_overlap_itself: "no" is never wrong, and is said where a user would expect
// it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <garner/detail/overlap.hpp>
#include <garner/view.hpp>

#include "support/catch.hpp"
#include "support/prop.hpp"

using garner::dims;
using garner::end;
using garner::index_t;
using garner::view;
using garner::detail::byte_range;
using garner::detail::footprint;
using test::uniform;

namespace {

template <class T, int Rank>
footprint<Rank> of(const view<T, Rank>& x) {
  return {x.data(), x.layout(), sizeof(T)};
}

template <class A, class B>
bool overlap(const A& a, const B& b) {
  const bool forth = may_overlap(of(a), of(b));
  CHECK(forth == may_overlap(of(b), of(a)));
  return forth;
}

template <class A>
bool overlaps_itself(const A& a) {
  return may_overlap_itself(of(a));
}

/// A layout somewhere in memory, counted in bytes.
struct random_layout {
  index_t begin;  // in bytes
  std::vector<index_t> shape;
  std::vector<index_t> strides;  // in elements
  index_t element;

  static random_layout draw() {
    random_layout x;
    const auto rank = *uniform<std::size_t>(0, 4);
    x.element = *rc::gen::element<index_t>(1, 2, 3, 4, 8);
    x.begin = *uniform<index_t>(0, 60);
    x.shape = *rc::gen::container<std::vector<index_t>>(rank, uniform<index_t>(1, 5));
    const bool is_regular = *rc::gen::arbitrary<bool>();
    index_t stride = *rc::gen::element<index_t>(1, 1, 2, 3);
    x.strides.resize(rank);
    for (std::size_t d = rank; d-- > 0;) {
      x.strides[d] = is_regular ? stride : *uniform<index_t>(-12, 13);
      stride = stride * x.shape[d] + *rc::gen::element<index_t>(0, 0, 1, 2);
      if (is_regular && *uniform(0, 4) == 0) x.strides[d] = -x.strides[d];
    }
    return x;
  }

  std::vector<index_t> firsts() const {
    std::vector<index_t> result{begin};
    for (std::size_t d = 0; d < shape.size(); ++d) {
      std::vector<index_t> next;
      for (index_t at : result) {
        for (index_t i = 0; i < shape[d]; ++i) next.push_back(at + i * strides[d] * element);
      }
      result = next;
    }
    return result;
  }

  /// How often each byte is part of an element.
  std::map<index_t, int> bytes() const {
    std::map<index_t, int> result;
    for (index_t at : firsts()) {
      for (index_t b = 0; b < element; ++b) ++result[at + b];
    }
    return result;
  }

  /// The first byte and the one behind the last, by looking at all of them.
  std::pair<index_t, index_t> range() const {
    const auto all = bytes();
    return {all.begin()->first, all.rbegin()->first + 1};
  }

  footprint<garner::dynamic_rank> shown() const {
    return {address(begin), garner::detail::layout<garner::dynamic_rank>{shape, strides},
            static_cast<std::size_t>(element)};
  }

  /// Addresses are only compared, so any will do; the middle of nowhere leaves room on both sides.
  static const void* address(index_t byte) {
    return reinterpret_cast<const void*>((std::uintptr_t{1} << 40) +
                                         static_cast<std::uintptr_t>(byte));
  }
};

void showValue(const random_layout& x, std::ostream& out) {
  out << "begin " << x.begin << " shape " << rc::toString(x.shape) << " strides "
      << rc::toString(x.strides) << " of " << x.element << " bytes";
}

}  // namespace

TEST_CASE("byte_range: from the first byte to the last, whatever the strides", "[overlap]") {
  int data[100] = {};
  const auto is = [&](const byte_range& range, int first, int last) {
    return range.begin == reinterpret_cast<std::uintptr_t>(data + first) &&
           range.end == reinterpret_cast<std::uintptr_t>(data + last + 1);
  };
  const auto range = [&]<int Rank>(const view<int, Rank>& x) {
    return byte_range(x.data(), x.layout(), sizeof(int));
  };
  CHECK(is(range(view<int, 0>{data + 7, {}}), 7, 7));
  CHECK(is(range(view<int, 1>{data, {100}}), 0, 99));
  CHECK(is(range(view<int, 1>{data + 99, {100}, {-1}}), 0, 99));
  CHECK(is(range(view<int, 1>{data, {5}, {3}}), 0, 12));
  CHECK(is(range(view<int, 1>{data + 9, {5}, {0}}), 9, 9));
  CHECK(is(range(view<int, 2>{data + 20, {3, 4}, {10, -5}}), 5, 40));
  CHECK(is(range(view<int, 2>{data + 40, {3, 4}, {-10, 5}}), 20, 55));
  CHECK(is(range(view<int, 3>{data + 4, {1, 2, 1}, {-77, 2, 77}}), 4, 6));
  CHECK(is(range(view<int, garner::dynamic_rank>{data + 40, {3, 4}, {-10, -5}}), 5, 40));
}

TEST_CASE("byte_range: meets what shares a byte of it", "[overlap]") {
  using garner::detail::layout;
  const auto range = [](index_t first, index_t count) {
    return byte_range(random_layout::address(first), layout<1>{dims(count), dims(1)}, 1);
  };
  for (index_t first = 0; first < 20; ++first) {
    for (index_t count = 1; count < 10; ++count) {
      INFO(first << ", " << count);
      const bool shares = first < 13 && first + count > 8;
      CHECK(range(first, count).meets(range(8, 5)) == shares);
      CHECK(range(8, 5).meets(range(first, count)) == shares);
    }
  }
}

TEST_CASE("byte_range: agrees with a look at every byte", "[overlap][property]") {
  test::prop("ranges agree with brute force", 5000, [] {
    const auto x = *rc::gen::exec(random_layout::draw);
    const auto [first, last] = x.range();
    RC_ASSERT(x.shown().begin == reinterpret_cast<std::uintptr_t>(random_layout::address(first)));
    RC_ASSERT(x.shown().end == reinterpret_cast<std::uintptr_t>(random_layout::address(last)));
  });
}

TEST_CASE("may_overlap: disjoint ranges do not, shared elements do", "[overlap]") {
  std::vector<int> data(100);
  const view<int, 1> all{data.data(), {100}};
  CHECK_FALSE(overlap(all.slice(0, 0, 50), all.slice(0, 50)));
  CHECK(overlap(all.slice(0, 0, 51), all.slice(0, 50)));
  CHECK_FALSE(overlap(all.slice(0, 0, 50).flip(0), all.slice(0, 50).flip(0)));
  CHECK(overlap(all.slice(0, 0, 51).flip(0), all.slice(0, 50).flip(0)));
  CHECK(overlap(all, all));
  CHECK(overlap(all, all.select(0, 99)));
  CHECK_FALSE(overlap(all.slice(0, 0, 99), all.select(0, 99)));
  CHECK_FALSE(overlap(all.select(0, 3), all.select(0, 4)));
  CHECK(overlap(all.select(0, 3), all.select(0, 3)));
  CHECK(overlap(all.select(0, 3).expand({5}), all.select(0, 3)));
  CHECK_FALSE(overlap(all.select(0, 3).expand({5}), all.slice(0, 4)));
}

TEST_CASE("may_overlap: interleaved views that share no element are told apart", "[overlap]") {
  std::vector<int> data(120);
  const view<int, 1> flat{data.data(), {120}};
  const view<int, 2> x{data.data(), {12, 10}};
  const auto even = flat.slice(0, 0, end, 2);
  const auto odd = flat.slice(0, 1, end, 2);
  SECTION("even and odd") {
    CHECK_FALSE(overlap(even, odd));
    CHECK_FALSE(overlap(even.flip(0), odd));
    CHECK_FALSE(overlap(flat.slice(0, 0, end, 4), odd.slice(0, 0, end, 3)));
    CHECK(overlap(even, flat.slice(0, 4, end, 3)));
  }
  SECTION("columns") {
    for (int i = 0; i < 10; ++i) {
      for (int j = 0; j < 10; ++j) CHECK(overlap(x.select(1, i), x.select(1, j)) == (i == j));
    }
    CHECK_FALSE(overlap(x.slice(1, 0, 5), x.slice(1, 5)));
    CHECK(overlap(x.slice(1, 0, 6), x.slice(1, 5)));
    CHECK_FALSE(overlap(x.slice(1, 0, 5).flip(0), x.slice(1, 5).flip(1)));
    CHECK_FALSE(overlap(x.slice(1, 0, 3).transpose(0, 1), x.slice(1, 7)));
    CHECK_FALSE(overlap(x.slice(1, 2, 4), x.select(1, 4)));
  }
  SECTION("the even columns and the odd ones") {
    CHECK_FALSE(overlap(x.slice(1, 0, end, 2), x.slice(1, 1, end, 2)));
  }
  SECTION("blocks") {
    const view<int, 3> y{data.data(), {4, 3, 10}};
    CHECK_FALSE(overlap(y.slice(1, 0, 1), y.slice(1, 1)));
    CHECK_FALSE(overlap(y.slice(1, 0, 2).slice(2, 0, 4), y.slice(1, 2)));
    CHECK(overlap(y.slice(1, 0, 2), y.slice(1, 1)));
  }
  SECTION("the real parts and the imaginary ones, of another size") {
    std::vector<double> numbers(20);
    const view<double, 1> real{numbers.data(), {10}, {2}};
    const view<float, 1> imaginary{reinterpret_cast<float*>(numbers.data() + 1), {10}, {4}};
    CHECK_FALSE(overlap(real, imaginary));
    const view<float, 1> inside{reinterpret_cast<float*>(numbers.data()) + 1, {10}, {4}};
    CHECK(overlap(real, inside));
  }
}

TEST_CASE("may_overlap: the same layout shifted", "[overlap]") {
  std::vector<std::int16_t> data(200);
  const view<std::int16_t, 2> x{data.data(), {4, 5}, {20, 3}};
  for (int shift = 0; shift < 40; ++shift) {
    const view<std::int16_t, 2> y{data.data() + shift, {4, 5}, {20, 3}};
    bool shares = false;
    for (int i = -3; i <= 3; ++i) {
      for (int j = -4; j <= 4; ++j) shares |= shift == 20 * i + 3 * j;
    }
    INFO("shift " << shift);
    if (shares) CHECK(overlap(x, y));
  }
  const view<std::int16_t, 2> dense{data.data(), {4, 3}, {12, 4}};
  for (int shift = 1; shift < 4; ++shift) {
    CHECK_FALSE(overlap(dense, view<std::int16_t, 2>{data.data() + shift, {4, 3}, {12, 4}}));
  }
  CHECK(overlap(dense, view<std::int16_t, 2>{data.data() + 4, {4, 3}, {12, 4}}));
}

TEST_CASE("may_overlap: never says no where a byte is shared", "[overlap][property]") {
  int shared = 0;
  int told_apart = 0;
  test::prop("may_overlap agrees with brute force", 20000, [&] {
    const auto a = *rc::gen::exec(random_layout::draw);
    const auto b = *rc::gen::exec(random_layout::draw);
    const auto in_a = a.bytes();
    const auto in_b = b.bytes();
    const bool shares = std::any_of(in_a.begin(), in_a.end(),
                                    [&](const auto& byte) { return in_b.count(byte.first) > 0; });
    const bool may = may_overlap(a.shown(), b.shown());
    RC_ASSERT(may == may_overlap(b.shown(), a.shown()));
    const bool is_safe = may || !shares;
    RC_ASSERT(is_safe);
    shared += shares;
    const bool is_interleaved =
        in_a.begin()->first < in_b.rbegin()->first && in_b.begin()->first < in_a.rbegin()->first;
    told_apart += !may && is_interleaved;
  });
  CHECK(shared > test::case_count(20000) / 20);
  CHECK(told_apart > test::case_count(20000) / 500);
}

TEST_CASE("may_overlap_itself: an element met twice is noticed", "[overlap]") {
  std::vector<int> data(100);
  const view<int, 2> x{data.data(), {4, 5}};
  CHECK_FALSE(overlaps_itself(x));
  CHECK_FALSE(overlaps_itself(x.transpose(0, 1)));
  CHECK_FALSE(overlaps_itself(x.flip(0).flip(1)));
  CHECK_FALSE(overlaps_itself(x.slice(1, 0, end, 2)));
  CHECK_FALSE(overlaps_itself(x.select(0, 0).unsqueeze(0)));
  CHECK_FALSE(overlaps_itself(view<int, 0>{data.data(), {}}));
  CHECK_FALSE(overlaps_itself(view<int, 2>{data.data(), {1, 5}, {0, 1}}));
  CHECK_FALSE(overlaps_itself(view<int, 2>{data.data(), {3, 5}, {5, 1}}));
  CHECK(overlaps_itself(view<int, 2>{data.data(), {3, 5}, {4, 1}}));
  CHECK(overlaps_itself(x.select(0, 0).expand({2, 5})));
  CHECK(overlaps_itself(view<int, 1>{data.data(), {2}, {0}}));
  CHECK(overlaps_itself(view<int, 2>{data.data(), {3, 3}, {1, 1}}));
  CHECK(overlaps_itself(view<int, 2>{data.data() + 9, {3, 3}, {2, -2}}));
}

TEST_CASE("may_overlap_itself: never says no where a byte is met twice", "[overlap][property]") {
  int twice = 0;
  int once = 0;
  test::prop("may_overlap_itself agrees with brute force", 20000, [&] {
    const auto x = *rc::gen::exec(random_layout::draw);
    const auto bytes = x.bytes();
    const bool overlaps =
        std::any_of(bytes.begin(), bytes.end(), [](const auto& byte) { return byte.second > 1; });
    const bool may = may_overlap_itself(x.shown());
    const bool is_safe = may || !overlaps;
    RC_ASSERT(is_safe);
    twice += overlaps;
    once += !may && x.shape.size() > 1;
  });
  CHECK(twice > test::case_count(20000) / 20);
  CHECK(once > test::case_count(20000) / 20);
}
