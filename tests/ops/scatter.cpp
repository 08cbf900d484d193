// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/scatter.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/bags.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"
#include "support/update_agreement.hpp"

namespace {

using garner::include_self;
using garner::reduce;
using garner::scatter;
using garner::scatter_add;
using garner::scatter_add_into;
using garner::scatter_into;
using garner::scatter_reduce;
using garner::tensor;
using test::counted;
using test::index_error_of;
using test::shape_error_of;

using ints = tensor<int, 2>;
using floats = tensor<float, 1>;
using list = tensor<int, 1>;

/// scatter, and under its own name scatter_reduce.
struct scatter_calls {
  static constexpr const char* name = "scatter";
  static constexpr bool from_end_by_default = false;
  static constexpr bool takes_include_self = false;

  static void draw(test::random_call& c) {
    using namespace test;
    c.input_shape = random_shape(below<std::size_t>(5), 600);
    draw_dim(c);
    draw_axis(c.input_shape, c.axis());
    for (auto extent : c.input_shape)
      c.index_shape.push_back(once_in(3) ? random_extent(extent) : extent);
    draw_axis(c.index_shape, c.axis());
  }
  static test::reference solve(const test::random_call& c) {
    return test::gather_reference(c.input_shape, c.axis(), c.numbers(), c.meaning);
  }
  static test::extents values_shape(const test::extents& shape) { return test::at_least(shape); }

  template <reduce Kind>
  static void into(const test::random_call& c, const auto& self, const auto& index,
                   const auto& values, const auto&... options) {
    scatter_into(self, c.dim, index, values, options...);
  }
  template <reduce Kind>
  static auto copy(const test::random_call& c, const auto& self, const auto& index,
                   const auto& values, const auto&... options) {
    return scatter(self, c.dim, index, values, options...);
  }
};

struct scatter_reduce_calls : scatter_calls {
  static constexpr const char* name = "scatter_reduce";
  static constexpr bool takes_include_self = true;

  template <reduce Kind>
  static void into(const test::random_call& c, const auto& self, const auto& index,
                   const auto& values, const auto&... options) {
    garner::scatter_reduce_into<Kind>(self, c.dim, index, values, options...);
  }
  template <reduce Kind>
  static auto copy(const test::random_call& c, const auto& self, const auto& index,
                   const auto& values, const auto&... options) {
    return scatter_reduce<Kind>(self, c.dim, index, values, options...);
  }
};

}  // namespace

TEST_CASE("scatter: random calls agree with the equation", "[scatter][property]") {
  std::vector<test::update_choice> choices;
  test::add_choices<scatter_calls, reduce::none, std::uint8_t, float, test::rgb, std::string,
                    std::complex<double>>(choices);
  test::agree_on_updates<scatter_calls>(1500, choices);
}

TEST_CASE("scatter_reduce: random calls agree with the equation", "[scatter][property]") {
  using op = scatter_reduce_calls;
  std::vector<test::update_choice> choices;
  test::add_choices<op, reduce::sum, float, std::int8_t, garner::half, std::uint64_t,
                    std::complex<float>>(choices);
  test::add_choices<op, reduce::prod, double, std::int16_t, garner::bfloat16>(choices);
  test::add_choices<op, reduce::mean, garner::half, std::int32_t, float, std::uint8_t>(choices);
  test::add_choices<op, reduce::amax, float, std::int64_t, garner::bfloat16>(choices);
  test::add_choices<op, reduce::amin, std::uint16_t, double>(choices);
  test::agree_on_updates<op>(3000, choices);
}

TEST_CASE("scatter: torch's example", "[scatter]") {
  const auto src = counted<int>(2, 5);
  CHECK(scatter(ints(garner::dims{3, 5}), 0, ints{{0, 1, 2, 0}}, src) ==
        ints{{0, 0, 0, 3, 0}, {0, 1, 0, 0, 0}, {0, 0, 2, 0, 0}});
  CHECK(scatter(ints(garner::dims{2, 4}), 1, ints{{2}, {3}}, 7) ==
        ints{{0, 0, 7, 0}, {0, 0, 0, 7}});
}

