// SPDX-License-Identifier: BSD-3-Clause
// buffer: the storage of a tensor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

#include <garner/detail/layout.hpp>

namespace garner::detail {

/// What elements of trivial construction begin with.
enum class start { without_value, at_zero };

/// `size` elements on a 64-byte boundary.
template <class T>
class buffer {
 public:
  buffer(index_t size, start first) {
    const auto count = static_cast<std::size_t>(size);
    if (count > max_bytes / sizeof(T)) {
      fail_shape("tensor", size, " elements of ", sizeof(T),
                 " bytes are more than memory can hold");
    }
    if (size == 0) return;
    data_.reset(static_cast<T*>(::operator new(count * sizeof(T), alignment)));
    if (first == start::at_zero) {
      std::uninitialized_value_construct_n(data_.get(), size);
    } else {
      std::uninitialized_default_construct_n(data_.get(), size);
    }
    data_.get_deleter().size = size;
  }

  T* get() const noexcept { return data_.get(); }

 private:
  static constexpr std::align_val_t alignment{std::max(std::size_t{64}, alignof(T))};

  struct release {
    index_t size = 0;  // how many elements live: none while they are being constructed
    void operator()(T* data) const {
      std::destroy_n(data, size);
      ::operator delete(data, alignment);
    }
  };
  std::unique_ptr<T[], release> data_;
};

}  // namespace garner::detail
