// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// AdamW, with moments in float32 or in 8 bits, over values in float32 or in bfloat16.
#include "core/engine/cuda/rows/point_rows.h"

namespace roadtune::engine::cuda {

inline constexpr std::int64_t kMomentBlockValues = 256;

struct Moments {
  float first, second;
};

// Moments of value i after its gradient.
template <class T>
ROADTUNE_HD Moments movedOn(const AdamWArgs& a, float factor, std::int64_t i, Moments old) {
  const float gradient = wide(static_cast<const T*>(a.gradients)[i]) * factor;
  return {old.first + (1.0f - a.beta1) * (gradient - old.first),
          a.beta2 * old.second + (1.0f - a.beta2) * gradient * gradient};
}

// One of the two neighbours of `value`, the nearer one the likelier: on average nothing is lost. Chance comes from the
// numbers themselves, so that it does not matter where in which buffer of which rank they lie.
ROADTUNE_HD Bf16 roundedByChance(float value, float moment, std::uint64_t seed) {
  const std::uint32_t bits = bitsOf(value);
  if ((bits & 0x7f800000u) == 0x7f800000u) return roundedBf16(value);
  const auto numbers = static_cast<std::uint64_t>(bits) << 32 | bitsOf(moment);
  const auto noise = static_cast<std::uint32_t>(drawn(seed, numbers) & 0xffffu);
  return {static_cast<std::uint16_t>((bits + noise) >> 16)};
}

// Value i as torch's AdamW updates it.
template <class T>
ROADTUNE_HD void updateValue(const AdamWArgs& a, std::int64_t i, Moments moments) {
  T* values = static_cast<T*>(a.values);
  float value = wide(values[i]) * (1.0f - a.rate * a.decay);
  value -= a.rate / a.correction1 * moments.first / (sqrtf(moments.second) / a.root2 + a.epsilon);
  if constexpr (sizeof(T) == sizeof(Bf16)) {
    values[i] = roundedByChance(value, moments.first, a.seed);
  } else {
    values[i] = value;
    if (a.copy) a.copy[i] = roundedBf16(value);
  }
}

template <class T>
ROADTUNE_HD void adamWAt(const AdamWArgs& a, std::int64_t i) {
  const float factor = *a.gradientFactor;
  if (factor != factor) return;
  const Moments moments = movedOn<T>(a, factor, i, {a.first[i], a.second[i]});
  updateValue<T>(a, i, moments);
  a.first[i] = moments.first;
  a.second[i] = moments.second;
}

// The entry of an ascending map of 256 that is nearest to x; of two as near, the lower one.
ROADTUNE_HD std::uint8_t nearestByte(const float* map, float x) {
  int below = 0;
  for (int step = 128; step > 0; step /= 2)
    if (map[below + step] <= x) below += step;
  if (below < 255 && map[below + 1] - x < x - map[below]) ++below;
  return static_cast<std::uint8_t>(below);
}

// A block of up to 256 values whose moments are in 8 bits. The values move by the moments as they are before those are
// packed again. They are computed twice: the scale must be known before the first can be packed.
template <class T, class Group>
ROADTUNE_HD void adamWBlock(const AdamWArgs& a, std::int64_t block, const Group& group) {
  const float factor = *a.gradientFactor;
  if (factor != factor) return;
  const ByteMoment &first = a.firstBytes, &second = a.secondBytes;
  const std::int64_t begin = block * kMomentBlockValues, left = a.count - begin;
  const std::int64_t end = begin + (left < kMomentBlockValues ? left : kMomentBlockValues);
  const Moments scales{first.scales[block], second.scales[block]};
  const auto moments = [&](std::int64_t i) {
    return movedOn<T>(a, factor, i,
                      {first.map[first.codes[i]] * scales.first, second.map[second.codes[i]] * scales.second});
  };
  Moments highest{0, 0};
  for (std::int64_t i = begin + group.lane(); i < end; i += group.size()) {
    const Moments one = moments(i);
    highest.first = fmaxf(highest.first, fabsf(one.first));
    highest.second = fmaxf(highest.second, one.second);
  }
  highest = {group.highest(highest.first), group.highest(highest.second)};  // by now every lane has read the old scales
  const Moments inverse{highest.first > 0 ? 1.0f / highest.first : 0.0f,
                        highest.second > 0 ? 1.0f / highest.second : 0.0f};
  for (std::int64_t i = begin + group.lane(); i < end; i += group.size()) {
    const Moments one = moments(i);
    updateValue<T>(a, i, one);
    first.codes[i] = nearestByte(first.map, one.first * inverse.first);
    // What fell to nothing keeps its sign, as in bitsandbytes.
    if (one.first < 0 && first.map[first.codes[i]] >= 0) --first.codes[i];
    second.codes[i] = nearestByte(second.map, one.second * inverse.second);
  }
  if (group.lane() != 0) return;
  first.scales[block] = highest.first;
  second.scales[block] = highest.second;
}

}  // namespace roadtune::engine::cuda
