// SPDX-License-Identifier: BSD-3-Clause
// The ways of indexing, without types: what is drawn, whether the shapes fit together, and what the
// reference makes of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "fuzz/place.hpp"
#include "fuzz/source.hpp"
#include "support/elements.hpp"
#include "support/reference.hpp"

namespace fuzz {

using test::index_numbers;
using test::meaning;
using test::outside;
using test::reference;

enum class form { gather, along, put_along, select, flat, take, nd };

struct problem {
  fuzz::form form;
  extents input;
  extents index;
  std::int64_t dim = 0;
  std::int64_t batch = 0;

  std::int64_t rank() const { return static_cast<std::int64_t>(input.size()); }
  /// dim, counted from the front; one without dims counts as having one.
  std::size_t axis() const {
    return static_cast<std::size_t>(dim < 0 ? dim + std::max<std::int64_t>(rank(), 1) : dim);
  }
  bool has_dim() const {
    const auto dims = std::max<std::int64_t>(rank(), 1);
    return dim >= -dims && dim < dims;
  }
  /// How many places an index may name: the least, where it is several.
  std::int64_t extent() const {
    if (form == form::flat) return count(input);
    if (form == form::nd) return input.empty() ? 1 : std::ranges::min(input);
    return input.empty() || !has_dim() ? 1 : input[axis()];
  }
};

inline problem draw_problem(source& s, form form) {
  problem p{form, draw_shape(s, 4, 900), {}};
  const std::int64_t dims = std::max<std::int64_t>(p.rank(), 1);
  p.dim = s.below(dims) - (s.once_in(3) ? dims : 0);
  if (s.once_in(24)) p.dim = s.one_of<std::int64_t>({dims, -dims - 1, std::int64_t{1} << 32});
  const auto off_dim = [&](auto change) {
    p.index = p.input;
    for (std::size_t d = 0; d < p.index.size(); ++d) {
      if (d == p.axis()) {
        p.index[d] =
            draw_extent(s, 600 / std::max<std::int64_t>(
                                     count(p.index) / std::max<std::int64_t>(p.index[d], 1), 1) +
                               1);
      } else {
        change(p.index[d], p.input[d]);
      }
    }
  };
  switch (form) {
    case form::gather:
      off_dim([&](std::int64_t& index, std::int64_t) {
        if (s.once_in(4)) index = std::max<std::int64_t>(index - 1 - s.below(3), 0);
      });
      break;
    case form::along:
    case form::put_along:
      off_dim([&](std::int64_t& index, std::int64_t& input) {
        if (s.once_in(4)) (form == form::along && s.once_in(2) ? input : index) = 1;
      });
      break;
    case form::select:
      if (!s.once_in(8)) p.index = {p.input.empty() ? 1 : draw_extent(s, 130)};
      break;
    case form::flat:
      p.index = draw_shape(s, 3, 300);
      break;
    case form::take:
      if (s.once_in(2)) p.batch = s.below(std::min<std::int64_t>(dims, 3));
      p.index.assign(p.input.begin(), p.input.begin() + std::min(p.batch, p.rank()));
      for (auto extent : draw_shape(s, 2, 40)) p.index.push_back(extent);
      break;
    case form::nd:
      if (s.once_in(3)) p.batch = s.below(p.rank() + 1);
      p.index.assign(p.input.begin(), p.input.begin() + p.batch);
      for (auto extent : draw_shape(s, 2, 40)) p.index.push_back(extent);
      p.index.push_back(s.below(p.rank() - p.batch + 1));
      break;
  }
  bend(s, p.input);
  bend(s, p.index);
  if (s.once_in(24)) p.batch = s.one_of<std::int64_t>({-1, 1, 5, std::int64_t{1} << 32});
  return p;
}

/// Whether the shapes fit together, by docs/operations.md.
inline bool fits(const problem& p) {
  const auto index_rank = static_cast<std::int64_t>(p.index.size());
  const auto shares_batch = [&](std::int64_t most) {
    if (p.batch < 0 || p.batch > most || p.batch > p.rank()) return false;
    return std::equal(p.index.begin(), p.index.begin() + p.batch, p.input.begin());
  };
  const auto all_off_dim = [&](auto is_right) {
    if (index_rank != p.rank()) return false;
    for (std::size_t d = 0; d < p.input.size(); ++d) {
      if (d != p.axis() && !is_right(p.input[d], p.index[d])) return false;
    }
    return true;
  };
  switch (p.form) {
    case form::gather:
      return p.has_dim() && all_off_dim([](auto x, auto i) { return i <= x; });
    case form::along:
      return p.has_dim() && all_off_dim([](auto x, auto i) { return i == x || i == 1 || x == 1; });
    case form::put_along:
      return p.has_dim() && all_off_dim([](auto x, auto i) { return i == x || i == 1; });
    case form::select:
      return p.has_dim() && index_rank <= 1 && (!p.input.empty() || count(p.index) == 1);
    case form::flat:
      return true;
    case form::take:
      return p.has_dim() && shares_batch(index_rank) &&
             p.batch <= static_cast<std::int64_t>(p.axis());
    case form::nd:
      return index_rank > 0 && shares_batch(index_rank - 1) && p.index.back() <= p.rank() - p.batch;
  }
  return false;
}

/// The reference, for shapes that fit.
inline reference solve(const problem& p, const std::vector<wide>& values, meaning m) {
  const index_numbers index{p.index, values};
  const auto batch = static_cast<std::size_t>(p.batch);
  switch (p.form) {
    case form::gather:
      return gather_reference(p.input, p.axis(), index, m);
    case form::along:
    case form::put_along:
      return take_along_dim_reference(p.input, p.axis(), index, m);
    case form::select:
      return index_select_reference(p.input, p.axis(), index, m);
    case form::flat:
      return flat_reference(p.input, index, m);
    case form::take:
      return take_reference(p.input, p.axis(), batch, index, m);
    case form::nd:
      return gather_nd_reference(p.input, batch, index, m);
  }
  return {};
}

/// How many elements the result has, for shapes that fit; small enough to go on with?
inline bool is_small(const problem& p) {
  wide n = std::max<std::int64_t>(count(p.index), 1);
  return count(p.index) <= 2000 && count(p.input) <= 4000 &&
         (p.form == form::gather || p.form == form::flat ||
          n * std::max<std::int64_t>(count(p.input), 1) <= 60000);
}

/// The numbers of an index: legal ones, and a few at the edges of the axis and of the type.
inline std::vector<wide> draw_numbers(source& s, std::int64_t n, std::int64_t extent, wide lowest,
                                      wide highest, meaning m) {
  const auto clamp = [&](wide x) { return std::clamp(x, lowest, highest); };
  std::vector<wide> numbers;
  const auto seed = static_cast<std::uint64_t>(s.below(65536));
  const wide low = clamp(m.from_end ? -extent : 0);
  const wide room = clamp(std::max<wide>(wide{extent} - 1, 0)) - low + 1;
  for (std::int64_t k = 0; k < n; ++k) {
    const auto step = static_cast<std::uint64_t>(k);
    const auto number = seed == 0 ? step : test::mix(test::mix(seed) + step);
    numbers.push_back(low + static_cast<wide>(number) % room);
  }
  if (n == 0 || m.outside == outside::unchecked) return numbers;
  const wide one = 1;
  for (auto left = s.below(4); left > 0; --left) {
    const wide at = s.one_of<wide>({extent,
                                    -1,
                                    extent - 1,
                                    0,
                                    -extent,
                                    -extent - 1,
                                    extent + 1,
                                    lowest,
                                    highest,
                                    lowest + 1,
                                    highest - 1,
                                    one << 7,
                                    one << 8,
                                    one << 15,
                                    one << 16,
                                    one << 31,
                                    one << 32,
                                    (one << 32) + 1,
                                    (one << 32) + extent - 1,
                                    (one << 63) - 1,
                                    one << 63,
                                    (one << 64) - 1,
                                    (one << 64) - extent,
                                    -(one << 31),
                                    -(one << 32),
                                    -(one << 63),
                                    2 * wide{extent},
                                    255});
    numbers[static_cast<std::size_t>(s.once_in(4) ? n - 1 : s.below(65536) % n)] = clamp(at);
  }
  return numbers;
}

}  // namespace fuzz
