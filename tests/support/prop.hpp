// SPDX-License-Identifier: BSD-3-Clause
// prop: a RapidCheck property as a Catch2 assertion. GARNER_CASES sets how many cases each runs;
// RC_PARAMS="seed=..." replays a failure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include <rapidcheck.h>

#include "support/catch.hpp"

namespace test {

/// Builds that repeat the tests of another one, with other flags, compile fewer combinations of
/// types.
#ifdef GARNER_TEST_LIGHT
inline constexpr bool is_light = true;
#else
inline constexpr bool is_light = false;
#endif

inline int case_count(int usual) {
  const char* wanted = std::getenv("GARNER_CASES");
  return wanted ? std::atoi(wanted) : usual;
}

/// inRange grows with the size of a case; this does not.
template <class T>
rc::Gen<T> uniform(T first, T last) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(first, last));
}

/// Fails the test case unless `property` holds for random arguments, `usual` times or GARNER_CASES
/// times.
template <class Property>
void prop(const std::string& claim, int usual, Property&& property, std::uint64_t round = 0) {
  rc::detail::TestMetadata metadata;
  metadata.description = claim;
  auto parameters = rc::detail::configuration().testParams;
  parameters.maxSuccess = case_count(usual);
  parameters.seed += round;
  const auto result =
      rc::detail::checkTestable(std::forward<Property>(property), metadata, parameters);
  std::string report;
  {
    std::ostringstream out;
    rc::detail::printResultMessage(result, out);
    out << "\nseed: " << parameters.seed;
    report = out.str();
  }
  INFO(report);
  CHECK(result.template is<rc::detail::SuccessResult>());
}

/// prop for calls, some of which are to be refused: property() tells whether its call was accepted.
/// Goes on with other seeds until it has seen one accepted and one refused call for each 40 that
/// were asked for.
template <class Property>
void prop_of_calls(const std::string& claim, int usual, const Property& property) {
  constexpr std::uint64_t most_rounds = 20;
  const int least = std::max(1, case_count(usual) / 40);
  int accepted = 0;
  int refused = 0;
  const auto counted = [&] { ++(property() ? accepted : refused); };
  for (std::uint64_t round = 0; round < most_rounds; ++round) {
    prop(claim, usual, counted, round);
    if (accepted >= least && refused >= least) break;
  }
  INFO(claim);
  CHECK(accepted >= least);
  CHECK(refused >= least);
}

}  // namespace test
