// SPDX-License-Identifier: BSD-3-Clause
#include <garner/ops/token_log_probs.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <garner/ops/validate.hpp>

#include "support/agreement.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

namespace {

using garner::bfloat16;
using garner::half;
using garner::index_t;
using garner::tensor;
using garner::token_log_probs;
using garner::token_log_probs_backward;
using garner::token_log_probs_into;
using garner::view;
using test::index_error_of;
using test::shape_error_of;

using ids_1d = tensor<std::int64_t, 1>;
using real = long double;

template <class T>
constexpr T inf = std::numeric_limits<T>::infinity();
template <class T>
constexpr T no_number = std::numeric_limits<T>::quiet_NaN();

/// A row as numbers, and the equations.
class row {
 public:
  explicit row(std::vector<real> values) : x_(std::move(values)), most_(-inf<real>), sum_(0) {
    for (real v : x_) most_ = std::max(most_, v);
    for (real v : x_) sum_ += std::exp(v - most_);
    // NaN and +infinity in a row, and nothing but -infinity, are NaN.
    for (real v : x_) is_sound_ &= !std::isnan(v);
    is_sound_ &= std::isfinite(most_);
  }

  real log_prob(std::int64_t id) const {
    return is_sound_ ? x_[static_cast<std::size_t>(id)] - most_ - std::log(sum_) : no_number<real>;
  }
  /// Of log_prob(id) with respect to element v.
  real gradient(std::int64_t id, std::int64_t v) const {
    if (!is_sound_) return no_number<real>;
    return (v == id ? 1 : 0) - std::exp(x_[static_cast<std::size_t>(v)] - most_) / sum_;
  }

 private:
  std::vector<real> x_;
  real most_;
  real sum_;
  bool is_sound_ = true;
};

/// Within a few units in the last place of T, of 1 or of the largest of the numbers involved.
template <class T>
bool is_near(real got, real want, real scale = 0) {
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got);
  if (std::isinf(want) || want < std::numeric_limits<T>::lowest()) return got == -inf<real>;
  const real unit = std::numeric_limits<T>::epsilon();
  return std::abs(got - want) <= 4 * unit * std::max({real{1}, std::abs(want), scale});
}

template <class T>
constexpr real unit_of = std::numeric_limits<T>::epsilon();
template <>
constexpr real unit_of<half> = 0x1p-10L;
template <>
constexpr real unit_of<bfloat16> = 0x1p-7L;

