// SPDX-License-Identifier: BSD-3-Clause
// Every kernel of the list on its own, between inaccessible pages, against plain loops: counts from
// 0 to past three vectors, every misalignment, all kinds of strides and hints, with SIMD and
// without. What a kernel accepts it must do, so a new one is tested as soon as it is listed.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <ostream>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <garner/detail/execute.hpp>
#include <garner/detail/kernels/all_within.hpp>
#include <garner/detail/plan.hpp>
#include <garner/detail/resolve.hpp>

#include "support/catch.hpp"
#include "support/elements.hpp"
#include "support/fenced.hpp"

using garner::index_t;
using namespace garner::detail;

namespace {

/// How many bytes a vector of Arch has; a plausible number where there is none.
template <class Arch>
constexpr index_t vector_bytes = [] {
  if constexpr (has_simd<Arch>) {
    return static_cast<index_t>(simd<std::uint8_t, Arch>::size);
  } else {
    return index_t{16};
  }
}();

/// Numbers that look random and are the same in each run.
class sequence {
 public:
  explicit sequence(std::uint64_t seed) : state_(seed) {}
  index_t below(index_t n) {
    state_ += 0x9e3779b97f4a7c15u;
    return static_cast<index_t>(test::mix(state_) % static_cast<std::uint64_t>(n));
  }
  template <class List>
  auto one_of(const List& list) {
    return std::data(list)[below(std::ssize(list))];
  }

 private:
  std::uint64_t state_;
};

/// Which fence data touches, but for some bytes.
struct place {
  test::flush side;
  std::size_t shift;

  /// All places there are for elements that may lie `misalignments` bytes off.
  static place number(index_t n, index_t misalignments) {
    const auto side = n % 2 == 0 ? test::flush::begin : test::flush::end;
    return {side, static_cast<std::size_t>(n / 2 % misalignments)};
  }
};

enum class policy { plain, fill, from_end };

/// One instance of execute, without its types.
struct mover {
  std::size_t size;        // of an element
  bool is_object;          // std::string, else bits
  index_t width;           // how many elements a vector has
  std::size_t index_size;  // in bytes
  std::int64_t lowest;     // of the index type
  std::int64_t highest;
  policy meaning;
  void (*put)(void* at, std::int64_t raw);
  void (*execute)(const plan<3>&, void* out, const void* src, const void* index,
                  const axis_shape& axis, index_t axis_stride, const void* fill);

  index_t misalignments() const { return is_object ? 1 : static_cast<index_t>(size); }
};

template <class Arch, class Cell, class Index, policy Meaning = policy::plain>
constexpr mover mover_of = [] {
  constexpr bool is_object = !requires { Cell::step; };
  constexpr std::size_t size = sizeof(std::conditional_t<is_object, std::string, std::byte[24]>);
  mover result{size,
               is_object,
               merged<Arch, Cell>,
               sizeof(Index),
               std::numeric_limits<Index>::min(),
               std::numeric_limits<Index>::max(),
               Meaning,
               {},
               {}};
  if constexpr (!is_object) {
    result.size = Cell::step;
    result.width = std::max(result.width, vector_bytes<Arch> / Cell::step);
  }
  result.put = [](void* at, std::int64_t raw) {
    const auto index = static_cast<Index>(raw);
    std::memcpy(at, &index, sizeof(Index));
  };
  result.execute = [](const plan<3>& p, void* out, const void* src, const void* index,
                      const axis_shape& axis, index_t axis_stride, const void* fill) {
    using outside =
        std::conditional_t<Meaning == policy::fill, garner::fill<int>, garner::unchecked_t>;
    using negatives = std::conditional_t<Meaning == policy::from_end, garner::from_end_t,
                                         garner::reject_negative_t>;
    using const_pointer = typename Cell::const_pointer;
    const locator<Cell, resolver<Index, outside, negatives>, even_axis> locate{
        {axis.extent}, {axis_stride}, static_cast<const_pointer>(fill)};
    execute<Arch, Cell>(p, static_cast<typename Cell::pointer>(out),
                        static_cast<const_pointer>(src), static_cast<const Index*>(index), locate);
  };
  return result;
}();

/// Elements 0, 1, ... as bytes: most are different, and no byte is zero.
const std::byte* element_bytes(std::size_t size, index_t count) {
  static std::array<std::vector<std::byte>, 25> known;
  auto& bytes = known[size];
  for (std::size_t b = bytes.size(); b < static_cast<std::size_t>(count) * size; ++b) {
    bytes.push_back(static_cast<std::byte>(1 + (b / size * 37 + b % size * 101) % 251));
  }
  return bytes.data();
}

constexpr auto unwritten = std::byte{0xee};

/// Pages between fences that are used again and again, for making them takes most of a test's time.
class arena {
 public:
  test::fenced<std::byte>& of(std::size_t bytes) {
    static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t pages = bytes / page + 1;
    while (known_.size() <= pages) known_.emplace_back();
    auto& memory = known_[pages];
    if (!memory) {
      memory = std::make_unique<test::fenced<std::byte>>(pages * page, test::flush::begin);
    }
    return *memory;
  }

