// SPDX-License-Identifier: GPL-3.0-or-later
// The products of 8-bit pixels and 23-bit weights, made of 16-bit ones: a weight is high * 2^15 + low, both fit into 16
// bits, and sums modulo 2^32 of the two halves put together give exactly the 32-bit sums of the scalar code.
#include "core/data/image/resize_plan.h"

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>

#define ROADTUNE_AVX2 __attribute__((target("avx2")))

namespace roadtune::data {

namespace {

constexpr int kLowBits = 15, kLowMask = (1 << kLowBits) - 1;

std::uint32_t pairOf(std::int32_t first, std::int32_t second) {
  return static_cast<std::uint32_t>(first & 0xffff) | static_cast<std::uint32_t>(second & 0xffff) << 16;
}
std::uint32_t lowPair(std::int32_t a, std::int32_t b) { return pairOf(a & kLowMask, b & kLowMask); }
std::uint32_t highPair(std::int32_t a, std::int32_t b) { return pairOf(a >> kLowBits, b >> kLowBits); }

// Weights of one output position for four taps at a time: taps 0, 1 in the lower half of a register, 2, 3 in the upper.
struct TapWeights {
  alignas(32) std::uint32_t low[8];
  alignas(32) std::uint32_t high[8];
};

std::vector<TapWeights> spreadWeights(const ResizePlan& plan, std::size_t groups) {
  std::vector<TapWeights> out(plan.first.size() * groups);
  for (std::size_t i = 0; i < plan.first.size(); ++i) {
    const std::int32_t* weights = &plan.weights[i * static_cast<std::size_t>(plan.taps)];
    const auto at = [&](std::size_t tap) { return tap < static_cast<std::size_t>(plan.taps) ? weights[tap] : 0; };
    for (std::size_t group = 0; group < groups; ++group) {
      TapWeights& spread = out[i * groups + group];
      for (std::size_t lane = 0; lane < 8; ++lane) {
        const std::size_t tap = 4 * group + (lane < 4 ? 0 : 2);
        spread.low[lane] = lowPair(at(tap), at(tap + 1));
        spread.high[lane] = highPair(at(tap), at(tap + 1));
      }
    }
  }
  return out;
}

// Sums of red, green and blue, not yet shifted, from the two halves of four channels in two lanes.
ROADTUNE_AVX2 inline void storePixel(__m256i low, __m256i high, std::uint8_t* out) {
  const __m256i both = _mm256_add_epi32(low, _mm256_slli_epi32(high, kLowBits));
  __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
  sum = _mm_srai_epi32(_mm_add_epi32(sum, _mm_set1_epi32(1 << (kResizeBits - 1))), kResizeBits);
  const __m128i bytes = _mm_packus_epi16(_mm_packs_epi32(sum, sum), sum);
  const auto pixel = static_cast<std::uint32_t>(_mm_cvtsi128_si32(bytes));
  std::memcpy(out, &pixel, 3);
}

// Four pixels (12 bytes) become pairs of 16-bit values per channel: lower half R0 R1 G0 G1 B0 B1, upper half R2 R3 ...
ROADTUNE_AVX2 inline __m256i pairsOfPixels(const std::uint8_t* p) {
  const __m256i shuffle = _mm256_setr_epi8(0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1, -1, -1, -1, -1,  //
                                           6, -1, 9, -1, 7, -1, 10, -1, 8, -1, 11, -1, -1, -1, -1, -1);
  const __m128i raw = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(raw), shuffle);
}

// `in` may be read up to 16 bytes behind the last needed pixel.
ROADTUNE_AVX2 void acrossRow(const ResizePlan& plan, const std::vector<TapWeights>& spread, std::size_t groups,
                             const std::uint8_t* in, std::uint8_t* out) {
  for (std::size_t i = 0; i < plan.first.size(); ++i) {
    const std::uint8_t* p = in + 3 * plan.first[i];
    const TapWeights* weights = &spread[i * groups];
    const std::size_t used = (static_cast<std::size_t>(plan.count[i]) + 3) / 4;
    __m256i low = _mm256_setzero_si256(), high = low;
    for (std::size_t group = 0; group < used; ++group, p += 12) {
      const __m256i pixels = pairsOfPixels(p);
      const auto* w = weights + group;
      low =
          _mm256_add_epi32(low, _mm256_madd_epi16(pixels, _mm256_load_si256(reinterpret_cast<const __m256i*>(w->low))));
      high = _mm256_add_epi32(high,
                              _mm256_madd_epi16(pixels, _mm256_load_si256(reinterpret_cast<const __m256i*>(w->high))));
    }
    storePixel(low, high, out + 3 * i);
  }
}

// Sixteen bytes of one output row; `in` and the steps point into the source rows.
ROADTUNE_AVX2 inline void downBlock(const std::uint8_t* in, std::size_t stride, const std::uint32_t* pairs, int count,
                                    std::uint8_t* out) {
  __m256i low0 = _mm256_setzero_si256(), low1 = low0, high0 = low0, high1 = low0;
  for (int t = 0; t < count; t += 2, pairs += 2) {
    const auto* a = in + stride * static_cast<std::size_t>(t);
    const auto* b = t + 1 < count ? a + stride : a;  // the weight of a missing row is 0
    const __m256i first = _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(a)));
    const __m256i second = _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(b)));
    const __m256i even = _mm256_unpacklo_epi16(first, second), odd = _mm256_unpackhi_epi16(first, second);
    const __m256i wl = _mm256_set1_epi32(static_cast<int>(pairs[0])),
                  wh = _mm256_set1_epi32(static_cast<int>(pairs[1]));
    low0 = _mm256_add_epi32(low0, _mm256_madd_epi16(even, wl));
    low1 = _mm256_add_epi32(low1, _mm256_madd_epi16(odd, wl));
    high0 = _mm256_add_epi32(high0, _mm256_madd_epi16(even, wh));
    high1 = _mm256_add_epi32(high1, _mm256_madd_epi16(odd, wh));
  }
  const __m256i half = _mm256_set1_epi32(1 << (kResizeBits - 1));
  const __m256i sum0 = _mm256_add_epi32(_mm256_add_epi32(low0, _mm256_slli_epi32(high0, kLowBits)), half);
  const __m256i sum1 = _mm256_add_epi32(_mm256_add_epi32(low1, _mm256_slli_epi32(high1, kLowBits)), half);
  const __m256i words = _mm256_packs_epi32(_mm256_srai_epi32(sum0, kResizeBits), _mm256_srai_epi32(sum1, kResizeBits));
  const __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), bytes);
}

