// SPDX-License-Identifier: BSD-3-Clause
// option_set: what the options of a call add up to, in any order.
#include <memory>
#include <string>
#include <type_traits>

#include <garner/options.hpp>

#include "support/catch.hpp"

using garner::batch_dims;
using garner::fill;
using garner::detail::option_set;

namespace {

template <class... Options>
using outside_of =
    std::remove_cvref_t<decltype(option_set(std::declval<Options>()...).outside())>;

template <class Default, class... Options>
using negatives_of = typename option_set<Options...>::template negatives<Default>;

static_assert(std::is_same_v<outside_of<>, garner::checked_t>, "the default");
static_assert(std::is_same_v<outside_of<garner::noalias_t>, garner::checked_t>);
static_assert(std::is_same_v<outside_of<garner::checked_t>, garner::checked_t>);
static_assert(std::is_same_v<outside_of<garner::wrap_t>, garner::wrap_t>);
static_assert(std::is_same_v<outside_of<garner::from_end_t, garner::clip_t>, garner::clip_t>);
static_assert(std::is_same_v<outside_of<garner::clip_t, garner::from_end_t>, garner::clip_t>);
static_assert(std::is_same_v<outside_of<garner::noalias_t, garner::from_end_t, garner::unchecked_t>,
                             garner::unchecked_t>);
static_assert(std::is_same_v<outside_of<batch_dims, fill<int>, garner::noalias_t>, fill<int>>);

using reject = garner::reject_negative_t;
using from_end = garner::from_end_t;
static_assert(std::is_same_v<negatives_of<reject>, reject>);
static_assert(std::is_same_v<negatives_of<from_end>, from_end>);
static_assert(std::is_same_v<negatives_of<reject, from_end>, from_end>);
static_assert(std::is_same_v<negatives_of<from_end, garner::noalias_t, reject>, reject>);
static_assert(std::is_same_v<negatives_of<from_end, garner::wrap_t>, from_end>);

static_assert(!option_set<>::says_negatives);
static_assert(!option_set<garner::wrap_t, garner::noalias_t>::says_negatives);
static_assert(option_set<garner::wrap_t, from_end>::says_negatives);
static_assert(option_set<reject>::says_negatives);

static_assert(option_set<garner::noalias_t>::has<garner::noalias_t>);
static_assert(!option_set<garner::wrap_t>::has<garner::noalias_t>);
static_assert(!option_set<>::has<batch_dims>);

static_assert(std::is_same_v<decltype(fill(1.5f)), fill<float>>);
static_assert(!std::is_convertible_v<int, fill<int>> && !std::is_convertible_v<int, batch_dims>,
              "a number is no option");

static_assert(option_set(garner::noalias, batch_dims(3), garner::wrap).batch() == 3);
static_assert(option_set(garner::from_end, fill(7)).outside().value == 7);

}  // namespace

TEST_CASE("options: fill keeps a value of any type", "[options][fill]") {
  CHECK(option_set(fill(std::string("none"))).outside().value == "none");
  CHECK(option_set(garner::noalias, fill("text")).outside().value == std::string("text"));
  const auto shared = std::make_shared<int>(5);
  CHECK(option_set(fill(shared), garner::from_end).outside().value == shared);
  std::string moved = "a text too long for the small-string buffer";
  const char* data = moved.data();
  CHECK(fill(std::move(moved)).value.data() == data);
}

TEST_CASE("options: batch_dims keeps its number, whatever it is", "[options]") {
  CHECK(option_set(batch_dims(0)).batch() == 0);
  CHECK(option_set(garner::clip, batch_dims(-1)).batch() == -1);
}
