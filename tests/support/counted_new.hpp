// SPDX-License-Identifier: BSD-3-Clause
// Every operator new of the program that includes this, in one file, is counted, and fails once
// `allocations_left` are used up.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>

namespace test {

inline constexpr long unlimited = std::numeric_limits<long>::max();
inline long allocations_left = unlimited;
inline long live_allocations = 0;
inline std::size_t allocations = 0;

inline void* allocate(std::size_t size, std::align_val_t alignment) noexcept {
  if (allocations_left == 0) return nullptr;
  if (allocations_left != unlimited) --allocations_left;
  ++allocations;
  ++live_allocations;
  const auto step = static_cast<std::size_t>(alignment);
  return std::aligned_alloc(step, (size + step - 1) / step * step);
}

inline void* allocate_or_throw(std::size_t size, std::align_val_t alignment) {
  if (void* memory = allocate(size, alignment)) return memory;
  throw std::bad_alloc();
}

inline void release(void* memory) noexcept {
  if (memory) --live_allocations;
  std::free(memory);
}

inline constexpr std::align_val_t usual{alignof(std::max_align_t)};

}  // namespace test

// All of them: a sanitizer brings its own of those that are left out, which do not call these.
#if defined(__GNUC__) && !defined(__clang__)  // inlines a delete into its caller and sees free()
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif
using std::align_val_t;
using std::nothrow_t;
using std::size_t;
void* operator new(size_t n) { return test::allocate_or_throw(n, test::usual); }
void* operator new[](size_t n) { return test::allocate_or_throw(n, test::usual); }
void* operator new(size_t n, align_val_t a) { return test::allocate_or_throw(n, a); }
void* operator new[](size_t n, align_val_t a) { return test::allocate_or_throw(n, a); }
void* operator new(size_t n, const nothrow_t&) noexcept { return test::allocate(n, test::usual); }
void* operator new[](size_t n, const nothrow_t&) noexcept { return test::allocate(n, test::usual); }
void* operator new(size_t n, align_val_t a, const nothrow_t&) noexcept {
  return test::allocate(n, a);
}
void* operator new[](size_t n, align_val_t a, const nothrow_t&) noexcept {
  return test::allocate(n, a);
}
void operator delete(void* p) noexcept { test::release(p); }
void operator delete[](void* p) noexcept { test::release(p); }
void operator delete(void* p, size_t) noexcept { test::release(p); }
void operator delete[](void* p, size_t) noexcept { test::release(p); }
void operator delete(void* p, align_val_t) noexcept { test::release(p); }
void operator delete[](void* p, align_val_t) noexcept { test::release(p); }
void operator delete(void* p, size_t, align_val_t) noexcept { test::release(p); }
void operator delete[](void* p, size_t, align_val_t) noexcept { test::release(p); }
void operator delete(void* p, const nothrow_t&) noexcept { test::release(p); }
void operator delete[](void* p, const nothrow_t&) noexcept { test::release(p); }
void operator delete(void* p, align_val_t, const nothrow_t&) noexcept { test::release(p); }
void operator delete[](void* p, align_val_t, const nothrow_t&) noexcept { test::release(p); }
