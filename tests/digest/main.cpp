// SPDX-License-Identifier: BSD-3-Clause
// The same bits everywhere: random calls of each operation, drawn from fixed seeds, folded into one
// number per operation and compared with what every other build must get. Nothing here depends on
// the machine or the standard library. GARNER_EXPECT_ARCH, if set, is the architecture that the
// build is meant for, as xsimd calls it, or "scalar".
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <garner/garner.hpp>

namespace {

using garner::bag_mode;
using garner::bfloat16;
using garner::dims;
using garner::half;
using garner::index_t;
using garner::reduce;
using shape_list = std::vector<index_t>;

/// splitmix64
class generator {
 public:
  explicit generator(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  index_t below(index_t n) { return static_cast<index_t>(bits() % static_cast<std::uint64_t>(n)); }
  bool once_in(index_t n) { return below(n) == 0; }
  index_t extent() {
    constexpr index_t around[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33};
    return around[below(12)];
  }
  shape_list shape(index_t rank) {
    shape_list result;
    index_t room = 3000;
    for (index_t d = 0; d < rank; ++d) {
      result.push_back(std::min(extent(), room));
      room /= result.back();
    }
    return result;
  }

 private:
  std::uint64_t state_;
};

struct point {  // 12 bytes
  std::uint32_t x, y, z;
};

template <class T>
inline constexpr bool is_float =
    std::is_floating_point_v<T> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;

/// Any integer; a number with a fraction or, now and then, NaN, an infinity or a zero.
template <class T>
T draw_number(generator& r) {
  const std::uint64_t bits = r.bits();
  if constexpr (std::is_same_v<T, point>) {
    return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32), 7};
  } else if constexpr (is_float<T>) {
    using limits = std::numeric_limits<float>;
    constexpr float special[] = {limits::quiet_NaN(), limits::infinity(), -0.0f, 0.0f};
    if (bits % 61 < 4) return static_cast<T>(special[bits % 61]);
    const auto number = static_cast<int>(bits >> 40 & 0xfffff) - 0x80000;
    return static_cast<T>(static_cast<float>(number) / 4096);
  } else {
    return static_cast<T>(bits);
  }
}

/// Sums up all that it is given, in order.
class digest {
 public:
  void add(std::uint64_t value) {
    state_ = (state_ ^ value) * 0x9e3779b97f4a7c15u;
    state_ ^= state_ >> 29;
  }

  /// The element's bits, whatever the byte order.
  template <class T>
  void add_bits(const T& element) {
    if constexpr (std::is_same_v<T, point>) {
      for (auto part : {element.x, element.y, element.z}) add(part);
    } else if constexpr (sizeof(T) == 8) {
      add_as<std::uint64_t>(element);
    } else if constexpr (sizeof(T) == 4) {
      add_as<std::uint32_t>(element);
    } else if constexpr (sizeof(T) == 2) {
      add_as<std::uint16_t>(element);
    } else {
      add_as<std::uint8_t>(element);
    }
  }
  /// The same for a computed element: machines differ in which NaN they compute.
  template <class T>
  void add_number(const T& element) {
    if constexpr (is_float<T>) {
      if (element != element) return add(0x7ff8);
    }
    add_bits(element);
  }

  template <class T>
  void add_moved(const std::vector<T>& elements) {
    for (const T& element : elements) add_bits(element);
  }
  template <class T>
  void add_computed(const std::vector<T>& elements) {
    for (const T& element : elements) add_number(element);
  }
  template <class T, int Rank>
  void add_moved(const garner::tensor<T, Rank>& x) {
    for (index_t extent : x.shape()) add(static_cast<std::uint64_t>(extent));
    for (index_t k = 0; k < x.size(); ++k) add_bits(x.data()[k]);
  }
  template <class T, int Rank>
  void add_computed(const garner::tensor<T, Rank>& x) {
    for (index_t extent : x.shape()) add(static_cast<std::uint64_t>(extent));
    for (index_t k = 0; k < x.size(); ++k) add_number(x.data()[k]);
  }

  std::uint64_t value() const { return state_; }

 private:
  template <class Bits, class T>
  void add_as(const T& element) {
    Bits bits;
    static_assert(sizeof(bits) == sizeof(element));
    std::memcpy(&bits, &element, sizeof(bits));
    add(bits);
  }

