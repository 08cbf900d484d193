// SPDX-License-Identifier: BSD-3-Clause
// Every kernel on its own, between inaccessible pages: counts from 0 to past three vectors, every
// misalignment, with SIMD and without.
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <garner/detail/kernels/all_within.hpp>
#include <garner/detail/kernels/cell.hpp>
#include <garner/detail/kernels/copy_run.hpp>
#include <garner/detail/kernels/lookup.hpp>
#include <garner/detail/kernels/simd.hpp>

#include "support/catch.hpp"
#include "support/fenced.hpp"

using garner::index_t;
using namespace garner::detail;

namespace {

/// Catch2's macros, once instead of in each instantiation.
void require(bool is_right, const char* kernel, std::size_t size, index_t count,
             std::initializer_list<index_t> rest = {}) {
  if (is_right) {
    SUCCEED();
    return;
  }
  std::string text;
  for (index_t value : rest) text += ' ' + std::to_string(value);
  FAIL_CHECK(kernel << ": " << count << " elements of " << size << " bytes;" << text);
}

/// How many bytes a vector of Arch has; a plausible number where there is none.
template <class Arch>
constexpr index_t vector_bytes = [] {
  if constexpr (has_simd<Arch>) {
    return static_cast<index_t>(simd<std::uint8_t, Arch>::size);
  } else {
    return index_t{16};
  }
}();

/// Element i of a row: all different, no byte zero, and strings too long to be stored inline.
template <class T>
T element(index_t i) {
  if constexpr (std::same_as<T, std::string>) {
    return "a text that is longer than any small-string buffer: " + std::to_string(i);
  } else {
    T result;
    unsigned char bytes[sizeof(T)];
    for (std::size_t b = 0; b < sizeof(T); ++b) {
      bytes[b] = static_cast<unsigned char>(1 + (static_cast<std::size_t>(i) * 37 + b * 101) % 251);
    }
    std::memcpy(&result, bytes, sizeof(T));
    return result;
  }
}

/// `Size` bytes of no alignment.
template <std::size_t Size>
struct block {
  unsigned char bytes[Size];
  friend bool operator==(const block&, const block&) = default;
};

/// `count` elements that touch the fence at the chosen end but for `shift` bytes; the rest of the
/// page is watched for writes that go astray without hitting a fence.
template <class T>
class row {
 public:
  row(index_t count, test::flush side, std::size_t shift, bool is_filled)
      : memory_(pages(static_cast<std::size_t>(count) * sizeof(T) + shift), side, 0) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    first_ = side == test::flush::begin ? shift : memory_.size() - shift - bytes;
    last_ = first_ + bytes;
    std::fill(memory_.begin(), memory_.end(), std::byte{0xee});
    for (index_t i = 0; is_filled && i < count; ++i) {
      const T value = element<T>(i);
      std::memcpy(memory_.data() + first_ + static_cast<std::size_t>(i) * sizeof(T), &value,
                  sizeof(T));
    }
  }

  std::byte* bytes() const { return memory_.data() + first_; }

  T operator[](index_t i) const {
    T result;
    std::memcpy(&result, bytes() + i * static_cast<index_t>(sizeof(T)), sizeof(T));
    return result;
  }

  bool is_margin_untouched() const {
    const auto is_clean = [](std::byte b) { return b == std::byte{0xee}; };
    return std::all_of(memory_.begin(), memory_.begin() + first_, is_clean) &&
           std::all_of(memory_.begin() + last_, memory_.end(), is_clean);
  }

  void make_read_only() { memory_.make_read_only(); }

 private:
  static std::size_t pages(std::size_t bytes) { return (bytes / 4096 + 1) * 4096; }

  test::fenced<std::byte> memory_;
  std::size_t first_;
  std::size_t last_;
};

/// The same for elements that have constructors.
template <>
class row<std::string> {
 public:
  row(index_t count, test::flush side, std::size_t, bool is_filled)
      : memory_(static_cast<std::size_t>(count), side) {
    for (index_t i = 0; is_filled && i < count; ++i) {
      memory_[static_cast<std::size_t>(i)] = element<std::string>(i);
    }
  }
  std::string* bytes() const { return memory_.data(); }
  std::string operator[](index_t i) const { return memory_[static_cast<std::size_t>(i)]; }
  bool is_margin_untouched() const { return true; }
  void make_read_only() {}

 private:
  test::fenced<std::string> memory_;
};

