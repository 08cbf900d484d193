// SPDX-License-Identifier: BSD-3-Clause
// Calls of operations that write through an index, in both forms, src sometimes in self's own
// memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <garner/garner.hpp>

#include "fuzz/call.hpp"
#include "support/numbers.hpp"

namespace fuzz {

using garner::reduce;

/// Which shapes of src go with what is indexed.
enum class src_rule { exact, larger, broadcast };

inline extents draw_src_shape(source& s, extents shape, src_rule rule) {
  for (auto& extent : shape) {
    if (rule == src_rule::larger && s.once_in(4)) extent += s.below(3);
    if (rule == src_rule::broadcast && s.once_in(4)) extent = 1;
  }
  if (rule == src_rule::broadcast && s.once_in(4)) {
    shape.erase(shape.begin(),
                shape.begin() + s.below(static_cast<std::int64_t>(shape.size()) + 1));
  }
  bend(s, shape);
  return shape;
}

inline bool src_fits(const extents& src, const extents& shape, src_rule rule) {
  if (rule == src_rule::exact) return src == shape;
  if (rule == src_rule::larger) {
    return src.size() == shape.size() &&
           std::equal(src.begin(), src.end(), shape.begin(), [](auto a, auto b) { return a >= b; });
  }
  return src.size() <= shape.size() && std::equal(src.rbegin(), src.rend(), shape.rbegin(),
                                                  [](auto a, auto b) { return a == b || a == 1; });
}

/// Into(p, includes_self, self, index, src, options...)
template <class Types, reduce Kind, class Copy, class Into>
void try_writing(source& s, const operation& op, src_rule rule, bool takes_include_self,
                 const Copy& copy, const Into& into) {
  using element = typename Types::element;
  const problem p = draw_problem(s, op.form);
  if (!is_small(p)) return;
  const meaning m = Types::meaning_for(op.from_end_by_default);
  const index_operand<typename Types::index> index(s, p, m);
  expectation e;
  e.must_refuse = !fits(p);
  if (!e.must_refuse) e.solved = solve(p, index.numbers, m);
  if (count(e.solved.shape) > 6000) return;
  const auto src_shape = draw_src_shape(s, e.must_refuse ? p.index : e.solved.shape, rule);
  e.must_refuse = e.must_refuse || !src_fits(src_shape, e.solved.shape, rule);
  const bool includes_self = !takes_include_self || !s.once_in(2);

  const place table = draw_place(s, p.input);
  place from = draw_place(s, src_shape);
  const bool is_shared = s.once_in(6);
  if (is_shared) {
    const std::int64_t shift = s.below(65536) % (table.size + 1);
    from.first += shift;
    from.size += shift;
  }
  const memory<element> self(is_shared ? std::max(table.size, from.size) : table.size);
  const memory<element> apart(is_shared ? 0 : from.size);
  const memory<element>& src = is_shared ? self : apart;
  for (std::size_t k = 0; k < self.size; ++k) self.data[k] = test::draw_number<element>(k);
  for (std::size_t k = 0; k < apart.size; ++k) {
    apart.data[k] = test::draw_number<element>(100000 + k);
  }
  const auto before = self.copy();
  const auto src_before = apart.copy();

  auto wanted = before;
  const auto table_places = table.offsets();
  if (!e.must_refuse) {
    std::map<std::size_t, std::vector<element>> arrived;
    for (std::size_t k = 0; k < e.solved.source.size(); ++k) {
      if (e.solved.source[k] == test::filled) continue;
      const auto at = test::place_of(static_cast<std::int64_t>(k), e.solved.shape);
      const std::size_t missing = at.size() - from.shape.size();
      std::int64_t offset = from.first;
      for (std::size_t d = 0; d < from.shape.size(); ++d) {
        if (from.shape[d] > 1) offset += at[d + missing] * from.strides[d];
      }
      arrived[table_places[static_cast<std::size_t>(e.solved.source[k])]].push_back(
          src.data[static_cast<std::size_t>(offset)]);
    }
    for (const auto& [at, list] : arrived) {
      wanted[at] = test::reduced<Kind>(list, includes_self ? &before[at] : nullptr);
    }
  }
  const auto src_view = from.view<const element>(src.data.get());
  const bool is_repeated = overlaps_itself(table);

  attempt(op, p, e, index.numbers, [&] {
    const auto result = Types::with_options(element{}, [&](const auto&... options) {
      return copy(p, includes_self, table.view<const element>(self.data.get()), index.view(),
                  src_view, options...);
    });
    // A repeated self is unfolded by the copy.
    if (e.must_refuse || e.solved.first_bad || is_repeated) return;
    for (std::size_t k = 0; k < table_places.size(); ++k) {
      require(test::is_same_number(result.data()[k], wanted[table_places[k]]), op.name,
              "gives a wrong element");
    }
  });
  check_unchanged(op, self, before);

  if (!expect_apart(e, table, from, is_shared, Types::is_vouched)) return;
  const bool is_done = attempt(op, p, e, index.numbers, [&] {
    Types::with_options(element{}, [&](const auto&... options) {
      into(p, includes_self, table.view(self.data.get()), index.view(), src_view, options...);
    });
  });
  check_unchanged(op, apart, src_before);
  if (!is_done) return check_unchanged(op, self, before);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    require(test::is_same_number(self.data[k], wanted[k]), op.name,
            "wrote a wrong element, or beside self");
  }
}

