// SPDX-License-Identifier: BSD-3-Clause
// problem: a small call of one operation, each operand in memory of its own between inaccessible
// pages. Tests spoil it and ask what happened: each answer is a text, empty if all is well.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <list>
#include <string>
#include <vector>

#include <garner/error.hpp>

#include "support/fenced.hpp"
#include "support/operation.hpp"

namespace test {

inline extents dense_strides(const extents& shape) {
  extents strides(shape.size());
  std::int64_t stride = 1;
  for (std::size_t d = shape.size(); d-- > 0; stride *= std::max<std::int64_t>(shape[d], 1)) {
    strides[d] = stride;
  }
  return strides;
}

inline std::string text_of(wide value) {
  return value < 0 ? std::to_string(static_cast<std::int64_t>(value))
                   : std::to_string(static_cast<std::uint64_t>(value));
}

/// Where the elements of an operand lie in its memory.
enum class placing {
  dense,
  reversed,    // all strides negative
  spread,      // every third, garbage in between
  transposed,  // the first dim innermost
};

class problem : public call {
 public:
  explicit problem(const operation& o, std::int64_t e = 4, std::int64_t n = 67) : op(o) {
    const shapes s = o.shape(e, n);
    dim = s.dim;
    batch = s.batch;
    table = dense(s.table, o.element_size);
    values = dense(s.values, o.value_size);
    index = dense(s.index, o.kind == kind::mask ? 1 : o.index_size);
    const bool has_floats = o.extra == test::extra::factors || o.extra == test::extra::scales;
    extra = dense(s.extra, o.writes_extra() ? 8 : has_floats ? sizeof(float) : o.element_size);
    if (o.extra == test::extra::scales) bias = dense(s.extra, sizeof(float));
    offsets = dense(s.offsets, 8);
    fill_elements();
    fill_index();
  }

  const operation& op;

  /// An operand in new memory.
  raw_view dense(const extents& shape, std::size_t size, flush side = flush::end) {
    const auto bytes = static_cast<std::size_t>(count(shape)) * size;
    memory_.emplace_back(bytes, side);
    return {memory_.back().data(), shape, dense_strides(shape), size};
  }
  /// Memory of its own, of `n` elements.
  std::byte* room(std::int64_t n, std::size_t size) { return dense({n}, size).data; }

  /// Moves an operand's elements to another place.
  void place(raw_view& x, placing how) {
    if (count(x.shape) == 0) return;
    extents shape = x.shape;
    if (how == placing::transposed) std::reverse(shape.begin(), shape.end());
    const std::int64_t step = how == placing::spread ? 3 : 1;
    raw_view to = dense({1 + (count(shape) - 1) * step}, x.size);
    std::memset(to.data, 0xc5, static_cast<std::size_t>(count(to.shape)) * x.size);
    to.strides = dense_strides(shape);
    to.shape = x.shape;
    for (auto& stride : to.strides) stride *= step;
    if (how == placing::transposed) std::reverse(to.strides.begin(), to.strides.end());
    if (how == placing::reversed) {
      to.data += (count(shape) - 1) * static_cast<std::int64_t>(x.size);
      for (auto& stride : to.strides) stride = -stride;
    }
    copy(x, to);
    x = to;
  }

  /// Copies elements.
  static void copy(const raw_view& from, const raw_view& to) {
    const auto n = count(from.shape);
    if (n > 0 && is_dense(from) && is_dense(to)) {
      std::memcpy(to.data, from.data, static_cast<std::size_t>(n) * from.size);
      return;
    }
    for (std::int64_t k = 0; k < n; ++k) std::memcpy(to.at(k), from.at(k), from.size);
  }
  static bool is_dense(const raw_view& x) {
    std::int64_t stride = 1;
    for (std::size_t d = x.shape.size(); d-- > 0; stride *= x.shape[d]) {
      if (x.strides[d] != stride) return false;
    }
    return true;
  }

