// SPDX-License-Identifier: BSD-3-Clause
// How all_operations.hpp lists operations: the shapes of their small problems, and calls with types
// made into calls without.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include <garner/garner.hpp>

#include "support/operation.hpp"
#include "support/plain_results.hpp"

namespace test {

using garner::bag_mode;
using garner::reduce;

template <class T>
garner::view<T> view_of(const raw_view& x) {
  return {reinterpret_cast<T*>(x.data), garner::dims<>(x.shape), garner::dims<>(x.strides)};
}

/// A call's operands with their types.
template <class T, class I>
struct arguments {
  const call& c;
  std::int64_t dim = c.dim;
  garner::batch_dims batch{c.batch};

  auto table() const { return view_of<const T>(c.table); }
  auto to_table() const { return view_of<T>(c.table); }
  auto values() const { return view_of<const T>(c.values); }
  auto to_values() const { return view_of<T>(c.values); }
  auto to_indices() const { return view_of<std::int64_t>(c.values); }
  auto index() const { return view_of<const I>(c.index); }
  auto mask() const { return view_of<const std::uint8_t>(c.index); }
  auto extra() const { return view_of<const T>(c.extra); }
  auto floats() const { return view_of<const float>(c.extra); }
  auto bias() const { return view_of<const float>(c.bias); }
  auto offsets() const { return view_of<const std::int64_t>(c.offsets); }
};

// Shapes: e is the axis, n the length of a row.

inline shapes by_first_dim(std::int64_t e, std::int64_t n) { return {{e, n}, {3, n}, {3, n}}; }
inline shapes by_last_dim(std::int64_t e, std::int64_t n) { return {{3, e}, {3, n}, {3, n}, 1}; }
inline shapes broadcast(std::int64_t e, std::int64_t n) { return {{e, n}, {3, 1}, {3, n}}; }
inline shapes rows(std::int64_t e, std::int64_t n) { return {{e, n}, {3}, {3, n}}; }
inline shapes columns(std::int64_t e, std::int64_t n) { return {{3, e}, {n}, {3, n}, -1}; }
inline shapes inserted(std::int64_t e, std::int64_t n) {
  return {{2, e, 2}, {n, 1}, {2, n, 1, 2}, 1};
}
inline shapes batched(std::int64_t e, std::int64_t n) {
  return {{3, e, 2}, {3, n}, {3, n, 2}, 1, 1};
}
inline shapes flat(std::int64_t e, std::int64_t n) { return {{2, e}, {n}, {n}}; }
inline shapes pairs(std::int64_t e, std::int64_t n) { return {{e, e + 1}, {n, 2}, {n}}; }
inline shapes slices(std::int64_t e, std::int64_t n) {
  return {{2, e, n}, {2, 3, 1}, {2, 3, n}, 0, 1};
}
inline shapes bags(std::int64_t e, std::int64_t n) {
  return {{e, n}, {5}, {2, n}, 0, 0, {e, n}, {2}};
}
inline shapes weighted_bags(std::int64_t e, std::int64_t n) {
  return {{e, n}, {5}, {2, n}, 0, 0, {5}, {2}};
}
inline shapes weighted_square_bags(std::int64_t e, std::int64_t n) {
  return {{e, n}, {2, 3}, {2, n}, 0, 0, {2, 3}};
}
inline shapes scaled_bags(std::int64_t e, std::int64_t n) {
  return {{e, n}, {5}, {2, n}, 0, 0, {e}, {2}};
}
inline shapes scaled_square_bags(std::int64_t e, std::int64_t n) {
  return {{e, n}, {2, 3}, {2, n}, 0, 0, {e}};
}
inline shapes square_bags(std::int64_t e, std::int64_t n) {
  return {{e, n}, {2, 3}, {2, n}, 0, 0, {e, n}};
}
inline shapes factors_of_bags(std::int64_t e, std::int64_t n) {
  return {{e, n}, {5}, {5}, 0, 0, {2, n}, {2}};
}
inline shapes factors_of_square_bags(std::int64_t e, std::int64_t n) {
  return {{e, n}, {2, 3}, {2, 3}, 0, 0, {2, n}};
}
inline shapes tokens(std::int64_t e, std::int64_t n) { return {{n, e}, {n}, {n}, 0, 0, {n, e}}; }
inline shapes one_token(std::int64_t e, std::int64_t n) {
  return {{1, e + n}, {1}, {1}, 0, 0, {1, e + n}};
}
inline shapes list(std::int64_t e, std::int64_t n) { return {{e}, {3, n}}; }
inline shapes lines(std::int64_t, std::int64_t n) { return {{3, n + 1}, {}, {3}, 1}; }
inline shapes across(std::int64_t e, std::int64_t n) { return {{e, n}, {}, {n}}; }
inline shapes whole(std::int64_t, std::int64_t n) { return {{3, n + 1}}; }
inline shapes sorted_lines(std::int64_t, std::int64_t n) { return {{3, n}, {}, {3, n}, 1}; }
inline shapes first_of_lines(std::int64_t, std::int64_t n) {
  return {{3, n + 2}, {}, {3, 2}, 1, 0, {3, 2}};
}
/// A mask is true but for every third entry.
inline std::int64_t true_count(std::int64_t n) { return n - (n + 2) / 3; }
inline shapes masked(std::int64_t, std::int64_t n) { return {{3, n}, {3, n}, {true_count(3 * n)}}; }
inline shapes kept_columns(std::int64_t, std::int64_t n) {
  return {{3, n}, {n}, {3, true_count(n)}, 1};
}
inline shapes kept_rows(std::int64_t e, std::int64_t n) {
  return {{e, n}, {e}, {true_count(e), n}};
}
inline shapes kept_elements(std::int64_t, std::int64_t n) {
  return {{3, n}, {3 * n}, {true_count(3 * n)}};
}

/// What a returned tensor holds.
template <class T, int Rank>
outcome outcome_of(const garner::tensor<T, Rank>& x) {
  outcome result{extents(x.shape().begin(), x.shape().end()), {}};
  if constexpr (std::is_trivially_copyable_v<T>) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(x.data());
    result.data.assign(bytes, bytes + static_cast<std::size_t>(x.size()) * sizeof(T));
  }
  return result;
}
template <class T, int Rank>
outcome outcome_of(const garner::topk_result<T, Rank>& x) {
  return outcome_of(x.values);
}
template <class T>
outcome outcome_of(const garner::sparse_rows<T>& x) {
  return outcome_of(x.values);
}