 private:
  std::vector<std::unique_ptr<test::fenced<std::byte>>> known_;
};

/// `count` elements that touch a fence; the rest of the page is watched for writes that go astray
/// without hitting one. One row per arena at a time.
class row {
 public:
  row(arena& memory, std::size_t size, bool is_object, index_t count, const place& where)
      : size_(size),
        bytes_(static_cast<std::size_t>(count) * size),
        memory_(memory.of(bytes_ + where.shift)) {
    memory_.make_writable();
    first_ = where.side == test::flush::begin ? where.shift : memory_.size() - where.shift - bytes_;
    if (is_object)
      texts_ = {reinterpret_cast<std::string*>(data()), static_cast<std::size_t>(count)};
    std::uninitialized_value_construct(texts_.begin(), texts_.end());
  }
  row(row&&) = delete;
  ~row() { std::destroy(texts_.begin(), texts_.end()); }

  std::byte* data() const { return memory_.data() + first_; }
  std::byte* at(index_t i) const { return data() + i * static_cast<index_t>(size_); }
  index_t count() const { return static_cast<index_t>(bytes_ / size_); }

  /// Elements number `number`, `number` + 1, ... From now on a write ends the test.
  void number(index_t number) {
    if (!texts_.empty()) {  // too long to be stored inline
      for (auto& text : texts_) {
        text = "a text that is longer than any small-string buffer: " + std::to_string(number++);
      }
    } else if (bytes_ > 0) {
      std::memcpy(data(), element_bytes(size_, number + count()) + number * index_t(size_), bytes_);
      make_read_only();
    }
  }
  void make_read_only() { memory_.make_read_only(); }

  void forget() {
    if (texts_.empty()) std::memset(memory_.data(), int(unwritten), memory_.size());
    for (auto& text : texts_) text.clear();
  }
  bool is_written(index_t i) const {
    if (!texts_.empty()) return !texts_[static_cast<std::size_t>(i)].empty();
    return std::any_of(at(i), at(i + 1), [](std::byte b) { return b != unwritten; });
  }
  bool is_same(index_t i, const row& other, index_t j) const {
    if (texts_.empty()) return std::memcmp(at(i), other.at(j), size_) == 0;
    return texts_[static_cast<std::size_t>(i)] == other.texts_[static_cast<std::size_t>(j)];
  }
  bool is_margin_unwritten() const {
    if (!texts_.empty()) return true;
    return is_unwritten(memory_.data(), first_) &&
           is_unwritten(data() + bytes_, memory_.size() - first_ - bytes_);
  }

 private:
  static bool is_unwritten(const std::byte* bytes, std::size_t n) {
    return n == 0 || (*bytes == unwritten && std::memcmp(bytes, bytes + 1, n - 1) == 0);
  }