template <class T>
bool is_same(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Logits number k: of ordinary size, or far from 0, or with infinities and NaNs among them.
template <class T>
T logit(std::uint64_t seed, std::uint64_t k) {
  const auto bits = test::mix(test::mix(seed) + k);
  const auto small = static_cast<float>(bits >> 40) * 0x1p-21f - 4;
  const auto kind = seed % 8;
  if (kind == 1) return static_cast<T>(small + 1e4f);
  if (kind == 2) return static_cast<T>(small * 30);
  if (kind == 3) return static_cast<T>(small * (std::is_same_v<T, half> ? 1e4f : 1e30f));
  if (kind == 4 && bits % 3 == 0) return static_cast<T>(-inf<float>);
  if (kind == 5 && bits % 64 == 0) return static_cast<T>(no_number<float>);
  if (kind == 6 && bits % 64 == 0) return static_cast<T>(inf<float>);
  if (kind == 7) return static_cast<T>(-inf<float>);
  return static_cast<T>(small);
}

/// One drawn call: the logits and the ids in c, and where the other operands lie.
struct token_call {
  test::random_call c;
  test::placement gradient;
  test::placement grad_out;
  std::uint64_t seed;
};

void showValue(const token_call& call, std::ostream& out) {
  showValue(call.c, out);
  out << ", seed " << call.seed;
}

/// Lengths of rows about the places where the kernels change their ways.
std::int64_t random_length(std::int64_t rows) {
  static const test::extents lengths{31,  32,  33,  63,  64,   65,   127,  128,  129,  255, 256,
                                     257, 511, 512, 513, 1023, 1024, 1025, 2047, 2049, 4099};
  if (rows <= 3 && test::once_in(3)) return test::one_of(lengths);
  return test::random_axis(2000 / std::max<std::int64_t>(rows, 1));
}

/// Row number k of the logits.
template <class T>
row row_of(const test::random_call& c, const test::fenced<T>& logits,
           const std::vector<std::size_t>& places, std::size_t k) {
  const auto n = static_cast<std::size_t>(c.expected.extent);
  std::vector<real> x;
  for (std::size_t v = 0; v < n; ++v) {
    x.push_back(static_cast<garner::accumulator_t<T>>(logits[places[k * n + v]]));
  }
  return row(x);
}

/// Which element of its row each id means, if any.
std::vector<std::optional<std::int64_t>> picked_by(const test::random_call& c) {
  std::vector<std::optional<std::int64_t>> result;
  for (auto i : c.numbers().values) {
    result.push_back(test::resolve(i, c.expected.extent, c.meaning));
  }
  return result;
}

void require(bool is_good, const std::string& what, real got, real want) {
  if (!is_good) RC_FAIL(what + " is " + std::to_string(got) + ", not " + std::to_string(want));
}

template <class T, class Result>
void compare_out(const test::random_call& c, const test::fenced<T>& logits,
                 const test::fenced<Result>& out, Result fill) {
  const auto rows = c.input.offsets();
  const auto places = c.out.offsets();
  const auto picked = picked_by(c);
  std::vector<real> want(out.size(), 77);
  for (std::size_t k = 0; k < places.size(); ++k) {
    want[places[k]] = picked[k] ? row_of(c, logits, rows, k).log_prob(*picked[k]) : real{fill};
  }
  for (std::size_t k = 0; k < out.size(); ++k) {
    require(is_near<Result>(out[k], want[k]), "out at " + std::to_string(k), out[k], want[k]);
  }
}

template <class T, class Result>
void compare_gradient(const token_call& call, const test::fenced<T>& logits,
                      const test::fenced<Result>& grad_out, const test::fenced<T>& gradient,
                      const std::vector<T>& before) {
  const auto rows = call.c.input.offsets();
  const auto places = call.gradient.offsets();
  const auto weights = call.grad_out.offsets();
  const auto picked = picked_by(call.c);
  const std::int64_t n = call.c.expected.extent;
  std::vector<bool> is_written(gradient.size());
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (!picked[k]) continue;
    const real g = grad_out[weights[k]];
    const auto x = row_of(call.c, logits, rows, k);
    for (std::int64_t v = 0; v < n; ++v) {
      const std::size_t at = places[k * static_cast<std::size_t>(n) + static_cast<std::size_t>(v)];
      is_written[at] = true;
      const real old = static_cast<Result>(before[at]);
      const real want = old + g * x.gradient(*picked[k], v);
      const real got = static_cast<Result>(gradient[at]);
      const real room =
          unit_of<T> * std::abs(want) + unit_of<Result> * (4 * std::abs(g) + std::abs(old));
      const bool is_good = std::isnan(want) ? std::isnan(got) : std::abs(got - want) <= room;
      require(is_good, "gradient " + std::to_string(k) + "," + std::to_string(v), got, want);
    }
  }
  for (std::size_t k = 0; k < gradient.size(); ++k) {
    require(is_written[k] || is_same(gradient[k], before[k]), "beside the gradient", 0, 0);
  }
}

template <class T, class Index, test::outside Outside, bool FromEnd,
          int Rank = garner::dynamic_rank>
struct tokens {
  using result = garner::accumulator_t<T>;
  static constexpr int logits_rank = Rank == garner::dynamic_rank ? Rank : Rank + 1;
  static constexpr auto fill = static_cast<result>(-5);

