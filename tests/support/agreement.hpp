// SPDX-License-Identifier: BSD-3-Clause
// agreement: an operation does what its reference says, for random shapes, layouts, types, indices and options.
// A test file describes its operation by a struct:
//   name, from_end_by_default                    the operation's
//   static void draw(random_call&)               draws input, index_shape, dim and batch
//   static reference solve(const random_call&)   its equation
//   read(c, input, index, options...)  into(c, out, input, index, options...)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include <garner/garner.hpp>

#include "support/elements.hpp"
#include "support/prop.hpp"
#include "support/random_layout.hpp"
#include "support/reference.hpp"

namespace test {

/// One call, without its types' elements.
struct random_call {
  std::size_t combination = 0;
  std::string types;
  test::meaning meaning{};
  wide lowest = 0;  // what the index type holds
  wide highest = 0;

  extents input_shape;
  extents index_shape;
  std::int64_t dim = 0;       // as given, perhaps negative
  std::int64_t batch = 0;
  bool is_flat = false;

  placement input;
  placement index;
  placement out;
  std::vector<wide> index_memory;  // gaps included
  reference expected;
  std::size_t bad_number = 0;      // where the first bad index lies in index_memory

  /// dim, counted from the front.
  std::size_t axis() const {
    const auto rank = input_shape.empty() ? 1 : static_cast<std::int64_t>(input_shape.size());
    return static_cast<std::size_t>(dim < 0 ? dim + rank : dim);
  }
  index_numbers numbers() const {
    index_numbers result{index_shape, {}};
    for (auto k : index.offsets()) result.values.push_back(index_memory[k]);
    return result;
  }
};

inline std::string text(wide value) {
  return value < 0 ? std::to_string(static_cast<std::int64_t>(value))
                   : std::to_string(static_cast<std::uint64_t>(value));
}

template <class List>
std::string join(const List& list) {
  std::string result;
  for (auto value : list) {
    if (!result.empty()) result += ',';
    result += text(value);
  }
  return result;
}

inline void showValue(const random_call& c, std::ostream& out) {
  const auto show = [&](const char* name, const placement& x) {
    out << "\n  " << name << ": shape (" << join(x.shape) << "), strides (" << join(x.strides) << "), at "
        << x.first << " of " << x.size << (x.side == flush::end ? ", flush to the end" : ", flush to the begin")
        << (x.is_null ? ", null" : "");
  };
  out << c.types << ", dim " << c.dim << ", batch " << c.batch;
  show("input", c.input);
  show("index", c.index);
  show("out", c.out);
  auto numbers = c.numbers().values;
  const bool is_cut = numbers.size() > 100;
  if (is_cut) numbers.resize(100);
  out << "\n  index: " << join(numbers) << (is_cut ? ",..." : "");
}

/// A number within [lowest, highest]; seed 0 counts upwards from 0.
inline wide number_within(std::uint64_t seed, std::uint64_t k, wide lowest, wide highest) {
  const wide room = highest - lowest + 1;
  if (seed == 0) return lowest + (static_cast<wide>(k) - lowest) % room;
  return lowest + static_cast<wide>(mix(mix(seed) + k)) % room;
}

/// Draws c.index_memory: legal indices but for a few, and gaps that no call accepts.
inline void draw_indices(random_call& c, std::int64_t extent) {
  const auto from = [&](wide low) { return std::max(low, c.lowest); };
  const auto to = [&](wide high) { return std::min(high, c.highest); };
  const auto m = c.meaning;
  const wide n = extent;
  const auto seed = below<std::uint64_t>(1u << 20);
  const bool is_tame = m.outside == outside::checked || m.outside == outside::unchecked;
  const auto legal = [&](std::uint64_t k) {
    const auto extreme = mix(seed + 3 * k) % 16;
    if (!is_tame && extreme == 0) return c.lowest;
    if (!is_tame && extreme == 1) return c.highest;
    if (!is_tame && extreme == 2) return number_within(seed, k, c.lowest, c.highest);
    const wide around = is_tame ? 0 : n + 1;
    const wide low = -around - (m.from_end ? n : 0);
    return number_within(seed, k, from(low), to(std::max<wide>(n - 1, 0) + around));
  };
  const auto places = c.index.offsets();
  for (std::int64_t k = 0; k < c.index.size; ++k) {
    c.index_memory.push_back(k % 2 || c.lowest == 0 ? c.highest : c.lowest);
  }
  for (auto k : places) c.index_memory[k] = legal(k);
  if (m.outside != outside::checked || places.empty() || !once_in(3)) return;
  std::vector<wide> bad;
  const wide one = 1;
  for (wide value : {n, n + 1, -one, -n, -n - 1, 2 * n, c.lowest, c.highest, c.lowest + 1, c.highest - 1,
                     one << 7, one << 8, one << 16, one << 31, one << 32, (one << 32) + 1, -(one << 32),
                     (one << 32) - 1, -(one << 8), (one << 63) - n, (one << 63) + n, (one << 64) - n}) {
    if (from(value) == value && to(value) == value && !resolve(value, n, m)) bad.push_back(value);
  }
  for (int some = 1 + below(3); some > 0 && !bad.empty(); --some) {
    c.index_memory[places[below(places.size())]] = one_of(bad);
  }
}

template <class Element>
[[noreturn]] void fail_element(const random_call& c, const placed<Element>& input, std::int64_t number,
                               std::int64_t source, const Element& actual) {
  std::ostringstream out;
  out << "out[" << join(place_of(number, c.expected.shape)) << "] should be ";
  if (source == filled) {
    out << "the fill value";
  } else {
    out << "input[" << join(place_of(source, c.input_shape)) << "]";
  }
  const auto places = c.input.offsets();
  const char* found = " and is no element of the input";
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (!same(input.buffer()[places[k]], actual)) continue;
    out << " and holds input[" << join(place_of(static_cast<std::int64_t>(k), c.input_shape)) << "]";
    found = "";
    break;
  }
  out << found;
  RC_FAIL(out.str());
  std::abort();
}