/// What is compiled: the form that writes, under the default options or under from_end; or both
/// forms, also under wrap and clip.
enum class depth { into, into_from_end, all };

/// What the entries of one operation have in common.
struct entry {
  const char* op;
  test::kind kind;
  test::axis axis;
  relation relate = nullptr;
  bool from_end = false;
  bool has_dim = false;
  bool has_batch = false;
  test::extra extra{};
};
struct form {
  const char* how;
  shapes (*shape)(std::int64_t, std::int64_t);
};
/// Stands for a form that an operation does not have.
struct no_form {};

template <class T, class I, depth Depth>
class lister {
 public:
  using given = arguments<T, I>;
  std::vector<operation> operations;

  /// into(arguments, options...) and make(arguments, options...)
  template <class Into, class Make>
  void add(const entry& e, const std::vector<form>& forms, Into into, Make make) {
    for (const form& f : forms) {
      operation o;
      o.name = std::string(e.op) + f.how + of_type();
      o.op = e.op;
      o.kind = e.kind;
      o.axis = e.axis;
      o.from_end = e.from_end || Depth == depth::into_from_end;
      o.has_dim = e.has_dim;
      o.has_batch = e.has_batch;
      o.takes_outside = Depth == depth::all;
      o.extra = e.extra;
      o.shape = f.shape;
      o.relate = e.relate;
      o.element_size = sizeof(T);
      o.value_size = makes_floats(e.kind) ? sizeof(float) : sizeof(T);
      if (e.kind >= kind::argmax && e.kind <= kind::argsort) o.value_size = sizeof(std::int64_t);
      o.index_size = sizeof(I);
      o.put_element = put_number<T>;
      o.put_value = makes_floats(e.kind) ? put_number<float> : put_number<T>;
      o.put_index = put_index;
      o.get_index = get_index;
      if constexpr (!std::is_same_v<Into, no_form>) {
        o.into = [into](const call& c) { with_options(into, c); };
      }
      if constexpr (!std::is_same_v<Make, no_form> && Depth == depth::all) {
        o.make = [make](const call& c) { return outcome_of(with_options(make, c)); };
      }
      o.expect = [o](const call& c, image* extra) { return expected_of<T>(o, c, extra); };
      operations.push_back(o);
    }
  }

 private:
  static const char* of_type() {
    if (std::is_same_v<T, garner::half>) return " of half";
    if (std::is_same_v<T, garner::bfloat16>) return " of bfloat16";
    if (std::is_same_v<T, std::int8_t>) return " of int8";
    if (std::is_same_v<T, std::uint8_t>) return " of uint8";
    return "";
  }
  /// Whatever the table holds.
  static bool makes_floats(test::kind k) {
    return k >= kind::bag_sum && k <= kind::log_prob_gradient;
  }

  template <class F>
  static auto with_options(const F& f, const call& c) {
    const given x{c};
    if constexpr (Depth == depth::into_from_end &&
                  std::is_invocable_v<F, given, garner::from_end_t>) {
      return f(x, garner::from_end);
    } else {
      if constexpr (Depth == depth::all && std::is_invocable_v<F, given, garner::wrap_t>) {
        if (c.outside == outside::wrap) return f(x, garner::wrap);
        if (c.outside == outside::clip) return f(x, garner::clip);
      }
      return f(x);
    }
  }

  template <class Number>
  static void put_number(void* at, std::int64_t number) {
    if constexpr (std::is_arithmetic_v<Number>) {
      const auto value = static_cast<Number>(std::is_same_v<T, bool> ? number & 1 : number);
      std::memcpy(at, &value, sizeof(value));
    } else if constexpr (is_short_float<Number>) {
      const Number value(static_cast<float>(number));
      std::memcpy(at, &value, sizeof(value));
    }
  }
  static void put_index(void* at, wide value) {
    const auto index = static_cast<I>(value);
    std::memcpy(at, &index, sizeof(I));
  }
  static wide get_index(const void* at) {
    I index;
    std::memcpy(&index, at, sizeof(I));
    return index;
  }
};

}  // namespace test