  static token_call draw() {
    token_call call;
    auto& c = call.c;
    c.meaning = {Outside, FromEnd};
    c.lowest = std::numeric_limits<Index>::min();
    c.highest = std::numeric_limits<Index>::max();
    const auto rank =
        Rank == garner::dynamic_rank ? test::below<std::size_t>(4) : static_cast<std::size_t>(Rank);
    c.index_shape = test::random_shape(rank, 60);
    c.input_shape = c.index_shape;
    c.input_shape.push_back(random_length(test::count(c.index_shape)));
    c.dim = static_cast<std::int64_t>(rank);
    c.input = test::random_placement(c.input_shape, test::operand::read);
    c.index = test::random_placement(c.index_shape, test::operand::read);
    test::draw_indices(c);
    c.expected.shape = c.index_shape;
    c.expected.extent = c.input_shape.back();
    c.expected.first_bad = test::first_bad_index(c.numbers(), c.expected.extent, c.meaning);
    c.out = test::random_placement(c.index_shape, test::operand::written);
    call.gradient = test::random_placement(c.input_shape, test::operand::written);
    call.grad_out = test::random_placement(c.index_shape, test::operand::read);
    call.seed = test::below<std::uint64_t>(1u << 20);
    return call;
  }

  template <int R, class E>
  static view<E, R> view_of(const test::fenced<std::remove_const_t<E>>& memory,
                            const test::placement& where) {
    return {where.is_null ? nullptr : memory.data() + where.first, garner::dims<R>(where.shape),
            garner::dims<R>(where.strides)};
  }

  static void check(const token_call& call) {
    const auto& c = call.c;
    const auto size = [](const test::placement& where) {
      return static_cast<std::size_t>(where.size);
    };
    test::fenced<T> logits(size(c.input), c.input.side);
    test::fenced<Index> ids(size(c.index), c.index.side);
    test::fenced<result> out(size(c.out), c.out.side);
    test::fenced<T> gradient(size(call.gradient), call.gradient.side);
    test::fenced<result> grad_out(size(call.grad_out), call.grad_out.side);
    for (std::size_t k = 0; k < logits.size(); ++k) logits[k] = logit<T>(call.seed, k);
    for (std::size_t k = 0; k < ids.size(); ++k) ids[k] = static_cast<Index>(c.index_memory[k]);
    for (auto& x : out) x = result(77);
    for (std::size_t k = 0; k < gradient.size(); ++k) gradient[k] = logit<T>(8, k);
    for (std::size_t k = 0; k < grad_out.size(); ++k) grad_out[k] = logit<result>(16, k);
    logits.make_read_only();
    ids.make_read_only();
    grad_out.make_read_only();
    const std::vector<T> before(gradient.begin(), gradient.end());

    const auto x = view_of<logits_rank, const T>(logits, c.input);
    const auto index = view_of<Rank, const Index>(ids, c.index);
    test::with_all_options<Outside, FromEnd, (sizeof(T) > 4)>(fill, [&](const auto&... options) {
      test::attempt("token_log_probs", c, [&] {
        token_log_probs_into(view_of<Rank, result>(out, c.out), x, index, options...);
      });
    });
    test::with_all_options<Outside, FromEnd, (sizeof(T) < 4)>(fill, [&](const auto&... options) {
      test::attempt("token_log_probs_backward", c, [&] {
        token_log_probs_backward(view_of<logits_rank, T>(gradient, call.gradient),
                                 view_of<Rank, const result>(grad_out, call.grad_out), x, index,
                                 options...);
      });
    });
    if (c.expected.first_bad) {
      const bool is_kept =
          std::all_of(out.begin(), out.end(), [](result y) { return y == result(77); }) &&
          std::equal(gradient.begin(), gradient.end(), before.begin(), is_same<T>);
      require(is_kept, "something written by a call that threw", 0, 0);
      return;
    }
    compare_out(c, logits, out, fill);
    compare_gradient(call, logits, grad_out, gradient, before);
    // A dense copy of the logits gives the same bits, in a tensor of its own.
    const tensor<T, logits_rank> dense(x);
    test::with_few_options<Outside, FromEnd, false>(fill, [&](const auto&... options) {
      const auto again = token_log_probs(dense, index, options...);
      static_assert(std::same_as<decltype(again), const tensor<result, Rank>>);
      const auto places = c.out.offsets();
      for (std::size_t k = 0; k < places.size(); ++k) {
        require(is_same(again.data()[k], out[places[k]]), "a dense row's result", again.data()[k],
                out[places[k]]);
      }
    });
  }
};