  std::size_t size_;
  std::size_t bytes_;
  test::fenced<std::byte>& memory_;
  std::size_t first_;
  std::span<std::string> texts_;
};

/// The strides of a run.
struct steps {
  index_t out, src, index;
};
constexpr steps walks[] = {
    {1, 0, 1},                                                 // lookups
    {1, 1, 1}, {1, 3, 1}, {1, -2, 1},                          // gathers
    {1, 1, 0}, {2, 1, 0}, {1, -1, 0},  {-1, 2, 0}, {1, 0, 0},  // runs that one index decides
    {2, 1, 1}, {1, 0, 2}, {-1, 0, -1}, {1, -1, 2}, {-2, 3, -1},
};

/// How a row follows the one before: packed, with a gap, backwards, starting where it did or one
/// element behind.
enum class follow { dense, padded, backwards, same, next, aligned };
struct row_steps {
  follow out, src, index;
};
constexpr row_steps row_walks[] = {
    {follow::dense, follow::dense, follow::dense},
    {follow::padded, follow::same, follow::dense},
    {follow::dense, follow::padded, follow::same},
    {follow::padded, follow::dense, follow::same},
    {follow::backwards, follow::backwards, follow::backwards},
    {follow::padded, follow::padded, follow::padded},
    {follow::backwards, follow::same, follow::same},
};
constexpr row_steps side_by_side[] = {
    {follow::dense, follow::next, follow::dense},
    {follow::padded, follow::next, follow::same},
};
constexpr row_steps aligned_rows[] = {
    {follow::aligned, follow::dense, follow::dense},
    {follow::aligned, follow::padded, follow::same},
};

index_t stride_after(follow how, index_t span) {
  switch (how) {
    case follow::dense:
      return span;
    case follow::padded:
      return span + 3;
    case follow::backwards:
      return -span - 1;
    case follow::same:
      return 0;
    case follow::next:
      return 1;
    case follow::aligned:
      return (span + 63) / 64 * 64;
  }
  return 0;
}

/// How far a nest of loops reaches below and above its first element.
struct reached {
  index_t below = 0;
  index_t above = 0;