template <class Types>
void write_scatter(source& s) {
  try_writing<Types, reduce::none>(
      s, {"scatter", form::gather, false}, src_rule::larger, false,
      [](const problem& p, bool, const auto& x, const auto& i, const auto& v, const auto&... o) {
        return garner::scatter(x, p.dim, i, v, o...);
      },
      [](const problem& p, bool, const auto& x, const auto& i, const auto& v, const auto&... o) {
        garner::scatter_into(x, p.dim, i, v, o...);
      });
}
template <class Types>
void write_scatter_add(source& s) {
  try_writing<Types, reduce::sum>(
      s, {"scatter_add", form::gather, false}, src_rule::larger, false,
      [](const problem& p, bool, const auto& x, const auto& i, const auto& v, const auto&... o) {
        return garner::scatter_add(x, p.dim, i, v, o...);
      },
      [](const problem& p, bool, const auto& x, const auto& i, const auto& v, const auto&... o) {
        garner::scatter_add_into(x, p.dim, i, v, o...);
      });
}
template <class Types, reduce Kind>
void write_scatter_reduce(source& s) {
  try_writing<Types, Kind>(
      s, {"scatter_reduce", form::gather, false}, src_rule::larger, true,
      [](const problem& p, bool self, const auto& x, const auto& i, const auto& v,
         const auto&... o) {
        return garner::scatter_reduce<Kind>(x, p.dim, i, v, garner::include_self(self), o...);
      },
      [](const problem& p, bool self, const auto& x, const auto& i, const auto& v,
         const auto&... o) {
        garner::scatter_reduce_into<Kind>(x, p.dim, i, v, o..., garner::include_self(self));
      });
}
template <class Types>
void write_index_add(source& s) {
  try_writing<Types, reduce::sum>(
      s, {"index_add", form::select, false}, src_rule::exact, false,
      [](const problem& p, bool, const auto& x, const auto& i, const auto& v, const auto&... o) {
        return garner::index_add(x, p.dim, i, v, o...);
      },
      [](const problem& p, bool, const auto& x, const auto& i, const auto& v, const auto&... o) {
        garner::index_add_into(x, p.dim, i, v, o...);
      });
}
template <class Types>
void write_index_copy(source& s) {
  try_writing<Types, reduce::none>(
      s, {"index_copy", form::select, false}, src_rule::exact, false,
      [](const problem& p, bool, const auto& x, const auto& i, const auto& v, const auto&... o) {
        return garner::index_copy(x, p.dim, i, v, o...);
      },
      [](const problem& p, bool, const auto& x, const auto& i, const auto& v, const auto&... o) {
        garner::index_copy_into(x, p.dim, i, v, o...);
      });
}
template <class Types>
void write_index_fill(source& s) {
  try_writing<Types, reduce::none>(
      s, {"index_fill", form::select, true}, src_rule::broadcast, false,
      [](const problem& p, bool, const auto& x, const auto& i, const auto& v, const auto&... o) {
        return garner::index_fill(x, p.dim, i, v, o...);
      },
      [](const problem& p, bool, const auto& x, const auto& i, const auto& v, const auto&... o) {
        garner::index_fill_into(x, p.dim, i, v, o...);
      });
}
template <class Types>
void write_put(source& s) {
  try_writing<Types, reduce::none>(
      s, {"put", form::flat, true}, src_rule::broadcast, false,
      [](const problem&, bool, const auto& x, const auto& i, const auto& v, const auto&... o) {
        return garner::put(x, i, v, o...);
      },
      [](const problem&, bool, const auto& x, const auto& i, const auto& v, const auto&... o) {
        garner::put_into(x, i, v, o...);
      });
}
template <class Types>
void write_accumulate(source& s) {
  try_writing<Types, reduce::sum>(
      s, {"put", form::flat, true}, src_rule::broadcast, false,
      [](const problem&, bool, const auto& x, const auto& i, const auto& v, const auto&... o) {
        return garner::put(x, i, v, garner::accumulate, o...);
      },
      [](const problem&, bool, const auto& x, const auto& i, const auto& v, const auto&... o) {
        garner::put_into(x, i, v, o..., garner::accumulate);
      });
}
template <class Types>
void write_put_along_dim(source& s) {
  try_writing<Types, reduce::none>(
      s, {"put_along_dim", form::put_along, true}, src_rule::broadcast, false,
      [](const problem& p, bool, const auto& x, const auto& i, const auto& v, const auto&... o) {
        return garner::put_along_dim(x, i, v, p.dim, o...);
      },
      [](const problem& p, bool, const auto& x, const auto& i, const auto& v, const auto&... o) {
        garner::put_along_dim_into(x, i, v, p.dim, o...);
      });
}
template <class Types, reduce Kind>
void write_scatter_nd(source& s) {
  try_writing<Types, Kind>(
      s, {"scatter_nd", form::nd, true}, src_rule::exact, false,
      [](const problem& p, bool, const auto& x, const auto& i, const auto& v, const auto&... o) {
        return garner::scatter_nd<Kind>(x, i, v, garner::batch_dims(p.batch), o...);
      },
      [](const problem& p, bool, const auto& x, const auto& i, const auto& v, const auto&... o) {
        garner::scatter_nd_into<Kind>(x, i, v, o..., garner::batch_dims(p.batch));
      });
}

}  // namespace fuzz