template <class Tokens>
void agree(int cases) {
  INFO("seed: " << rc::detail::configuration().testParams.seed);
  const auto calls = rc::gen::exec([] { return Tokens::draw(); });
  test::prop("token_log_probs agrees with its reference", cases, [&] { Tokens::check(*calls); });
}

}  // namespace

TEST_CASE("token_log_probs: random calls agree with the equation", "[token_log_probs][property]") {
  using test::outside;
  agree<tokens<float, std::int64_t, outside::checked, false>>(400);
#ifndef GARNER_TEST_LIGHT
  agree<tokens<float, std::int8_t, outside::fill, true>>(200);
  agree<tokens<float, std::uint64_t, outside::clip, true>>(200);
#endif
  agree<tokens<double, std::int32_t, outside::wrap, false>>(300);
#ifndef GARNER_TEST_LIGHT
  agree<tokens<double, std::uint16_t, outside::unchecked, false>>(200);
  agree<tokens<half, std::uint32_t, outside::checked, true>>(200);
#endif
  agree<tokens<half, std::uint8_t, outside::clip, false>>(200);
  agree<tokens<bfloat16, std::int16_t, outside::fill, false>>(200);
}

TEST_CASE("token_log_probs: random calls of static rank agree with the equation",
          "[token_log_probs][property]") {
  using test::outside;
  agree<tokens<float, std::int32_t, outside::checked, true, 0>>(50);
  agree<tokens<float, std::int64_t, outside::fill, false, 2>>(100);
}

TEST_CASE("token_log_probs: one log-probability per token", "[token_log_probs][seed]") {
  const tensor<float, 2> logits{{0, 0, 0, 0}, {0, std::log(3.0f), -inf<float>, -inf<float>}};
  const auto picked = token_log_probs(logits, ids_1d{2, 1});
  static_assert(std::same_as<decltype(picked), const tensor<float, 1>>);
  CHECK(picked(0) == Approx(std::log(0.25)));
  CHECK(picked(1) == Approx(std::log(0.75)));
}

TEST_CASE("token_log_probs: a batch, shifted through views", "[token_log_probs][seed][views]") {
  tensor<float, 3> logits(garner::dims{2, 4, 6});
  std::uint64_t k = 0;
  for (float& x : logits) x = logit<float>(0, k++);
  const tensor<std::int64_t, 2> ids{{5, 1, 0, 3}, {2, 4, 5, 0}};
  const auto shifted = token_log_probs(logits.slice(1, 0, -1), ids.slice(1, 1, garner::end));
  REQUIRE(shifted.shape() == garner::dims{2, 3});
  for (index_t b = 0; b < 2; ++b) {
    for (index_t l = 0; l < 3; ++l) {
      std::vector<real> x;
      for (index_t v = 0; v < 6; ++v) x.push_back(logits(b, l, v));
      CHECK(is_near<float>(shifted(b, l), row(x).log_prob(ids(b, l + 1))));
    }
  }
}

TEST_CASE("token_log_probs: a 0-d id for a row", "[token_log_probs][zero_d]") {
  const tensor<double, 1> logits{1, 2, 3};
  const tensor<int, 0> id(2);
  const auto picked = token_log_probs(logits, id);
  static_assert(std::same_as<decltype(picked), const tensor<double, 0>>);
  CHECK(is_near<double>(picked(), row({1, 2, 3}).log_prob(2)));
  CHECK(token_log_probs(view<const double>(logits), view<const int>(id)).rank() == 0);
}