template <class T>
constexpr bool is_object = !std::is_trivially_copyable_v<T>;

constexpr test::flush sides[] = {test::flush::begin, test::flush::end};

/// An element that was never written.
template <class T>
T unwritten() {
  if constexpr (is_object<T>) {
    return {};
  } else {
    T result;
    std::memset(static_cast<void*>(&result), 0xee, sizeof(T));
    return result;
  }
}

/// Calls check(side, shift) for both fences and all misalignments that T can have.
template <class T, class Check>
void for_each_place(const Check& check) {
  constexpr std::size_t shifts = is_object<T> ? 1 : std::max(sizeof(T), std::size_t{4});
  for (test::flush side : sides) {
    for (std::size_t shift = 0; shift < shifts; ++shift) check(side, shift);
  }
}

template <class Arch, class T>
void check_copy_run() {
  constexpr auto size = static_cast<index_t>(sizeof(T));
  constexpr index_t vector = vector_bytes<Arch>;
  std::vector<index_t> counts;
  for (index_t n = 0; n <= 3 * vector / size + 1; ++n) counts.push_back(n);
  for (index_t n = 16 * vector / size - 2; n <= 16 * vector / size + 2; ++n) counts.push_back(n);
  counts.push_back(4096 / size + 1);
  for (index_t n : counts) {
    for_each_place<T>([&](test::flush side, std::size_t shift) {
      row<T> src(n, side, shift, true);
      src.make_read_only();
      row<T> out(n, side, 0, false);
      copy_run<Arch, cell_of<T>>(out.bytes(), src.bytes(), n);
      bool is_right = out.is_margin_untouched();
      for (index_t i = 0; i < n; ++i) is_right = is_right && out[i] == element<T>(i);
      require(is_right, "copy_run", sizeof(T), n, {static_cast<index_t>(shift)});
    });
  }
}

/// A row seen backwards or with gaps: n elements `stride` apart, the first one at first().
struct steps {
  index_t n;
  index_t stride;
  index_t room() const { return n == 0 ? 0 : (n - 1) * std::abs(stride) + 1; }
  index_t first() const { return stride < 0 && n > 0 ? -stride * (n - 1) : 0; }
  index_t at(index_t i) const { return first() + i * stride; }
  bool hits(index_t place) const {
    for (index_t i = 0; i < n; ++i) {
      if (at(i) == place) return true;
    }
    return false;
  }
};

/// Whether out holds expected(i) at each of its steps and nothing else was written.
template <class T, class Expected>
bool is_written(const row<T>& out, const steps& to, const Expected& expected) {
  if (!out.is_margin_untouched()) return false;
  for (index_t i = 0; i < to.n; ++i) {
    if (out[to.at(i)] != expected(i)) return false;
  }
  for (index_t place = 0; place < to.room(); ++place) {
    if (!to.hits(place) && out[place] != unwritten<T>()) return false;
  }
  return true;
}

template <class Arch, class T>
void check_strided_run() {
  using cell = cell_of<T>;
  for (index_t n : {0, 1, 2, 7}) {
    for (index_t out_stride : {1, 2, 3, -1, -2}) {
      for (index_t src_stride : {0, 1, 2, -1, -3}) {
        for_each_place<T>([&](test::flush side, std::size_t shift) {
          const steps to{n, out_stride};
          const steps from{n, src_stride};
          row<T> src(from.room(), side, shift, true);
          src.make_read_only();
          row<T> out(to.room(), side, shift, false);
          strided_run<Arch, cell>(cell::at(out.bytes(), to.first()), out_stride,
                                  cell::at(src.bytes(), from.first()), src_stride, n);
          require(is_written(out, to, [&](index_t i) { return element<T>(from.at(i)); }),
                  "strided_run", sizeof(T), n, {out_stride, src_stride});
        });
      }
    }
  }
}

