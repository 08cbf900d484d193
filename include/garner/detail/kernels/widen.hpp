// SPDX-License-Identifier: BSD-3-Clause
// widen(to, from): a register of floats from as many small elements, where there are instructions
// for it. The same bits as the elements' own conversion to float.
#pragma once

#include <cstdint>
#include <cstring>

#include <garner/config.hpp>
#include <garner/half.hpp>

#ifndef GARNER_NO_SIMD
#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif
#endif

namespace garner::detail::native {

void widen();  // makes the name known everywhere

#ifndef GARNER_NO_SIMD
#if defined(__SSE2__)
GARNER_INLINE __m128i load_four_bytes(const void* from) {
  int bits;
  std::memcpy(&bits, from, sizeof(bits));
  return _mm_cvtsi32_si128(bits);
}
GARNER_INLINE void widen(__m128& to, const std::uint8_t* from) {
  const __m128i zero = _mm_setzero_si128();
  const __m128i pairs = _mm_unpacklo_epi8(load_four_bytes(from), zero);
  to = _mm_cvtepi32_ps(_mm_unpacklo_epi16(pairs, zero));
}
GARNER_INLINE void widen(__m128& to, const std::int8_t* from) {
  const __m128i bytes = load_four_bytes(from);
  const __m128i pairs = _mm_unpacklo_epi8(bytes, bytes);
  to = _mm_cvtepi32_ps(_mm_srai_epi32(_mm_unpacklo_epi16(pairs, pairs), 24));
}
GARNER_INLINE void widen(__m128& to, const bfloat16* from) {
  const __m128i words = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  to = _mm_castsi128_ps(_mm_unpacklo_epi16(_mm_setzero_si128(), words));
}
#endif
#if defined(__F16C__)  // which comes with AVX
GARNER_INLINE void widen(__m256& to, const half* from) {
  to = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}
#endif
#if defined(__AVX2__)
GARNER_INLINE void widen(__m256& to, const std::uint8_t* from) {
  const auto* bytes = reinterpret_cast<const __m128i*>(from);
  to = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64(bytes)));
}
GARNER_INLINE void widen(__m256& to, const std::int8_t* from) {
  const auto* bytes = reinterpret_cast<const __m128i*>(from);
  to = _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64(bytes)));
}
GARNER_INLINE void widen(__m256& to, const bfloat16* from) {
  const __m128i words = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  to = _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(words), 16));
}
#endif
#if defined(__AVX512F__)
GARNER_INLINE void widen(__m512& to, const std::uint8_t* from) {
  const auto* bytes = reinterpret_cast<const __m128i*>(from);
  to = _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128(bytes)));
}
GARNER_INLINE void widen(__m512& to, const std::int8_t* from) {
  const auto* bytes = reinterpret_cast<const __m128i*>(from);
  to = _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(bytes)));
}
GARNER_INLINE void widen(__m512& to, const bfloat16* from) {
  const __m256i words = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  to = _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(words), 16));
}
GARNER_INLINE void widen(__m512& to, const half* from) {
  to = _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
}
#endif
#if defined(__aarch64__)
GARNER_INLINE uint8x8_t load_four_bytes(const void* from) {
  std::uint32_t bits;
  std::memcpy(&bits, from, sizeof(bits));
  return vcreate_u8(bits);
}
GARNER_INLINE void widen(float32x4_t& to, const std::uint8_t* from) {
  to = vcvtq_f32_u32(vmovl_u16(vget_low_u16(vmovl_u8(load_four_bytes(from)))));
}
GARNER_INLINE void widen(float32x4_t& to, const std::int8_t* from) {
  const int8x8_t bytes = vreinterpret_s8_u8(load_four_bytes(from));
  to = vcvtq_f32_s32(vmovl_s16(vget_low_s16(vmovl_s8(bytes))));
}
GARNER_INLINE void widen(float32x4_t& to, const bfloat16* from) {
  const uint16x4_t words = vld1_u16(reinterpret_cast<const std::uint16_t*>(from));
  to = vreinterpretq_f32_u32(vshll_n_u16(words, 16));
}
GARNER_INLINE void widen(float32x4_t& to, const half* from) {
  const uint16x4_t words = vld1_u16(reinterpret_cast<const std::uint16_t*>(from));
  to = vcvt_f32_f16(vreinterpret_f16_u16(words));
}
#endif
#endif

}  // namespace garner::detail::native
