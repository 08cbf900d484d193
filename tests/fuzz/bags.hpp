// SPDX-License-Identifier: BSD-3-Clause
// Calls of embedding_bag, their offsets often malformed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <garner/garner.hpp>

#include "fuzz/call.hpp"
#include "support/numbers.hpp"

namespace fuzz {

using garner::bag_mode;

/// Rising offsets, but for a few.
template <class Offset>
std::vector<Offset> draw_offsets(source& s, std::int64_t bags, std::int64_t ids) {
  using limits = std::numeric_limits<Offset>;
  std::vector<Offset> offsets;
  std::int64_t at = 0;
  for (std::int64_t b = 0; b < bags; ++b) {
    offsets.push_back(static_cast<Offset>(std::min<wide>(at, limits::max())));
    at = std::min(ids, at + s.below(5));
  }
  for (auto left = s.once_in(3) ? s.below(3) : 0; left > 0 && bags > 0; --left) {
    const wide odd = s.one_of<wide>(
        {ids, ids + 1, -1, 1, 0, limits::max(), limits::min(), (wide{1} << 32) + 1, ids - 1});
    offsets[static_cast<std::size_t>(s.below(bags))] =
        static_cast<Offset>(std::clamp<wide>(odd, limits::min(), limits::max()));
  }
  return offsets;
}

template <class Offset>
bool is_rising(const std::vector<Offset>& offsets, std::int64_t ids) {
  wide last = 0;
  for (std::size_t b = 0; b < offsets.size(); ++b) {
    const wide next = offsets[b];
    if (next < last || next > ids || (b == 0 && next != 0)) return false;
    last = next;
  }
  return true;
}

template <bag_mode Mode>
float reduce_bag(const std::vector<float>& values) {
  float result = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (Mode == bag_mode::max) {
      if (k == 0 || values[k] > result || std::isnan(values[k])) result = values[k];
    } else {
      result += values[k];
    }
  }
  if (Mode == bag_mode::mean && values.size() > 1) result /= static_cast<float>(values.size());
  return result;
}

/// Sums are weighted, the others have padding.
template <class Types, class Offset, bag_mode Mode>
void try_bags(source& s) {
  using row = typename Types::element;
  const operation op{"embedding_bag", form::take, false};
  const meaning m = Types::meaning_for(false);
  problem p{form::take, {draw_extent(s, 40), draw_extent(s, 130)}, {s.below(70)}};
  bend(s, p.input);
  bend(s, p.index);
  if (count(p.input) > 3000 || count(p.index) > 500) return;
  const index_operand<typename Types::index> ids(s, p, m);
  const std::int64_t n = p.index.empty() ? 0 : p.index[0];
  const auto offsets = draw_offsets<Offset>(s, s.below(20), n);
  const bool says_last = s.once_in(3);
  const std::int64_t rows = p.input.empty() ? 0 : p.input[0];
  const std::int64_t padding =
      s.once_in(16) ? s.one_of<std::int64_t>({rows, -rows - 1, std::int64_t{1} << 32})
                    : s.below(std::max<std::int64_t>(2 * rows, 1)) - rows;
  extents factor_shape = p.index;
  if (Mode == bag_mode::sum) bend(s, factor_shape);

  expectation e;
  e.must_refuse = p.input.size() != 2 || p.index.size() != 1 || !is_rising(offsets, n) ||
                  (says_last && offsets.empty()) || factor_shape != p.index ||
                  (Mode != bag_mode::sum && (padding < -rows || padding >= rows));
  const auto bags = static_cast<std::int64_t>(offsets.size()) - (says_last ? 1 : 0);
  if (!e.must_refuse) e.solved = solve(p, ids.numbers, m);
  const place table = draw_place(s, p.input);
  const place factors = draw_place(s, factor_shape);
  const memory<row> weight(table.size);
  const memory<float> factor(factors.size);
  for (std::size_t k = 0; k < weight.size; ++k) weight.data[k] = test::draw_number<row>(k);
  for (std::size_t k = 0; k < factor.size; ++k) factor.data[k] = test::draw_number<float>(k + 999);

  const auto table_places = table.offsets();
  const auto factor_places = factors.offsets();
  const auto expected = [&](std::int64_t bag, std::int64_t column) {
    const auto b = static_cast<std::size_t>(bag);
    const auto begin = static_cast<std::int64_t>(offsets[b]);
    const auto end = b + 1 < offsets.size() ? static_cast<std::int64_t>(offsets[b + 1]) : n;
    std::vector<float> values;
    for (std::int64_t i = begin; i < end; ++i) {
      const auto at = *test::resolve(ids.numbers[static_cast<std::size_t>(i)], rows, m);
      if (Mode != bag_mode::sum && (at == padding || at == padding + rows)) continue;
      const auto element = static_cast<std::size_t>(at * p.input[1] + column);
      volatile auto value = static_cast<float>(weight.data[table_places[element]]);
      if (Mode == bag_mode::sum) {
        value = value * factor.data[factor_places[static_cast<std::size_t>(i)]];
      }
      values.push_back(float{value});
    }
    return reduce_bag<Mode>(values);
  };

  extents out_shape{std::max<std::int64_t>(bags, 0), p.input.size() < 2 ? 1 : p.input[1]};
  if (count(out_shape) > 3000) return;
  const bool is_right_shape = [&] {
    const extents right = out_shape;
    bend(s, out_shape);
    return right == out_shape;
  }();
  const place out = draw_place(s, out_shape);
  e.must_refuse = e.must_refuse || !is_right_shape;
  if (!expect_apart(e, out, table, false, Types::is_vouched)) return;
  const memory<float> target(out.size);
  for (std::size_t k = 0; k < target.size; ++k) target.data[k] = -7.5f;
  const auto before = target.copy();
  const bool is_done = attempt(op, p, e, ids.numbers, [&] {
    Types::with_options(row{}, [&](const auto&... options) {
      const auto call = [&](const auto&... own) {
        garner::embedding_bag_into<Mode>(out.view(target.data.get()),
                                         table.view<const row>(weight.data.get()), ids.view(),
                                         offsets, own..., options...);
      };
      const auto with_last = [&](const auto&... own) {
        says_last ? call(own..., garner::include_last_offset) : call(own...);
      };
      if constexpr (Mode == bag_mode::sum) {
        with_last(garner::per_sample_weights(factors.view<const float>(factor.data.get())));
      } else {
        with_last(garner::padding_idx(padding));
      }
    });
  });
  if (!is_done) return check_unchanged(op, target, before);
  auto wanted = before;
  std::size_t k = 0;
  const auto places = out.offsets();
  for (std::int64_t b = 0; b < bags; ++b) {
    for (std::int64_t j = 0; j < p.input[1]; ++j) wanted[places[k++]] = expected(b, j);
  }
  for (k = 0; k < wanted.size(); ++k) {
    require(test::is_same_number(target.data[k], wanted[k]), op.name,
            "gives a wrong sum, or writes beside out");
  }
}

}  // namespace fuzz
