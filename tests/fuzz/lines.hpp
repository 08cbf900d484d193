// SPDX-License-Identifier: BSD-3-Clause
// Calls that read no index: argsort and topk, which make one, masked_select and compress, which
// read a mask.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <garner/garner.hpp>

#include "fuzz/call.hpp"
#include "support/numbers.hpp"
#include "support/plain_results.hpp"

namespace fuzz {

/// Elements in memory that is just large enough, many of them equal, or few, or none.
template <class T>
memory<T> draw_elements(source& s, std::int64_t n) {
  memory<T> result(n);
  const auto seed = static_cast<std::uint64_t>(s.below(65536));
  const auto variety = s.one_of<std::uint64_t>({100000, 60, 5, 1});
  for (std::size_t k = 0; k < result.size; ++k) {
    result.data[k] = test::draw_number<T>(test::mix(seed + k) % variety);
  }
  return result;
}

/// Where a call writes: `target` is in memory of its own, or in that of what is read.
template <class T>
struct written {
  place where;
  bool is_shared;
  memory<T> input;  // what is read, and more if it is shared
  memory<T> apart;

  written(source& s, const extents& shape, const place& in)
      : where(draw_place(s, shape)),
        is_shared(s.once_in(6)),
        input(shift(s, in)),
        apart(is_shared ? 0 : where.size) {
    for (std::size_t k = 0; k < apart.size; ++k) apart.data[k] = test::draw_number<T>(k + 7777);
  }
  const memory<T>& target() const { return is_shared ? input : apart; }
  garner::view<T> view() const { return where.view(target().data.get()); }

 private:
  memory<T> shift(source& s, const place& in) {
    if (is_shared) {
      const std::int64_t far = s.below(65536) % (in.size + 1);
      where.first += far;
      where.size += far;
    }
    return draw_elements<T>(s, is_shared ? std::max(in.size, where.size) : in.size);
  }
};

/// What `out` should hold: these elements, and what it held beside them.
template <class T>
void check_written(const operation& op, const memory<T>& now, std::vector<T> before,
                   const place& out, const std::vector<T>& expected) {
  const auto places = out.offsets();
  for (std::size_t k = 0; k < places.size(); ++k) before[places[k]] = expected[k];
  for (std::size_t k = 0; k < before.size(); ++k) {
    require(same_bits(now.data[k], before[k]), op.name, "wrote a wrong element, or beside out");
  }
}

template <class T, class Tensor>
void check_returned(const operation& op, const Tensor& result, const extents& shape,
                    const std::vector<T>& expected) {
  require(std::ranges::equal(result.shape(), shape), op.name, "gives a wrong shape");
  for (std::size_t k = 0; k < expected.size(); ++k) {
    require(same_bits(result.data()[k], expected[k]), op.name, "gives a wrong element");
  }
}

/// Lines along a dim: a few that are long, or many that are not.
inline problem draw_lines(source& s) {
  problem p{form::select, draw_shape(s, 3, 400), {}};
  const std::int64_t dims = std::max<std::int64_t>(p.rank(), 1);
  p.dim = s.below(dims) - (s.once_in(3) ? dims : 0);
  if (!p.input.empty() && s.once_in(8)) {
    for (auto& extent : p.input) extent = std::min<std::int64_t>(extent, 2);
    p.input[p.axis()] = 2040 + s.below(100);  // what fits into the stack's scratch ends in here
  }
  if (s.once_in(24)) p.dim = s.one_of<std::int64_t>({dims, -dims - 1, std::int64_t{1} << 32});
  return p;
}

/// For each line the k first places in order, for lines that there are.
template <class T>
std::vector<std::int64_t> first_of_lines(const problem& p, const std::vector<T>& elements,
                                         std::int64_t k, bool descends) {
  const extents all = p.input.empty() ? extents{1} : p.input;
  extents shape = all;
  shape[p.axis()] = k;
  std::vector<std::int64_t> result(static_cast<std::size_t>(count(shape)));
  extents heads = all;
  heads[p.axis()] = 1;
  for_each_place(heads, [&](coordinates at) {
    const auto number = [&](std::int64_t i, const extents& in) {
      at[p.axis()] = i;
      return static_cast<std::size_t>(test::number_of(at, in));
    };
    std::vector<T> line;
    for (std::int64_t i = 0; i < all[p.axis()]; ++i) line.push_back(elements[number(i, all)]);
    std::vector<std::int64_t> order(line.size());
    std::iota(order.begin(), order.end(), 0);
    const auto kind = descends ? test::kind::topk : test::kind::argsort;
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      return test::comes_first(kind, line[static_cast<std::size_t>(a)],
                               line[static_cast<std::size_t>(b)]);
    });
    for (std::int64_t i = 0; i < k; ++i)
      result[number(i, shape)] = order[static_cast<std::size_t>(i)];
  });
  return result;
}