/// What went wrong with an index_error, or nothing.
inline std::string compare_error(const char* op, const garner::index_error& error, const random_call& c) {
  const auto position = place_of(static_cast<std::int64_t>(*c.expected.first_bad), c.index_shape);
  const wide value = c.numbers().values[*c.expected.first_bad];
  const std::int64_t dim = c.is_flat ? -1 : static_cast<std::int64_t>(c.axis());
  const std::string message = std::string(op) + ": index[" + join(position) + "] = " + text(value) +
                              " is out of range for " +
                              (c.is_flat ? "" : "dim " + std::to_string(dim) + " of ") + "extent " +
                              std::to_string(c.expected.extent);
  if (error.what() != message) return error.what() + (" instead of " + message);
  if (error.op() != std::string(op)) return error.op();
  if (coordinates(error.position().begin(), error.position().end()) != position) return "position()";
  const auto wanted = value < 0 ? garner::index_value(static_cast<std::int64_t>(value))
                                : garner::index_value(static_cast<std::uint64_t>(value));
  if (!(error.value() == wanted)) return "value()";
  if (error.dim() != dim) return "dim()";
  if (error.extent() != c.expected.extent) return "extent()";
  return {};
}

/// Makes the call; whether it throws, and what, must be as expected.
inline void attempt(const char* op, const random_call& c, const std::function<void()>& call) {
  try {
    call();
  } catch (const garner::index_error& error) {
    if (!c.expected.first_bad) RC_FAIL(std::string("threw: ") + error.what());
    const auto difference = compare_error(op, error, c);
    if (!difference.empty()) RC_FAIL(difference);
    return;
  } catch (const garner::shape_error& error) {
    RC_FAIL(std::string("threw: ") + error.what());
  }
  if (c.expected.first_bad) RC_FAIL("accepted a bad index");
}

/// The form that returns a tensor.
template <class Element>
void agree_on_result(const char* op, const random_call& c, const placed<Element>& input, const Element& fill,
                     const std::function<garner::tensor<Element>()>& call) {
  std::optional<garner::tensor<Element>> result;
  attempt(op, c, [&] { result = call(); });
  if (c.expected.first_bad) return;
  RC_ASSERT(extents(result->shape().begin(), result->shape().end()) == c.expected.shape);
  const auto places = c.input.offsets();
  for (std::size_t k = 0; k < c.expected.source.size(); ++k) {
    const auto source = c.expected.source[k];
    const Element& wanted = source == filled ? fill : input.buffer()[places[static_cast<std::size_t>(source)]];
    if (!same(result->data()[k], wanted)) {
      fail_element(c, input, static_cast<std::int64_t>(k), source, result->data()[k]);
    }
  }
}