  std::uint64_t state_ = 1;
};

/// Where elements lie: row-major or, half of the time, dims in any order, some of them padded,
/// stepped over or reversed.
struct placement {
  shape_list shape;
  shape_list strides;
  index_t first = 0;
  index_t size = 1;  // of the memory

  placement(generator& r, shape_list extents) : shape(std::move(extents)), strides(shape.size()) {
    const bool is_odd = r.once_in(2);
    std::vector<std::size_t> order;  // innermost first
    for (std::size_t d = shape.size(); d-- > 0;) order.push_back(d);
    for (std::size_t d = order.size(); is_odd && d > 1; --d) {
      std::swap(order[d - 1], order[static_cast<std::size_t>(r.below(static_cast<index_t>(d)))]);
    }
    for (const std::size_t d : order) {
      strides[d] = is_odd && r.once_in(4) ? 2 * size : size;
      size = strides[d] * shape[d] + (is_odd && r.once_in(4) ? 3 : 0);
      if (is_odd && r.once_in(4) && shape[d] > 0) {
        first += (shape[d] - 1) * strides[d];
        strides[d] = -strides[d];
      }
    }
  }
};

template <class T>
struct operand {
  placement where;
  std::vector<T> memory;

  template <class Draw>
  operand(generator& r, shape_list shape, const Draw& draw) : where(r, std::move(shape)) {
    for (index_t k = 0; k < where.size; ++k) memory.push_back(draw(r));
  }
  operand(generator& r, shape_list shape) : operand(r, std::move(shape), draw_number<T>) {}

  garner::view<T> view() {
    return garner::make_view(memory, dims<>(where.shape), dims<>(where.strides), where.first);
  }
  garner::view<const T> read() const {
    return garner::make_view(memory, dims<>(where.shape), dims<>(where.strides), where.first);
  }
};

/// Which indices to draw: legal ones, those that count from the end too, or any.
enum class drawn { legal, from_end, any };

template <class Index>
operand<Index> draw_index(generator& r, shape_list shape, index_t extent, drawn which) {
  return operand<Index>(r, std::move(shape), [&](generator& each) {
    const index_t highest = static_cast<index_t>(std::min<std::uint64_t>(
        static_cast<std::uint64_t>(extent), std::numeric_limits<Index>::max()));
    if (which == drawn::any && each.once_in(3)) return static_cast<Index>(each.bits());
    const index_t i = each.below(highest);
    const bool is_negative = which == drawn::from_end && each.once_in(2);
    return static_cast<Index>(is_negative ? i - highest : i);
  });
}

/// The types and options of one call.
template <class Element, class Index, drawn Drawn, class... Options>
struct variant {
  using element = Element;
  using index = Index;
  static constexpr drawn which = Drawn;

  template <class Call>
  static auto with(const Call& call) {
    return call(Options(options<Options>())...);
  }

 private:
  template <class Option>
  static Option options() {
    if constexpr (garner::detail::is_fill<Option>) {
      return Option(Element{});
    } else {
      return Option{};
    }
  }
};
using quick = variant<float, std::int64_t, drawn::legal>;
using ending = variant<std::uint8_t, std::int32_t, drawn::from_end, garner::from_end_t>;
using wrapped = variant<std::uint16_t, std::int8_t, drawn::any, garner::wrap_t>;
using clipped = variant<std::int64_t, std::uint32_t, drawn::any, garner::clip_t>;
using halves = variant<half, std::int64_t, drawn::legal>;
using doubles = variant<double, std::int64_t, drawn::legal>;
using filled = variant<point, std::int64_t, drawn::any, garner::fill<point>>;

/// The shapes of a call along a dim.
struct along {
  shape_list input;
  index_t dim;

  explicit along(generator& r, index_t least_rank = 1)
      : input(r.shape(least_rank + r.below(3))), dim(r.below(static_cast<index_t>(input.size()))) {}
  index_t extent() const { return input[static_cast<std::size_t>(dim)]; }
  shape_list with_extent(index_t n) const {
    auto shape = input;
    shape[static_cast<std::size_t>(dim)] = n;
    return shape;
  }
};