/// The elements of a place, in row-major order.
template <class T>
std::vector<T> elements_of(const place& where, const memory<T>& memory) {
  std::vector<T> result;
  for (auto at : where.offsets()) result.push_back(memory.data[at]);
  return result;
}

template <class T, aliases Aliases, class... Direction>
void try_argsort(source& s, const Direction&... direction) {
  const operation op{"argsort", form::select, false};
  constexpr bool is_vouched = Aliases == aliases::vouched;
  constexpr bool descends = sizeof...(Direction) > 0;
  const problem p = draw_lines(s);
  const place in = draw_place(s, p.input);
  const auto input = draw_elements<T>(s, in.size);
  const auto before = input.copy();
  expectation e;
  e.must_refuse = !p.has_dim();
  std::vector<std::int64_t> expected;
  if (!e.must_refuse) {
    const std::int64_t extent = p.input.empty() ? 1 : p.input[p.axis()];
    expected = first_of_lines(p, elements_of(in, input), extent, descends);
  }
  const auto x = in.view<const T>(input.data.get());
  attempt(op, p, e, {}, [&] {
    const auto result = garner::argsort(x, p.dim, direction...);
    if (!e.must_refuse) check_returned(op, result, p.input, expected);
  });

  extents out_shape = p.input;
  bend(s, out_shape);
  e.must_refuse = e.must_refuse || out_shape != p.input;
  const place out = draw_place(s, out_shape);
  if (!expect_apart(e, out, in, false, is_vouched)) return;
  const memory<std::int64_t> target(out.size);
  std::fill_n(target.data.get(), target.size, -99);
  const auto target_before = target.copy();
  const bool is_done = attempt(op, p, e, {}, [&] {
    const auto to = out.view(target.data.get());
    if constexpr (is_vouched) garner::argsort_into(to, x, p.dim, direction..., garner::noalias);
    if constexpr (!is_vouched) garner::argsort_into(to, x, p.dim, direction...);
  });
  check_unchanged(op, input, before);
  if (!is_done) return check_unchanged(op, target, target_before);
  check_written(op, target, target_before, out, expected);
}

template <class T, aliases Aliases, class... Direction>
void try_topk(source& s, const Direction&... direction) {
  const operation op{"topk", form::select, false};
  constexpr bool is_vouched = Aliases == aliases::vouched;
  constexpr bool descends = sizeof...(Direction) == 0;
  const problem p = draw_lines(s);
  const std::int64_t extent = p.input.empty() || !p.has_dim() ? 1 : p.input[p.axis()];
  std::int64_t k = s.below(std::min<std::int64_t>(extent, 60) + 1);
  if (s.once_in(8)) k = extent - s.below(extent + 1);
  if (s.once_in(24)) {
    k = s.one_of<std::int64_t>(
        {extent + 1, -1, std::int64_t{1} << 32, std::numeric_limits<std::int64_t>::min()});
  }
  expectation e;
  e.must_refuse = !p.has_dim() || k < 0 || k > extent || (p.input.empty() && k != 1);
  extents shape = p.input;
  if (!e.must_refuse && !shape.empty()) shape[p.axis()] = k;

  const place in = draw_place(s, p.input);
  extents values_shape = shape;
  extents indices_shape = shape;
  bend(s, values_shape);
  bend(s, indices_shape);
  const written<T> values(s, values_shape, in);
  const place indices = draw_place(s, indices_shape);
  const memory<std::int64_t> places(indices.size);
  std::fill_n(places.data.get(), places.size, -99);

  std::vector<std::int64_t> expected;
  std::vector<T> expected_values;
  if (!e.must_refuse) {
    const auto elements = elements_of(in, values.input);
    expected = first_of_lines(p, elements, k, descends);
    for (std::size_t n = 0; n < expected.size(); ++n) {
      auto at = test::place_of(static_cast<std::int64_t>(n), shape);
      if (!at.empty()) at[p.axis()] = expected[n];
      expected_values.push_back(elements[static_cast<std::size_t>(test::number_of(at, p.input))]);
    }
  }
  const auto x = in.view<const T>(values.input.data.get());
  attempt(op, p, e, {}, [&] {
    const auto result = garner::topk(x, k, p.dim, direction...);
    if (e.must_refuse) return;
    check_returned(op, result.values, shape, expected_values);
    check_returned(op, result.indices, shape, expected);
  });

  e.must_refuse = e.must_refuse || values_shape != shape || indices_shape != shape;
  if (!expect_apart(e, values.where, in, values.is_shared, is_vouched)) return;
  if (!expect_apart(e, indices, in, false, is_vouched)) return;
  const auto input_before = values.input.copy();
  const auto before = values.target().copy();
  const auto places_before = places.copy();
  const bool is_done = attempt(op, p, e, {}, [&] {
    const auto to = indices.view(places.data.get());
    if constexpr (is_vouched) {
      garner::topk_into(values.view(), to, x, k, p.dim, direction..., garner::noalias);
    } else {
      garner::topk_into(values.view(), to, x, k, p.dim, direction...);
    }
  });
  if (!is_done) {
    check_unchanged(op, values.input, input_before);
    check_unchanged(op, values.target(), before);
    return check_unchanged(op, places, places_before);
  }
  check_written(op, values.target(), before, values.where, expected_values);
  check_written(op, places, places_before, indices, expected);
}

