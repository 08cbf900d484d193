// SPDX-License-Identifier: BSD-3-Clause
// Calls of operations that read through an index, in both forms, out sometimes in the input's own
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <garner/garner.hpp>

#include "fuzz/call.hpp"

namespace fuzz {

template <class Types, class Read, class Into>
void try_reading(source& s, const operation& op, const Read& read, const Into& into) {
  using element = typename Types::element;
  const problem p = draw_problem(s, op.form);
  if (!is_small(p)) return;
  const meaning m = Types::meaning_for(op.from_end_by_default);
  const index_operand<typename Types::index> index(s, p, m);
  expectation e;
  e.must_refuse = !fits(p);
  if (!e.must_refuse) e.solved = solve(p, index.numbers, m);
  extents out_shape = e.must_refuse ? p.index : e.solved.shape;
  if (count(out_shape) > 6000) return;

  const place in = draw_place(s, p.input);
  const auto fill = test::make<element>(-5);
  const auto fill_memory = [](const memory<element>& x, std::int64_t first) {
    for (std::size_t k = 0; k < x.size; ++k) {
      x.data[k] = test::make<element>(first + static_cast<std::int64_t>(k));
    }
  };
  const auto expected = [&](const std::vector<element>& input, std::size_t k) {
    static_assert(std::is_trivially_copyable_v<element>);
    const auto from = e.solved.source[k];
    if (from == test::filled) return fill;
    const auto at = test::place_of(from, p.input);
    std::int64_t offset = in.first;
    for (std::size_t d = 0; d < at.size(); ++d) {
      if (at[d] > 0) offset += at[d] * in.strides[d];
    }
    return input[static_cast<std::size_t>(offset)];
  };

  {
    const memory<element> input(in.size);
    fill_memory(input, 0);
    const auto before = input.copy();
    attempt(op, p, e, index.numbers, [&] {
      const auto result = Types::with_options(fill, [&](const auto&... options) {
        return read(p, in.view<const element>(input.data.get()), index.view(), options...);
      });
      if (e.must_refuse || e.solved.first_bad) return;
      require(std::equal(result.shape().begin(), result.shape().end(), e.solved.shape.begin(),
                         e.solved.shape.end()),
              op.name, "gives a wrong shape");
      for (std::size_t k = 0; k < e.solved.source.size(); ++k) {
        require(same_bits(result.data()[k], expected(before, k)), op.name, "gives a wrong element");
      }
    });
    check_unchanged(op, input, before);
  }

  bend(s, out_shape);
  place out = draw_place(s, out_shape);
  const bool is_shared = s.once_in(6);
  if (is_shared) {
    const std::int64_t shift = s.below(65536) % (in.size + 1);
    out.first += shift;
    out.size += shift;
  }
  e.must_refuse = e.must_refuse || out_shape != e.solved.shape;
  if (!expect_apart(e, out, in, is_shared, Types::is_vouched)) return;
  const memory<element> input(is_shared ? std::max(in.size, out.size) : in.size);
  const memory<element> apart(is_shared ? 0 : out.size);
  const memory<element>& target = is_shared ? input : apart;
  fill_memory(input, 0);
  fill_memory(apart, 100000);
  const auto input_before = input.copy();
  auto wanted = target.copy();
  const bool is_done = attempt(op, p, e, index.numbers, [&] {
    Types::with_options(fill, [&](const auto&... options) {
      into(p, out.view(target.data.get()), in.view<const element>(input.data.get()), index.view(),
           options...);
    });
  });
  if (!is_done) {
    check_unchanged(op, input, input_before);
    return check_unchanged(op, apart, wanted);
  }
  const auto places = out.offsets();
  for (std::size_t k = 0; k < places.size(); ++k) wanted[places[k]] = expected(input_before, k);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    require(same_bits(target.data[k], wanted[k]), op.name, "wrote a wrong element, or beside out");
  }
}

template <class Types>
void read_gather(source& s) {
  try_reading<Types>(
      s, {"gather", form::gather, false},
      [](const problem& p, const auto& x, const auto& i, const auto&... o) {
        return garner::gather(x, p.dim, i, o...);
      },
      [](const problem& p, const auto& out, const auto& x, const auto& i, const auto&... o) {
        garner::gather_into(out, x, p.dim, i, o...);
      });
}
template <class Types>
void read_take_along_dim(source& s) {
  try_reading<Types>(
      s, {"take_along_dim", form::along, true},
      [](const problem& p, const auto& x, const auto& i, const auto&... o) {
        return garner::take_along_dim(x, i, p.dim, o...);
      },
      [](const problem& p, const auto& out, const auto& x, const auto& i, const auto&... o) {
        garner::take_along_dim_into(out, x, i, p.dim, o...);
      });
}
template <class Types>
void read_index_select(source& s) {
  try_reading<Types>(
      s, {"index_select", form::select, false},
      [](const problem& p, const auto& x, const auto& i, const auto&... o) {
        return garner::index_select(x, p.dim, i, o...);
      },
      [](const problem& p, const auto& out, const auto& x, const auto& i, const auto&... o) {
        garner::index_select_into(out, x, p.dim, i, o...);
      });
}
template <class Types>
void read_flat(source& s) {
  try_reading<Types>(
      s, {"take", form::flat, true},
      [](const problem&, const auto& x, const auto& i, const auto&... o) {
        return garner::take(x, i, o...);
      },
      [](const problem&, const auto& out, const auto& x, const auto& i, const auto&... o) {
        garner::take_into(out, x, i, o...);
      });
}
template <class Types>
void read_take(source& s) {
  try_reading<Types>(
      s, {"take", form::take, true},
      [](const problem& p, const auto& x, const auto& i, const auto&... o) {
        return garner::take(x, i, p.dim, garner::batch_dims(p.batch), o...);
      },
      [](const problem& p, const auto& out, const auto& x, const auto& i, const auto&... o) {
        garner::take_into(out, x, i, p.dim, o..., garner::batch_dims(p.batch));
      });
}
template <class Types>
void read_gather_nd(source& s) {
  try_reading<Types>(
      s, {"gather_nd", form::nd, true},
      [](const problem& p, const auto& x, const auto& i, const auto&... o) {
        return garner::gather_nd(x, i, garner::batch_dims(p.batch), o...);
      },
      [](const problem& p, const auto& out, const auto& x, const auto& i, const auto&... o) {
        garner::gather_nd_into(out, x, i, o..., garner::batch_dims(p.batch));
      });
}

}  // namespace fuzz
