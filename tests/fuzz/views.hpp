// SPDX-License-Identifier: BSD-3-Clause
// Views of any numbers: make_view proves what 128-bit arithmetic finds, and chains of slices,
// reshapes and so on name the elements that plain lists of them name.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <garner/tensor.hpp>
#include <garner/view.hpp>

#include "fuzz/place.hpp"
#include "fuzz/source.hpp"

namespace fuzz {

inline constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
inline constexpr auto highest = std::numeric_limits<std::int64_t>::max();

/// A small number or, now and then, any.
inline std::int64_t draw_wild(source& s, std::int64_t near) {
  if (!s.once_in(6)) return s.below(2 * near + 3) - near - 1;
  return s.one_of<std::int64_t>({lowest, highest, lowest + 1, std::int64_t{1} << 31,
                                 std::int64_t{1} << 32, std::int64_t{1} << 61,
                                 std::int64_t{1} << 62, -(std::int64_t{1} << 62), 0x100000001});
}

/// Whether no extent is negative and there are at most 2^63 - 1 elements.
inline bool is_shape(const extents& shape) {
  wide n = 1;
  bool is_empty = false;
  bool is_large = false;
  for (auto extent : shape) {
    if (extent < 0) return false;
    is_empty = is_empty || extent == 0;
    if (extent > 0 && !is_large) n *= extent;
    is_large = is_large || n > highest;
  }
  return is_empty || !is_large;
}

template <class T>
void try_make_view(source& s) {
  extents shape(static_cast<std::size_t>(s.below(5)));
  for (auto& extent : shape) extent = s.once_in(4) ? draw_wild(s, 4) : draw_extent(s, 9);
  extents strides(shape.size());
  for (auto& stride : strides) stride = draw_wild(s, 12);
  std::int64_t room = s.below(60);
  std::int64_t offset = draw_wild(s, room);
  place tight{shape, strides};
  if (std::ranges::all_of(shape, [](auto n) { return n >= 0 && n < 10; }) &&
      std::ranges::all_of(strides, [](auto n) { return n > -100 && n < 100; })) {
    settle(tight);  // just enough, or almost
    room = std::max<std::int64_t>(tight.size + s.below(3) - 1, 0);
    offset = tight.first + s.below(3) - 1;
  }
  if (s.once_in(16)) strides.push_back(1);
  std::vector<T> data(static_cast<std::size_t>(room));

  bool is_inside = is_shape(shape) && shape.size() == strides.size();
  const auto size = static_cast<wide>(data.size());
  if (is_inside && std::ranges::find(shape, 0) != shape.end()) {
    is_inside = offset >= 0 && offset <= size;
  } else if (is_inside) {
    wide low = offset;
    wide high = offset;
    for (std::size_t d = 0; d < shape.size() && is_inside; ++d) {
      const wide span = wide{shape[d] - 1} * strides[d];
      is_inside = span < size && span > -size;
      (span < 0 ? low : high) += span;
    }
    is_inside = is_inside && low >= 0 && high < size;
  }
  try {
    const auto view = garner::make_view(data, shape, strides, offset);
    require(is_inside, "make_view", "accepted what leaves the span");
    require(std::ranges::equal(view.shape(), shape) && std::ranges::equal(view.strides(), strides),
            "make_view", "gives another layout");
    if (view.size() > 0 && view.size() < 5000) {
      for_each_place(shape, [&](const coordinates& at) {
        T* element = view.data();
        for (std::size_t d = 0; d < at.size(); ++d) {
          if (at[d] > 0) element += at[d] * strides[d];
        }
        *element = T{};  // for the sanitizer
      });
    }
    ++calls_done;
  } catch (const garner::shape_error&) {
    require(!is_inside, "make_view", "refused what lies inside the span");
  }
}

/// A view as the list of its elements, in row-major order.
struct model {
  extents shape;
  std::vector<std::int64_t> elements;