/// An operation that reads: both forms.
template <class Variant, class Read, class Into>
void read_both(generator& r, digest& d, const operand<typename Variant::element>& input,
               const operand<typename Variant::index>& index, const Read& read, const Into& into) {
  Variant::with([&](const auto&... options) {
    const auto result = read(input.read(), index.read(), options...);
    d.add_moved(result);
    operand<typename Variant::element> out(
        r, shape_list(result.shape().begin(), result.shape().end()));
    into(out.view(), input.read(), index.read(), options...);
    d.add_moved(out.memory);
  });
}

template <class Variant>
struct reading {
  using element = typename Variant::element;
  static auto indices(generator& r, shape_list shape, index_t extent) {
    return draw_index<typename Variant::index>(r, std::move(shape), extent, Variant::which);
  }

  static void gather(generator& r, digest& d) {
    const along a(r);
    auto shape = a.with_extent(r.extent());
    for (std::size_t k = 0; k < shape.size(); ++k) {
      if (k != static_cast<std::size_t>(a.dim) && r.once_in(4)) shape[k] = 1 + r.below(shape[k]);
    }
    const operand<element> input(r, a.input);
    const auto index = indices(r, shape, a.extent());
    read_both<Variant>(
        r, d, input, index,
        [&](const auto& x, const auto& i, const auto&... o) {
          return garner::gather(x, a.dim, i, o...);
        },
        [&](const auto& out, const auto& x, const auto& i, const auto&... o) {
          garner::gather_into(out, x, a.dim, i, o...);
        });
  }
  static void take_along_dim(generator& r, digest& d) {
    const along a(r);
    auto shape = a.with_extent(r.extent());
    for (std::size_t k = 0; k < shape.size(); ++k) {
      if (k != static_cast<std::size_t>(a.dim) && r.once_in(3)) shape[k] = 1;
    }
    const operand<element> input(r, a.input);
    const auto index = indices(r, shape, a.extent());
    read_both<Variant>(
        r, d, input, index,
        [&](const auto& x, const auto& i, const auto&... o) {
          return garner::take_along_dim(x, i, a.dim, o...);
        },
        [&](const auto& out, const auto& x, const auto& i, const auto&... o) {
          garner::take_along_dim_into(out, x, i, a.dim, o...);
        });
  }
  static void index_select(generator& r, digest& d) {
    const along a(r);
    const operand<element> input(r, a.input);
    const auto index = indices(r, {r.extent()}, a.extent());
    read_both<Variant>(
        r, d, input, index,
        [&](const auto& x, const auto& i, const auto&... o) {
          return garner::index_select(x, a.dim, i, o...);
        },
        [&](const auto& out, const auto& x, const auto& i, const auto&... o) {
          garner::index_select_into(out, x, a.dim, i, o...);
        });
  }
  static void take_flat(generator& r, digest& d) {
    const operand<element> input(r, r.shape(r.below(4)));
    const auto index = indices(r, r.shape(r.below(3)), input.read().size());
    read_both<Variant>(
        r, d, input, index,
        [&](const auto& x, const auto& i, const auto&... o) { return garner::take(x, i, o...); },
        [&](const auto& out, const auto& x, const auto& i, const auto&... o) {
          garner::take_into(out, x, i, o...);
        });
  }
  static void take(generator& r, digest& d) {
    const along a(r);
    const operand<element> input(r, a.input);
    const auto index = indices(r, r.shape(r.below(3)), a.extent());
    read_both<Variant>(
        r, d, input, index,
        [&](const auto& x, const auto& i, const auto&... o) {
          return garner::take(x, i, a.dim, o...);
        },
        [&](const auto& out, const auto& x, const auto& i, const auto&... o) {
          garner::take_into(out, x, i, a.dim, o...);
        });
  }
  static void take_batch(generator& r, digest& d) {
    const along a(r);
    const garner::batch_dims batch(r.below(a.dim + 1));
    shape_list shape(a.input.begin(), a.input.begin() + batch.count);
    shape.push_back(r.extent());
    const operand<element> input(r, a.input);
    const auto index = indices(r, shape, a.extent());
    read_both<Variant>(
        r, d, input, index,
        [&](const auto& x, const auto& i, const auto&... o) {
          return garner::take(x, i, a.dim, batch, o...);
        },
        [&](const auto& out, const auto& x, const auto& i, const auto&... o) {
          garner::take_into(out, x, i, a.dim, batch, o...);
        });
  }
  static void gather_nd(generator& r, digest& d) {
    const auto shape = r.shape(1 + r.below(3));
    const index_t count = 1 + r.below(static_cast<index_t>(shape.size()));
    auto index_shape = r.shape(r.below(3));
    index_shape.push_back(count);
    const index_t least = *std::min_element(shape.begin(), shape.begin() + count);
    const operand<element> input(r, shape);
    const auto index = indices(r, index_shape, least);
    read_both<Variant>(
        r, d, input, index,
        [&](const auto& x, const auto& i, const auto&... o) {
          return garner::gather_nd(x, i, o...);
        },
        [&](const auto& out, const auto& x, const auto& i, const auto&... o) {
          garner::gather_nd_into(out, x, i, o...);
        });
  }
  static void embedding(generator& r, digest& d) {
    const operand<element> weight(r, r.shape(2));
    const auto index = indices(r, r.shape(r.below(3)), weight.where.shape[0]);
    read_both<Variant>(
        r, d, weight, index,
        [&](const auto& x, const auto& i, const auto&... o) {
          return garner::embedding(x, i, o...);
        },
        [&](const auto& out, const auto& x, const auto& i, const auto&... o) {
          garner::embedding_into(out, x, i, o...);
        });
  }
};

