// SPDX-License-Identifier: BSD-3-Clause
// Eight words of 32 bits, which one instruction of AVX2 permutes: tables of eight entries, and
// which of eight elements stay. Where there are longer vectors too, eight is still what fits.
#pragma once

#include <cstddef>
#include <cstdint>

#include <garner/detail/kernels/simd.hpp>

namespace garner::detail {

/// Of a vector type's own architecture, so that units built with other flags have another one.
template <class Arch>
class eight_words;

template <class Arch>
inline constexpr bool has_eight_words = false;

#if defined(__AVX2__) && !defined(GARNER_NO_SIMD)
template <class Arch>
  requires has_simd<Arch>
inline constexpr bool has_eight_words<Arch> = true;

template <class Arch>
class eight_words {
 public:
  static constexpr std::size_t size = 8;
  static constexpr std::size_t bytes = 32;

  GARNER_INLINE static eight_words load(const void* from) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(from));
  }
  /// From integers of any size, cut or widened.
  template <class Index>
  GARNER_INLINE static eight_words load_words(const Index* from) {
    const auto* at = reinterpret_cast<const __m128i*>(from);
    if constexpr (sizeof(Index) == 1) {
      return _mm256_cvtepu8_epi32(_mm_loadl_epi64(at));
    } else if constexpr (sizeof(Index) == 2) {
      return _mm256_cvtepu16_epi32(_mm_loadu_si128(at));
    } else if constexpr (sizeof(Index) == 4) {
      return load(from);
    } else {
      const __m256 a = _mm256_loadu_ps(reinterpret_cast<const float*>(from));
      const __m256 b = _mm256_loadu_ps(reinterpret_cast<const float*>(from + 4));
      const __m256 even = _mm256_shuffle_ps(a, b, 0x88);  // a0 a1 b0 b1 a2 a3 b2 b3
      return _mm256_permute4x64_epi64(_mm256_castps_si256(even), 0xd8);
    }
  }
  /// Past the caches if `is_streamed`; `to` is then a multiple of `bytes`.
  GARNER_INLINE void store(void* to, bool is_streamed = false) const {
    if (is_streamed) return _mm256_stream_si256(static_cast<__m256i*>(to), value_);
    _mm256_storeu_si256(static_cast<__m256i*>(to), value_);
  }

  /// Word i is table[places[i]], of which the low three bits count.
  GARNER_INLINE friend eight_words pick(const eight_words& table, const eight_words& places) {
    return _mm256_permutevar8x32_epi32(table.value_, places.value_);
  }
  /// low where places[i] < 8, high elsewhere; places are below 16
  GARNER_INLINE friend eight_words below_eight(const eight_words& places, const eight_words& low,
                                               const eight_words& high) {
    const __m256i is_high = _mm256_cmpgt_epi32(places.value_, _mm256_set1_epi32(7));
    return _mm256_blendv_epi8(low.value_, high.value_, is_high);
  }

 private:
  GARNER_INLINE eight_words(__m256i value) : value_(value) {}
  __m256i value_;
};
#endif

}  // namespace garner::detail