  void add(index_t extent, index_t stride) {
    (stride < 0 ? below : above) += std::max<index_t>(extent - 1, 0) * std::abs(stride);
  }
  index_t span() const { return below + 1 + above; }
};

/// Three loops over an axis, and where all of it lies.
struct problem {
  index_t blocks, rows, run;
  steps by;
  row_steps then;
  axis_shape axis;
  index_t axis_stride;
  place out, src;
};

std::ostream& operator<<(std::ostream& out, const place& p) {
  return out << p.shift << " bytes from the " << (p.side == test::flush::begin ? "begin" : "end");
}

hints draw_hints(sequence& draw) {
  constexpr index_t bytes[] = {0, 1, -1, 100, -100, 4096, -4096, 1 << 20};
  hints result;
  result.is_far = draw.below(2) == 0;
  result.is_scattered = draw.below(2) == 0;
  result.is_streamed = draw.below(3) != 0;
  result.asked_from = draw.one_of(bytes);
  result.asked_bytes = draw.one_of(bytes);
  return result;
}

/// The lengths of the runs that each kernel has done.
using tally = std::array<std::set<index_t>, std::size(kernels)>;

std::string describe(const mover& m, const problem& x, const plan<3>& p) {
  std::ostringstream out;
  out << p << "; asked " << p.memory.asked_bytes << " from " << p.memory.asked_from
      << "; elements of " << m.size << " bytes, out " << x.out << ", src " << x.src << ", index of "
      << m.index_size << " bytes, axis of " << x.axis.extent << " by " << x.axis_stride
      << ", policy " << int(m.meaning);
  return out.str();
}

/// Does the problem with every kernel that accepts it, with and without hints and strips.
void check(const mover& m, const problem& x, sequence& draw, tally& met) {
  loop loops[] = {{x.blocks, 0, 0, 0}, {x.rows, 0, 0, 0}, {x.run, x.by.out, x.by.src, x.by.index}};
  reached out_reach, src_reach, index_reach;
  for (std::size_t k = 3; k-- > 0;) {
    loop& l = loops[k];
    if (k < 2) {
      l.out_stride = stride_after(x.then.out, out_reach.span());
      l.src_stride = stride_after(x.then.src, src_reach.span());
      l.index_stride = stride_after(x.then.index, index_reach.span());
    }
    out_reach.add(l.extent, l.out_stride);
    src_reach.add(l.extent, l.src_stride);
    index_reach.add(l.extent, l.index_stride);
  }
  src_reach.add(x.axis.extent, x.axis_stride);

  static arena memory[4];
  row src(memory[0], m.size, m.is_object, src_reach.span(), x.src);
  src.number(0);
  row fill(memory[1], m.size, m.is_object, 1, x.src);
  fill.number(5000);
  row out(memory[2], m.size, m.is_object, out_reach.span(), x.out);

  // What each raw index means: a place on the axis, or -1 for the fill value.
  row index(memory[3], m.index_size, false, index_reach.span(), {x.src.side, 0});
  std::vector<index_t> meaning(static_cast<std::size_t>(index.count()));
  for (index_t i = 0; i < index.count(); ++i) {
    index_t at = draw.below(std::min<index_t>(x.axis.extent, m.highest));
    index_t raw = at;
    if (m.meaning == policy::fill && draw.below(3) == 0) {
      const index_t outside[] = {-1, x.axis.extent, x.axis.extent + 40, m.lowest, m.highest};
      const index_t wanted = draw.one_of(outside);
      if ((wanted < 0 || wanted >= x.axis.extent) && wanted >= m.lowest && wanted <= m.highest) {
        raw = wanted;
        at = -1;
      }
    } else if (m.meaning == policy::from_end && draw.below(2) == 0) {
      raw = at - x.axis.extent;
      if (raw < m.lowest) raw = at;
    }
    m.put(index.at(i), raw);
    meaning[static_cast<std::size_t>(i)] = at;
  }
  index.make_read_only();

  constexpr index_t nothing = -1, filled = -2;
  std::vector<index_t> expected(static_cast<std::size_t>(out.count()), nothing);
  for (index_t b = 0; b < x.blocks; ++b) {
    for (index_t r = 0; r < x.rows; ++r) {
      for (index_t i = 0; i < x.run; ++i) {
        index_t to = out_reach.below, from = src_reach.below, by = index_reach.below;
        const index_t at[] = {b, r, i};
        for (std::size_t k = 0; k < 3; ++k) {
          to += at[k] * loops[k].out_stride;
          from += at[k] * loops[k].src_stride;
          by += at[k] * loops[k].index_stride;
        }
        const index_t picked = meaning[static_cast<std::size_t>(by)];
        expected[static_cast<std::size_t>(to)] =
            picked < 0 ? filled : from + picked * x.axis_stride;
      }
    }
  }
  const auto is_right = [&] {
    if (!out.is_margin_unwritten()) return false;
    for (index_t i = 0; i < out.count(); ++i) {
      const index_t wanted = expected[static_cast<std::size_t>(i)];
      if (wanted == nothing  ? out.is_written(i)
          : wanted == filled ? !out.is_same(i, fill, 0)
                             : !out.is_same(i, src, wanted)) {
        return false;
      }
    }
    return true;
  };

  // Loops of extent 1 on the outside are dropped, as a plan does.
  const std::size_t dropped = x.blocks != 1 ? 0 : x.rows != 1 ? 1 : 2;
  plan<3> p{{{}, 3 - dropped}, {}, {}, {}};
  std::copy(loops + dropped, loops + 3, p.loops.begin());
  for (const kernel_name& k : kernels) {
    p.inner = k.value;
    const auto is_accepted = [&](index_t run) {
      loop part = p.run();
      part.extent = run;
      return accepts(k.value, p.rows(), part, x.axis, m.size);
    };
    if (!is_accepted(x.run)) continue;
    met[static_cast<std::size_t>(k.value)].insert(x.run);
    for (const bool is_hinted : {false, true}) {
      p.memory = is_hinted ? draw_hints(draw) : hints{};
      p.strip = std::max<index_t>(x.run, 1);
      const index_t strip = draw.below(2) == 0 ? p.strip : 1 + draw.below(p.strip);
      const index_t rest = x.run % strip;
      if (is_hinted && is_accepted(strip) && (rest == 0 || is_accepted(rest))) p.strip = strip;
      out.forget();
      INFO(describe(m, x, p));
      m.execute(p, out.at(out_reach.below), src.at(src_reach.below), index.at(index_reach.below),
                x.axis, x.axis_stride, m.meaning == policy::fill ? fill.data() : nullptr);
      if (!is_right()) FAIL_CHECK("not what plain loops give");
    }
  }
}

struct axis_steps {
  index_t extent, stride;

