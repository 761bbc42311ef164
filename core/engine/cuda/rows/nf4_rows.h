// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/kernel_args.h"

#include <cmath>

namespace roadtune::engine::cuda {

inline constexpr std::int64_t kNf4BlockValues = 64;
inline constexpr int kNf4ProductRows = 8;  // of x that meet a weight's row at a time

// The sixteen values, ascending.
inline constexpr float kNf4Values[16] = {-1.0f,
                                         -0.6961928009986877f,
                                         -0.5250730514526367f,
                                         -0.39491748809814453f,
                                         -0.28444138169288635f,
                                         -0.18477343022823334f,
                                         -0.09105003625154495f,
                                         0.0f,
                                         0.07958029955625534f,
                                         0.16093020141124725f,
                                         0.24611230194568634f,
                                         0.33791524171829224f,
                                         0.44070982933044434f,
                                         0.5626170039176941f,
                                         0.7229568362236023f,
                                         1.0f};

// Number of midpoints between neighbouring values of NF4 that lie below; a value on a midpoint goes down.
ROADTUNE_HD int nf4Code(float x) {
  int code = x > 0.03979014977812767f ? 8 : 0;
  if (code) {
    code += (x > 0.1202552504837513f) + (x > 0.2035212516784668f) + (x > 0.2920137718319893f) +
            (x > 0.3893125355243683f) + (x > 0.5016634166240692f) + (x > 0.6427869200706482f) +
            (x > 0.8614784181118011f);
  } else {
    code += (x > -0.8480964004993439f) + (x > -0.6106329262256622f) + (x > -0.4599952697753906f) +
            (x > -0.33967943489551544f) + (x > -0.23460740596055984f) + (x > -0.13791173323988914f) +
            (x > -0.045525018125772476f);
  }
  return code;
}

// One block of up to 64 values: its largest magnitude and its codes.
template <class Group>
ROADTUNE_HD void nf4QuantiseBlock(const Nf4QuantiseArgs& a, std::int64_t block, const Group& group) {
  const std::int64_t begin = block * kNf4BlockValues;
  const std::int64_t left = a.count - begin, count = left < kNf4BlockValues ? left : kNf4BlockValues;
  float largest = 0;
  for (std::int64_t i = group.lane(); i < count; i += group.size()) {
    const float magnitude = fabsf(a.values[begin + i]);
    largest = magnitude > largest ? magnitude : largest;
  }
  largest = group.highest(largest);
  if (group.lane() == 0) a.scales[block] = largest;
  const float inverse = largest > 0 ? 1.0f / largest : 0.0f;
  for (std::int64_t pair = group.lane(); pair * 2 < count; pair += group.size()) {
    const std::int64_t at = begin + pair * 2;
    const int high = nf4Code(a.values[at] * inverse);
    const int low = pair * 2 + 1 < count ? nf4Code(a.values[at + 1] * inverse) : 0;
    a.codes[at / 2] = static_cast<std::uint8_t>(high << 4 | low);
  }
}

// Scale of block `block`, from 8 bits when it was quantised itself.
ROADTUNE_HD float nf4Scale(const Nf4DequantiseArgs& a, std::int64_t block) {
  if (a.scales) return a.scales[block];
  return a.byteMap[a.scaleCodes[block]] * a.nested[block / 256] + a.offset;
}

// A code as the value it stands for, as the weight's own type and then T would hold it.
template <class T>
ROADTUNE_HD T nf4Value(const Nf4DequantiseArgs& a, const float* values, int code, float scale) {
  const float value = values[code] * scale;
  return Narrow<T>::of(a.stored == Element::Bf16 ? wide(roundedBf16(value)) : value);
}

// N values of one block from `begin` on: N / 2 bytes of codes. Of two values the second may be missing at the very end.
// `values` are the sixteen of NF4.
template <int N, class T>
ROADTUNE_HD void nf4DequantisePack(const Nf4DequantiseArgs& a, const float* values, std::int64_t begin) {
  const float scale = nf4Scale(a, begin / kNf4BlockValues);
  const auto codes = load<N / 2>(a.codes + begin / 2);
  Pack<T, N> out;
  for (int j = 0; j < N / 2; ++j) {
    out.values[2 * j] = nf4Value<T>(a, values, codes.values[j] >> 4, scale);
    out.values[2 * j + 1] = nf4Value<T>(a, values, codes.values[j] & 15, scale);
  }
  T* to = static_cast<T*>(a.out) + begin;
  if constexpr (N > 2) {
    store<N>(to, out);
  } else {
    for (int j = 0; j < N && begin + j < a.count; ++j) to[j] = out.values[j];
  }
}

// Column `column` of a product for rows first, first + 1 ... (at most N): every lane takes eight values of the weight's
// row at a time, which share a scale, and meets all those rows of x with them.
template <int N, class T, class Group>
ROADTUNE_HD void nf4ProductColumn(const Nf4ProductArgs& a, const float* values, std::int64_t column, std::int64_t first,
                                  const Group& group) {
  const T* x = static_cast<const T*>(a.x) + first * a.width;
  const std::int64_t count = a.rows - first < N ? a.rows - first : N, begin = column * a.width;
  float sums[N] = {};
  for (std::int64_t i = group.lane() * 8; i < a.width; i += group.size() * 8) {
    const auto codes = load<4>(a.weight.codes + (begin + i) / 2);
    const float scale = nf4Scale(a.weight, (begin + i) / kNf4BlockValues);
    float weights[8];
    for (int j = 0; j < 4; ++j) {
      weights[2 * j] = wide(nf4Value<T>(a.weight, values, codes.values[j] >> 4, scale));
      weights[2 * j + 1] = wide(nf4Value<T>(a.weight, values, codes.values[j] & 15, scale));
    }
    for (int r = 0; r < N; ++r) {
      if (r >= count) break;
      for (int half = 0; half < 8; half += 4) {
        const auto some = load<4>(x + r * a.width + i + half);
        for (int j = 0; j < 4; ++j) sums[r] += wide(some.values[j]) * weights[half + j];
      }
    }
  }
  for (int r = 0; r < N; ++r) {
    const float total = group.sum(sums[r]);
    if (r < count && group.lane() == 0) static_cast<T*>(a.out)[(first + r) * a.columns + column] = Narrow<T>::of(total);
  }
}

}  // namespace roadtune::engine::cuda