/// A mask of this shape in memory of its own: as often true as not, or seldom, or always.
template <class Mask>
struct mask_operand {
  place where;
  memory<Mask> elements;
  std::vector<bool> is_true;  // in row-major order

  mask_operand(source& s, const extents& shape)
      : where(draw_place(s, shape)), elements(where.size) {
    const auto seed = static_cast<std::uint64_t>(s.below(65536));
    const auto period = s.one_of<std::uint64_t>({2, 1, 17, 3});
    const auto rest = s.below(2);  // whether it is true once in so often, or false
    for (std::size_t k = 0; k < elements.size; ++k) {
      const auto bits = test::mix(seed + k);
      const bool holds = (bits % period == 0) == (rest == 0);
      elements.data[k] = static_cast<Mask>(holds ? 1 + (bits >> 8) % 255 : 0);
    }
    for (auto at : where.offsets()) is_true.push_back(elements.data[at] != Mask{});
  }
  garner::view<const Mask> view() const { return where.view<const Mask>(elements.data.get()); }
};

/// A call with a mask: make() and into(options...), of which the result is `kept` of the input, in
/// this shape.
template <class T, aliases Aliases, class Make, class Into>
void try_masked(const operation& op, const problem& p, expectation e, const place& in,
                const written<T>& out, const extents& shape, const std::vector<std::size_t>& kept,
                const Make& make, const Into& into) {
  constexpr bool is_vouched = Aliases == aliases::vouched;
  std::vector<T> expected;
  for (auto at : kept) expected.push_back(out.input.data[at]);
  std::vector<wide> numbers(static_cast<std::size_t>(count(p.index)));
  std::iota(numbers.begin(), numbers.end(), wide{0});  // what an error says of a mask too long
  const auto input_before = out.input.copy();
  const auto before = out.target().copy();
  attempt(op, p, e, numbers, [&] {
    const auto result = make();
    if (!e.must_refuse && !e.solved.first_bad) check_returned(op, result, shape, expected);
  });
  e.must_refuse = e.must_refuse || out.where.shape != shape;
  if (!expect_apart(e, out.where, in, out.is_shared, is_vouched)) return;
  const bool is_done = attempt(op, p, e, numbers, [&] {
    if constexpr (is_vouched) into(garner::noalias);
    if constexpr (!is_vouched) into();
  });
  if (!is_done) {
    check_unchanged(op, out.input, input_before);
    return check_unchanged(op, out.target(), before);
  }
  check_written(op, out.target(), before, out.where, expected);
}