TEST_CASE("scatter: where indices meet, the last wins", "[scatter][order]") {
  for (int n : {1, 2, 31, 32, 33, 1000}) {
    const auto src = counted<int>(n);
    CHECK(scatter(list(1), 0, list(n), src) == list{n - 1});
  }
  // ... in row-major order of the index, however the source lies.
  const ints src{{1, 2}, {3, 4}, {5, 6}};
  CHECK(scatter(ints(garner::dims{3, 2}), 0, ints(garner::dims{3, 2}), src) ==
        ints{{5, 6}, {0, 0}, {0, 0}});
  const ints turned{{1, 3, 5}, {2, 4, 6}};
  CHECK(scatter(ints(garner::dims{3, 2}), 0, ints(garner::dims{3, 2}), turned.transpose(0, 1)) ==
        ints{{5, 6}, {0, 0}, {0, 0}});
}

TEST_CASE("scatter_add: exact counts of duplicates", "[scatter][order]") {
  for (int n = 0; n < 200; ++n) {
    const list index(n);
    CHECK(scatter_add(list{100, 5}, 0, index, 1) == list{100 + n, 5});
  }
}

TEST_CASE("scatter_add: integers wrap around", "[scatter]") {
  using bytes = tensor<std::int8_t, 1>;
  CHECK(scatter_add(bytes{127}, 0, list{0}, bytes{1}) == bytes{-128});
  using longs = tensor<std::int64_t, 1>;
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  CHECK(scatter_add(longs{most}, 0, list{0, 0}, longs{most, 2}) == longs{0});
  using words = tensor<std::uint16_t, 1>;
  CHECK(scatter_reduce<reduce::prod>(words{65535}, 0, list{0}, words{65535}) == words{1});
}

TEST_CASE("scatter_add: sums of 16-bit floats are rounded once", "[scatter][half]") {
  // 2048 + 1 is 2048 in half precision: rounded each time, the ones would be lost.
  tensor<garner::half, 1> self{garner::half(2048.0f)};
  scatter_add_into(self, 0, list(64), garner::half(1.0f));
  CHECK(static_cast<float>(self(0)) == 2112.0f);
}