TEST_CASE("token_log_probs: large logits neither overflow nor lose digits",
          "[token_log_probs][accuracy]") {
  for (float offset : {0.0f, 88.0f, 89.0f, 1e4f, -1e4f, 1e30f, -1e30f, 3e38f, -3e38f}) {
    for (index_t n : {2, 32, 33, 1500}) {
      tensor<float, 2> logits(garner::dims{1, n});
      std::vector<real> x;
      for (index_t v = 0; v < n; ++v) {
        logits(0, v) = offset + static_cast<float>(v % 7);
        x.push_back(logits(0, v));
      }
      CHECK(is_near<float>(token_log_probs(logits, ids_1d{1})(0), row(x).log_prob(1)));
    }
  }
  const float most = std::numeric_limits<float>::max();
  const tensor<float, 2> far{{-most, most}, {-most, -most}};
  CHECK(token_log_probs(far, ids_1d{0, 0})(0) == -inf<float>);
  CHECK(token_log_probs(far, ids_1d{1, 0})(0) == 0);
  CHECK(token_log_probs(far, ids_1d{0, 0})(1) == Approx(-std::log(2.0f)));
}

TEST_CASE("token_log_probs: a wide row's sum stays accurate", "[token_log_probs][accuracy]") {
  const index_t n = 50257;
  tensor<float, 2> logits(garner::dims{3, n});
  tensor<double, 2> wide(garner::dims{3, n});
  std::vector<real> x[3];
  for (index_t v = 0; v < n; ++v) {
    logits(0, v) = -0.1f;                          // all alike
    logits(1, v) = static_cast<float>(v) * 1e-3f;  // growing: every block rescales
    logits(2, v) = logit<float>(0, static_cast<std::uint64_t>(v)) * 3;
    for (index_t r = 0; r < 3; ++r) {
      wide(r, v) = double{logits(r, v)};
      x[r].push_back(logits(r, v));
    }
  }
  logits(0, 7) = 0;
  x[0][7] = 0;
  wide(0, 7) = 0;
  const ids_1d ids{7, 0, n - 1};
  const auto picked = token_log_probs(logits, ids);
  const auto exact = token_log_probs(wide, ids);
  for (index_t r = 0; r < 3; ++r) {
    const real want = row(x[r]).log_prob(ids(r));
    CHECK(is_near<float>(picked(r), want));
    CHECK(is_near<double>(exact(r), want, 8));
  }
}

TEST_CASE("token_log_probs: infinities and NaN", "[token_log_probs][special]") {
  for (index_t n : {3, 32, 33, 1023, 1024, 1025, 3000}) {
    const auto log_prob_with = [&](float special, index_t at, index_t id, float other = 0) {
      tensor<float, 1> logits(garner::dims{n});
      for (float& x : logits) x = other;
      logits(at) = special;
      return token_log_probs(logits, tensor<index_t, 0>(id))();
    };
    const auto rest = static_cast<float>(-std::log(static_cast<double>(n - 1)));
    for (index_t at : {index_t{0}, n / 2, n - 1}) {
      const index_t other = at == 1 ? 2 : 1;
      // A token that cannot be: it has no weight, and the log-probability -infinity.
      CHECK(log_prob_with(-inf<float>, at, at) == -inf<float>);
      CHECK(log_prob_with(-inf<float>, at, other) == Approx(rest));
      // As torch: NaN and +infinity anywhere in the row, and nothing but -infinity, give NaN.
      CHECK(std::isnan(log_prob_with(no_number<float>, at, at)));
      CHECK(std::isnan(log_prob_with(no_number<float>, at, other)));
      CHECK(std::isnan(log_prob_with(no_number<float>, at, other, -inf<float>)));
      CHECK(std::isnan(log_prob_with(inf<float>, at, at)));
      CHECK(std::isnan(log_prob_with(inf<float>, at, other)));
      CHECK(std::isnan(log_prob_with(-inf<float>, at, at, -inf<float>)));
      // The only one that can be is certain.
      CHECK(log_prob_with(2.5f, at, at, -inf<float>) == 0);
    }
  }
}