  axis_shape shape() const { return {extent, extent == 1 ? 1 : stride}; }
  bool is_column() const { return std::abs(stride) >= 256; }
};
constexpr axis_steps axes[] = {{1, 1},   {1, 7},   {5, 1},    {8, 1},    {9, 1},    {16, 1},
                               {17, 1},  {300, 1}, {5, 2},    {8, 3},    {9, -1},   {16, 2},
                               {17, -2}, {300, 2}, {300, -1}, {5, 1024}, {17, -256}};

/// Runs of `n` elements that step like `by`, at every place; lookups also from every axis, and for
/// each kind of rows. What else there is, is drawn.
void check_run(const mover& m, index_t n, const steps& by, tally& met) {
  constexpr index_t all_rows[] = {0, 1, 1, 2, 2, 3, 3, 17};
  constexpr index_t all_blocks[] = {1, 1, 1, 2, 3};
  const bool is_lookup = by.src == 0 && by.index == 1;
  const index_t samples =
      std::max<index_t>(2 * m.misalignments(), is_lookup ? std::ssize(axes) : 4);
  sequence draw(static_cast<std::uint64_t>(n * 1000 + by.out * 100 + by.src * 10 + by.index));
  for (index_t s = 0; s < samples + 2; ++s) {
    const bool is_aligned = s >= samples;  // where rows can be streamed
    const auto axis = is_lookup && !is_aligned ? axes[s % std::ssize(axes)] : draw.one_of(axes);
    const bool is_column = is_lookup && axis.is_column();
    const auto then = is_column    ? side_by_side[n % 2]
                      : is_aligned ? aligned_rows[s % 2]
                                   : row_walks[(s + n) % std::ssize(row_walks)];
    index_t rows = is_aligned ? 1 + draw.below(3) : draw.one_of(all_rows);
    if (is_column || (is_lookup && then.index == follow::same)) rows += 2;
    const problem x{draw.one_of(all_blocks),
                    rows,
                    n,
                    by,
                    then,
                    axis.shape(),
                    axis.stride,
                    place::number(is_aligned ? 0 : s + n, m.misalignments()),
                    place::number(s, m.misalignments())};
    check(m, x, draw, met);
  }
}

/// All counts up to three vectors and one, and those around which a kernel changes its ways.
std::vector<index_t> counts_for(index_t width) {
  std::vector<index_t> result;
  for (index_t n = 0; n <= 3 * width + 1; ++n) result.push_back(n);
  for (index_t n : {4 * width, 4 * width + 1, 5 * width + 2, 9 * width - 1, ahead + width - 1,
                    ahead + width, ahead + 2 * width + 1, index_t{128}, 129 + width}) {
    if (n > 3 * width + 1) result.push_back(n);
  }
  return result;
}

/// Does all this, and makes sure that each kernel has met all counts from the first it accepts on.
tally check_all(const mover& m) {
  tally met;
  const auto counts = counts_for(m.width);
  for (index_t n : counts) {
    for (const steps& by : walks) check_run(m, n, by, met);
  }
  for (const kernel_name& k : kernels) {
    const auto& done = met[static_cast<std::size_t>(k.value)];
    INFO(k.text << ", elements of " << m.size << " bytes");
    CHECK(std::all_of(counts.begin(), counts.end(), [&](index_t n) {
      return done.empty() || n < *done.begin() || done.contains(n);
    }));
  }
  return met;
}

template <class Arch, class Index, policy Meaning, class... Cell>
void check_cells() {
  (check_all(mover_of<Arch, Cell, Index, Meaning>), ...);
}

/// Tables of up to 16 entries that touch a fence, with indices that are no fewer than a plan asks
/// for, and a few more.
void check_registers(const mover& m) {
  tally met;
  sequence draw(m.size);
  for (index_t entries = 1; entries <= 16; ++entries) {
    index_t least = 1;
    while (!is_register_table(entries, m.size, least)) ++least;
    for (index_t n = least; n <= least + 2 * m.width + 1; ++n) {
      for (index_t s = 0; s < 4; ++s) {
        const problem x{1 + s % 2,
                        1 + s / 2 * draw.below(3),
                        n,
                        walks[0],
                        s == 2 ? aligned_rows[0] : draw.one_of(row_walks),
                        axis_steps{entries, 1}.shape(),
                        1,
                        place::number(s == 2 ? 0 : s + n, m.misalignments()),
                        place::number(s % 2, 1)};
        check(m, x, draw, met);
      }
    }
  }
  CHECK(!met[static_cast<std::size_t>(kernel::register_lookup)].empty());
}

template <class Arch>
void registers() {
  check_registers(mover_of<Arch, bits<1>, std::uint8_t>);
  check_registers(mover_of<Arch, bits<1>, std::int8_t>);
  check_registers(mover_of<Arch, bits<1>, std::int64_t>);
  check_registers(mover_of<Arch, bits<4>, std::uint8_t>);
  check_registers(mover_of<Arch, bits<4>, std::int16_t>);
  check_registers(mover_of<Arch, bits<4>, std::int32_t>);
  check_registers(mover_of<Arch, bits<4>, std::int64_t>);
  check_registers(mover_of<Arch, bits<4>, std::int64_t, policy::fill>);
}

/// Rows of all lengths that are copied in different ways.
template <class Arch>
void row_lengths() {
  const mover& m = mover_of<Arch, bits<1>, std::int64_t>;
  constexpr steps dense_rows{1, 1, 0};
  tally met;
  for (index_t n = 1; n <= 300; ++n) check_run(m, n, dense_rows, met);
  for (index_t n = 4000; n <= 4200; ++n) check_run(m, n, dense_rows, met);
  CHECK(met[static_cast<std::size_t>(kernel::copy_run)].size() == 501);
}

/// Catch2's macros, once instead of in each instantiation.
void require(bool is_right, const char* claim, std::size_t size, index_t count, index_t start) {
  if (is_right) {
    SUCCEED();
  } else {
    FAIL_CHECK("all_within " << claim << ": " << count << " indices of " << size << " bytes from "
                             << start);
  }
}

/// Whether all_within notices a bad index at each position of runs of each length, and no good one.
/// Runs are up to nine vectors, for it walks four streams of them.
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
  for (index_t n = 0; n <= 9 * width + 1; ++n) {
    const bool is_short = n <= 3 * width + 1;  // all bad values, else one
    for (index_t start : {index_t{0}, index_t{1}, size - n - 1, size - n}) {
      if (!is_short && start != 0 && start != size - n) continue;
      Index* run = memory.data() + start;
      const auto is_within = [&] {
        return all_within<Arch>(static_cast<const Index*>(run), n, lowest, highest);
      };
      require(is_within(), "notices a good one", sizeof(Index), n, start);
      bool is_noticed = true;
      for (index_t i = 0; i < n; ++i) {
        const Index good = run[i];
        for (std::size_t k = 0; k < bad.size(); ++k) {
          if (!is_short && k != static_cast<std::size_t>(i + n) % bad.size()) continue;
          run[i] = bad[k];
          is_noticed = is_noticed && !is_within();
        }
        run[i] = good;
      }
      require(is_noticed, "misses a bad one", sizeof(Index), n, start);
    }
    // What lies beside the run does not count.
    if (bad.empty()) continue;
    memory[0] = memory[static_cast<std::size_t>(n) + 1] = bad[0];
    require(all_within<Arch>(static_cast<const Index*>(memory.data() + 1), n, lowest, highest),
            "reads beside", sizeof(Index), n, 1);
    memory[0] = memory[static_cast<std::size_t>(n) + 1] = highest;
  }
}

