// SPDX-License-Identifier: BSD-3-Clause
// Every kernel of the library's list on every problem here that it accepts, the plan's choice or
// not. So the choices can be judged on another CPU; and so can the gather instruction, which the
// library does not use.
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>

#include <garner/garner.hpp>

#include "support/compare.hpp"
#include "support/data.hpp"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace {

using namespace bench;
using namespace garner::detail;
using garner::dims;
using garner::index_t;

/// out[r][i] = src[r][index[r][i]] by the gather instruction.
bool gather_by_instruction([[maybe_unused]] float* out, [[maybe_unused]] const float* src,
                           [[maybe_unused]] const i64* index, [[maybe_unused]] const loop& rows,
                           [[maybe_unused]] const loop& run) {
#ifdef __AVX2__
  for (index_t r = 0; r < rows.extent; ++r) {
    for (index_t i = 0; i + 4 <= run.extent; i += 4) {
      const auto* at = reinterpret_cast<const __m256i*>(index + r * rows.index_stride + i);
      _mm_storeu_ps(out + r * rows.out_stride + i,
                    _mm256_i64gather_ps(src + r * rows.src_stride, _mm256_loadu_si256(at), 4));
    }
  }
  return true;
#else
  return false;
#endif
}

/// Adds one benchmark per kernel that accepts the problem, beside the simplest of all.
template <class T, class Index, int Rank, int AxisRank>
void add(const std::string& name, const indexed_copy<Rank, AxisRank>& problem, index_t src_size,
         index_t index_size) {
  using cell = cell_of<T>;
  using plain = resolver<Index, garner::unchecked_t, garner::reject_negative_t>;
  const auto chosen = make_plan(problem, row_major_strides(problem.shape), sizeof(T));
  const index_t extent = problem.axis_extent();
  const index_t stride = flat_stride(problem.axis).value();
  const auto hold = [=](const runner& run, const auto& execute_in) {
    const auto src = random_elements<T>(dims(src_size));
    const auto index = random_indices<Index>(dims(index_size), extent);
    garner::tensor<T, Rank> out(problem.shape);
    const auto execute_by = [&](kernel k) {
      auto forced = chosen;
      forced.inner = k;
      execute<default_arch, cell>(forced, cell::erase(out.data()), cell::erase(src.data()),
                                  index.data(),
                                  locator<cell, plain, even_axis>{{extent}, {stride}, nullptr});
    };
    run({{{"plain", [&] { execute_by(kernel::strided_gather); }},
          {"garner", [&] { execute_in(execute_by, out.data(), src.data(), index.data()); }}},
         std::as_writable_bytes(std::span(out.begin(), out.end()))});
  };
  for (const kernel_name& k : kernels) {
    if (!accepts(k.value, chosen.rows(), chosen.run(), {extent, stride}, sizeof(T))) continue;
    add_benchmark("kernels/" + name + "/" + k.text, [=](const runner& run) {
      hold(run, [&](const auto& execute_by, auto...) { execute_by(k.value); });
    });
  }
  if constexpr (std::is_same_v<T, float> && std::is_same_v<Index, i64>) {
    if (!accepts(kernel::lookup, chosen.rows(), chosen.run(), {extent, stride}, sizeof(T))) return;
    add_benchmark("kernels/" + name + "/instruction", [=](const runner& run) {
      hold(run, [&](const auto& execute_by, float* out, const float* src, const i64* index) {
        if (!gather_by_instruction(out, src, index, chosen.rows(), chosen.run())) {
          execute_by(kernel::lookup);
        }
      });
    });
  }
}

template <int Rank>
constexpr layout<Rank> dense(const dims<Rank>& shape) {
  return {shape, row_major_strides(shape)};
}

template <class T, class Index>
void last(const std::string& name, index_t rows, index_t columns, index_t picked) {
  add<T, Index>(name, gather_op::lower(dense(dims(rows, columns)), dense(dims(rows, picked)), 1),
                rows * columns, rows * picked);
}

[[maybe_unused]] const bool added = [] {
  const auto square = dense(dims(256, 256));
  add<float, i64>("rows/f32/256x16",
                  index_select_op::lower(dense(dims(256, 16)), dense(dims(256)), 0), 256 * 16, 256);
  last<float, i64>("last/f32/64x1024/k256", 64, 1024, 256);
  last<double, i64>("last/f64/64x1024/k256", 64, 1024, 256);
  last<u8, i64>("last/u8/64x1024/k256", 64, 1024, 256);
  last<float, i64>("last/f32/4096x1024/k256", 4096, 1024, 256);
  last<float, i64>("last/f32/1024x8/k8", 1024, 8, 8);
  last<u8, u8>("table/u8/1x16/k4096", 1, 16, 4096);
  add<float, i64>("shared/f32/64x1024/k256",
                  index_select_op::lower(dense(dims(64, 1024)), dense(dims(256)), 1), 64 * 1024,
                  256);
  add<float, i64>("first/f32/256x256", gather_op::lower(square, square, 0), 256 * 256, 256 * 256);
  add<float, i64>(
      "transposed/f32/1024x1024/k256",
      gather_op::lower(layout<2>{dims(1024, 1024), dims(1, 1024)}, dense(dims(1024, 256)), 1),
      1024 * 1024, 1024 * 256);
  return true;
}();

}  // namespace