/// lookup where src_stride is 0, offset_gather elsewhere.
template <class Arch, class T, class Index>
void check_gathers() {
  using cell = cell_of<T>;
  constexpr index_t axis = 5;
  constexpr index_t axis_stride = 2;
  const auto locate = [](typename cell::const_pointer table, Index raw) {
    return cell::at(table, static_cast<index_t>(raw) * axis_stride);
  };
  const index_t lanes = vector_bytes<Arch> / static_cast<index_t>(sizeof(T));
  struct {
    index_t out_stride, src_stride, index_stride;
  } const walks[] = {{1, 0, 1}, {1, 1, 1},   {1, 3, 1}, {1, -1, 2},
                     {2, 1, 1}, {-1, 0, -1}, {1, 2, 0}};
  for (index_t n = 0; n <= 3 * lanes + 1; ++n) {
    for (const auto& walk : walks) {
      for_each_place<T>([&](test::flush side, std::size_t shift) {
        // All shifts at all counts would take a minute; each count still meets a few.
        if (n > 3 && shift != 0 && shift != static_cast<std::size_t>(n) % sizeof(T)) return;
        const steps to{n, walk.out_stride};
        const steps from{n, walk.src_stride};
        const steps by{n, walk.index_stride};
        row<T> src(from.room() + (axis - 1) * axis_stride, side, shift, true);
        src.make_read_only();
        test::fenced<Index> index(static_cast<std::size_t>(by.room()), side);
        for (std::size_t i = 0; i < index.size(); ++i) {
          index[i] = static_cast<Index>(i * 3 % static_cast<std::size_t>(axis));
        }
        row<T> out(to.room(), side, shift, false);
        const auto start = cell::at(out.bytes(), to.first());
        typename cell::const_pointer table = cell::at(src.bytes(), from.first());
        const Index* first = index.data() + by.first();
        if (walk.src_stride == 0) {
          lookup<Arch, cell>(start, walk.out_stride, table, first, walk.index_stride, n, locate);
        } else {
          offset_gather<Arch, cell>(start, walk.out_stride, table, walk.src_stride, first,
                                    walk.index_stride, n, locate);
        }
        require(is_written(out, to,
                           [&](index_t i) {
                             const auto raw =
                                 static_cast<index_t>(index[static_cast<std::size_t>(by.at(i))]);
                             return element<T>(from.at(i) + raw * axis_stride);
                           }),
                walk.src_stride == 0 ? "lookup" : "offset_gather", sizeof(T), n,
                {walk.out_stride, walk.src_stride, walk.index_stride});
      });
    }
  }
}

/// Whether all_within notices a bad index at each position of runs of each length, and no good one.
template <class Arch, class Index>
void check_all_within(Index lowest, Index highest) {
  using limits = std::numeric_limits<Index>;
  std::vector<Index> bad;
  if (lowest != limits::min()) {
    bad.push_back(static_cast<Index>(lowest - 1));
    bad.push_back(limits::min());
  }
  if (highest != limits::max()) {
    bad.push_back(static_cast<Index>(highest + 1));
    bad.push_back(limits::max());
  }
  constexpr index_t width = vector_bytes<Arch> / static_cast<index_t>(sizeof(Index));
  // A page holds many runs, and ends of it are ends of a fence.
  test::fenced<Index> memory(4096 / sizeof(Index), test::flush::begin);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = i % 2 ? lowest : highest;
  const auto size = static_cast<index_t>(memory.size());
  for (index_t n = 0; n <= 3 * width + 1; ++n) {
    for (index_t start : {index_t{0}, index_t{1}, size - n - 1, size - n}) {
      Index* run = memory.data() + start;
      require(all_within<Arch>(static_cast<const Index*>(run), n, lowest, highest), "all_within",
              sizeof(Index), n, {start});
      bool is_noticed = true;
      for (index_t i = 0; i < n; ++i) {
        const Index good = run[i];
        for (Index value : bad) {
          run[i] = value;
          is_noticed =
              is_noticed && !all_within<Arch>(static_cast<const Index*>(run), n, lowest, highest);
        }
        run[i] = good;
      }
      require(is_noticed, "all_within misses one", sizeof(Index), n, {start});
    }
    // What lies beside the run does not count.
    if (bad.empty() || n + 2 > size) continue;
    memory[0] = memory[static_cast<std::size_t>(n) + 1] = bad[0];
    require(all_within<Arch>(static_cast<const Index*>(memory.data() + 1), n, lowest, highest),
            "all_within reads beside", sizeof(Index), n);
    memory[0] = memory[static_cast<std::size_t>(n) + 1] = highest;
  }
}