/// Runs too long to try every position: one around each multiple of 2^14.
template <class Arch, class Index>
void check_all_within_long() {
  constexpr index_t block = index_t{1} << 17;
  std::vector<Index> run(2 * block + 100, Index{7});
  for (index_t n : {block - 1, block, block + 1, block + 50, 2 * block, 2 * block + 99}) {
    const auto is_within = [&] { return all_within<Arch>(run.data(), n, Index{0}, Index{7}); };
    run[static_cast<std::size_t>(n)] = Index{8};
    require(is_within(), "reads beside", sizeof(Index), n, 0);
    run[static_cast<std::size_t>(n)] = Index{7};
    bool is_noticed = true;
    for (index_t near = 0; near <= n + 64; near += index_t{1} << 14) {
      for (index_t i : {near - 64, near - 33, near - 1, near, near + 1, near + 63, n - 1}) {
        if (i < 0 || i >= n) continue;
        auto& index = run[static_cast<std::size_t>(i)];
        index = Index{8};
        is_noticed = is_noticed && !is_within();
        index = Index{7};
      }
    }
    require(is_noticed, "misses a bad one", sizeof(Index), n, 0);
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

static_assert(std::is_same_v<cell_of<double>, bits<8>>);
static_assert(std::is_same_v<cell_of<test::point>, bits<12>>);
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
void all_sizes() {
  check_cells<Arch, std::int64_t, policy::plain, bits<1>, bits<2>, bits<3>, bits<4>, bits<8>,
              bits<12>, bits<16>, bits<24>, object<std::string>>();
}
template <class Arch>
void all_fills() {
  check_cells<Arch, std::int64_t, policy::fill, bits<1>, bits<4>, bits<12>, object<std::string>>();
}

}  // namespace

TEST_CASE("kernels: move elements of every size, and nothing else", "[kernels]") {
  SECTION("with SIMD") { all_sizes<default_arch>(); }
  SECTION("without SIMD") { all_sizes<scalar_arch>(); }
}

TEST_CASE("kernels: put the fill value where an index is outside", "[kernels][fill]") {
  SECTION("with SIMD") {
    all_fills<default_arch>();
    check_cells<default_arch, std::int64_t, policy::fill, bits<2>, bits<3>, bits<8>, bits<16>,
                bits<24>>();
    check_cells<default_arch, std::int32_t, policy::fill, bits<4>, bits<8>>();
    check_cells<default_arch, std::uint8_t, policy::fill, bits<4>, bits<8>>();
  }
  SECTION("without SIMD") { all_fills<scalar_arch>(); }
}

TEST_CASE("kernels: read indices of every type", "[kernels]") {
  check_cells<default_arch, std::int32_t, policy::plain, bits<1>, bits<4>, bits<8>>();
  check_cells<default_arch, std::uint8_t, policy::plain, bits<1>, bits<4>, bits<8>>();
  check_cells<scalar_arch, std::uint8_t, policy::plain, bits<4>>();
}

TEST_CASE("kernels: count negative indices from the end", "[kernels][from_end]") {
  check_cells<default_arch, std::int32_t, policy::from_end, bits<4>>();
  check_cells<default_arch, std::int8_t, policy::from_end, bits<1>>();
  check_cells<scalar_arch, std::int64_t, policy::from_end, bits<8>>();
}

TEST_CASE("kernels: each one is tested", "[kernels]") {
  const tally met = check_all(mover_of<default_arch, bits<4>, std::int16_t>);
  for (const kernel_name& k : kernels) {
    INFO(k.text);
    CHECK(name(k.value) == std::string(k.text));
    CHECK(!met[static_cast<std::size_t>(k.value)].empty());
  }
}

TEST_CASE("register_lookup: reads tables of 1 to 16 entries, and nothing beside them",
          "[kernels][register_lookup]") {
  SECTION("with SIMD") { registers<default_arch>(); }
  SECTION("without SIMD") {
    check_registers(mover_of<scalar_arch, bits<1>, std::uint8_t>);
    check_registers(mover_of<scalar_arch, bits<4>, std::int64_t>);
  }
}

TEST_CASE("copy_run: copies rows of all lengths", "[kernels][copy_run]") {
  SECTION("with SIMD") { row_lengths<default_arch>(); }
  SECTION("without SIMD") { row_lengths<scalar_arch>(); }
}

TEST_CASE("all_within: notices one bad signed index anywhere", "[kernels][all_within]") {
  SECTION("with SIMD") { signed_within<default_arch>(); }
  SECTION("without SIMD") { signed_within<scalar_arch>(); }
}

TEST_CASE("all_within: notices one bad unsigned index anywhere", "[kernels][all_within]") {
  SECTION("with SIMD") { unsigned_within<default_arch>(); }
  SECTION("without SIMD") { unsigned_within<scalar_arch>(); }
}

TEST_CASE("all_within: notices one bad index in a long run", "[kernels][all_within]") {
  check_all_within_long<default_arch, std::int64_t>();
  check_all_within_long<default_arch, std::int32_t>();
  check_all_within_long<default_arch, std::uint8_t>();
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
