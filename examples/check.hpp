// SPDX-License-Identifier: BSD-3-Clause
// What the examples share: print a result, and leave with exit code 1 if it is not the expected
// one.
#pragma once

#include <cstdlib>
#include <iostream>
#include <string_view>

#include <garner/garner.hpp>

/// A line of text between results.
inline void say(std::string_view text) { std::cout << "\n# " << text << '\n'; }

/// Prints a tensor, a view, a number or a text, and compares it with what it must be.
template <class Got, class Expected>
void show(std::string_view what, const Got& got, const Expected& expected) {
  std::cout << std::boolalpha << what << " ->\n" << got << std::endl;
  if (got == expected) return;
  std::cerr << "WRONG: " << what << " should be\n" << std::boolalpha << expected << '\n';
  std::exit(EXIT_FAILURE);
}

/// Prints a shape, like (5, 128), and compares it.
template <int Rank, class... Extents>
void show_shape(std::string_view what, const garner::dims<Rank>& got, Extents... expected) {
  show(what, got, garner::dims{expected...});
}
