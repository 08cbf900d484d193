// SPDX-License-Identifier: BSD-3-Clause
// update_agreement: an operation that writes through an index does what its reference says. It is
// the reading operation's relation the other way round: value number k goes where that would read
// result element k. A test file describes its operation by a struct:
//   name, from_end_by_default, takes_include_self   the operation's
//   draw(random_call&), solve(const random_call&)   those of the reading operation
//   values_shape(const extents& shape)              a random shape of src beside a problem's
//   into<Kind>(c, self, index, values, options...)  copy<Kind>(c, self, index, values, options...)
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include <garner/garner.hpp>

#include "support/agreement.hpp"
#include "support/fenced.hpp"
#include "support/numbers.hpp"
#include "support/prop.hpp"
#include "support/random_call.hpp"

namespace test {

/// One choice of types and options for an operation.
struct update_choice {
  std::string types;
  test::meaning meaning;
  wide lowest;
  wide highest;
  void (*agree)(const random_call&, bool includes_self);
};

template <class Op, reduce Kind, class Element, class Index, outside Outside, bool FromEnd>
struct update_test {
  template <class T>
  static garner::view<T> view_at(T* data, const placement& where) {
    return {where.is_null ? nullptr : data + where.first, garner::dims<>(where.shape),
            garner::dims<>(where.strides)};
  }

  template <class T>
  static void fill(const fenced<T>& memory, std::uint64_t first) {
    for (std::size_t k = 0; k < memory.size(); ++k) memory[k] = draw_number<T>(first + k);
  }

  template <class Call>
  static auto with_options(bool includes_self, const Call& call) {
    return with_few_options<Outside, FromEnd, Op::from_end_by_default>(
        Element{}, [&](const auto&... options) {
          if constexpr (Op::takes_include_self && Kind != reduce::none) {
            if (!includes_self) return call(garner::include_self(false), options...);
          }
          return call(options...);
        });
  }

  static void compare(const char* form, const std::vector<Element>& expected, std::size_t k,
                      const Element& actual) {
    if (!is_same_number(actual, expected[k])) {
      RC_FAIL(std::string(form) + ": wrong at " + std::to_string(k));
    }
  }

  static void agree(const random_call& c, bool includes_self) {
    const auto sized = [](const placement& p) { return static_cast<std::size_t>(p.size); };
    fenced<Element> self(sized(c.input), c.input.side);
    fenced<Element> values(sized(c.out), c.out.side);
    fenced<Index> index(sized(c.index), c.index.side);
    fill(self, 1);
    fill(values, 1000000);
    for (std::size_t k = 0; k < index.size(); ++k) {
      index[k] = static_cast<Index>(c.index_memory[k]);
    }
    values.make_read_only();
    index.make_read_only();

    const std::vector<Element> before(self.begin(), self.end());
    auto expected = before;
    const auto self_places = c.input.offsets();
    std::map<std::size_t, std::vector<Element>> arrived;
    for (std::size_t k = 0; k < c.expected.source.size(); ++k) {
      if (c.expected.source[k] == filled) continue;
      const auto at = place_of(static_cast<std::int64_t>(k), c.expected.shape);
      std::int64_t from = c.out.first;  // an extent of 1, or a missing dim, is repeated
      const std::size_t missing = at.size() - c.out.shape.size();
      for (std::size_t d = 0; d < c.out.shape.size(); ++d) {
        if (c.out.shape[d] > 1) from += at[d + missing] * c.out.strides[d];
      }
      arrived[self_places[static_cast<std::size_t>(c.expected.source[k])]].push_back(
          values[static_cast<std::size_t>(from)]);
    }
    for (const auto& [place, list] : arrived) {
      expected[place] = reduced<Kind>(list, includes_self ? &before[place] : nullptr);
    }

    const auto index_view = view_at<const Index>(index.data(), c.index);
    const auto values_view = view_at<const Element>(values.data(), c.out);
    self.make_read_only();
    attempt(Op::name, c, [&] {
      const auto result = with_options(includes_self, [&](const auto&... options) {
        return Op::template copy<Kind>(c, view_at<const Element>(self.data(), c.input), index_view,
                                       values_view, options...);
      });
      if (c.expected.first_bad) return;
      for (std::size_t k = 0; k < self_places.size(); ++k) {
        compare("copy", expected, self_places[k], result.data()[k]);
      }
    });
    self.make_writable();
    attempt(Op::name, c, [&] {
      with_options(includes_self, [&](const auto&... options) {
        Op::template into<Kind>(c, view_at<Element>(self.data(), c.input), index_view, values_view,
                                options...);
      });
    });
    for (std::size_t k = 0; k < self.size(); ++k) {
      if (c.expected.first_bad && !is_same_number(self[k], before[k])) RC_FAIL("threw, and wrote");
      compare("into", expected, k, self[k]);
    }
  }