/// An operation that writes: both forms.
template <class Variant, class Into, class Copy>
void write_both(digest& d, operand<typename Variant::element>& self,
                const operand<typename Variant::index>& index, const Into& into, const Copy& copy) {
  Variant::with([&](const auto&... options) {
    d.add_computed(copy(self.read(), index.read(), options...));
    into(self.view(), index.read(), options...);
    d.add_computed(self.memory);
  });
}

template <class Variant, reduce Kind = reduce::none>
struct writing {
  using element = typename Variant::element;
  static auto indices(generator& r, shape_list shape, index_t extent) {
    return draw_index<typename Variant::index>(r, std::move(shape), extent, Variant::which);
  }

  static void scatter(generator& r, digest& d) {
    const along a(r);
    const auto shape = a.with_extent(r.extent());
    operand<element> self(r, a.input);
    const operand<element> src(r, shape);
    const auto where = indices(r, shape, a.extent());
    const garner::include_self includes(r.once_in(2));
    write_both<Variant>(
        d, self, where,
        [&](const auto& x, const auto& i, const auto&... o) {
          if constexpr (Kind == reduce::none) {
            garner::scatter_into(x, a.dim, i, src.read(), o...);
          } else {
            garner::scatter_reduce_into<Kind>(x, a.dim, i, src.read(), includes, o...);
          }
        },
        [&](const auto& x, const auto& i, const auto&... o) {
          if constexpr (Kind == reduce::none) {
            return garner::scatter(x, a.dim, i, src.read(), o...);
          } else {
            return garner::scatter_reduce<Kind>(x, a.dim, i, src.read(), includes, o...);
          }
        });
  }
  static void scatter_add(generator& r, digest& d) {
    const along a(r);
    const auto shape = a.with_extent(r.extent());
    operand<element> self(r, a.input);
    const operand<element> src(r, shape);
    const auto index = indices(r, shape, a.extent());
    write_both<Variant>(
        d, self, index,
        [&](const auto& x, const auto& i, const auto&... o) {
          garner::scatter_add_into(x, a.dim, i, src.read(), o...);
        },
        [&](const auto& x, const auto& i, const auto&... o) {
          return garner::scatter_add(x, a.dim, i, src.read(), o...);
        });
  }
  /// index_copy; as a sum, index_add with a factor.
  static void select(generator& r, digest& d) {
    const along a(r);
    const index_t count = r.extent();
    operand<element> self(r, a.input);
    const operand<element> src(r, a.with_extent(count));
    const auto index = indices(r, {count}, a.extent());
    write_both<Variant>(
        d, self, index,
        [&](const auto& x, const auto& i, const auto&... o) {
          if constexpr (Kind == reduce::none) {
            garner::index_copy_into(x, a.dim, i, src.read(), o...);
          } else {
            garner::index_add_into(x, a.dim, i, src.read(),
                                   garner::alpha(static_cast<element>(0.7f)), o...);
          }
        },
        [&](const auto& x, const auto& i, const auto&... o) {
          if constexpr (Kind == reduce::none) {
            return garner::index_copy(x, a.dim, i, src.read(), o...);
          } else {
            return garner::index_add(x, a.dim, i, src.read(), o...);
          }
        });
  }
  static void index_fill(generator& r, digest& d) {
    const along a(r);
    operand<element> self(r, a.input);
    const auto value = draw_number<element>(r);
    const auto index = indices(r, {r.extent()}, a.extent());
    write_both<Variant>(
        d, self, index,
        [&](const auto& x, const auto& i, const auto&... o) {
          garner::index_fill_into(x, a.dim, i, value, o...);
        },
        [&](const auto& x, const auto& i, const auto&... o) {
          return garner::index_fill(x, a.dim, i, value, o...);
        });
  }
  static void put(generator& r, digest& d) {
    operand<element> self(r, r.shape(r.below(4)));
    const auto shape = r.shape(r.below(3));
    const operand<element> src(r, shape);
    const auto index = indices(r, shape, self.read().size());
    write_both<Variant>(
        d, self, index,
        [&](const auto& x, const auto& i, const auto&... o) {
          if constexpr (Kind == reduce::none) {
            garner::put_into(x, i, src.read(), o...);
          } else {
            garner::put_into(x, i, src.read(), garner::accumulate, o...);
          }
        },
        [&](const auto& x, const auto& i, const auto&... o) {
          if constexpr (Kind == reduce::none) {
            return garner::put(x, i, src.read(), o...);
          } else {
            return garner::put(x, i, src.read(), garner::accumulate, o...);
          }
        });
  }
  static void put_along_dim(generator& r, digest& d) {
    const along a(r);
    const auto shape = a.with_extent(r.extent());
    operand<element> self(r, a.input);
    const operand<element> src(r, shape);
    const auto index = indices(r, shape, a.extent());
    write_both<Variant>(
        d, self, index,
        [&](const auto& x, const auto& i, const auto&... o) {
          garner::put_along_dim_into(x, i, src.read(), a.dim, o...);
        },
        [&](const auto& x, const auto& i, const auto&... o) {
          return garner::put_along_dim(x, i, src.read(), a.dim, o...);
        });
  }
  static void scatter_nd(generator& r, digest& d) {
    const auto shape = r.shape(1 + r.below(3));
    const index_t count = 1 + r.below(static_cast<index_t>(shape.size()));
    auto index_shape = r.shape(r.below(3));
    auto src_shape = index_shape;
    src_shape.insert(src_shape.end(), shape.begin() + count, shape.end());
    index_shape.push_back(count);
    const index_t least = *std::min_element(shape.begin(), shape.begin() + count);
    operand<element> self(r, shape);
    const operand<element> src(r, src_shape);
    const auto index = indices(r, index_shape, least);
    write_both<Variant>(
        d, self, index,
        [&](const auto& x, const auto& i, const auto&... o) {
          garner::scatter_nd_into<Kind>(x, i, src.read(), o...);
        },
        [&](const auto& x, const auto& i, const auto&... o) {
          return garner::scatter_nd<Kind>(x, i, src.read(), o...);
        });
  }
};

