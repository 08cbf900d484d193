// SPDX-License-Identifier: BSD-3-Clause
// agreement: an operation does what its reference says, for random shapes, layouts, types, indices
// and options. A test file describes its operation by a struct:
//   name, from_end_by_default                    the operation's
//   static void draw(random_call&)               draws input, index_shape, dim and batch
//   static reference solve(const random_call&)   its equation
//   read(c, input, index, options...)  into(c, out, input, index, options...)
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include <garner/garner.hpp>

#include "support/elements.hpp"
#include "support/prop.hpp"
#include "support/random_call.hpp"
#include "support/reference.hpp"

namespace test {

[[noreturn]] inline void fail_element(const random_call& c, const elements& input,
                                      std::size_t number, const void* actual) {
  const auto source = c.expected.source[number];
  std::string message =
      "out[" + join(place_of(static_cast<std::int64_t>(number), c.expected.shape)) + "] should be ";
  message +=
      source == filled ? "the fill value" : "input[" + join(place_of(source, c.input_shape)) + "]";
  const auto places = c.input.offsets();
  const auto found =
      std::find_if(places.begin(), places.end(), [&](auto k) { return input.is_same(k, actual); });
  if (found == places.end()) {
    message += " and is no element of the input";
  } else {
    message += " and holds input[" + join(place_of(found - places.begin(), c.input_shape)) + "]";
  }
  RC_FAIL(message);
  std::abort();
}

/// What went wrong with an index_error, or nothing.
inline std::string compare_error(const char* op, const garner::index_error& error,
                                 const random_call& c) {
  const auto position = place_of(static_cast<std::int64_t>(*c.expected.first_bad), c.index_shape);
  const wide value = c.numbers().values[*c.expected.first_bad];
  const std::int64_t dim =
      c.is_flat ? -1 : c.expected.dim.value_or(static_cast<std::int64_t>(c.axis()));
  const std::string message = std::string(op) + ": index" +
                              (position.empty() ? "" : "[" + join(position) + "]") + " = " +
                              text(value) + " is out of range for " +
                              (c.is_flat ? "" : "dim " + std::to_string(dim) + " of ") + "extent " +
                              std::to_string(c.expected.extent);
  if (error.what() != message) return error.what() + (" instead of " + message);
  if (error.op() != std::string(op)) return error.op();
  const coordinates at(error.position().begin(), error.position().end());
  if (at != position) return "position()";
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

/// The operands of one call, their types forgotten.
struct operands {
  elements input;
  elements index;
  elements fill;
};

/// What result element `number` should be.
inline const void* expected_element(const random_call& c, const operands& given,
                                    const std::vector<std::size_t>& places, std::size_t number) {
  const auto source = c.expected.source[number];
  return source == filled ? given.fill.at(0)
                          : given.input.at(places[static_cast<std::size_t>(source)]);
}

/// Where the element at the origin lies.
inline void* origin(const placement& where, const elements& buffer) {
  return where.is_null ? nullptr : buffer.at(static_cast<std::size_t>(where.first));
}

/// Receives the tensor that a call returns.
using result_sink = std::function<void(const extents& shape, const void* data)>;

/// The two forms of one operation, compiled for one choice of types and options.
struct forms {
  void (*read)(const random_call&, const void* input, const void* index, const void* fill,
               const result_sink&);
  void (*into)(const random_call&, void* out, const void* input, const void* index,
               const void* fill);
};

/// The form that returns a tensor.
inline void agree_on_result(const char* op, const random_call& c, const element_kind& kind,
                            const forms& call, const operands& given) {
  const auto places = c.input.offsets();
  attempt(op, c, [&] {
    call.read(c, origin(c.input, given.input), origin(c.index, given.index), given.fill.at(0),
              [&](const extents& shape, const void* data) {
                if (c.expected.first_bad) return;
                RC_ASSERT(shape == c.expected.shape);
                for (std::size_t k = 0; k < c.expected.source.size(); ++k) {
                  const void* actual = static_cast<const std::byte*>(data) + k * kind.size;
                  if (!kind.same(actual, expected_element(c, given, places, k))) {
                    fail_element(c, given.input, k, actual);
                  }
                }
              });
  });
}

/// The form that writes into `out`: each element of it, and nothing beside it.
inline void agree_on_out(const char* op, const random_call& c, const element_kind& kind,
                         const forms& call, const operands& given) {
  elements out(kind, c.out.size, c.out.side);
  elements before(kind, c.out.size, flush::begin);
  for (std::size_t k = 0; k < out.size(); ++k) {
    before.push_numbered(-77 - static_cast<std::int64_t>(k));
    out.push_copy(before.at(k));
  }
  attempt(op, c, [&] {
    call.into(c, origin(c.out, out), origin(c.input, given.input), origin(c.index, given.index),
              given.fill.at(0));
  });
  const auto places = c.input.offsets();
  const auto written = c.out.offsets();
  std::vector<bool> is_written(out.size());
  for (std::size_t k = 0; k < c.expected.source.size(); ++k) {
    is_written[written[k]] = true;
    if (!out.is_same(written[k], expected_element(c, given, places, k))) {
      fail_element(c, given.input, k, out.at(written[k]));
    }
  }
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (is_written[k] || out.is_same(k, before.at(k))) continue;
    RC_FAIL(std::string(c.expected.first_bad ? "threw, and wrote" : "wrote beside out,") + " at " +
            std::to_string(k));
  }
}

inline void agree_on_call(const char* op, const random_call& c, const element_kind& kind,
                          const element_kind& index_kind, const forms& call) {
  operands given{
      {kind, c.input.size, c.input.side}, {index_kind, c.index.size, c.index.side}, {kind, 1, {}}};
  for (std::int64_t k = 0; k < c.input.size; ++k) given.input.push_numbered(k);
  for (wide i : c.index_memory) given.index.push_numbered(static_cast<std::int64_t>(i));
  given.fill.push_numbered(-5);
  given.input.make_read_only();
  given.index.make_read_only();
  agree_on_result(op, c, kind, call, given);
  agree_on_out(op, c, kind, call, given);
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

using element_types =
    std::tuple<std::uint8_t, std::uint16_t, float, std::int64_t, std::complex<double>, rgb, point,
               record, bool, std::complex<float>, std::string, std::shared_ptr<int>>;
inline constexpr std::array element_names{
    "uint8",    "uint16",   "float", "int64",          "complex<double>", "3 bytes",
    "12 bytes", "24 bytes", "bool",  "complex<float>", "string",          "shared_ptr"};
using index_types = std::tuple<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                               std::uint16_t, std::uint32_t, std::uint64_t>;
inline constexpr std::array index_names{"int8",  "int16",  "int32",  "int64",
                                        "uint8", "uint16", "uint32", "uint64"};
inline constexpr std::array outside_names{"checked", "wrap", "clip", "fill", "unchecked"};

/// Ranks of the views that are passed; the usual ones are known at run time only.
template <int Input = garner::dynamic_rank, int Index = garner::dynamic_rank,
          int Out = garner::dynamic_rank>
struct ranks {};

template <class Op, class Element, class Index, outside Outside, bool FromEnd, bool NoAlias,
          class Ranks>
struct compiled;

template <class Op, class Element, class Index, outside Outside, bool FromEnd, bool NoAlias, int R,
          int Q, int S>
struct compiled<Op, Element, Index, Outside, FromEnd, NoAlias, ranks<R, Q, S>> {
  template <int Rank, class T>
  static garner::view<T, Rank> view_of(T* data, const placement& where) {
    return {data, garner::dims<Rank>(where.shape), garner::dims<Rank>(where.strides)};
  }
  static void read(const random_call& c, const void* input, const void* index, const void* fill,
                   const result_sink& sink) {
    with_few_options<Outside, FromEnd, Op::from_end_by_default>(
        *static_cast<const Element*>(fill), [&](const auto&... options) {
          const auto result =
              Op::read(c, view_of<R>(static_cast<const Element*>(input), c.input),
                       view_of<Q>(static_cast<const Index*>(index), c.index), options...);
          sink(extents(result.shape().begin(), result.shape().end()), result.data());
        });
  }
  static void into(const random_call& c, void* out, const void* input, const void* index,
                   const void* fill) {
    with_all_options<Outside, FromEnd, NoAlias>(
        *static_cast<const Element*>(fill), [&](const auto&... options) {
          Op::into(c, view_of<S>(static_cast<Element*>(out), c.out),
                   view_of<R>(static_cast<const Element*>(input), c.input),
                   view_of<Q>(static_cast<const Index*>(index), c.index), options...);
        });
  }
};

/// One choice of types and options.
struct combination {
  std::string types;
  test::meaning meaning;
  wide lowest;  // what the index type holds
  wide highest;
  const element_kind* element;
  const element_kind* index;
  forms call;
};

template <class Op, std::size_t E, std::size_t I, outside Outside, bool FromEnd,
          class Ranks = ranks<>>
combination combine() {
  using element = std::tuple_element_t<E, element_types>;
  using index = std::tuple_element_t<I, index_types>;
  constexpr bool noalias = (E + I / 2) % 2;
  using call = compiled<Op, element, index, Outside, FromEnd, noalias, Ranks>;
  return {std::string(element_names[E]) + " by " + index_names[I] + ", " +
              outside_names[static_cast<std::size_t>(Outside)] +
              (FromEnd ? ", from_end" : ", reject_negative") + (noalias ? ", noalias" : ""),
          {Outside, FromEnd},
          std::numeric_limits<index>::min(),
          std::numeric_limits<index>::max(),
          &kind_of<element>,
          &kind_of<index>,
          {call::read, call::into}};
}

/// Choice K of set Set: 2 x 28 choices that stand for all 960, which would take minutes to compile.
/// Each set has all index types, all options and all elements; in the two together each index type
/// meets each option, and the elements of 1, 2, 4 and 8 bytes, which move as vectors. What a
/// negative means alternates, and differently for operations with the other default. All that
/// follows the shape rules is shared by all operations, so they share out the sets.
inline constexpr std::size_t choice_count = 28;

template <class Op, std::size_t Set, std::size_t K>
combination nth_combination() {
  constexpr bool is_odd_element = K >= 20;
  constexpr std::size_t j = K - 20;
  constexpr std::size_t k = K + 20 * Set;
  constexpr std::size_t i = is_odd_element ? (3 * j + 2 * Set) % 8 : k % 8;
  constexpr std::size_t o = is_odd_element ? (j + 2 + 2 * Set) % 5 : k % 5;
  constexpr std::size_t e = is_odd_element ? 4 + j : (k / 8 + i) % 4;
  return combine<Op, e, i, static_cast<outside>(o),
                 (K / 8 + o + Op::from_end_by_default) % 2 == 1>();
}

/// The choices of a set or, for a variant of an operation that is tested with all of them, every
/// `Step`th.
template <class Op, std::size_t Set, std::size_t Step = 1>
const std::vector<combination>& combinations() {
  constexpr std::size_t step = (is_light ? 3 : 1) * Step;
  const auto make = []<std::size_t... K>(std::index_sequence<K...>) {
    return std::vector{nth_combination<Op, Set, K * step>()...};
  };
  static const auto list = make(std::make_index_sequence<(choice_count - 1) / step + 1>{});
  return list;
}

/// A few choices for views of these ranks, known at compile time.
template <class Op, class Ranks>
const std::vector<combination>& static_combinations() {
  static const std::vector list{combine<Op, 2, 2, outside::checked, true, Ranks>(),
                                combine<Op, 0, 5, outside::fill, false, Ranks>()};
  return list;
}

template <class Op>
random_call draw_call(const std::vector<combination>& choices) {
  random_call c;
  c.combination = below(choices.size());
  const auto& chosen = choices[c.combination];
  c.types = chosen.types;
  c.meaning = chosen.meaning;
  c.lowest = chosen.lowest;
  c.highest = chosen.highest;
  Op::draw(c);
  c.input = random_placement(c.input_shape, operand::read);
  c.index = random_placement(c.index_shape, operand::read);
  draw_indices(c);
  c.expected = Op::solve(c);
  c.out = random_placement(c.expected.shape, operand::written);
  return c;
}

/// Both forms of Op agree with its reference for `cases` random calls.
template <class Op>
void agree(int cases, const std::vector<combination>& choices) {
  // For a crash, which leaves no other report.
  INFO("seed: " << rc::detail::configuration().testParams.seed);
  const auto calls = rc::gen::exec([&] { return draw_call<Op>(choices); });
  prop_of_calls(std::string(Op::name) + " agrees with its reference", cases, [&] {
    const random_call c = *calls;
    const auto& chosen = choices[c.combination];
    agree_on_call(Op::name, c, *chosen.element, *chosen.index, chosen.call);
    return !c.expected.first_bad;
  });
}

}  // namespace test
