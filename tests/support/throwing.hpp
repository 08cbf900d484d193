// SPDX-License-Identifier: BSD-3-Clause
// throwing: an element that counts how many there are, and whose copies can be made to throw.
#pragma once

#include <stdexcept>

namespace test {

struct throwing {
  static inline long live = 0;
  static inline long copies_left = -1;  // until one throws; never if negative

  int value = 0;

  throwing() { ++live; }
  explicit throwing(int v) : value(v) { ++live; }
  throwing(const throwing& other) : value(copied(other)) { ++live; }
  throwing& operator=(const throwing& other) {
    value = copied(other);
    return *this;
  }
  ~throwing() { --live; }

  friend bool operator<(const throwing& a, const throwing& b) { return a.value < b.value; }

 private:
  static int copied(const throwing& other) {
    if (copies_left == 0) throw std::runtime_error("a copy");
    if (copies_left > 0) --copies_left;
    return other.value;
  }
};

}  // namespace test
