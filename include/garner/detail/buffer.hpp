// SPDX-License-Identifier: BSD-3-Clause
// buffer: the storage of a tensor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include <garner/detail/layout.hpp>

namespace garner::detail {

/// What elements of trivial construction begin with.
enum class start { without_value, at_zero };

/// `size` elements on a 64-byte boundary.
template <class T>
class buffer {
 public:
  buffer(index_t size, start first) : buffer() {
    const auto count = static_cast<std::size_t>(size);
    if (count > max_bytes / sizeof(T)) {
      fail_shape("tensor", size, " elements of ", sizeof(T),
                 " bytes are more than memory can hold");
    }
    if (size == 0) return;
    data_ = static_cast<T*>(::operator new(count * sizeof(T), alignment));
    if (first == start::at_zero) {
      std::uninitialized_value_construct_n(data_, size);
    } else {
      std::uninitialized_default_construct_n(data_, size);
    }
    size_ = size;
  }
  buffer(buffer&& other) noexcept : buffer() { swap(other); }
  buffer& operator=(buffer&& other) noexcept {
    buffer(std::move(other)).swap(*this);  // right for itself too
    return *this;
  }
  ~buffer() {
    std::destroy_n(data_, size_);
    ::operator delete(data_, alignment);
  }

  T* get() const noexcept { return data_; }

 private:
  static constexpr std::align_val_t alignment{std::max(std::size_t{64}, alignof(T))};

  /// Complete before the first element is: if a constructor throws, the memory is freed.
  buffer() = default;

  void swap(buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  T* data_ = nullptr;
  index_t size_ = 0;  // how many elements live: none while they are being constructed
};

}  // namespace garner::detail