  /// The elements under another shape, each from the coordinates that `from` names.
  model remade(const extents& wanted, const std::function<coordinates(coordinates)>& from) const {
    model result{wanted, {}};
    for_each_place(wanted, [&](const coordinates& at) {
      result.elements.push_back(
          elements[static_cast<std::size_t>(test::number_of(from(at), shape))]);
    });
    return result;
  }
};

/// What a step should make of a view: a model, a shape_error or an index_error.
struct step_result {
  std::optional<model> made{};
  bool is_index_error = false;
  bool is_huge = false;  // right, but with too many elements to list
};

inline std::optional<std::size_t> dim_of(std::int64_t dim, std::size_t rank) {
  const auto n = static_cast<std::int64_t>(rank);
  if (dim < -n || dim >= n) return std::nullopt;
  return static_cast<std::size_t>(dim < 0 ? dim + n : dim);
}

using bound = std::optional<garner::index_t>;

/// Python's slice(start, stop, step).indices(extent)
inline std::vector<std::int64_t> sliced(std::int64_t extent, bound start, bound stop,
                                        std::int64_t step) {
  const auto cut = [&](bound at, wide otherwise) {
    if (!at) return otherwise;
    wide i = *at;
    if (i < 0) i += extent;
    return step > 0 ? std::clamp<wide>(i, 0, extent) : std::clamp<wide>(i, -1, wide{extent} - 1);
  };
  const wide first = cut(start, step > 0 ? 0 : wide{extent} - 1);
  const wide last = cut(stop, step > 0 ? extent : -1);
  std::vector<std::int64_t> result;
  for (wide i = first; step > 0 ? i < last : i > last; i += step) {
    result.push_back(static_cast<std::int64_t>(i));
  }
  return result;
}

inline step_result model_slice(const model& x, std::int64_t dim, bound start, bound stop,
                               std::int64_t step) {
  const auto d = dim_of(dim, x.shape.size());
  if (!d || step == 0) return {};
  const auto kept = sliced(x.shape[*d], start, stop, step);
  auto shape = x.shape;
  shape[*d] = static_cast<std::int64_t>(kept.size());
  return {x.remade(shape, [&](coordinates at) {
    at[*d] = kept[static_cast<std::size_t>(at[*d])];
    return at;
  })};
}

inline step_result model_select(const model& x, std::int64_t dim, std::int64_t i) {
  const auto d = dim_of(dim, x.shape.size());
  if (!d) return {};
  const auto extent = x.shape[*d];
  if (i < -extent || i >= extent) return {{}, true};
  auto shape = x.shape;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(*d));
  return {x.remade(shape, [&](coordinates at) {
    at.insert(at.begin() + static_cast<std::ptrdiff_t>(*d), i < 0 ? i + extent : i);
    return at;
  })};
}

inline step_result model_permute(const model& x, const extents& order) {
  std::vector<std::size_t> from;
  for (auto dim : order) {
    const auto d = dim_of(dim, x.shape.size());
    if (!d || std::ranges::find(from, *d) != from.end()) return {};
    from.push_back(*d);
  }
  if (from.size() != x.shape.size()) return {};
  extents shape;
  for (auto d : from) shape.push_back(x.shape[d]);
  return {x.remade(shape, [&](const coordinates& at) {
    coordinates old(at.size());
    for (std::size_t k = 0; k < from.size(); ++k) old[from[k]] = at[k];
    return old;
  })};
}

/// Puts a dim of extent 1 in, or takes one out.
inline step_result model_squeeze(const model& x, std::int64_t dim, bool is_added) {
  const auto d = dim_of(dim, x.shape.size() + (is_added ? 1 : 0));
  if (!d || (is_added && x.shape.size() >= garner::max_rank)) return {};
  if (!is_added && x.shape[*d] != 1) return {};
  model result = x;
  const auto at = result.shape.begin() + static_cast<std::ptrdiff_t>(*d);
  is_added ? void(result.shape.insert(at, 1)) : void(result.shape.erase(at));
  return {result};
}