/// The form that writes into `out`: each element of it, and nothing beside it.
template <class Element>
void agree_on_out(const char* op, const random_call& c, const placed<Element>& input, const Element& fill,
                  const std::function<void(const garner::view<Element>&)>& call) {
  placed<Element> out(c.out, [](std::size_t k) { return make<Element>(-77 - static_cast<std::int64_t>(k)); });
  std::vector<std::int64_t> source_of(out.buffer().size(), -2);
  const auto places = c.input.offsets();
  std::vector<Element> before(out.buffer().begin(), out.buffer().end());
  attempt(op, c, [&] { call({out.data(), c.out.shape, c.out.strides}); });
  const auto written = c.out.offsets();
  std::vector<bool> is_written(before.size());
  for (std::size_t k = 0; k < c.expected.source.size(); ++k) {
    const auto source = c.expected.source[k];
    const Element& wanted = source == filled ? fill : input.buffer()[places[static_cast<std::size_t>(source)]];
    is_written[written[k]] = true;
    if (!same(out.buffer()[written[k]], wanted)) {
      fail_element(c, input, static_cast<std::int64_t>(k), source, out.buffer()[written[k]]);
    }
  }
  for (std::size_t k = 0; k < before.size(); ++k) {
    if (!is_written[k] && !same(out.buffer()[k], static_cast<const Element&>(before[k]))) {
      RC_FAIL(std::string(c.expected.first_bad ? "threw and wrote" : "wrote beside out") + ", at " + std::to_string(k));
    }
  }
}

/// Calls f with the options that say what m says, leaving out those that are the default.
template <outside Outside, bool FromEnd, bool FromEndByDefault, class Element, class F>
auto with_few_options(const Element& fill, const F& f) {
  const auto with_negatives = [&](const auto&... options) {
    if constexpr (FromEnd == FromEndByDefault) {
      return f(options...);
    } else if constexpr (FromEnd) {
      return f(garner::from_end, options...);
    } else {
      return f(garner::reject_negative, options...);
    }
  };
  if constexpr (Outside == outside::checked) return with_negatives();
  if constexpr (Outside == outside::wrap) return with_negatives(garner::wrap);
  if constexpr (Outside == outside::clip) return with_negatives(garner::clip);
  if constexpr (Outside == outside::fill) return with_negatives(garner::fill(fill));
  if constexpr (Outside == outside::unchecked) return with_negatives(garner::unchecked);
}

/// Spells out every option, in another order, with noalias if asked.
template <outside Outside, bool FromEnd, bool NoAlias, class Element, class F>
void with_all_options(const Element& fill, const F& f) {
  const auto with_negatives = [&](const auto& option) {
    if constexpr (NoAlias && FromEnd) {
      f(option, garner::noalias, garner::from_end);
    } else if constexpr (NoAlias) {
      f(garner::noalias, garner::reject_negative, option);
    } else if constexpr (FromEnd) {
      f(option, garner::from_end);
    } else {
      f(option, garner::reject_negative);
    }
  };
  if constexpr (Outside == outside::checked) with_negatives(garner::checked);
  if constexpr (Outside == outside::wrap) with_negatives(garner::wrap);
  if constexpr (Outside == outside::clip) with_negatives(garner::clip);
  if constexpr (Outside == outside::fill) with_negatives(garner::fill(fill));
  if constexpr (Outside == outside::unchecked) with_negatives(garner::unchecked);
}

using element_types = std::tuple<std::uint8_t, std::uint16_t, float, std::int64_t, std::complex<double>, rgb, point,
                                 record, bool, std::complex<float>, std::string, std::shared_ptr<int>>;
inline constexpr std::array element_names{"uint8", "uint16", "float", "int64", "complex<double>", "3 bytes",
                                          "12 bytes", "24 bytes", "bool", "complex<float>", "string", "shared_ptr"};
using index_types = std::tuple<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                               std::uint32_t, std::uint64_t>;
inline constexpr std::array index_names{"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"};
inline constexpr std::array outside_names{"checked", "wrap", "clip", "fill", "unchecked"};

/// Ranks of the views that are passed; the usual ones are known at run time only.
template <int Input = garner::dynamic_rank, int Index = garner::dynamic_rank, int Out = garner::dynamic_rank>
struct ranks {};

