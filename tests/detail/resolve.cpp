// SPDX-License-Identifier: BSD-3-Clause
// What a raw index means, against 128-bit arithmetic: all 8-bit values, and the edges of the other
// types.
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <garner/detail/resolve.hpp>

#include "support/catch.hpp"

using garner::index_t;
using garner::integer;
using namespace garner::detail;

namespace {

__extension__ typedef __int128 wide;

using garner::checked_t;
using garner::clip_t;
using garner::from_end_t;
using garner::reject_negative_t;
using garner::unchecked_t;
using garner::wrap_t;
using fill_t = garner::fill<int>;

static_assert(integer<signed char> && integer<unsigned char>);
static_assert(integer<long> && integer<unsigned long long>);
static_assert(!integer<bool> && !integer<char> && !integer<wchar_t>);
static_assert(!integer<char8_t> && !integer<char16_t> && !integer<char32_t>);
static_assert(!integer<float> && !integer<const int*>);

constexpr index_t extents[] = {1,
                               2,
                               3,
                               100,
                               127,
                               128,
                               129,
                               255,
                               256,
                               257,
                               300,
                               index_t{1} << 31,
                               (index_t{1} << 31) + 1,
                               index_t{1} << 32,
                               index_t{1} << 62,
                               std::numeric_limits<index_t>::max()};

/// The place on the axis, if there is one, of an index that is neither wrapped nor clipped.
template <class Negatives>
wide from_front(wide raw, wide extent) {
  return std::same_as<Negatives, from_end_t> && raw < 0 ? raw + extent : raw;
}

template <class Outside, class Negatives>
std::optional<wide> expected(wide raw, wide extent) {
  if (std::same_as<Outside, wrap_t>) return (raw % extent + extent) % extent;
  const wide at = from_front<Negatives>(raw, extent);
  if (at >= 0 && at < extent) return at;
  if (std::same_as<Outside, clip_t>) return at < 0 ? 0 : extent - 1;
  if (std::same_as<Outside, fill_t>) return -1;
  return std::nullopt;  // checked and unchecked are never asked
}

/// All values of an 8-bit type; of others, those around every power of 2, the extent and 0.
template <class Index>
std::vector<Index> values(index_t extent) {
  using limits = std::numeric_limits<Index>;
  std::vector<Index> result;
  const auto add = [&](wide value) {
    if (value >= limits::min() && value <= limits::max())
      result.push_back(static_cast<Index>(value));
  };
  if (sizeof(Index) == 1) {
    for (int i = -128; i < 256; ++i) add(i);
    return result;
  }
  for (int nudge = -2; nudge <= 2; ++nudge) {
    for (int bit = 0; bit < 65; ++bit) {
      add((wide{1} << bit) + nudge);
      add(-(wide{1} << bit) + nudge);
    }
    for (int times = -3; times <= 3; ++times) add(wide{times} * extent + nudge);
  }
  return result;
}

template <class Index, class Outside, class Negatives>
void check_resolver() {
  for (index_t extent : extents) {
    const resolver<Index, Outside, Negatives> resolve{extent};
    for (Index raw : values<Index>(extent)) {
      const auto wanted = expected<Outside, Negatives>(static_cast<wide>(raw), extent);
      if (!wanted || resolve(raw) == *wanted) continue;
      FAIL_CHECK("extent " << extent << ", index " << std::to_string(raw) << " became "
                           << resolve(raw) << " instead of " << static_cast<index_t>(*wanted));
    }
  }
}

template <class Index, class Negatives>
void check_bounds() {
  for (index_t extent : extents) {
    const auto bounds = bounds_for<Index, Negatives>(extent);
    for (Index raw : values<Index>(extent)) {
      const bool is_accepted = bounds.lowest <= raw && raw <= bounds.highest;
      const wide at = from_front<Negatives>(static_cast<wide>(raw), extent);
      const bool is_legal = at >= 0 && at < extent;
      if (is_accepted == is_legal && (is_legal || !bounds.accept_all())) continue;
      FAIL_CHECK("extent " << extent << ", index " << std::to_string(raw)
                           << (is_legal ? " is refused" : " is accepted"));
    }
    using limits = std::numeric_limits<Index>;
    const bool all_legal = wide{limits::max()} < extent &&
                           (wide{limits::min()} >= 0 || (std::same_as<Negatives, from_end_t> &&
                                                         -wide{limits::min()} <= extent));
    INFO("extent " << extent);
    CHECK(bounds.accept_all() == all_legal);
  }
}

template <class Index, class Negatives>
void check_negatives() {
  check_resolver<Index, checked_t, Negatives>();
  check_resolver<Index, unchecked_t, Negatives>();
  check_resolver<Index, wrap_t, Negatives>();
  check_resolver<Index, clip_t, Negatives>();
  check_resolver<Index, fill_t, Negatives>();
  check_bounds<Index, Negatives>();
}

template <class... Index>
void check_types() {
  (check_negatives<Index, reject_negative_t>(), ...);
  (check_negatives<Index, from_end_t>(), ...);
}

template <class Outside, class Negatives, class Index>
constexpr index_t resolved(Index raw, index_t extent) {
  return resolver<Index, Outside, Negatives>{extent}(raw);
}

constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
constexpr auto largest = std::numeric_limits<std::uint64_t>::max();
static_assert(resolved<checked_t, from_end_t>(std::int8_t{-1}, 300) == 299);
static_assert(resolved<wrap_t, reject_negative_t>(lowest, 3) == 1,
              "-2^63 = 3 * -3074457345618258603 + 1");
static_assert(resolved<wrap_t, from_end_t>(largest, 10) == 5, "2^64-1 is no -1");
static_assert(resolved<clip_t, reject_negative_t>(-1, 10) == 0);
static_assert(resolved<clip_t, from_end_t>(-1, 10) == 9);
static_assert(resolved<clip_t, from_end_t>(-11, 10) == 0);
static_assert(resolved<clip_t, from_end_t>(largest, 10) == 9);
static_assert(resolved<fill_t, from_end_t>(largest, 10) == -1);
static_assert(resolved<fill_t, from_end_t>(lowest, 10) == -1);
static_assert(resolved<fill_t, reject_negative_t>(-1, 10) == -1);
static_assert(resolved<fill_t, reject_negative_t>(3, 0) == -1, "an empty axis holds nothing");
static_assert(resolved<fill_t, from_end_t>(-1, 0) == -1);

}  // namespace

TEST_CASE("resolve: signed indices mean what 128-bit arithmetic says", "[resolve]") {
  check_types<signed char, short, int, long, long long>();
}

TEST_CASE("resolve: unsigned indices mean what 128-bit arithmetic says", "[resolve]") {
  check_types<unsigned char, unsigned short, unsigned, unsigned long, unsigned long long>();
}
