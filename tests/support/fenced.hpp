// SPDX-License-Identifier: BSD-3-Clause
// Memory between two inaccessible pages: touching one byte too many ends the test, whatever the
// instruction.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <utility>

namespace test {

/// Which of the two inaccessible pages the data touches.
enum class flush { begin, end };

/// n value-initialised T's. `shift` bytes are left free at the page that is touched, to misalign
/// trivial types.
template <class T>
class fenced {
 public:
  fenced(std::size_t n, flush side, std::size_t shift = 0) : size_(n) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t bytes = n * sizeof(T) + shift;
    inner_bytes_ = (bytes + page - 1) / page * page;
    if (inner_bytes_ == 0) inner_bytes_ = page;
    all_bytes_ = inner_bytes_ + 2 * page;
    void* all = ::mmap(nullptr, all_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    all_ = static_cast<std::byte*>(all);
    if (::mprotect(inner(), inner_bytes_, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    std::byte* first = side == flush::begin ? inner() + shift : inner() + inner_bytes_ - bytes;
    data_ = reinterpret_cast<T*>(first);
    std::uninitialized_value_construct_n(data_, n);
  }
  fenced(fenced&& other) noexcept
      : all_(std::exchange(other.all_, nullptr)),
        all_bytes_(other.all_bytes_),
        inner_bytes_(other.inner_bytes_),
        data_(other.data_),
        size_(other.size_) {}
  fenced& operator=(fenced&&) = delete;
  ~fenced() {
    if (!all_) return;
    ::mprotect(inner(), inner_bytes_, PROT_READ | PROT_WRITE);
    std::destroy_n(data_, size_);
    ::munmap(all_, all_bytes_);
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::span<T> span() const { return {data_, size_}; }
  T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }

  /// From now on a write ends the test.
  void make_read_only() { protect(PROT_READ); }
  void make_writable() { protect(PROT_READ | PROT_WRITE); }

 private:
  void protect(int access) {
    if (::mprotect(inner(), inner_bytes_, access) != 0) throw std::runtime_error("mprotect");
  }
  std::byte* inner() const { return all_ + (all_bytes_ - inner_bytes_) / 2; }

  std::byte* all_ = nullptr;
  std::size_t all_bytes_ = 0;
  std::size_t inner_bytes_ = 0;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace test
