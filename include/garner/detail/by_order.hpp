// SPDX-License-Identifier: BSD-3-Clause
// Indices in the order of the elements that they name: sorted where they lie by the standard's
// algorithms or, if there is scratch memory, by the bytes of the elements' keys.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>

#include <garner/detail/kernels/order_key.hpp>
#include <garner/detail/kernels/radix_sort.hpp>

namespace garner::detail {

/// Whether element a of a line comes before element b: by value, then by place.
template <bool Descending, class T>
struct comes_before {
  const T* line;
  index_t stride;

  bool operator()(index_t a, index_t b) const {
    const T& x = line[a * stride];
    const T& y = line[b * stride];
    if (Descending ? is_less(y, x) : is_less(x, y)) return true;
    return a < b && !(Descending ? is_less(x, y) : is_less(y, x));
  }
};

/// Elements `stride` apart.
template <class T>
struct strided_iterator {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = index_t;
  using pointer = T*;
  using reference = T&;

  T* data = nullptr;
  index_t stride = 1;
  index_t at = 0;  // counted apart: a pointer must not be moved past the end by a stride

  constexpr T& operator*() const { return data[at * stride]; }
  constexpr T& operator[](index_t i) const { return data[(at + i) * stride]; }
  constexpr strided_iterator& operator+=(index_t n) {
    at += n;
    return *this;
  }
  constexpr strided_iterator& operator-=(index_t n) { return *this += -n; }
  constexpr strided_iterator& operator++() { return *this += 1; }
  constexpr strided_iterator& operator--() { return *this += -1; }
  constexpr strided_iterator operator++(int) {
    const auto before = *this;
    ++at;
    return before;
  }
  constexpr strided_iterator operator--(int) {
    const auto before = *this;
    --at;
    return before;
  }
  friend constexpr strided_iterator operator+(strided_iterator x, index_t n) { return x += n; }
  friend constexpr strided_iterator operator+(index_t n, strided_iterator x) { return x += n; }
  friend constexpr strided_iterator operator-(strided_iterator x, index_t n) { return x += -n; }
  friend constexpr index_t operator-(const strided_iterator& a, const strided_iterator& b) {
    return a.at - b.at;
  }
  friend constexpr bool operator==(const strided_iterator& a, const strided_iterator& b) {
    return a.at == b.at;
  }
  friend constexpr auto operator<=>(const strided_iterator& a, const strided_iterator& b) {
    return a.at <=> b.at;
  }
};

/// How many entries of scratch memory a stack may well hold: those of two lines, as a radix sort
/// needs them.
inline constexpr index_t scratch_entries = 4096;

/// Which 32 bits of a line's keys are packed: all that differ, or the highest of them.
struct key_digits {
  std::uint64_t low;
  int shift;

  constexpr std::uint32_t of(std::uint64_t key) const {
    return static_cast<std::uint32_t>((key - low) >> shift);
  }
};

/// The key in the order of unsigned integers.
template <bool Descending, keyed T>
GARNER_INLINE std::uint64_t key_bits(const T& x) {
  const std::int64_t key = sort_key<Descending>(x);
  return static_cast<std::uint64_t>(key) ^ std::uint64_t{1} << 63;
}

template <class Arch, bool Descending, keyed T>
key_digits digits_of(const T* x, index_t stride, index_t n) {
  if constexpr (sizeof(T) <= 4) {
    return {std::uint64_t{0x7fffffff80000000u}, 0};  // that of the least 32-bit key
  } else {
    std::uint64_t low = key_bits<Descending>(x[0]);
    std::uint64_t high = low;
    for (index_t i = 1; i < n; ++i) {
      const std::uint64_t key = key_bits<Descending>(x[i * stride]);
      low = key < low ? key : low;
      high = key > high ? key : high;
    }
    return {low, std::max(0, static_cast<int>(std::bit_width(high - low)) - 32)};
  }
}

/// The order of a line of n elements, sorted where it is written.
template <class Arch, bool Descending, class T>
void argsort_in_place(std::int64_t* out, index_t out_stride, const T* x, index_t stride,
                      index_t n) {
  const strided_iterator<std::int64_t> first{out, out_stride};
  for (index_t i = 0; i < n; ++i) first[i] = i;
  std::sort(first, first + n, comes_before<Descending, T>{x, stride});
}

/// The same for elements with keys. `scratch` has room for `room` entries; a longer line is sorted
/// in out.
template <class Arch, bool Descending, keyed T>
void argsort_line(std::int64_t* out, index_t out_stride, const T* x, index_t stride, index_t n,
                  packed_entry* scratch, index_t room) {
  if (n > most_packed) return argsort_in_place<Arch, Descending>(out, out_stride, x, stride, n);
  const key_digits digits = digits_of<Arch, Descending>(x, stride, n);
  const auto pack_into = [&](const auto& entries) {
    for (index_t i = 0; i < n; ++i) {
      entries[i] = pack(digits.of(key_bits<Descending>(x[i * stride])), i);
    }
  };
  const strided_iterator<std::int64_t> to{out, out_stride};
  const auto unpack = [&](const auto& entries) {
    if (digits.shift == 0) {
      for (index_t i = 0; i < n; ++i) to[i] = index_of(entries[i]);
      return;
    }
    for (index_t i = 0, first = 0; i < n; ++i) {  // those alike in 32 bits are sorted by all
      const packed_entry entry = entries[i];
      to[i] = index_of(entry);
      if (i + 1 < n && entries[i + 1] >> 32 == entry >> 32) continue;
      if (i > first) std::sort(to + first, to + (i + 1), comes_before<Descending, T>{x, stride});
      first = i + 1;
    }
  };
  if (n <= room / 2) {
    pack_into(scratch);
    unpack(radix_sort<Arch>(scratch, scratch + n, n));
  } else {
    const strided_iterator<packed_entry> entries{reinterpret_cast<packed_entry*>(out), out_stride};
    pack_into(entries);
    if (out_stride == 1) {
      std::sort(entries.data, entries.data + n);
    } else {
      std::sort(entries, entries + n);
    }
    unpack(entries);
  }
}

}  // namespace garner::detail