void downTail(const ResizePlan& plan, const ResizeRows& rows, std::size_t y, std::size_t from, std::size_t bytes) {
  const std::uint8_t* in = rows.in + rows.inStride * static_cast<std::size_t>(plan.first[y]);
  const std::int32_t* weights = &plan.weights[y * static_cast<std::size_t>(plan.taps)];
  for (std::size_t x = from; x < bytes; ++x) {
    std::int32_t sum = 1 << (kResizeBits - 1);
    for (int t = 0; t < plan.count[y]; ++t) sum += in[rows.inStride * static_cast<std::size_t>(t) + x] * weights[t];
    rows.out[rows.outStride * y + x] = clipWeighted(sum);
  }
}

}  // namespace

bool hasAvx2() {
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
}

void resizeAcrossAvx2(const ResizePlan& plan, const ResizeRows& rows) {
  const std::size_t groups = (static_cast<std::size_t>(plan.taps) + 3) / 4;
  const auto spread = spreadWeights(plan, groups);
  const std::size_t bytes = 3 * static_cast<std::size_t>(rows.width);
  std::vector<std::uint8_t> padded(bytes + 32);  // the last row, with room to read over its end
  for (int y = 0; y < rows.rows; ++y) {
    const std::uint8_t* in = rows.in + rows.inStride * static_cast<std::size_t>(y);
    if (y + 1 == rows.rows || bytes < 32) {
      std::memcpy(padded.data(), in, bytes);
      in = padded.data();
    }
    acrossRow(plan, spread, groups, in, rows.out + rows.outStride * static_cast<std::size_t>(y));
  }
}

void resizeDownAvx2(const ResizePlan& plan, const ResizeRows& rows) {
  const std::size_t bytes = 3 * static_cast<std::size_t>(rows.width);
  std::vector<std::uint32_t> pairs;
  for (std::size_t y = 0; y < plan.first.size(); ++y) {
    const std::int32_t* weights = &plan.weights[y * static_cast<std::size_t>(plan.taps)];
    pairs.clear();
    for (int t = 0; t < plan.count[y]; t += 2) {
      const std::int32_t second = t + 1 < plan.count[y] ? weights[t + 1] : 0;
      pairs.push_back(lowPair(weights[t], second));
      pairs.push_back(highPair(weights[t], second));
    }
    const std::uint8_t* in = rows.in + rows.inStride * static_cast<std::size_t>(plan.first[y]);
    std::size_t x = 0;
    for (; x + 16 <= bytes; x += 16)
      downBlock(in + x, rows.inStride, pairs.data(), plan.count[y], rows.out + rows.outStride * y + x);
    downTail(plan, rows, y, x, bytes);
  }
}

}  // namespace roadtune::data

#else

namespace roadtune::data {

bool hasAvx2() { return false; }
void resizeAcrossAvx2(const ResizePlan& plan, const ResizeRows& rows) { resizeAcrossScalar(plan, rows); }
void resizeDownAvx2(const ResizePlan& plan, const ResizeRows& rows) { resizeDownScalar(plan, rows); }

}  // namespace roadtune::data

#endif