  void fill_elements() {
    const auto numbers = [](const raw_view& x, auto put, std::int64_t first, std::int64_t period) {
      const auto n = count(x.shape);
      for (std::int64_t k = 0; k < n; ++k) put(x.at(k), first + k * 37 % period);
    };
    numbers(table, op.put_element, 10, 101);
    const bool makes_indices = op.kind >= kind::argmax && op.kind <= kind::argsort;
    if (!makes_indices) numbers(values, op.put_value, 1, 5);
    if (op.extra == test::extra::elements) numbers(extra, op.put_element, 10, 101);
    if (op.extra == test::extra::factors || op.extra == test::extra::scales) {
      numbers(extra, op.put_value, -2, 7);
    }
    if (op.extra == test::extra::scales) numbers(bias, op.put_value, 3, 11);
    const auto n = count(offsets.shape);
    for (std::int64_t k = 0; k < n; ++k) set_offset(k, 2 * k);
  }
  /// Legal indices, with repetitions.
  void fill_index() {
    const auto n = count(index.shape);
    for (std::int64_t k = 0; k < n; ++k) {
      if (op.kind == kind::mask) {
        *index.at(k) = std::byte{k % 3 != 0};
      } else if (op.has_index()) {
        const auto extent = axis_of(op, *this, k).extent;
        set_index(k, extent == 0 ? 0 : (k * 5 + k / 3 + 1) % extent);
      }
    }
  }
  void set_index(std::int64_t k, wide value) { op.put_index(index.at(k), value); }
  void set_offset(std::int64_t k, std::int64_t value) {
    std::memcpy(offsets.at(k), &value, sizeof(value));
  }

  /// Those operands that the operation is given; first what is written.
  std::vector<raw_view*> operands() {
    std::vector<raw_view*> result;
    const bool has_table = op.kind != kind::validate && op.kind != kind::sparse;
    if (op.writes_table() || (has_table && !op.into)) result.push_back(&table);
    if (op.into && op.kind != kind::validate) result.push_back(&values);
    if (op.kind == kind::sparse) result.push_back(&values);
    if (op.writes_values() && op.into) result.push_back(&table);
    if (op.has_index() || op.kind == kind::mask) result.push_back(&index);
    if (op.extra != test::extra::none) result.push_back(&extra);
    if (op.extra == test::extra::scales) result.push_back(&bias);
    if (!offsets.shape.empty()) result.push_back(&offsets);
    return result;
  }
  /// Those that are only read.
  std::vector<raw_view*> read_operands() {
    std::vector<raw_view*> result;
    for (raw_view* x : operands()) {
      const bool is_written = x == &table    ? op.writes_table()
                              : x == &values ? op.writes_values()
                                             : x == &extra && op.writes_extra();
      if (!is_written) result.push_back(x);
    }
    return result;
  }

  /// The message that names entry k of the index.
  std::string index_text(std::int64_t k) const {
    std::string result = op.op + ": index";
    const auto place = place_of(k, index.shape);
    for (std::size_t d = 0; d < place.size(); ++d) {
      result += (d ? "," : "[") + std::to_string(place[d]);
    }
    const auto on = axis_of(op, *this, k);
    result += (place.empty() ? " = " : "] = ") + text_of(op.get_index(index.at(k))) +
              " is out of range for ";
    if (on.dim >= 0) result += "dim " + std::to_string(on.dim) + " of ";
    return result + "extent " + std::to_string(on.extent);
  }