inline step_result model_expand(const model& x, extents shape) {
  if (shape.size() < x.shape.size()) return {};
  const std::size_t added = shape.size() - x.shape.size();
  for (std::size_t d = added; d < shape.size(); ++d) {
    const auto extent = x.shape[d - added];
    if (shape[d] == -1) shape[d] = extent;
    if (shape[d] != extent && extent != 1) return {};
  }
  if (!is_shape(shape)) return {};
  wide n = 1;
  for (auto extent : shape) n = std::min<wide>(n * extent, highest);
  if (n > 3000 || std::ranges::any_of(shape, [](auto extent) { return extent > 3000; })) {
    return {{}, false, true};
  }
  return {x.remade(shape, [&](coordinates at) {
    at.erase(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(added));
    for (std::size_t d = 0; d < at.size(); ++d) {
      if (x.shape[d] == 1) at[d] = 0;
    }
    return at;
  })};
}

/// Whether some strides name these elements.
inline bool is_strided(const model& x) {
  extents strides(x.shape.size());
  std::int64_t step = 1;
  for (std::size_t d = x.shape.size(); d-- > 0; step *= x.shape[d]) {
    if (x.shape[d] > 1) {
      strides[d] = x.elements[static_cast<std::size_t>(step)] - x.elements[0];
    }
  }
  bool result = true;
  for_each_place(x.shape, [&](const coordinates& at) {
    const auto offset = std::inner_product(at.begin(), at.end(), strides.begin(), x.elements[0]);
    result = result && offset == x.elements[static_cast<std::size_t>(test::number_of(at, x.shape))];
  });
  return result;
}

inline step_result model_reshape(const model& x, extents shape) {
  const auto open = std::ranges::find(shape, -1);
  const bool is_open = open != shape.end();
  if (is_open) *open = 1;
  if (!is_shape(shape)) return {};
  wide n = 1;
  for (auto extent : shape) n = extent == 0 ? 0 : std::min<wide>(n * extent, highest);
  if (std::ranges::find(shape, 0) != shape.end()) n = 0;
  const auto size = static_cast<std::int64_t>(x.elements.size());
  if (is_open) {
    if (n == 0 || size % n != 0) return {};
    *open = static_cast<std::int64_t>(size / n);
  } else if (n != size) {
    return {};
  }
  const model result{shape, x.elements};
  if (size > 0 && !is_strided(result)) return {};
  return {result};
}

/// The model and the view agree.
inline void compare(const model& expected, const garner::view<const int>& x, const int* memory) {
  require(std::ranges::equal(x.shape(), expected.shape), "view", "has a wrong shape");
  std::size_t k = 0;
  for_each_place(expected.shape, [&](const coordinates& at) {
    const int* element = x.data();
    for (std::size_t d = 0; d < at.size(); ++d) {
      if (at[d] > 0) element += at[d] * x.strides()[d];
    }
    require(element - memory == expected.elements[k++], "view", "names a wrong element");
  });
}

