// SPDX-License-Identifier: BSD-3-Clause
// The run-time switches of the mutants that schemata.py writes into a copy of include/. Each
// function does what the operator it stands for does, unless the mutant N (or N + 1) is the one
// that GARNER_MUTANT names. Constant evaluation always sees the original.
#pragma once

#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>

namespace garner_mutant {

inline constexpr int count = GARNER_MUTANT_COUNT;

/// Which mutant is on, and which ones were met; written to GARNER_MUTANTS_SEEN at exit, those
/// that do not exist for the types at hand with a minus (-1 is mutant 0).
struct state {
  int active;
  bool seen[count] = {};
  bool missed[count] = {};

  state() {
    const char* number = std::getenv("GARNER_MUTANT");
    active = number ? std::atoi(number) : -1;
  }
  ~state() {
    const char* path = std::getenv("GARNER_MUTANTS_SEEN");
    std::FILE* file = path ? std::fopen(path, "w") : nullptr;
    if (!file) return;
    for (int n = 0; n < count; ++n) {
      if (seen[n]) std::fprintf(file, "%d\n", n);
      if (missed[n]) std::fprintf(file, "%d\n", -1 - n);
    }
    std::fclose(file);
  }
};
inline state now;

template <int N>
[[gnu::always_inline]] constexpr bool on() {
  if (std::is_constant_evaluated()) return false;
  now.seen[N] = true;
  return now.active == N;
}

template <int N>
[[gnu::always_inline]] constexpr void miss() {
  if (!std::is_constant_evaluated()) now.missed[N] = true;
}

// By value: a constexpr operand need not be captured by a lambda then.
#define GARNER_MUTANT_BINARY(name, op, other)                                                   \
  template <int N, class A, class B>                                                            \
  [[gnu::always_inline]] constexpr decltype(auto) name(A a, B b) {                              \
    if constexpr (requires { requires std::same_as<decltype(a op b), decltype(a other b)>; }) { \
      if (on<N>()) return a other b;                                                            \
    } else {                                                                                    \
      miss<N>();                                                                                \
    }                                                                                           \
    return a op b;                                                                              \
  }
GARNER_MUTANT_BINARY(add, +, -)
GARNER_MUTANT_BINARY(sub, -, +)
GARNER_MUTANT_BINARY(mul, *, +)
GARNER_MUTANT_BINARY(div, /, *)
GARNER_MUTANT_BINARY(rem, %, /)
GARNER_MUTANT_BINARY(bit_and, &, |)
GARNER_MUTANT_BINARY(bit_or, |, &)
GARNER_MUTANT_BINARY(eq, ==, !=)
GARNER_MUTANT_BINARY(ne, !=, ==)

#define GARNER_MUTANT_COMPARISON(name, op, other, opposite)                                        \
  template <int N, class A, class B>                                                               \
  [[gnu::always_inline]] constexpr decltype(auto) name(A a, B b) {                                 \
    if constexpr (requires { requires std::same_as<decltype(a op b), decltype(a other b)>; }) {    \
      if (on<N>()) return a other b;                                                               \
    } else {                                                                                       \
      miss<N>();                                                                                   \
    }                                                                                              \
    if constexpr (requires { requires std::same_as<decltype(a op b), decltype(a opposite b)>; }) { \
      if (on<N + 1>()) return a opposite b;                                                        \
    } else {                                                                                       \
      miss<N + 1>();                                                                               \
    }                                                                                              \
    return a op b;                                                                                 \
  }
GARNER_MUTANT_COMPARISON(lt, <, <=, >=)
GARNER_MUTANT_COMPARISON(le, <=, <, >)
GARNER_MUTANT_COMPARISON(gt, >, >=, <=)
GARNER_MUTANT_COMPARISON(ge, >=, >, <)

#define GARNER_MUTANT_ASSIGNMENT(name, op, other)                    \
  template <int N, class A, class B>                                 \
  [[gnu::always_inline]] constexpr decltype(auto) name(A&& a, B b) { \
    if constexpr (requires { a other b; }) {                         \
      if (on<N>()) return a other b;                                 \
    } else {                                                         \
      miss<N>();                                                     \
    }                                                                \
    return a op b;                                                   \
  }
GARNER_MUTANT_ASSIGNMENT(add_to, +=, -=)
GARNER_MUTANT_ASSIGNMENT(sub_from, -=, +=)

/// A negated number, or the number.
template <int N, class A>
[[gnu::always_inline]] constexpr A minus(A a) {
  if constexpr (std::same_as<decltype(-a), A>) {
    if (on<N>()) return -a;
  } else {
    miss<N>();
  }
  return a;
}

/// A condition or an operand of one; what is no bool (a mask of a vector) passes.
template <class A>
concept flag = requires(const A& a) {
  static_cast<bool>(a);
};

template <int N, class A>
[[gnu::always_inline]] constexpr decltype(auto) negated(A&& a) {
  if constexpr (flag<A>) {
    return on<N>() != static_cast<bool>(a);
  } else {
    miss<N>();
    return static_cast<A&&>(a);
  }
}
template <int N, class A>
[[gnu::always_inline]] constexpr decltype(auto) or_true(A&& a) {
  if constexpr (flag<A>) {
    return on<N>() || static_cast<bool>(a);
  } else {
    miss<N>();
    return static_cast<A&&>(a);
  }
}
template <int N, class A>
[[gnu::always_inline]] constexpr decltype(auto) or_false(A&& a) {
  if constexpr (flag<A>) {
    return !on<N>() && static_cast<bool>(a);
  } else {
    miss<N>();
    return static_cast<A&&>(a);
  }
}

/// An integer, or the next; what a function returns, or another value.
template <int N, class A>
[[gnu::always_inline]] constexpr A next(A a) {
  return on<N>() ? static_cast<A>(a + 1) : a;
}
template <int N, class A>
[[gnu::always_inline]] constexpr A other(A a) {
  if constexpr (std::same_as<A, bool>) {
    return on<N>() ? !a : a;
  } else {
    return on<N>() ? static_cast<A>(a + 1) : a;
  }
}

}  // namespace garner_mutant