  /// Nothing, if all forms throw an error of which the text begins so, and write nothing.
  template <class Error>
  std::string refusal(const std::string& begin, bool of_make = true, const char* part = "") {
    std::string report;
    const auto attempt = [&](const char* form, const auto& run) {
      if (!run) return;
      remember();
      try {
        run(*this);
        report += std::string(form) + ": accepted; ";
      } catch (const Error& error) {
        const std::string text = error.what();
        if (text.rfind(begin, 0) != 0 || text.find(part) == std::string::npos) {
          report += std::string(form) + ": " + text + " instead of " + begin + part + "; ";
        }
      } catch (const std::exception& error) {
        report += std::string(form) + ": another error: " + error.what() + "; ";
      }
      if (!is_unchanged()) report += std::string(form) + ": wrote all the same; ";
    };
    attempt("into", op.into);
    if (of_make) attempt("make", op.make);
    return report;
  }
  /// The same where entry k of the index is the first bad one.
  std::string refusal_of_index(std::int64_t k) {
    return refusal<garner::index_error>(index_text(k));
  }
  std::string refusal_of_shape(const std::string& begin = "") {
    return refusal<garner::shape_error>(op.op + ": " + begin);
  }
  /// The same of what is wrong with the written operand only, which the other form does not have;
  /// the text has this part.
  std::string refusal_of_written(const char* part = "") {
    return refusal<garner::shape_error>(op.op + ": ", false, part);
  }

  /// Nothing, if both forms do what plain loops do, and nothing else.
  std::string difference() {
    image wanted_extra;
    const image wanted = op.expect(*this, &wanted_extra);
    return difference(wanted, wanted_extra);
  }
  std::string difference(const image& wanted, const image& wanted_extra) {
    std::string report;
    try {
      if (op.make) {
        remember();
        report += compare("make", op.make(*this).data, wanted);
        if (!is_unchanged()) report += "make: wrote to an operand; ";
      }
      if (!op.into) return report;
      remember();
      op.into(*this);
    } catch (const std::exception& error) {
      return report + "threw: " + error.what();
    }
    call& self = *this;
    const bool has_written = op.writes_table() || op.writes_values();
    if (has_written) report += take_out("into", op.written(self), wanted);
    if (op.writes_extra()) report += take_out("indices", extra, wanted_extra);
    if (!is_unchanged()) report += "wrote beside what is to be written; ";
    return report;
  }

  void remember() {
    before_.clear();
    for (const auto& m : memory_) before_.emplace_back(m.begin(), m.end());
  }
  bool is_unchanged() const {
    auto before = before_.begin();
    for (const auto& m : memory_) {
      if (!std::equal(m.begin(), m.end(), before->begin(), before->end())) return false;
      ++before;
    }
    return true;
  }

 private:
  /// log-probs are as exact as exp is, all else to the last bit.
  std::string compare(const std::string& form, const image& actual, const image& wanted) const {
    if (actual.size() != wanted.size()) return form + ": another number of elements; ";
    if (op.kind != kind::log_prob && op.kind != kind::log_prob_gradient) {
      const auto at = std::mismatch(actual.begin(), actual.end(), wanted.begin()).first;
      if (at == actual.end()) return "";
      return form + ": wrong from byte " + std::to_string(at - actual.begin()) + " on; ";
    }
    for (std::size_t k = 0; k + sizeof(float) <= actual.size(); k += sizeof(float)) {
      float a = 0;
      float b = 0;
      std::memcpy(&a, actual.data() + k, sizeof(float));
      std::memcpy(&b, wanted.data() + k, sizeof(float));
      if (!(std::abs(a - b) <= 1e-5f * std::max(1.0f, std::abs(b)))) {
        return form + ": wrong at byte " + std::to_string(k) + "; ";
      }
    }
    return "";
  }

  /// Compares what was written, and puts back what was there before.
  std::string take_out(const char* form, const raw_view& x, const image& wanted) {
    const auto n = count(x.shape);
    image actual(static_cast<std::size_t>(n) * x.size);
    if (n > 0) copy(x, {actual.data(), x.shape, dense_strides(x.shape), x.size});
    auto before = before_.begin();
    for (const auto& m : memory_) {
      if (n > 0 && x.data >= m.begin() && x.data < m.end()) {
        raw_view from = x;
        from.data = before->data() + (x.data - m.begin());
        copy(from, x);
      }
      ++before;
    }
    return compare(form, actual, wanted);
  }

  std::list<fenced<std::byte>> memory_;
  std::list<std::vector<std::byte>> before_;
};

}  // namespace test