TEST_CASE("token_log_probs: options say what an id outside means", "[token_log_probs][options]") {
  const tensor<float, 2> logits{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}};
  const ids_1d ids{-1, 3, 1};
  const auto at = [&](index_t id) { return token_log_probs(logits, ids_1d{id, id, id})(0); };
  CHECK(token_log_probs(logits, ids, garner::wrap) == tensor<float, 1>{at(2), at(0), at(1)});
  CHECK(token_log_probs(logits, ids, garner::clip) == tensor<float, 1>{at(0), at(2), at(1)});
  CHECK(token_log_probs(logits, ids, garner::clip, garner::from_end) ==
        tensor<float, 1>{at(2), at(2), at(1)});
  CHECK(token_log_probs(logits, ids, garner::fill(7)) == tensor<float, 1>{7, 7, at(1)});
  CHECK(index_error_of([&] { token_log_probs(logits, ids); }) ==
        "token_log_probs: index[0] = -1 is out of range for dim 1 of extent 3");
  CHECK(index_error_of([&] { token_log_probs(logits, ids, garner::from_end); }) ==
        "token_log_probs: index[1] = 3 is out of range for dim 1 of extent 3");
  const ids_1d legal{2, -3, 1};
  CHECK(token_log_probs(logits, garner::validate(legal, 3, garner::from_end)) ==
        tensor<float, 1>{at(2), at(0), at(1)});
}

TEST_CASE("token_log_probs: shapes that do not fit are named", "[token_log_probs][shape][error]") {
  const tensor<float, 2> logits(garner::dims{2, 3});
  CHECK(shape_error_of([&] {
          token_log_probs(logits, ids_1d{0, 0, 0});
        }) ==
        "token_log_probs: logits have shape (2, 3) and ids (3): logits must have the extents of "
        "ids, and one dim more");
  const view<const float> any = logits;
  CHECK(shape_error_of([&] { token_log_probs(any, tensor<int, 2>{{0}}); }) ==
        "token_log_probs: logits have shape (2, 3) and ids (1, 1): logits must have the extents "
        "of ids, and one dim more");
  const tensor<float, 0> none(1.0f);
  CHECK_THROWS_AS(token_log_probs(view<const float>(none), tensor<int, 0>(0)), garner::shape_error);
  tensor<float, 1> out(garner::dims{3});
  CHECK(shape_error_of([&] {
          token_log_probs_into(out, logits, ids_1d{0, 0});
        }) == "token_log_probs: out has shape (3), but the result has shape (2)");
  tensor<float, 2> gradient(garner::dims{2, 3});
  tensor<float, 1> grad_out(garner::dims{2});
  const ids_1d ids{0, 0};
  CHECK(shape_error_of([&] {
          token_log_probs_backward(gradient.slice(1, 1), grad_out, logits, ids);
        }) == "token_log_probs_backward: grad_logits has shape (2, 2), but needs (2, 3)");
  CHECK(shape_error_of([&] { token_log_probs_backward(gradient, out, logits, ids); }) ==
        "token_log_probs_backward: grad_out has shape (3), but needs (2)");
  CHECK(shape_error_of([&] {
          token_log_probs_backward(gradient, out, logits, ids_1d{0, 0, 0});
        }) ==
        "token_log_probs_backward: logits have shape (2, 3) and ids (3): logits must have "
        "the extents of ids, and one dim more");
}

TEST_CASE("token_log_probs: rows without elements have no legal id", "[token_log_probs][empty]") {
  const tensor<float, 2> logits(garner::dims{2, 0});
  const std::string message = "token_log_probs: index[0] = 0 is out of range for dim 1 of extent 0";
  const ids_1d ids{0, 0};
  CHECK(index_error_of([&] { token_log_probs(logits, ids); }) == message);
  CHECK(index_error_of([&] { token_log_probs(logits, ids, garner::clip); }) == message);
  CHECK(index_error_of([&] { token_log_probs(logits, ids, garner::unchecked); }) == message);
  CHECK(token_log_probs(logits, ids, garner::fill(3)) == tensor<float, 1>{3, 3});
  CHECK(token_log_probs(tensor<float, 2>(garner::dims{0, 5}), ids_1d(garner::dims{0})).is_empty());
  CHECK(token_log_probs(tensor<float, 2>(garner::dims{0, 0}), ids_1d(garner::dims{0})).is_empty());
}