  static update_choice choice(const std::string& types) {
    return {types,
            {Outside, FromEnd},
            std::numeric_limits<Index>::min(),
            std::numeric_limits<Index>::max(),
            agree};
  }
};

/// A choice for each type of elements, with another index type and other options for each; where
/// the tests are light, for every second one.
template <class Op, reduce Kind, class... Elements>
void add_choices(std::vector<update_choice>& list) {
  constexpr auto kind = static_cast<std::size_t>(Kind);
  std::size_t e = 0;
  const auto add = [&]<std::size_t E, class Element>() {
    if constexpr (!is_light || E % 2 == 0) {
      constexpr std::size_t i = (E * 3 + kind) % 8;
      constexpr auto o = static_cast<outside>((E + 2 * kind) % 5);
      constexpr bool from_end = (E + kind) % 2;
      using index = std::tuple_element_t<i, index_types>;
      list.push_back(update_test<Op, Kind, Element, index, o, from_end>::choice(
          "kind " + std::to_string(kind) + ", element " + std::to_string(e++) + " by " +
          index_names[i] + ", " + outside_names[static_cast<std::size_t>(o)]));
    }
  };
  [&]<std::size_t... E>(std::index_sequence<E...>) {
    (add.template operator()<E, Elements>(), ...);
  }
  (std::index_sequence_for<Elements...>{});
}

template <class Op>
void agree_on_updates(int cases, const std::vector<update_choice>& choices) {
  INFO("seed: " << rc::detail::configuration().testParams.seed);
  const auto calls = rc::gen::exec([&] {
    random_call c;
    c.combination = below(choices.size());
    const auto& chosen = choices[c.combination];
    c.types = chosen.types;
    c.meaning = chosen.meaning;
    c.lowest = chosen.lowest;
    c.highest = chosen.highest;
    Op::draw(c);
    c.input = random_placement(c.input_shape, operand::written);
    c.index = random_placement(c.index_shape, operand::read);
    draw_indices(c);
    c.expected = Op::solve(c);
    c.out = random_placement(Op::values_shape(c.expected.shape), operand::read);
    return c;
  });
  prop_of_calls(std::string(Op::name) + " agrees with its reference", cases, [&] {
    const random_call c = *calls;
    const bool includes_self = !Op::takes_include_self || *rc::gen::arbitrary<bool>();
    choices[c.combination].agree(c, includes_self);
    return !c.expected.first_bad;
  });
}

/// The problem's shape, or one that is larger in some dims.
inline extents at_least(extents shape) {
  for (auto& extent : shape) extent += once_in(3) ? below(std::int64_t{4}) : 0;
  return shape;
}

/// The problem's shape, or one that broadcasts to it.
inline extents broadcastable(extents shape) {
  for (auto& extent : shape) {
    if (once_in(4)) extent = 1;
  }
  shape.erase(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(
                                                 once_in(3) ? below(shape.size() + 1) : 0));
  return shape;
}

}  // namespace test
