// SPDX-License-Identifier: BSD-3-Clause
// What calls that read and calls that write through an index have in common: their types and
// options, their operands, and whether they may or must throw.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <garner/garner.hpp>

#include "fuzz/place.hpp"
#include "fuzz/problem.hpp"
#include "fuzz/source.hpp"

namespace fuzz {

/// What a call says of negative indices.
enum class negatives { by_default, rejected, from_end };

/// What a call says of overlap: nothing, or that there is none.
enum class aliases { tested, vouched };

template <class Element, class Index, outside Outside, negatives Negatives,
          aliases Aliases = aliases::tested>
struct types {
  using element = Element;
  using index = Index;
  static constexpr bool is_vouched = Aliases == aliases::vouched;

  static meaning meaning_for(bool from_end_by_default) {
    return {Outside, Negatives == negatives::by_default ? from_end_by_default
                                                        : Negatives == negatives::from_end};
  }

  /// f(options...)
  template <class F>
  static auto with_options(const Element& fill, const F& f) {
    const auto with_aliases = [&](const auto&... more) {
      if constexpr (is_vouched) return f(more..., garner::noalias);
      if constexpr (!is_vouched) return f(more...);
    };
    const auto with_outside = [&](const auto&... more) {
      if constexpr (Outside == outside::checked) return with_aliases(more...);
      if constexpr (Outside == outside::wrap) return with_aliases(garner::wrap, more...);
      if constexpr (Outside == outside::clip) return with_aliases(more..., garner::clip);
      if constexpr (Outside == outside::fill) return with_aliases(garner::fill(fill), more...);
      if constexpr (Outside == outside::unchecked) return with_aliases(more..., garner::unchecked);
    };
    if constexpr (Negatives == negatives::by_default) return with_outside();
    if constexpr (Negatives == negatives::rejected) return with_outside(garner::reject_negative);
    if constexpr (Negatives == negatives::from_end) return with_outside(garner::from_end);
  }
};

/// An operation, but for its types.
struct operation {
  const char* name;
  fuzz::form form;
  bool from_end_by_default;
};

/// Elements on the heap, none to spare: the sanitizer sees each step aside.
template <class T>
struct memory {
  std::unique_ptr<T[]> data;
  std::size_t size;

  explicit memory(std::int64_t n)
      : data(new T[static_cast<std::size_t>(n)]), size(static_cast<std::size_t>(n)) {}
  std::vector<T> copy() const { return std::vector<T>(data.get(), data.get() + size); }
};

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// The index of a call in memory of its own.
template <class Index>
struct index_operand {
  place where;
  memory<Index> elements;
  std::vector<wide> numbers;  // in row-major order

  index_operand(source& s, const problem& p, meaning m)
      : where(draw_place(s, p.index)), elements(where.size) {
    using limits = std::numeric_limits<Index>;
    const auto drawn = draw_numbers(s, count(p.index), p.extent(), limits::min(), limits::max(), m);
    // What lies between belongs to no call.
    std::fill_n(elements.data.get(), elements.size, limits::max());
    const auto offsets = where.offsets();
    for (std::size_t k = 0; k < offsets.size(); ++k) {
      elements.data[offsets[k]] = static_cast<Index>(drawn[k]);
    }
    for (auto at : offsets) numbers.push_back(elements.data[at]);
  }
  garner::view<const Index> view() const { return where.view<const Index>(elements.data.get()); }
};

/// What a call may throw.
struct expectation {
  bool must_refuse = false;  // with a shape_error
  bool may_refuse = false;   // it looks as if something overlapped
  reference solved;
};

/// Adds what it means that `out` is written, in the same memory as what is read or not. False if
/// the call must not be made: it would vouch for what is not so.
inline bool expect_apart(expectation& e, const place& out, const place& read, bool is_shared,
                         bool is_vouched) {
  if (out.is_empty()) return true;
  const bool is_met = overlaps_itself(out) || (is_shared && overlap(out, read));
  if (is_vouched) return !is_met;
  e.must_refuse = e.must_refuse || is_met;
  e.may_refuse = e.may_refuse || !out.is_nested || (is_shared && meet(out, read));
  return true;
}

/// The error names the first bad index.
inline void check_error(const operation& op, const problem& p, const reference& solved,
                        const std::vector<wide>& numbers, const garner::index_error& error) {
  require(solved.first_bad.has_value(), op.name, "threw an index_error for legal indices");
  const auto at = test::place_of(static_cast<std::int64_t>(*solved.first_bad), p.index);
  const wide value = numbers[*solved.first_bad];
  const auto named = value < 0 ? garner::index_value(static_cast<std::int64_t>(value))
                               : garner::index_value(static_cast<std::uint64_t>(value));
  const std::int64_t dim =
      p.form == form::flat ? -1 : solved.dim.value_or(static_cast<std::int64_t>(p.axis()));
  require(op.name == std::string(error.op()), op.name, "is called otherwise in its error");
  require(std::equal(at.begin(), at.end(), error.position().begin(), error.position().end()),
          op.name, "names another index than the first bad one");
  require(error.value() == named, op.name, "gives a wrong value for the bad index");
  require(error.dim() == dim, op.name, "names a wrong dim");
  require(error.extent() == solved.extent, op.name, "gives a wrong extent");
}

/// Makes the call; tells whether it went through. What it throws must be as expected.
template <class Call>
bool attempt(const operation& op, const problem& p, const expectation& e,
             const std::vector<wide>& numbers, const Call& call) {
  try {
    call();
  } catch (const garner::shape_error& error) {
    if (!e.must_refuse && !e.may_refuse) fail(std::string("threw: ") + error.what());
    return false;
  } catch (const garner::index_error& error) {
    require(!e.must_refuse, op.name, "checked indices before shapes and overlap");
    check_error(op, p, e.solved, numbers, error);
    return false;
  }
  require(!e.must_refuse, op.name, "accepted shapes that do not fit, or an overlap");
  require(!e.solved.first_bad, op.name, "accepted a bad index");
  ++calls_done;
  return true;
}

template <class T>
void check_unchanged(const operation& op, const memory<T>& now, const std::vector<T>& before) {
  for (std::size_t k = 0; k < now.size; ++k) {
    require(same_bits(now.data[k], before[k]), op.name, "threw, and wrote");
  }
}

}  // namespace fuzz