/// Gradients, with quick's types.
namespace backward {

using element = float;
using indices = operand<std::int64_t>;

indices draw(generator& r, shape_list shape, index_t extent) {
  return draw_index<std::int64_t>(r, std::move(shape), extent, drawn::legal);
}

void gather(generator& r, digest& d) {
  const along a(r);
  const auto shape = a.with_extent(r.extent());
  operand<element> to(r, a.input);
  const operand<element> from(r, shape);
  const auto index = draw(r, shape, a.extent());
  garner::gather_backward(to.view(), from.read(), a.dim, index.read());
  d.add_computed(to.memory);
  operand<element> back(r, shape);
  garner::scatter_add_backward(back.view(), to.read(), a.dim, index.read());
  d.add_computed(back.memory);
}
void take_along_dim(generator& r, digest& d) {
  const along a(r);
  const auto shape = a.with_extent(r.extent());
  auto repeated = a.input;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (k != static_cast<std::size_t>(a.dim) && r.once_in(2)) repeated[k] = 1;
  }
  operand<element> to(r, repeated);
  const operand<element> from(r, shape);
  const auto index = draw(r, shape, a.extent());
  garner::take_along_dim_backward(to.view(), from.read(), index.read(), a.dim);
  d.add_computed(to.memory);
}
void index_select(generator& r, digest& d) {
  const along a(r);
  const index_t count = r.extent();
  operand<element> to(r, a.input);
  const operand<element> from(r, a.with_extent(count));
  const auto index = draw(r, {count}, a.extent());
  garner::index_select_backward(to.view(), from.read(), a.dim, index.read());
  d.add_computed(to.memory);
  operand<element> back(r, a.with_extent(count));
  garner::index_add_backward(back.view(), to.read(), a.dim, index.read(), garner::alpha(0.7f));
  d.add_computed(back.memory);
}
void take(generator& r, digest& d) {
  const along a(r);
  const auto rows = r.shape(1);
  operand<element> to(r, a.input);
  const operand<element> from(r, a.with_extent(rows[0]));
  const auto index = draw(r, rows, a.extent());
  garner::take_backward(to.view(), from.read(), index.read(), a.dim);
  const operand<element> flat_from(r, rows);
  const auto flat_index = draw(r, rows, to.read().size());
  garner::take_backward(to.view(), flat_from.read(), flat_index.read());
  d.add_computed(to.memory);
}
void gather_nd(generator& r, digest& d) {
  const auto shape = r.shape(2);
  const index_t n = r.extent();
  operand<element> to(r, shape);
  const operand<element> from(r, {n});
  const auto index = draw(r, {n, 2}, std::min(shape[0], shape[1]));
  garner::gather_nd_backward(to.view(), from.read(), index.read());
  d.add_computed(to.memory);
}
void embedding(generator& r, digest& d) {
  const auto shape = r.shape(2);
  const auto ids_shape = r.shape(1 + r.below(2));
  auto grad_shape = ids_shape;
  grad_shape.push_back(shape[1]);
  operand<element> to(r, shape);
  const operand<element> grad(r, grad_shape);
  const auto ids = draw(r, ids_shape, shape[0]);
  garner::embedding_backward(to.view(), grad.read(), ids.read());
  d.add_computed(to.memory);
  const auto sparse = garner::embedding_backward_sparse(grad.read(), ids.read(), shape[0]);
  d.add_moved(sparse.rows);
  d.add_computed(sparse.values);
}

}  // namespace backward

