// SPDX-License-Identifier: BSD-3-Clause
// validate: the check of an index by itself. No peer has it.
#include <garner/ops/validate.hpp>

#include <cstddef>
#include <span>

#include "support/cases.hpp"

namespace {

using namespace bench;

/// Whether all indices lie in [0, extent); the result is the extent that was proven, or 0.
template <class Index>
void validate(const std::string& size, index_t count, index_t extent) {
  add_benchmark("validate/" + name_of<Index>() + "/" + size, [=](const runner& run) {
    const auto index = random_indices<Index>(garner::dims{count}, extent);
    index_t proven = 0;
    const auto plain = [&] {
      bool is_within = true;
      for (const Index i : index) is_within &= 0 <= i && i < extent;
      proven = is_within ? extent : 0;
    };
    const auto checked = [&] { proven = garner::validate(index, extent).extent(); };
    run({{{"plain", plain}, {"garner", checked}}, std::as_writable_bytes(std::span(&proven, 1))});
  });
}

[[maybe_unused]] const bool added = [] {
  validate<i64>("1K", K, 1000);
  validate<i64>("4M", 4 * M, M);
  validate<i32>("4M", 4 * M, M);
  validate<u8>("4M", 4 * M, 200);
  return true;
}();

}  // namespace
