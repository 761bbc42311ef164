// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// AdamW, with moments in float32 or in 8 bits, over values in float32, in two halves or in bfloat16 alone.
#include "core/engine/cuda/rows/halves.h"
#include "core/engine/cuda/rows/point_rows.h"

namespace roadtune::engine::cuda {

inline constexpr std::int64_t kMomentBlockValues = 256;

struct Moments {
  float first, second;
};

// Moments after a gradient.
ROADTUNE_HD Moments movedOn(const AdamWArgs& a, float gradient, Moments old) {
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

// A value as torch's AdamW updates it.
ROADTUNE_HD float updated(const AdamWArgs& a, float value, Moments moments) {
  value *= 1.0f - a.rate * a.decay;
  return value - a.rate / a.correction1 * moments.first / (sqrtf(moments.second) / a.root2 + a.epsilon);
}

// As the step leaves a value: what is kept of it, and its rounded copy or its lower half beside that.
ROADTUNE_HD void keep(const AdamWArgs& a, float& kept, std::uint16_t& beside, Moments moments) {
  kept = updated(a, kept, moments);
  beside = roundedBf16(kept).bits;
}
ROADTUNE_HD void keep(const AdamWArgs& a, Bf16& kept, std::uint16_t& beside, Moments moments) {
  if (!a.remainders) {
    kept = roundedByChance(updated(a, wide(kept), moments), moments.first, a.seed);
    return;
  }
  const float value = updated(a, joinedHalves({kept, beside}), moments);
  const Halves halves = halvesOf(value);
  kept = halves.upper;
  beside = halves.lower;
}

// The buffer of 16 bits beside the values, which may be null: of those in float32 it is only written.
template <class T>
ROADTUNE_HD std::uint16_t* besideValues(const AdamWArgs& a) {
  return sizeof(T) == sizeof(float) ? reinterpret_cast<std::uint16_t*>(a.copy) : a.remainders;
}

template <class T, int N>
ROADTUNE_HD Pack<std::uint16_t, N> loadBeside(const AdamWArgs& a, std::int64_t at) {
  return sizeof(T) != sizeof(float) && a.remainders ? load<N>(a.remainders + at) : Pack<std::uint16_t, N>{};
}

template <class T, int N>
ROADTUNE_HD void storeBeside(const AdamWArgs& a, std::int64_t at, const Pack<std::uint16_t, N>& beside) {
  if (std::uint16_t* const all = besideValues<T>(a)) store<N>(all + at, beside);
}

// N values from one on, whose moments are in float32.
template <int N, class T, class Gradient>
ROADTUNE_HD void adamWPack(const AdamWArgs& a, float factor, std::int64_t at) {
  const auto gradients = loadInParts<N>(static_cast<const Gradient*>(a.gradients) + at);
  auto values = loadInParts<N>(static_cast<T*>(a.values) + at);
  auto beside = loadBeside<T, N>(a, at);
  auto firsts = loadInParts<N>(a.first + at), seconds = loadInParts<N>(a.second + at);
  for (int i = 0; i < N; ++i) {
    const Moments moments = movedOn(a, wide(gradients.values[i]) * factor, {firsts.values[i], seconds.values[i]});
    keep(a, values.values[i], beside.values[i], moments);
    firsts.values[i] = moments.first;
    seconds.values[i] = moments.second;
  }
  storeInParts<N>(static_cast<T*>(a.values) + at, values);
  storeBeside<T, N>(a, at, beside);
  storeInParts<N>(a.first + at, firsts);
  storeInParts<N>(a.second + at, seconds);
}

// The same, where the buffer may end among them.
template <int N, class T, class Gradient>
ROADTUNE_HD void adamWValues(const AdamWArgs& a, std::int64_t at) {
  const float factor = *a.gradientFactor;
  if (factor != factor) return;
  if (at + N <= a.count)
    adamWPack<N, T, Gradient>(a, factor, at);
  else
    for (; at < a.count; ++at) adamWPack<1, T, Gradient>(a, factor, at);
}

// N values of an average, from one on; as at::lerp has it.
template <int N>
ROADTUNE_HD void averagePack(const AverageArgs& a, std::int64_t at) {
  auto averages = load<N>(a.average + at);
  const auto uppers = load<N>(a.upper + at);
  const auto lowers = load<N>(a.lower + at);
  const float weight = *a.weight;
  for (int i = 0; i < N; ++i) {
    const float value = joinedHalves({uppers.values[i], lowers.values[i]}), old = averages.values[i];
    averages.values[i] = weight < 0.5f ? old + weight * (value - old) : value - (value - old) * (1.0f - weight);
  }
  store<N>(a.average + at, averages);
}

// The entry of an ascending map of 256 that is nearest to x; of two as near, the lower one.
ROADTUNE_HD std::uint8_t nearestByte(const float* map, float x) {
  int below = 0;
  for (int step = 128; step > 0; step /= 2)
    if (map[below + step] <= x) below += step;
  if (below < 255 && map[below + 1] - x < x - map[below]) ++below;
  return static_cast<std::uint8_t>(below);
}

// Seven from 1e-7 to 1; below and above these the first and the last. A hundredth of one off at most.
ROADTUNE_HD int decadeOf(float x) {
  const std::uint32_t bits = bitsOf(x);
  const float part = floatOf((bits & 0x7fffffu) | 0x3f800000u) - 1.0f;
  const float log2 = static_cast<float>(static_cast<int>(bits >> 23) - 127) + part + 0.34f * part * (1.0f - part);
  const int decade = static_cast<int>(log2 * 0.30103f + 7.0f);
  return log2 < -23.0f || decade < 0 ? 0 : decade > 6 ? 6 : decade;
}

// To the power of 0 to 6, nearly.
ROADTUNE_HD float tenTo(int power) {
#ifdef __CUDA_ARCH__
  return exp2f(3.3219281f * static_cast<float>(power));
#else
  constexpr float kPowers[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f};
  return kPowers[power];
#endif
}

// The same without a search, for the maps of moments (byte_codec.h), with signs or without: decade i of seven has 2^i
// entries or twice as many, equally far apart. What is worked out may be one beside it, so neighbours are looked at.
template <bool Signed>
ROADTUNE_HD std::uint8_t nearestMoment(const float* map, float x) {
  const float size = fabsf(x);
  const int decade = decadeOf(size), parts = (Signed ? 1 : 2) << decade;
  const float place = (size * tenTo(6 - decade) - 0.1f) * (static_cast<float>(parts) / 0.9f) + 0.5f;
  const int fromZero = static_cast<int>(place) + parts - (Signed ? 1 : 2);  // nothing below the first
  int below = Signed && x < 0 ? 126 - fromZero : (Signed ? 127 : 0) + fromZero;
  below = below < 0 ? 0 : below > 254 ? 254 : below;
  float low = map[below], high = map[below + 1];
  if (high <= x) {
    if (++below == 255) return 255;
    low = high;
    high = map[below + 1];
  } else if (low > x && below > 0) {
    --below;
    high = low;
    low = map[below];
  }
  return static_cast<std::uint8_t>(high - x < x - low ? below + 1 : below);
}

// What fell to nothing keeps its sign, as in bitsandbytes.
ROADTUNE_HD std::uint8_t firstByte(const float* map, float moment, float inverse) {
  const std::uint8_t code = nearestMoment<true>(map, moment * inverse);
  return moment < 0 && map[code] >= 0 ? static_cast<std::uint8_t>(code - 1) : code;
}

// Some values of a block whose moments are in 8 bits, and these while the block is worked on.
template <class T, class Gradient, int N>
struct MomentPack {
  Moments moments[N];

  ROADTUNE_HD void read(const AdamWArgs& a, float factor, std::int64_t at, Moments scales, Moments& highest) {
    const auto gradients = loadInParts<N>(static_cast<const Gradient*>(a.gradients) + at);
    const auto firsts = load<N>(a.firstBytes.codes + at), seconds = load<N>(a.secondBytes.codes + at);
    for (int i = 0; i < N; ++i) {
      const Moments old{a.firstBytes.map[firsts.values[i]] * scales.first,
                        a.secondBytes.map[seconds.values[i]] * scales.second};
      moments[i] = movedOn(a, wide(gradients.values[i]) * factor, old);
      highest.first = fmaxf(highest.first, fabsf(moments[i].first));
      highest.second = fmaxf(highest.second, moments[i].second);
    }
  }

  ROADTUNE_HD void write(const AdamWArgs& a, std::int64_t at, Moments inverse) const {
    auto values = loadInParts<N>(static_cast<T*>(a.values) + at);
    auto beside = loadBeside<T, N>(a, at);
    Pack<std::uint8_t, N> firsts, seconds;
    for (int i = 0; i < N; ++i) {
      keep(a, values.values[i], beside.values[i], moments[i]);
      firsts.values[i] = firstByte(a.firstBytes.map, moments[i].first, inverse.first);
      seconds.values[i] = nearestMoment<false>(a.secondBytes.map, moments[i].second * inverse.second);
    }
    storeInParts<N>(static_cast<T*>(a.values) + at, values);
    storeBeside<T, N>(a, at, beside);
    store<N>(a.firstBytes.codes + at, firsts);
    store<N>(a.secondBytes.codes + at, seconds);
  }
};

// A block of up to 256 values whose moments are in 8 bits, by packs of N that a lane keeps. The values move by the
// moments as they are before those are packed again: the scale must be known before the first can be.
template <int Lanes, int N, class T, class Gradient, class Group>
ROADTUNE_HD void adamWPacks(const AdamWArgs& a, float factor, std::int64_t block, const Group& group) {
  constexpr int kEach = (kMomentBlockValues / N + Lanes - 1) / Lanes;
  const std::int64_t begin = block * kMomentBlockValues, left = a.count - begin;
  const std::int64_t end = begin + (left < kMomentBlockValues ? left : kMomentBlockValues);
  const Moments scales{a.firstBytes.scales[block], a.secondBytes.scales[block]};
  const auto placeOf = [&](int pack) { return begin + static_cast<std::int64_t>(pack * Lanes + group.lane()) * N; };
  MomentPack<T, Gradient, N> packs[kEach];
  Moments highest{0, 0};
  for (int i = 0; i < kEach; ++i)
    if (placeOf(i) < end) packs[i].read(a, factor, placeOf(i), scales, highest);
  highest = {group.highest(highest.first), group.highest(highest.second)};  // by now every lane has read the old scales
  const Moments inverse{highest.first > 0 ? 1.0f / highest.first : 0.0f,
                        highest.second > 0 ? 1.0f / highest.second : 0.0f};
  for (int i = 0; i < kEach; ++i)
    if (placeOf(i) < end) packs[i].write(a, placeOf(i), inverse);
  if (group.lane() != 0) return;
  a.firstBytes.scales[block] = highest.first;
  a.secondBytes.scales[block] = highest.second;
}

// May packs of eight travel at once?
ROADTUNE_HD bool onWholePacks(const AdamWArgs& a, std::int64_t block) {
  const auto places = reinterpret_cast<std::uintptr_t>(a.values) | reinterpret_cast<std::uintptr_t>(a.gradients) |
                      reinterpret_cast<std::uintptr_t>(a.copy) | reinterpret_cast<std::uintptr_t>(a.remainders) |
                      2 * (reinterpret_cast<std::uintptr_t>(a.firstBytes.codes) |
                           reinterpret_cast<std::uintptr_t>(a.secondBytes.codes));
  return places % 16 == 0 && (block + 1) * kMomentBlockValues <= a.count;
}

template <int Lanes, class T, class Gradient, class Group>
ROADTUNE_HD void adamWBlock(const AdamWArgs& a, std::int64_t block, const Group& group) {
  const float factor = *a.gradientFactor;
  if (factor != factor) return;
  if (onWholePacks(a, block))
    adamWPacks<Lanes, 8, T, Gradient>(a, factor, block, group);
  else
    adamWPacks<Lanes, 1, T, Gradient>(a, factor, block, group);
}

// work(a value, a gradient), of the types of these. Of float32 values both are.
template <class Work>
inline void typedUpdate(const AdamWArgs& a, Work&& work) {
  if (a.type == Element::Float)
    work(float{}, float{});
  else if (a.gradientType == Element::Float)
    work(Bf16{}, float{});
  else
    work(Bf16{}, Bf16{});
}

}  // namespace roadtune::engine::cuda