/// Bags of ids, their sums and their gradients.
template <bag_mode Mode, class Row>
void embedding_bag(generator& r, digest& d) {
  const auto shape = r.shape(2);
  const index_t bags = r.extent();
  std::vector<std::int64_t> offsets;
  index_t n = 0;
  for (index_t b = 0; b < bags; ++b) {
    offsets.push_back(n);
    n += r.below(9);
  }
  const operand<Row> weight(r, shape);
  const auto ids = draw_index<std::int32_t>(r, {n}, shape[0], drawn::legal);
  const garner::padding_idx padding(r.below(shape[0]));
  d.add_computed(garner::embedding_bag<Mode>(weight.read(), ids.read(), offsets, padding));
  operand<float> out(r, {bags, shape[1]});
  garner::embedding_bag_into<Mode>(out.view(), weight.read(), ids.read(), offsets);
  d.add_computed(out.memory);
  operand<float> gradient(r, shape);
  if constexpr (Mode == bag_mode::max) {
    garner::embedding_bag_backward<Mode>(gradient.view(), out.read(), weight.read(), ids.read(),
                                         offsets);
  } else {
    garner::embedding_bag_backward<Mode>(gradient.view(), out.read(), ids.read(), offsets, padding);
  }
  d.add_computed(gradient.memory);
  if constexpr (Mode == bag_mode::sum) {
    const operand<float> factors(r, {n});
    d.add_computed(garner::embedding_bag<Mode>(weight.read(), ids.read(), offsets,
                                               garner::per_sample_weights(factors.read())));
    operand<float> factor_gradient(r, {n});
    garner::per_sample_weights_backward(factor_gradient.view(), out.read(), weight.read(),
                                        ids.read(), offsets, padding);
    d.add_computed(factor_gradient.memory);
  }
}
void quantized_bag(generator& r, digest& d) {
  const auto shape = r.shape(2);
  operand<std::uint8_t> values(r, shape);
  operand<float> scale(r, {shape[0]});
  operand<float> bias(r, {shape[0]});
  const garner::quantized_rows rows(garner::view<const std::uint8_t, 2>(values.read()),
                                    garner::view<const float, 1>(scale.read()),
                                    garner::view<const float, 1>(bias.read()));
  const auto ids = draw_index<std::int64_t>(r, r.shape(2), shape[0], drawn::legal);
  d.add_computed(garner::embedding_bag<bag_mode::sum>(rows, ids.read()));
  d.add_computed(garner::embedding_bag<bag_mode::mean>(rows, ids.read()));
}