TEST_CASE("token_log_probs: what is written keeps apart from what is read",
          "[token_log_probs][overlap]") {
  tensor<float, 2> logits(garner::dims{2, 3});
  const ids_1d ids{0, 0};
  tensor<float, 1> grad_out(garner::dims{2});
  CHECK(shape_error_of([&] { token_log_probs_into(logits.select(1, 0), logits, ids); }) ==
        "token_log_probs: out overlaps the input");
  const std::string op = "token_log_probs_backward: grad_logits overlaps ";
  CHECK(shape_error_of([&] { token_log_probs_backward(logits, grad_out, logits, ids); }) ==
        op + "logits");
  tensor<float, 2> gradient(garner::dims{2, 3});
  CHECK(shape_error_of([&] {
          token_log_probs_backward(gradient, gradient.select(1, 2), logits, ids);
        }) == op + "grad_out");
  CHECK(shape_error_of([&] {
          token_log_probs_backward(gradient.slice(0, 0, 1).expand({2, 3}), grad_out, logits, ids);
        }) == op + "itself: shape (2, 3) with strides (0, 1)");
  tensor<std::int32_t, 1> memory(garner::dims{6});
  const view<float, 2> on_ids(reinterpret_cast<float*>(memory.data()), {2, 3});
  CHECK(shape_error_of([&] {
          token_log_probs_backward(on_ids, grad_out, logits, memory.slice(0, 0, 2));
        }) == op + "ids");
  // Strides that do not nest: noalias vouches for them.
  tensor<float, 1> room(garner::dims{8});
  const view<float, 2> woven(room.data(), {3, 2}, {2, 3});
  const tensor<float, 2> pairs{{1, 2}, {0, 0}, {3, -1}};
  const tensor<float, 1> ones{1, 1, 1};
  const ids_1d first{0, 1, 0};
  CHECK(shape_error_of([&] { token_log_probs_backward(woven, ones, pairs, first); }) ==
        op + "itself: shape (3, 2) with strides (2, 3)");
  token_log_probs_backward(woven, ones, pairs, first, garner::noalias);
  tensor<float, 2> dense(garner::dims{3, 2});
  token_log_probs_backward(dense, ones, pairs, first);
  CHECK(tensor<float, 2>(woven) == dense);
}

TEST_CASE("token_log_probs_backward: the gradient is that of finite differences",
          "[token_log_probs][backward]") {
  for (index_t n : {5, 40}) {
    tensor<double, 2> logits(garner::dims{3, n});
    std::uint64_t k = 0;
    for (double& x : logits) x = logit<double>(0, k++);
    const ids_1d ids{1, 4, 0};
    const tensor<double, 1> weights{0.5, -2, 3};
    const auto loss = [&] {
      const auto picked = token_log_probs(logits, ids);
      return weights(0) * picked(0) + weights(1) * picked(1) + weights(2) * picked(2);
    };
    tensor<double, 2> gradient(garner::dims{3, n});
    token_log_probs_backward(gradient, weights, logits, ids);
    const double step = 1e-6;
    for (index_t r = 0; r < 3; ++r) {
      for (index_t v = 0; v < n; ++v) {
        const double x = logits(r, v);
        logits(r, v) = x + step;
        const double above = loss();
        logits(r, v) = x - step;
        const double below = loss();
        logits(r, v) = x;
        CHECK(std::abs((above - below) / (2 * step) - gradient(r, v)) < 1e-8);
      }
    }
  }
}

