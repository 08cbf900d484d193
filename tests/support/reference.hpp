// SPDX-License-Identifier: BSD-3-Clause
// Every reading operation as its equation in plain loops over coordinates. Shares nothing with
// include/: it is what the library is compared with. Says which element each result is, not what
// that element holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace test {

using extents = std::vector<std::int64_t>;
using coordinates = std::vector<std::int64_t>;

/// Holds every index of every type, and its sum with any extent.
__extension__ using wide = __int128;

enum class outside { checked, wrap, clip, fill, unchecked };

/// What an index means that does not lie on the axis.
struct meaning {
  test::outside outside;
  bool from_end;
};

/// The index as numbers, in row-major order.
struct index_numbers {
  extents shape;
  std::vector<wide> values;
};

/// A result element that is no element of the input.
inline constexpr std::int64_t filled = -1;

struct reference {
  extents shape;
  std::vector<std::int64_t> source;      // which element of the input, counted in row-major order
  std::optional<std::size_t> first_bad;  // which element of the index; then `source` is empty
  std::int64_t extent = 0;               // of the axis
  std::optional<std::int64_t> dim{};     // which dim that is, where it is not the call's
};

inline std::int64_t count(const extents& shape) {
  std::int64_t n = 1;
  for (auto extent : shape) n *= extent;
  return n;
}

/// The place of `at` in row-major order.
inline std::int64_t number_of(const coordinates& at, const extents& shape) {
  std::int64_t n = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) n = n * shape[d] + at[d];
  return n;
}

/// The coordinates of element `n` in row-major order.
inline coordinates place_of(std::int64_t n, const extents& shape) {
  coordinates at(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; n /= shape[d]) at[d] = n % shape[d];
  return at;
}

inline void for_each_place(const extents& shape,
                           const std::function<void(const coordinates&)>& visit) {
  const std::int64_t n = count(shape);
  for (std::int64_t k = 0; k < n; ++k) visit(place_of(k, shape));
}

/// Where index `i` lies on an axis of n elements; nothing if it is outside.
inline std::optional<std::int64_t> resolve(wide i, wide n, meaning m) {
  if (n == 0) return std::nullopt;
  if (m.outside == outside::wrap) return static_cast<std::int64_t>((i % n + n) % n);
  if (i < 0 && m.from_end) i += n;
  if (m.outside == outside::clip) i = i < 0 ? 0 : i >= n ? n - 1 : i;
  if (i < 0 || i >= n) return std::nullopt;
  return static_cast<std::int64_t>(i);
}

inline std::optional<std::size_t> first_bad_index(const index_numbers& index, std::int64_t n,
                                                  meaning m) {
  if (m.outside == outside::fill) return std::nullopt;
  for (std::size_t k = 0; k < index.values.size(); ++k) {
    if (!resolve(index.values[k], n, m)) return k;
  }
  return std::nullopt;
}

/// For each place of a result of this shape, the input's place that `source` names, given the index
/// that `which` names and where it lies on the axis.
inline reference solve(const extents& shape, const extents& input, std::int64_t axis_extent,
                       const index_numbers& index, meaning m,
                       const std::function<coordinates(const coordinates&)>& which,
                       const std::function<coordinates(const coordinates&, std::int64_t)>& source) {
  reference result{shape, {}, first_bad_index(index, axis_extent, m), axis_extent};
  if (result.first_bad) return result;
  for_each_place(shape, [&](const coordinates& at) {
    const auto k = static_cast<std::size_t>(number_of(which(at), index.shape));
    const auto i = resolve(index.values[k], axis_extent, m);
    result.source.push_back(i ? number_of(source(at, *i), input) : filled);
  });
  return result;
}

/// out[a][b][c] = input[a][index[a][b][c]][c], for dim 1
inline reference gather_reference(const extents& input, std::size_t dim, const index_numbers& index,
                                  meaning m) {
  return solve(
      index.shape, input, input.empty() ? 1 : input[dim], index, m,
      [](const coordinates& at) { return at; },
      [&](coordinates at, std::int64_t i) {
        if (!at.empty()) at[dim] = i;
        return at;
      });
}

