// SPDX-License-Identifier: BSD-3-Clause
// The only place for macros: what the compiler can do, and what the user may set before including
// garner.
//   GARNER_NO_SIMD   use the scalar kernels and include no xsimd
#pragma once

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define GARNER_HAS_EXCEPTIONS 1
#else
#define GARNER_HAS_EXCEPTIONS 0
#endif

// GARNER_COLD is for what ends in an error. GARNER_INLINE is for kernels' parts, which would else
// not carry their architecture in a name, and for the checks that a call of a few elements waits
// for. GARNER_INLINE_LAMBDA stands between a lambda's parameters and its body. GARNER_KERNEL is for
// loops that need all registers for themselves. GARNER_BRANCH, in a branch, keeps it one: compilers
// would compute both sides and select.
#if defined(__GNUC__)
#define GARNER_COLD [[gnu::noinline, gnu::cold]]
#define GARNER_INLINE [[gnu::always_inline]] inline
#define GARNER_INLINE_LAMBDA __attribute__((always_inline))
#define GARNER_KERNEL [[gnu::noinline]]
#define GARNER_BRANCH __asm__ volatile("")
#elif defined(_MSC_VER)
#define GARNER_COLD __declspec(noinline)
#define GARNER_INLINE __forceinline
#define GARNER_INLINE_LAMBDA
#define GARNER_KERNEL __declspec(noinline)
#define GARNER_BRANCH
#else
#define GARNER_COLD
#define GARNER_INLINE inline
#define GARNER_INLINE_LAMBDA
#define GARNER_KERNEL
#define GARNER_BRANCH
#endif