inline void try_views(source& s) {
  const place first = draw_place(s, draw_shape(s, 4, 300));
  const std::vector<int> memory(static_cast<std::size_t>(first.size));
  model x{first.shape, {}};
  for (auto at : first.offsets()) x.elements.push_back(static_cast<std::int64_t>(at));
  garner::view<const int> view = garner::make_view(memory, first.shape, first.strides, first.first);
  compare(x, view, memory.data());
  for (auto left = s.below(9); left > 0; --left) {
    const auto rank = static_cast<std::int64_t>(x.shape.size());
    const auto dim = draw_wild(s, rank);
    const auto draw_list = [&](std::int64_t n, std::int64_t near) {
      extents list(static_cast<std::size_t>(n));
      for (auto& value : list) value = draw_wild(s, near);
      return list;
    };
    const auto draw_bound = [&]() -> bound {
      return s.once_in(3) ? bound{} : bound{draw_wild(s, 9)};
    };
    step_result expected;
    std::function<garner::view<const int>()> call;
    switch (s.below(9)) {
      case 0: {
        const auto start = draw_bound();
        const auto stop = draw_bound();
        const auto step = draw_wild(s, 3);
        expected = model_slice(x, dim, start, stop, step);
        call = [=] { return view.slice(dim, start, stop, step); };
        break;
      }
      case 1: {
        const auto i = draw_wild(s, 9);
        if (rank == 0) continue;
        expected = model_select(x, dim, i);
        call = [=] { return view.select(dim, i); };
        break;
      }
      case 2: {
        const auto other = draw_wild(s, rank);
        const auto a = dim_of(dim, x.shape.size());
        const auto b = dim_of(other, x.shape.size());
        if (a && b) {
          extents order(x.shape.size());
          std::iota(order.begin(), order.end(), 0);
          std::swap(order[*a], order[*b]);
          expected = model_permute(x, order);
        }
        call = [=] { return view.transpose(dim, other); };
        break;
      }
      case 3: {
        auto order = draw_list(s.once_in(8) ? rank + 1 : rank, rank);
        if (!s.once_in(4)) {  // mend it
          std::iota(order.begin(), order.end(), 0);
          std::rotate(
              order.begin(),
              order.begin() +
                  s.below(std::max<std::int64_t>(static_cast<std::int64_t>(order.size()), 1)) %
                      std::max<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(order.size()), 1),
              order.end());
        }
        expected = model_permute(x, order);
        call = [=] { return view.permute(order); };
        break;
      }
      case 4:
        expected = model_squeeze(x, dim, true);
        call = [=] { return view.unsqueeze(dim); };
        break;
      case 5:
        if (rank == 0) continue;
        expected = model_squeeze(x, dim, false);
        call = [=] { return view.squeeze(dim); };
        break;
      case 6: {
        auto shape = s.once_in(2) ? x.shape : extents(x.shape.size(), -1);
        for (auto& extent : shape) {
          if (s.once_in(4)) extent = draw_wild(s, 9);
        }
        const auto more = draw_list(s.below(3), 5);
        shape.insert(shape.begin(), more.begin(), more.end());
        if (shape.size() > garner::max_rank) continue;
        expected = model_expand(x, shape);
        call = [=] { return view.expand(shape); };
        break;
      }
      case 7:
        expected = model_slice(x, dim, {}, {}, -1);
        call = [=] { return view.flip(dim); };
        break;
      default: {
        auto shape = draw_list(s.below(4), 9);
        if (s.once_in(2)) {  // one that holds as many
          shape = x.shape;
          if (s.once_in(3)) {
            std::reverse(shape.begin(), shape.end());
          } else if (shape.size() > 1 && s.once_in(2)) {
            shape[0] *= shape[1];
            shape.erase(shape.begin() + 1);
          } else if (!shape.empty() && shape[0] % 2 == 0) {
            shape[0] /= 2;
            shape.insert(shape.begin(), 2);
          }
          if (!shape.empty() && s.once_in(3)) shape.back() = -1;
        }
        if (shape.size() > garner::max_rank) continue;
        expected = model_reshape(x, shape);
        call = [=] { return view.reshape(shape); };
      }
    }
    try {
      const auto result = call();
      if (expected.is_huge) return;
      require(expected.made.has_value(), "view", "accepted a step that makes no sense");
      x = *expected.made;
      view = result;
      compare(x, view, memory.data());
      ++calls_done;
    } catch (const garner::shape_error& error) {
      if (expected.made || expected.is_huge || expected.is_index_error) fail(error.what());
    } catch (const garner::index_error& error) {
      if (!expected.is_index_error) fail(error.what());
    }
    if (x.elements.size() > 3000) return;
  }
  const garner::tensor<int> copy(view);
  require(copy.size() == static_cast<std::int64_t>(x.elements.size()), "tensor",
          "has another size");
}

}  // namespace fuzz