template <class Arch, class Index>
void check_all_within() {
  using limits = std::numeric_limits<Index>;
  constexpr Index zero{0};
  check_all_within<Arch, Index>(zero, 99);
  check_all_within<Arch, Index>(zero, zero);
  check_all_within<Arch, Index>(zero, limits::max());
  check_all_within<Arch, Index>(limits::min(), limits::max());
  check_all_within<Arch, Index>(zero, limits::max() / 2 + 1);  // past the sign bit of the unsigned
  if constexpr (std::signed_integral<Index>) {
    check_all_within<Arch, Index>(-100, 99);
    check_all_within<Arch, Index>(limits::min(), -1);
    check_all_within<Arch, Index>(-1, limits::max() - 1);
  }
}

template <class Arch, class... Index>
void check_all_within_of() {
  (check_all_within<Arch, Index>(), ...);
}

template <class Arch, class... T>
void check_copies() {
  (check_copy_run<Arch, T>(), ...);
  (check_strided_run<Arch, T>(), ...);
}

template <class Arch, class Index, class... T>
void check_gathers_of() {
  (check_gathers<Arch, T, Index>(), ...);
}

static_assert(std::is_same_v<cell_of<double>, bits<8>>);
static_assert(std::is_same_v<cell_of<block<12>>, bits<12>>);
static_assert(std::is_same_v<cell_of<std::string>, object<std::string>>);
static_assert(std::is_same_v<fixed_width<long long>, std::int64_t>);
static_assert(std::is_same_v<fixed_width<unsigned long long>, std::uint64_t>);
static_assert(std::is_same_v<fixed_width<signed char>, std::int8_t>);
static_assert(!has_simd<scalar_arch>);

template <class Arch>
void signed_within() {
  check_all_within_of<Arch, signed char, short, int, long, long long>();
}
template <class Arch>
void unsigned_within() {
  check_all_within_of<Arch, unsigned char, unsigned short, unsigned, unsigned long,
                      unsigned long long>();
}
template <class Arch>
void copies() {
  check_copies<Arch, block<1>, block<2>, block<3>, block<4>, block<8>, block<12>, block<16>,
               block<24>, std::string>();
}
template <class Arch>
void gathers() {
  check_gathers_of<Arch, std::int64_t, block<1>, block<2>, block<3>, block<4>, block<8>, block<12>,
                   block<16>, block<24>, std::string>();
  check_gathers_of<Arch, std::uint8_t, block<1>, block<8>>();
  check_gathers_of<Arch, std::int32_t, block<4>>();
}

}  // namespace

TEST_CASE("all_within: notices one bad signed index anywhere", "[kernels][all_within]") {
  SECTION("with SIMD") { signed_within<default_arch>(); }
  SECTION("without SIMD") { signed_within<scalar_arch>(); }
}

TEST_CASE("all_within: notices one bad unsigned index anywhere", "[kernels][all_within]") {
  SECTION("with SIMD") { unsigned_within<default_arch>(); }
  SECTION("without SIMD") { unsigned_within<scalar_arch>(); }
}

TEST_CASE("copy_run, strided_run: copy all and nothing else", "[kernels][copy_run]") {
  SECTION("with SIMD") { copies<default_arch>(); }
  SECTION("without SIMD") { copies<scalar_arch>(); }
}

TEST_CASE("lookup, offset_gather: read and write what they should and nothing else",
          "[kernels][lookup]") {
  SECTION("with SIMD") { gathers<default_arch>(); }
  SECTION("without SIMD") { gathers<scalar_arch>(); }
}

TEST_CASE("all_within: bounds and indices at the extremes of 64 bits", "[kernels][all_within]") {
  constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
  constexpr auto highest = std::numeric_limits<std::int64_t>::max();
  constexpr auto edge = std::int64_t{1} << 62;
  const std::int64_t values[] = {lowest, lowest + 1, -edge - 1, -edge,    -1,          0,
                                 1,      edge - 1,   edge,      edge + 1, highest - 1, highest};
  for (const std::int64_t low : values) {
    for (const std::int64_t high : values) {
      if (low > high) continue;
      for (const std::int64_t value : values) {
        const std::vector<std::int64_t> run(33, value);
        CHECK(all_within<default_arch>(run.data(), 33, low, high) ==
              (low <= value && value <= high));
        const std::vector<std::uint64_t> bits(33, static_cast<std::uint64_t>(value));
        if (high < 0) continue;
        CHECK(all_within<default_arch>(bits.data(), 33, std::uint64_t{0},
                                       static_cast<std::uint64_t>(high)) ==
              (bits[0] <= static_cast<std::uint64_t>(high)));
      }
    }
  }
}