/// The same, where an extent of 1 off `dim` stands for any.
inline reference take_along_dim_reference(const extents& input, std::size_t dim,
                                          const index_numbers& index, meaning m) {
  extents shape = index.shape;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (d != dim && shape[d] == 1) shape[d] = input[d];
  }
  const auto within = [](coordinates at, const extents& repeated) {
    for (std::size_t d = 0; d < at.size(); ++d) {
      if (repeated[d] == 1) at[d] = 0;
    }
    return at;
  };
  return solve(
      shape, input, input.empty() ? 1 : input[dim], index, m,
      [&](const coordinates& at) { return within(at, index.shape); },
      [&](coordinates at, std::int64_t i) {
        at = within(at, input);
        if (!at.empty()) at[dim] = i;
        return at;
      });
}

/// out[a][b] = input.flat[index[a][b]]
inline reference flat_reference(const extents& input, const index_numbers& index, meaning m) {
  return solve(
      index.shape, input, count(input), index, m, [](const coordinates& at) { return at; },
      [&](const coordinates&, std::int64_t i) { return place_of(i, input); });
}

/// out[a][b][c] = input[a][index[b]][c], for dim 1
inline reference index_select_reference(const extents& input, std::size_t dim,
                                        const index_numbers& index, meaning m) {
  extents shape = input;
  if (!shape.empty()) shape[dim] = index.shape.empty() ? 1 : index.shape[0];
  return solve(
      shape, input, input.empty() ? 1 : input[dim], index, m,
      [&](const coordinates& at) {
        return index.shape.empty() ? coordinates{} : coordinates{at.empty() ? 0 : at[dim]};
      },
      [&](coordinates at, std::int64_t i) {
        if (!at.empty()) at[dim] = i;
        return at;
      });
}

/// out[a][b...][c] = input[a][index[a[:batch]][b...]][c], with as many a's as `dim`
inline reference take_reference(const extents& input, std::size_t dim, std::size_t batch,
                                const index_numbers& index, meaning m) {
  const std::size_t inserted = index.shape.size() - batch;
  extents shape(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(dim));
  for (std::size_t d = batch; d < index.shape.size(); ++d) shape.push_back(index.shape[d]);
  for (std::size_t d = dim + 1; d < input.size(); ++d) shape.push_back(input[d]);
  return solve(
      shape, input, input.empty() ? 1 : input[dim], index, m,
      [&](const coordinates& at) {
        coordinates which;
        for (std::size_t d = 0; d < batch; ++d) which.push_back(at[d]);
        for (std::size_t d = 0; d < inserted; ++d) which.push_back(at[dim + d]);
        return which;
      },
      [&](const coordinates& at, std::int64_t i) {
        coordinates source;
        for (std::size_t d = 0; d < dim; ++d) source.push_back(at[d]);
        if (!input.empty()) source.push_back(i);
        for (std::size_t d = dim + 1; d < input.size(); ++d) source.push_back(at[d - 1 + inserted]);
        return source;
      });
}

/// out[a][b][c] = input[a][index[a][b][0]][index[a][b][1]][c], with `batch` a's
inline reference gather_nd_reference(const extents& input, std::size_t batch,
                                     const index_numbers& index, meaning m) {
  const std::size_t last = index.shape.size() - 1;
  const auto k = static_cast<std::size_t>(index.shape[last]);
  reference result{extents(index.shape.begin(), index.shape.end() - 1), {}, {}, 0};
  for (std::size_t d = batch + k; d < input.size(); ++d) result.shape.push_back(input[d]);
  for (std::size_t n = 0; m.outside != outside::fill && n < index.values.size(); ++n) {
    const std::size_t dim = batch + n % k;
    if (resolve(index.values[n], input[dim], m)) continue;
    result.first_bad = n;
    result.extent = input[dim];
    result.dim = static_cast<std::int64_t>(dim);
    return result;
  }
  for_each_place(result.shape, [&](const coordinates& at) {
    coordinates source(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(batch));
    coordinates which(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(last));
    which.push_back(0);
    bool is_inside = true;
    for (std::size_t c = 0; c < k; ++c) {
      which[last] = static_cast<std::int64_t>(c);
      const auto i = resolve(index.values[static_cast<std::size_t>(number_of(which, index.shape))],
                             input[batch + c], m);
      is_inside = is_inside && i;
      source.push_back(i.value_or(0));
    }
    source.insert(source.end(), at.begin() + static_cast<std::ptrdiff_t>(last), at.end());
    result.source.push_back(is_inside ? number_of(source, input) : filled);
  });
  return result;
}

}  // namespace test