/// Few different numbers, so that there are ties.
template <class T>
operand<T> draw_ties(generator& r, shape_list shape) {
  return operand<T>(r, std::move(shape), [](generator& each) {
    return each.once_in(2) ? draw_number<T>(each)
                           : static_cast<T>(static_cast<float>(each.below(5)));
  });
}
template <class T>
void orders(generator& r, digest& d) {
  const along a(r);
  const auto x = draw_ties<T>(r, a.input);
  d.add_moved(garner::argmax(x.read(), a.dim));
  d.add_moved(garner::argmin(x.read(), a.dim));
  d.add_moved(garner::argmax(x.read()));
  d.add_moved(garner::argsort(x.read(), a.dim));
  d.add_moved(garner::argsort(x.read(), a.dim, garner::descending));
  const index_t k = r.below(a.extent() + 1);
  const auto most = garner::topk(x.read(), k, a.dim);
  d.add_moved(most.values);
  d.add_moved(most.indices);
  d.add_moved(garner::topk(x.read(), k, a.dim, garner::smallest).indices);
}
template <class T>
void masks(generator& r, digest& d) {
  const along a(r);
  const auto bit = [](generator& each) { return static_cast<std::uint8_t>(each.below(3)); };
  const operand<T> x(r, a.input);
  d.add_moved(garner::masked_select(x.read(), operand<std::uint8_t>(r, a.input, bit).read()));
  const operand<std::uint8_t> line(r, {a.extent()}, bit);
  d.add_moved(garner::compress(line.read(), x.read(), a.dim));
  d.add_moved(garner::compress(line.read(), x.read()));
}

/// Sizes at which calls ask for memory ahead, go in strips, and store past the caches.
void large(generator& r, digest& d) {
  const index_t rows = 9000;
  const index_t columns = 1000;
  garner::tensor<float, 2> x({rows, columns});
  for (index_t k = 0; k < x.size(); ++k) x.data()[k] = static_cast<float>(k % 100003) * 0.37f;
  const auto fold = [&](const auto& result) {
    for (index_t k = 0; k < result.size(); k += 97) d.add_number(result.data()[k]);
  };
  const auto some = [&](index_t n, index_t extent) {
    std::vector<std::int64_t> list;
    for (index_t k = 0; k < n; ++k) list.push_back(r.below(extent));
    return list;
  };
  fold(garner::index_select(x, 0, some(rows, rows)));
  fold(garner::index_select(x, 1, some(500, columns)));
  fold(garner::index_select(x.transpose(0, 1), 1, some(500, rows)));
  const auto flat = some(2000000, x.size());
  fold(garner::take(x, flat));
  const auto index = garner::make_view(flat, {2000, 1000});
  fold(garner::gather(x, 0, index, garner::wrap));
  garner::tensor<float, 2> sums({rows, columns});
  garner::index_add_into(sums, 0, some(rows, rows), x);
  garner::scatter_add_into(sums, 0, index, x, garner::wrap);
  fold(sums);
}

struct entry {
  const char* name;
  std::uint64_t expected;
  std::vector<void (*)(generator&, digest&)> calls;
  int times = 60;
};

