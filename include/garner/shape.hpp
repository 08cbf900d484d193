// SPDX-License-Identifier: BSD-3-Clause
// dims: a short list of integers, one per dim, used for shapes and for strides alike.
// What the numbers mean, and whether they are legal, is decided in detail/layout.hpp.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <span>  // and the concepts of <ranges>, without all of its views
#include <type_traits>
#include <utility>

#include <garner/error.hpp>

namespace garner {

/// Stands for a rank that is known at run time only.
inline constexpr int dynamic_rank = -1;

template <int Rank = dynamic_rank>
class dims;

namespace detail {

constexpr index_t to_index(integer auto value) {
  if constexpr (!std::in_range<index_t>(std::numeric_limits<decltype(value)>::max())) {
    if (!std::in_range<index_t>(value)) fail_shape("dims", value, " does not fit into index_t");
  }
  return static_cast<index_t>(value);
}

constexpr int plus_rank(int rank, int more) {
  return rank == dynamic_rank ? dynamic_rank : rank + more;
}

/// The rank that a list of integers of this type gives to a view: known for dims and std::array.
template <class List>
inline constexpr int rank_of_list = dynamic_rank;
template <int Rank>
inline constexpr int rank_of_list<dims<Rank>> = Rank;
template <class T, std::size_t N>
inline constexpr int rank_of_list<std::array<T, N>> = static_cast<int>(N);

}  // namespace detail

/// Any range of integers: std::vector<std::int64_t>, std::span<const int>, dims; but no tensor.
template <class List>
concept integer_list =
    std::ranges::forward_range<const List> && std::ranges::sized_range<const List> &&
    integer<std::ranges::range_value_t<const List>> &&
    !requires(const List& list) { list.strides(); };

/// One integer per dim; the rank is `Rank`, or chosen at run time up to max_rank. Never allocates.
template <int Rank>
class dims {
  static constexpr bool is_dynamic = Rank == dynamic_rank;
  static_assert(is_dynamic || (Rank >= 0 && Rank <= max_rank),
                "garner: a rank is between 0 and 16");

 public:
  constexpr dims() = default;

  template <integer... Values>
    requires(sizeof...(Values) > 0 &&
             (is_dynamic ? sizeof...(Values) <= max_rank : sizeof...(Values) == Rank))
  constexpr dims(Values... values) : values_{detail::to_index(values)...} {
    if constexpr (is_dynamic) rank_.value = static_cast<int>(sizeof...(Values));
  }

  template <integer_list List>
    requires(!std::same_as<List, dims>)
  constexpr dims(const List& list) : dims(of_rank(std::ranges::size(list))) {
    std::size_t d = 0;
    for (auto value : list) values_[d++] = detail::to_index(value);
  }

  /// `rank` zeros.
  static constexpr dims of_rank(std::size_t rank) {
    dims result;
    if constexpr (is_dynamic) {
      if (rank > max_rank) detail::fail_shape("dims", rank, " dims are more than ", max_rank);
      result.rank_.value = static_cast<int>(rank);
    } else if (rank != Rank) {
      detail::fail_shape("dims", rank, " dims where ", Rank, " are needed");
    }
    return result;
  }

  constexpr std::size_t size() const noexcept { return static_cast<std::size_t>(rank()); }
  constexpr int rank() const noexcept { return rank_.value; }
  constexpr index_t* data() noexcept { return values_.data(); }
  constexpr const index_t* data() const noexcept { return values_.data(); }
  constexpr index_t* begin() noexcept { return data(); }
  constexpr const index_t* begin() const noexcept { return data(); }
  constexpr index_t* end() noexcept { return data() + size(); }
  constexpr const index_t* end() const noexcept { return data() + size(); }
  constexpr index_t& operator[](integer auto d) { return values_[static_cast<std::size_t>(d)]; }
  constexpr const index_t& operator[](integer auto d) const {
    return values_[static_cast<std::size_t>(d)];
  }

  template <int Other>
  constexpr bool operator==(const dims<Other>& other) const {
    if (rank() != other.rank()) return false;
    bool is_equal = true;
    for (int d = 0; d < rank(); ++d) is_equal &= (*this)[d] == other[d];
    return is_equal;
  }

 private:
  struct static_rank {
    static constexpr int value = Rank;
  };
  struct run_time_rank {
    int value = 0;
  };

  std::array<index_t, static_cast<std::size_t>(is_dynamic ? max_rank : Rank)> values_{};
  [[no_unique_address]] std::conditional_t<is_dynamic, run_time_rank, static_rank> rank_;
};

template <integer... Values>
dims(Values...) -> dims<static_cast<int>(sizeof...(Values))>;

namespace detail {

/// The list without entry `d`.
template <int Rank>
constexpr auto erase(const dims<Rank>& list, int d) {
  auto result = dims<plus_rank(Rank, -1)>::of_rank(list.size() - 1);
  for (int k = 0; k < result.rank(); ++k) result[k] = list[k < d ? k : k + 1];
  return result;
}

/// The list with `value` put before entry `d`.
template <int Rank>
constexpr auto insert(const dims<Rank>& list, int d, index_t value) {
  auto result = dims<plus_rank(Rank, 1)>::of_rank(list.size() + 1);
  for (int k = 0; k < result.rank(); ++k)
    result[k] = k < d ? list[k] : k == d ? value : list[k - 1];
  return result;
}

}  // namespace detail
}  // namespace garner