TEST_CASE("scatter_reduce: more places than there are slots on the stack", "[scatter][mean]") {
  constexpr int n = 5000;
  constexpr int values = 3 * n;
  // Every fifth place is named by nobody, and keeps its bits.
  const auto untouched = std::bit_cast<double>(0x7ff0'0000'0000'1234u);
  tensor<double, 1> self(n);
  tensor<garner::half, 1> halves(n);
  std::vector<double> sum(n, 1.0), count(n, 1.0);
  for (int p = 0; p < n; ++p) {
    self(p) = p % 5 == 0 ? untouched : 1.0;
    halves(p) = garner::half(1.0f);
  }
  tensor<int, 1> index(values);
  tensor<double, 1> src(values);
  tensor<garner::half, 1> half_src(values);
  for (int i = 0; i < values; ++i) {
    const int p = i * 7 % n;
    index(i) = p % 5 == 0 ? p + 1 : p;
    src(i) = i;
    half_src(i) = garner::half(static_cast<float>(i % 64));
    sum[static_cast<std::size_t>(index(i))] += i;
    count[static_cast<std::size_t>(index(i))] += 1;
  }
  const auto is_mean = [&](const tensor<double, 1>& mean) {
    bool is_right = true;
    for (int p = 0; p < n; ++p) {
      const auto k = static_cast<std::size_t>(p);
      const double expected = p % 5 == 0 ? untouched : sum[k] / count[k];
      is_right &= std::bit_cast<std::uint64_t>(mean(p)) == std::bit_cast<std::uint64_t>(expected);
    }
    return is_right;
  };
  CHECK(is_mean(scatter_reduce<reduce::mean>(self, 0, index, src)));
  const auto half_sums = scatter_add(halves, 0, index, half_src);
  garner::scatter_reduce_into<reduce::mean>(self, 0, index, src);
  scatter_add_into(halves, 0, index, half_src);
  CHECK(is_mean(self));
  bool is_sum = true;
  for (int p = 0; p < n; ++p) {
    float expected = 1;
    for (int i = 0; i < values; ++i) expected += index(i) == p ? static_cast<float>(i % 64) : 0;
    is_sum &= static_cast<float>(halves(p)) == expected && half_sums(p).bits() == halves(p).bits();
  }
  CHECK(is_sum);
}

TEST_CASE("scatter_reduce: a mean of integers is rounded down", "[scatter][mean]") {
  CHECK(scatter_reduce<reduce::mean>(list{0, 0, 9}, 0, list{0, 0, 1, 1}, list{-3, 0, 3, 0},
                                     include_self(false)) == list{-2, 1, 9});
  CHECK(scatter_reduce<reduce::mean>(list{5}, 0, list{0}, list{2}) == list{3});
}

TEST_CASE("scatter_reduce: what a reduction starts from without self changes no bit", "[scatter]") {
  const auto check = []<class T>(T) {
    namespace detail = garner::detail;
    std::vector<T> values{T(0), T(1), T(100), std::numeric_limits<T>::lowest(),
                          std::numeric_limits<T>::max()};
    if constexpr (std::numeric_limits<T>::has_infinity) {
      for (const T x :
           {T(-0.0), std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(),
            std::numeric_limits<T>::denorm_min()}) {
        values.push_back(x);
      }
    }
    for (const T x : values) {
      CHECK(test::same_bits(detail::plus{}(detail::identity<reduce::sum, T>(), x), x));
      CHECK(test::same_bits(detail::plus{}(detail::identity<reduce::mean, T>(), x), x));
      CHECK(test::same_bits(detail::times{}(detail::identity<reduce::prod, T>(), x), x));
      CHECK(test::same_bits(detail::largest{}(detail::identity<reduce::amax, T>(), x), x));
      CHECK(test::same_bits(detail::smallest{}(detail::identity<reduce::amin, T>(), x), x));
    }
  };
  check(0.0f);
  check(0.0);
  check(std::int8_t{0});
  check(std::uint32_t{0});
  check(std::int64_t{0});
}

TEST_CASE("scatter_reduce: NaN wins, from self and from src", "[scatter][nan]") {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const auto most =
      scatter_reduce<reduce::amax>(floats{nan, 1, 2}, 0, list{0, 1, 2}, floats{5, nan, 3});
  CHECK(std::isnan(most(0)));
  CHECK(std::isnan(most(1)));
  CHECK(most(2) == 3);
  CHECK(scatter_reduce<reduce::amin>(floats{nan, 1}, 0, list{0}, floats{5}, include_self(false)) ==
        floats{5, 1});
}

TEST_CASE("scatter_reduce: maxima and minima of whole rows, with NaN and zeros of both signs",
          "[scatter][nan]") {
  const auto check = []<class T>(T) {
    const T values[] = {T(-0.0), T(1), std::numeric_limits<T>::quiet_NaN(), T(-2), T(0.0),
                        T(3),    T(5)};
    const tensor<int, 1> rows{2, 0, 2, 1};
    int wrong = 0;
    for (const garner::index_t columns : {1, 3, 4, 8, 9, 16, 35}) {
      tensor<T, 2> self(garner::dims{3, columns});
      tensor<T, 2> src(garner::dims{4, columns});
      std::size_t next = 0;
      for (T& x : self) x = values[next++ % 7];
      for (T& x : src) x = values[next++ % 5];
      const auto index = rows.unsqueeze(1).expand({4, columns});
      const auto most = scatter_reduce<reduce::amax>(self, 0, index, src);
      const auto least = scatter_reduce<reduce::amin>(self, 0, index, src);
      const auto same = [](T a, T b) {
        return a != a ? b != b : a == b && std::signbit(a) == std::signbit(b);
      };
      for (garner::index_t j = 0; j < columns; ++j) {
        for (int r = 0; r < 3; ++r) {
          T high = self(r, j), low = self(r, j);
          for (int k = 0; k < 4; ++k) {
            if (rows(k) != r) continue;
            const T x = src(k, j);
            if (high == high && !(x <= high)) high = x;
            if (low == low && !(x >= low)) low = x;
          }
          wrong += !same(most(r, j), high) + !same(least(r, j), low);
        }
      }
    }
    CHECK(wrong == 0);
  };
  check(float{});
  check(double{});
}

TEST_CASE("scatter: fill drops what is outside", "[scatter][options]") {
  CHECK(scatter(list{1, 2, 3}, 0, list{5, -1, 0}, list{7, 8, 9}, garner::fill(0)) == list{9, 2, 3});
  CHECK(scatter_add(list{1, 2, 3}, 0, list{5, -1, 0}, 1, garner::wrap) == list{2, 2, 5});
  CHECK(scatter_add(list{1, 2, 3}, 0, list{5, -1, 0}, 1, garner::clip) == list{3, 2, 4});
  CHECK(scatter(list(0), 0, list{5}, 1, garner::fill(0)) == list(0));
}

TEST_CASE("scatter_add: a table larger than the caches, and no index read that is not there",
          "[scatter][options]") {
  const garner::index_t extent = garner::index_t{1} << 22;
  const garner::index_t n = 3000;
  const test::fenced<std::int64_t> index(n, GENERATE(test::flush::begin, test::flush::end));
  tensor<float, 1> src(garner::dims{n});
  std::vector<float> expected(extent);
  for (garner::index_t k = 0; k < n; ++k) {
    const auto at = static_cast<std::int64_t>(test::mix(static_cast<std::uint64_t>(k)) >> 41);
    index[static_cast<std::size_t>(k)] = at;  // every other one is outside
    src(k) = static_cast<float>(1 + k % 5);
    if (at < extent) expected[static_cast<std::size_t>(at)] += src(k);
  }
  tensor<float, 1> sums(garner::dims{extent});
  scatter_add_into(sums, 0, index.span(), src, garner::fill(0.0f));
  CHECK(std::equal(expected.begin(), expected.end(), sums.begin()));
  for (auto& at : index) at %= extent;
  tensor<float, 1> last(garner::dims{extent});
  scatter_into(last, 0, index.span(), src);
  int wrong = 0;
  for (garner::index_t k = 0; k < n; ++k) wrong += last(index[static_cast<std::size_t>(k)]) == 0;
  CHECK(wrong == 0);
}

TEST_CASE("scatter_add: rows that are longer than all pages at hand", "[scatter][large]") {
  const garner::index_t n = 600'000;  // as doubles, and four of them
  tensor<double, 2> self(garner::dims{4, n}), src(garner::dims{2, n});
  tensor<std::int16_t, 2> index(garner::dims{2, n});
  for (garner::index_t k = 0; k < 2 * n; ++k) {
    index.data()[k] = static_cast<std::int16_t>(test::mix(static_cast<std::uint64_t>(k)) % 4);
    src.data()[k] = static_cast<double>(k + 1);
  }
  scatter_add_into(self, 0, index, src);
  bool is_right = true;
  for (garner::index_t j = 0; j < n; ++j) {
    double expected[4] = {};
    for (garner::index_t r = 0; r < 2; ++r) expected[index(r, j)] += src(r, j);
    for (garner::index_t r = 0; r < 4; ++r) is_right &= self(r, j) == expected[r];
  }
  CHECK(is_right);
}

/// Writes to `self` in several ways along `dim`, and by the equation: are the results the same?
bool agrees_in_order(const garner::view<float, 2>& self, int dim, const auto& index,
                     const garner::view<const float, 2>& src) {
  const auto agrees = [&](const auto& write, const auto& step) {
    tensor<float, 2> expected(self.shape());
    for (garner::index_t i = 0; i < index.extent(0); ++i) {
      for (garner::index_t j = 0; j < index.extent(1); ++j) {
        const garner::index_t at = index(i, j);
        float& to = dim == 0 ? expected(at, j) : expected(i, at);
        to = step(to, src(i, j));
      }
    }
    bool is_same = true;
    write();
    for (garner::index_t i = 0; i < self.extent(0); ++i) {
      for (garner::index_t j = 0; j < self.extent(1); ++j) {
        is_same &= self(i, j) == expected(i, j);
        self(i, j) = 0;
      }
    }
    return is_same;
  };
  const auto last = [](float, float b) { return b; };
  const auto sum = [](float a, float b) { return a + b; };
  const auto most = [](float a, float b) { return std::max(a, b); };
  const bool results[] = {
      agrees([&] { scatter_into(self, dim, index, src); }, last),
      agrees([&] { scatter_into(self, dim, index, src, garner::wrap); }, last),
      agrees([&] { scatter_add_into(self, dim, index, src); }, sum),
      agrees([&] { scatter_add_into(self, dim, index, src, garner::fill(0.0f)); }, sum),
      agrees([&] { garner::scatter_reduce_into<reduce::amax>(self, dim, index, src); }, most)};
  return std::ranges::all_of(results, [](bool is_right) { return is_right; });
}

TEST_CASE("scatter: rows that share the sets of a cache, and tables behind one another",
          "[scatter][large][order]") {
  struct shape {
    int dim;
    garner::index_t rows, pitch, columns;  // of self: rows lie `pitch` apart
    garner::index_t lines, picked;
  };
  const shape s = GENERATE(shape{0, 40, 1024, 1024, 30, 1024},  // as a comb
                           shape{0, 40, 1024, 1001, 30, 1001},  // ... whose last line is not whole
                           shape{0, 40, 1024, 9, 300, 9},       // ... and fewer columns than teeth
                           shape{0, 40, 1000, 1000, 30, 999},   // in groups
                           shape{1, 300, 700, 700, 300, 333},   // tables that are asked for
                           shape{1, 300, 700, 700, 300, 7},     // ... with no whole group
                           shape{1, 1, 20000, 20000, 1, 30001});
  const bool is_reversed = GENERATE(false, true);
  tensor<float, 2> memory(garner::dims{s.rows, s.pitch});
  const auto part = memory.slice(1, 0, s.columns);
  tensor<std::int32_t, 2> index(garner::dims{s.lines, s.picked});
  tensor<std::int64_t, 2> wide(index.shape());  // as a comb that is not slanted
  tensor<float, 2> src(garner::dims{s.lines, s.picked});
  const auto extent = static_cast<std::uint64_t>(part.extent(s.dim));
  for (garner::index_t k = 0; k < index.size(); ++k) {  // sums that depend on the order
    const auto bits = test::mix(static_cast<std::uint64_t>(k));
    index.data()[k] = static_cast<std::int32_t>((bits >> 20) % extent);
    wide.data()[k] = index.data()[k];
    src.data()[k] = std::ldexp(static_cast<float>(1 + bits % 1000), static_cast<int>(bits >> 59));
  }
  CHECK(agrees_in_order(is_reversed ? part.flip(s.dim) : part, s.dim, index, src));
  CHECK(agrees_in_order(is_reversed ? part.flip(s.dim) : part, s.dim, wide, src));
}

TEST_CASE("scatter: rows that share the sets of a cache, of elements that do not divide a line",
          "[scatter][large][order]") {
  using triple = std::array<float, 3>;
  tensor<triple, 2> self(garner::dims{4, 1024}), src(garner::dims{9, 1024});
  tensor<int, 2> index(src.shape());
  for (garner::index_t k = 0; k < src.size(); ++k) {
    src.data()[k] = {static_cast<float>(k), 0, static_cast<float>(-k)};
    index.data()[k] = static_cast<int>(test::mix(static_cast<std::uint64_t>(k)) % 4);
  }
  scatter_into(self, 0, index, src);
  bool is_right = true;
  for (garner::index_t j = 0; j < 1024; ++j) {
    triple expected[4] = {};
    for (garner::index_t r = 0; r < 9; ++r) expected[index(r, j)] = src(r, j);
    for (garner::index_t r = 0; r < 4; ++r) is_right &= self(r, j) == expected[r];
  }
  CHECK(is_right);
}

TEST_CASE("scatter_reduce: a mean touches nothing behind the last place", "[scatter][mean]") {
  const test::fenced<float> self(2050, test::flush::end);  // a few more than there are slots
  garner::scatter_reduce_into<reduce::mean>(self.span(), 0, list{2049, 0, 2049}, floats{3, 4, 6});
  CHECK(self[2049] == 3);
  CHECK(self[0] == 2);
}

TEST_CASE("scatter_reduce: a mean of complex numbers", "[scatter][mean]") {
  using numbers = tensor<std::complex<float>, 1>;
  CHECK(scatter_reduce<reduce::mean>(numbers{{1, 2}, {5, 5}}, 0, list{0, 0},
                                     numbers{{3, 4}, {5, 6}}) == numbers{{3, 4}, {5, 5}});
}

TEST_CASE("scatter: bad calls", "[scatter][error]") {
  ints self(garner::dims{2, 3});
  CHECK(index_error_of([&] {
          scatter_into(self, 1, ints{{0, 1}, {2, 3}}, 1);
        }) == "scatter: index[1,1] = 3 is out of range for dim 1 of extent 3");
  CHECK(index_error_of([&] { scatter_add_into(self, 1, ints{{-1}}, 1); }) ==
        "scatter_add: index[0,0] = -1 is out of range for dim 1 of extent 3");
  list empty(0);
  CHECK(index_error_of([&] { scatter_into(empty, 0, list{0}, 1); }) ==
        "scatter: index[0] = 0 is out of range for dim 0 of extent 0");
  CHECK(shape_error_of([&] {
          scatter_into(self, 1, ints{{0}, {0}, {0}}, 1);
        }) == "scatter: index has extent 3 in dim 0, but self only 2");
  CHECK(shape_error_of([&] {
          scatter_into(self, 1, ints{{0, 0}}, ints{{1}});
        }) == "scatter: src has shape (1, 1), less than the index's (1, 2)");
  CHECK(shape_error_of([&] { scatter_into(self, 2, ints{{0}}, 1); }) ==
        "scatter: dim 2 is out of range for a tensor of 2 dims");
  CHECK(shape_error_of([&] {
          scatter_into(self, 0, ints{{0, 0}}, self);
        }) == "scatter: self overlaps src");
  CHECK(shape_error_of([&] { scatter_into(self, 0, self, 1); }) ==
        "scatter: self overlaps the index");
  CHECK(shape_error_of([&] {
          scatter_into(self.slice(0, 0, 1).expand({4, 3}), 0, ints{{0}}, 1);
        }) == "scatter: self overlaps itself: shape (4, 3) with strides (0, 1)");
  CHECK(shape_error_of([&] {
          scatter_into(garner::view<int>(self), 0, garner::view<const int>(list{0}), 1);
        }) == "scatter: self has shape (2, 3) and index (1): they must have equally many dims");
  CHECK(self == ints(garner::dims{2, 3}));
}

TEST_CASE("scatter: a validated index is not checked again", "[scatter]") {
  const list index{2, 0};
  const auto proven = garner::validate(index, 3);
  CHECK(scatter(list{1, 2, 3}, 0, proven, list{7, 8}) == list{8, 2, 7});
  CHECK(shape_error_of([&] {
          scatter(list{1, 2}, 0, proven, 1);
        }) == "scatter: the index was validated for extent 3, but the axis has extent 2");
}

TEST_CASE("scatter: 0-d", "[scatter]") {
  const tensor<int, 0> self(3);
  CHECK(scatter_add(self, 0, tensor<int, 0>(0), 4) == tensor<int, 0>(7));
  CHECK(scatter(self, -1, tensor<int, 0>(0), tensor<int, 0>(4)) == tensor<int, 0>(4));
}