/// One choice of types and options.
struct combination {
  std::string types;
  test::meaning meaning;
  wide lowest;
  wide highest;
  void (*run)(const random_call&);
};

template <class Op, class Element, class Index, outside Outside, bool FromEnd, bool NoAlias, class Ranks>
struct compiled;

template <class Op, class Element, class Index, outside Outside, bool FromEnd, bool NoAlias, int R, int Q, int S>
struct compiled<Op, Element, Index, Outside, FromEnd, NoAlias, ranks<R, Q, S>> {
  static void run(const random_call& c) {
    placed<Element> input(c.input, [](std::size_t k) { return make<Element>(static_cast<std::int64_t>(k)); });
    placed<Index> index(c.index, [&](std::size_t k) { return static_cast<Index>(c.index_memory[k]); });
    const Element fill = make<Element>(-5);
    input.buffer().make_read_only();
    index.buffer().make_read_only();
    const garner::view<const Element, R> in(
        garner::view<const Element>(input.data(), c.input.shape, c.input.strides));
    const garner::view<const Index, Q> at(
        garner::view<const Index>(index.data(), c.index.shape, c.index.strides));
    agree_on_result<Element>(Op::name, c, input, fill, [&]() -> garner::tensor<Element> {
      return with_few_options<Outside, FromEnd, Op::from_end_by_default>(
          fill, [&](const auto&... options) { return Op::read(c, in, at, options...); });
    });
    agree_on_out<Element>(Op::name, c, input, fill, [&](const garner::view<Element>& out) {
      with_all_options<Outside, FromEnd, NoAlias>(fill, [&](const auto&... options) {
        Op::into(c, garner::view<Element, S>(out), in, at, options...);
      });
    });
  }
};

/// Types and options by number: each pair of element type, index type and option meets once at least, and each index
/// type meets each option with both meanings of a negative. All triples would take minutes to compile.
template <class Op, std::size_t E, std::size_t I, class Ranks = ranks<>>
combination combine() {
  using element = std::tuple_element_t<E, element_types>;
  using index = std::tuple_element_t<I, index_types>;
  constexpr auto o = static_cast<outside>((E + I) % 5);
  constexpr bool from_end = (E / 5 + I / 5) % 2;
  constexpr bool noalias = (E + I / 2) % 2;
  using limits = std::numeric_limits<index>;
  return {std::string(element_names[E]) + " by " + index_names[I] + ", " + outside_names[(E + I) % 5] +
              (from_end ? ", from_end" : ", reject_negative") + (noalias ? ", noalias" : ""),
          {o, from_end},
          limits::min(),
          limits::max(),
          compiled<Op, element, index, o, from_end, noalias, Ranks>::run};
}

/// Elements x index types, all of them.
template <class Op>
const std::vector<combination>& all_combinations() {
  constexpr std::size_t n = std::tuple_size_v<index_types>;
  static const auto list = []<std::size_t... K>(std::index_sequence<K...>) {
    return std::vector{combine<Op, K / n, K % n>()...};
  }(std::make_index_sequence<n * std::tuple_size_v<element_types>>{});
  return list;
}

template <class Op>
random_call draw_call(const std::vector<combination>& combinations) {
  random_call c;
  c.combination = below(combinations.size());
  const auto& chosen = combinations[c.combination];
  c.types = chosen.types;
  c.meaning = chosen.meaning;
  c.lowest = chosen.lowest;
  c.highest = chosen.highest;
  Op::draw(c);
  c.input = random_placement(c.input_shape, operand::read);
  c.index = random_placement(c.index_shape, operand::read);
  draw_indices(c, c.is_flat ? count(c.input_shape) : c.input_shape.empty() ? 1 : c.input_shape[c.axis()]);
  c.expected = Op::solve(c);
  c.out = random_placement(c.expected.shape, operand::written);
  return c;
}

/// Both forms of Op agree with its reference for `cases` random calls.
template <class Op>
void agree(int cases, const std::vector<combination>& combinations) {
  INFO("seed: " << rc::detail::configuration().testParams.seed);  // for a crash, which no report follows
  const auto calls = rc::gen::exec([&] { return draw_call<Op>(combinations); });
  prop(std::string(Op::name) + " agrees with its reference", cases, [&] {
    const random_call c = *calls;
    combinations[c.combination].run(c);
  });
}

}  // namespace test