template <class T, class Mask, aliases Aliases>
void try_masked_select(source& s) {
  const operation op{"masked_select", form::flat, false};
  const extents whole = draw_shape(s, 4, 600);
  const auto draw_part = [&] {
    extents result = whole;
    for (auto& extent : result) {
      if (s.once_in(5)) extent = 1;
    }
    if (s.once_in(4)) {
      result.erase(result.begin(),
                   result.begin() + s.below(static_cast<std::int64_t>(result.size()) + 1));
    }
    bend(s, result);
    return result;
  };
  problem p{form::flat, draw_part(), {}};
  p.index = draw_part();
  const auto last = [](const extents& x, std::size_t d) {  // the extent of dim d from the end
    return d < x.size() ? x[x.size() - 1 - d] : 1;
  };
  expectation e;
  extents shape(std::max(p.input.size(), p.index.size()));
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto a = last(p.input, d);
    const auto b = last(p.index, d);
    e.must_refuse = e.must_refuse || (a != b && a != 1 && b != 1);
    shape[shape.size() - 1 - d] = a == 1 ? b : a;
  }
  if (count(shape) > 6000) return;
  const place in = draw_place(s, p.input);
  const mask_operand<Mask> mask(s, p.index);
  std::vector<std::size_t> kept;
  if (!e.must_refuse) {
    const auto places = in.offsets();
    for_each_place(shape, [&](const coordinates& at) {
      const auto number = [&](const extents& part) {
        coordinates own(at.end() - static_cast<std::ptrdiff_t>(part.size()), at.end());
        for (std::size_t d = 0; d < own.size(); ++d) {
          if (part[d] == 1) own[d] = 0;
        }
        return static_cast<std::size_t>(test::number_of(own, part));
      };
      if (mask.is_true[number(p.index)]) kept.push_back(places[number(p.input)]);
    });
  }
  const extents list{static_cast<std::int64_t>(kept.size())};
  extents out_shape = list;
  bend(s, out_shape);
  const written<T> out(s, out_shape, in);
  const auto x = in.view<const T>(out.input.data.get());
  try_masked<T, Aliases>(
      op, p, e, in, out, list, kept, [&] { return garner::masked_select(x, mask.view()); },
      [&](const auto&... o) { garner::masked_select_into(out.view(), x, mask.view(), o...); });
}

/// Along a dim, or of all elements.
template <class T, class Mask, aliases Aliases, form Form>
void try_compress(source& s) {
  constexpr bool is_flat = Form == form::flat;
  const operation op{"compress", Form, false};
  problem p{Form, draw_shape(s, 4, 600), {}};
  const std::int64_t dims = std::max<std::int64_t>(p.rank(), 1);
  p.dim = s.below(dims) - (s.once_in(3) ? dims : 0);
  if (s.once_in(24)) p.dim = s.one_of<std::int64_t>({dims, -dims - 1, std::int64_t{1} << 32});
  const std::int64_t extent = p.extent();
  p.index = {extent};
  if (s.once_in(3)) {
    p.index[0] = std::max<std::int64_t>(
        extent + s.one_of<std::int64_t>({-1, 1, -3, 20, -extent, extent}), 0);
  }
  bend(s, p.index);
  const place in = draw_place(s, p.input);
  const mask_operand<Mask> mask(s, p.index);
  expectation e;
  e.must_refuse = p.index.size() != 1 || (!is_flat && !p.has_dim());
  extents shape = is_flat || p.input.empty() ? extents{0} : p.input;
  std::vector<std::size_t> kept;
  if (!e.must_refuse) {
    const auto n = static_cast<std::int64_t>(mask.is_true.size());
    e.solved.extent = extent;
    std::int64_t many = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      if (!mask.is_true[static_cast<std::size_t>(i)]) continue;
      if (i < extent) ++many;
      if (i >= extent && !e.solved.first_bad) e.solved.first_bad = static_cast<std::size_t>(i);
    }
    shape[is_flat ? 0 : p.axis()] = many;
    const auto places = in.offsets();
    for (std::size_t k = 0; k < places.size(); ++k) {
      const auto at = test::place_of(static_cast<std::int64_t>(k), p.input);
      const auto m = is_flat ? k : static_cast<std::size_t>(at.empty() ? 0 : at[p.axis()]);
      if (m < mask.is_true.size() && mask.is_true[m]) kept.push_back(places[k]);
    }
  }
  extents out_shape = shape;
  bend(s, out_shape);
  const written<T> out(s, out_shape, in);
  const auto x = in.view<const T>(out.input.data.get());
  if constexpr (is_flat) {
    try_masked<T, Aliases>(
        op, p, e, in, out, shape, kept, [&] { return garner::compress(mask.view(), x); },
        [&](const auto&... o) { garner::compress_into(out.view(), mask.view(), x, o...); });
  } else {
    try_masked<T, Aliases>(
        op, p, e, in, out, shape, kept, [&] { return garner::compress(mask.view(), x, p.dim); },
        [&](const auto&... o) { garner::compress_into(out.view(), mask.view(), x, p.dim, o...); });
  }
}

}  // namespace fuzz