const std::vector<entry>& entries() {
  static const std::vector<entry> list{
      {"gather",
       0xb80210776f6a5979u,
       {reading<quick>::gather, reading<ending>::gather, reading<wrapped>::gather,
        reading<clipped>::gather, reading<filled>::gather}},
      {"take_along_dim", 0xa405358a35be01c0u, {reading<quick>::take_along_dim}},
      {"index_select",
       0xfd119abde5d7abeeu,
       {reading<quick>::index_select, reading<ending>::index_select}},
      {"take, flat", 0xccfa020207d125a2u, {reading<quick>::take_flat, reading<wrapped>::take_flat}},
      {"take", 0xa59a279ca704f2b8u, {reading<quick>::take, reading<clipped>::take}},
      {"take, batch_dims", 0xc55e1ea0bc142ae3u, {reading<ending>::take_batch}},
      {"gather_nd", 0x536ee8d2f96cef57u, {reading<quick>::gather_nd}},
      {"embedding", 0x10ba7ee8cfbfac29u, {reading<wrapped>::embedding}},
      {"scatter",
       0xc8e94258b48677f6u,
       {writing<quick>::scatter, writing<ending>::scatter, writing<filled>::scatter}},
      {"scatter_add",
       0x2c2476f09f98cdc2u,
       {writing<quick>::scatter_add, writing<halves>::scatter_add}},
      {"scatter_reduce",
       0xd2a93d3fb5f70fbbu,
       {writing<quick, reduce::prod>::scatter, writing<quick, reduce::mean>::scatter,
        writing<quick, reduce::amax>::scatter, writing<ending, reduce::mean>::scatter,
        writing<halves, reduce::amax>::scatter, writing<halves, reduce::mean>::scatter}},
      {"index_add",
       0x1aba7c49b8b9c4deu,
       {writing<quick, reduce::sum>::select, writing<doubles, reduce::sum>::select}},
      {"index_copy", 0xbe9f43462110e271u, {writing<ending>::select}},
      {"index_fill", 0x2e9727e8bfe941f0u, {writing<filled>::index_fill}},
      {"put", 0xb4f6128c6667c902u, {writing<quick>::put, writing<quick, reduce::sum>::put}},
      {"put_along_dim", 0xa63114a915725d00u, {writing<ending>::put_along_dim}},
      {"scatter_nd",
       0xf744cce9216eb419u,
       {writing<quick>::scatter_nd, writing<quick, reduce::sum>::scatter_nd,
        writing<ending, reduce::sum>::scatter_nd}},
      {"gradients",
       0xc7466addd294fa68u,
       {backward::gather, backward::take_along_dim, backward::index_select, backward::take,
        backward::gather_nd, backward::embedding}},
      {"embedding_bag",
       0x470439ee09ad025cu,
       {embedding_bag<bag_mode::sum, float>, embedding_bag<bag_mode::mean, float>,
        embedding_bag<bag_mode::max, float>, embedding_bag<bag_mode::sum, half>,
        embedding_bag<bag_mode::mean, bfloat16>, quantized_bag}},
      {"argmax, argsort, topk", 0x66a983a7fae813c0u, {orders<float>, orders<std::int16_t>}},
      {"masked_select, compress", 0xf880556910c3ee47u, {masks<float>, masks<point>}},
      {"large calls", 0x314e2ac3e265ff2eu, {large}, 1},
  };
  return list;
}

bool is_expected_arch() {
#if defined(GARNER_NO_SIMD) || defined(XSIMD_NO_SUPPORTED_ARCHITECTURE)
  const std::string arch = "scalar";
#else
  const std::string arch = xsimd::default_arch::name();
#endif
  std::printf("built for %s\n", arch.c_str());
#ifdef GARNER_EXPECT_ARCH
  if (arch != GARNER_EXPECT_ARCH) {
    std::printf("FAILED: this build was to be for %s\n", GARNER_EXPECT_ARCH);
    return false;
  }
#endif
  return true;
}

}  // namespace

int main() {
  bool is_right = is_expected_arch();
  for (const entry& e : entries()) {
    digest d;
    std::uint64_t seed = 1;
    for (const auto& call : e.calls) {
      for (int k = 0; k < e.times; ++k) {
        generator r(seed++);
        call(r, d);
      }
    }
    const bool is_same = d.value() == e.expected;
    is_right = is_right && is_same;
    std::printf("%s 0x%016llx %s\n", is_same ? "    ok" : "FAILED",
                static_cast<unsigned long long>(d.value()), e.name);
  }
  return is_right ? 0 : 1;
}