TEST_CASE("token_log_probs_backward: rows of several blocks, and ids around their ends",
          "[token_log_probs][backward]") {
  // A block is 1024 floats, or half as many or fewer where vectors are shorter; 0 to 3 cycle.
  for (index_t n : {2047, 2048, 2049, 3001}) {
    tensor<float, 2> logits(garner::dims{1, n});
    double sum = 0;
    for (index_t v = 0; v < n; ++v) {
      logits(0, v) = static_cast<float>(v % 4);
      sum += std::exp(static_cast<double>(v % 4));
    }
    for (index_t id : {index_t{0}, index_t{127}, index_t{128}, index_t{1023}, index_t{1024},
                       index_t{1025}, index_t{2046}, n - 1}) {
      tensor<float, 2> gradient(garner::dims{1, n}), apart(garner::dims{n, 2});
      token_log_probs_backward(gradient, tensor<float, 1>{1}, logits, ids_1d{id});
      token_log_probs_backward(apart.slice(1, 0, 1).transpose(0, 1), tensor<float, 1>{1}, logits,
                               ids_1d{id});
      int wrong = 0;
      for (index_t v = 0; v < n; ++v) {
        const double expected = (v == id) - std::exp(static_cast<double>(v % 4)) / sum;
        wrong += std::abs(gradient(0, v) - expected) > 1e-6;
        wrong += std::abs(apart(v, 0) - expected) > 1e-6;
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("token_log_probs: a block whose sum is 1, and then a larger logit",
          "[token_log_probs][accuracy]") {
  tensor<float, 1> logits(garner::dims{5000});
  for (float& x : logits) x = -1000;
  logits(0) = 0;
  logits(4999) = 1;
  CHECK(token_log_probs(logits, tensor<int, 0>(4999))() == Approx(-std::log(1 + std::exp(-1.0))));
}

TEST_CASE("token_log_probs_backward: adds to what is there, where the forward read",
          "[token_log_probs][backward][options]") {
  const tensor<double, 2> logits{{0, 0}, {0, 0}, {0, 0}};
  const ids_1d ids{-1, 2, 1};
  const tensor<double, 1> ones{1, 1, 1};
  const auto added = [&](const auto&... options) {
    tensor<double, 2> gradient{{1, 2}, {3, 4}, {5, 6}};
    token_log_probs_backward(gradient, ones, logits, ids, options...);
    return gradient;
  };
  CHECK(added(garner::wrap) == tensor<double, 2>{{0.5, 2.5}, {3.5, 3.5}, {4.5, 6.5}});
  CHECK(added(garner::clip) == tensor<double, 2>{{1.5, 1.5}, {2.5, 4.5}, {4.5, 6.5}});
  CHECK(added(garner::fill(0)) == tensor<double, 2>{{1, 2}, {3, 4}, {4.5, 6.5}});
  CHECK(index_error_of([&] { added(); }) ==
        "token_log_probs_backward: index[0] = -1 is out of range for dim 1 of extent 2");
}

TEST_CASE("token_log_probs_backward: a masked token gets none", "[token_log_probs][backward]") {
  for (index_t n : {4, 100}) {
    tensor<float, 2> logits(garner::dims{1, n});
    logits(0, 2) = -inf<float>;
    tensor<float, 2> gradient(garner::dims{1, n});
    token_log_probs_backward(gradient, tensor<float, 1>{1}, logits, ids_1d{0});
    CHECK(gradient(0, 2) == 0);
    CHECK(gradient(0, 1) == Approx(-1.0f / static_cast<float>(n - 1)));
  }
}

TEST_CASE("token_log_probs: the same without SIMD", "[token_log_probs]") {
  using arch = garner::detail::scalar_arch;
  for (const index_t n : {1, 2, 31, 32, 33, 100, 128, 1000}) {
    std::vector<double> row(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = logit<double>(8, k);
    const double* const rows[] = {row.data()};
    const index_t ids[] = {n / 2};
    const auto id = static_cast<std::size_t>(ids[0]);
    double sum = 0;
    for (const double x : row) sum += std::exp(x - row[id]);
    double out[1];
    garner::detail::log_probs_of_rows<arch>(rows, 1, n, ids, out, 1);
    CHECK(out[0] == Approx(-std::log(sum)));
    std::vector<double> gradient(row.size(), 5);
    double* const to[] = {gradient.data()};
    const double g[] = {2};
    garner::detail::add_log_prob_gradients<arch>(to, 1, rows, 1, n, ids, g, 1);
    for (std::size_t k = 0; k < row.size(); ++k) {
      CHECK(gradient[k] == Approx(5 + 2 * ((k == id) - std::exp(row[k] - row[id]) / sum)));
    }
  }
}
