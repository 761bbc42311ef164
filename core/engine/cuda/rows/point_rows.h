// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Arithmetic that concerns one element, or one pack of them, at a time.
#include "core/engine/cuda/kernel_args.h"

#include <cmath>

namespace roadtune::engine::cuda {

// 64 mixed bits for element `index` of the stream `seed`.
ROADTUNE_HD std::uint64_t drawn(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + 0x9e3779b97f4a7c15ull * (index + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

struct Gelu {
  float value, slope;
};

ROADTUNE_HD float sigmoid(float x) {
#ifdef __CUDA_ARCH__
  return __fdividef(1.0f, 1.0f + expf(-x));  // a true division takes as long as all the rest
#else
  return 1.0f / (1.0f + expf(-x));
#endif
}

// The tanh form, as (1 + tanh u) / 2 = sigmoid(2 u), and its derivative.
ROADTUNE_HD Gelu geluTanh(float x) {
  constexpr float kTwoRoots = 1.5957691216057308f, kCube = 0.044715f;
  const float square = x * x, s = sigmoid(kTwoRoots * x * (1.0f + kCube * square));
  return {x * s, s + x * s * (1.0f - s) * kTwoRoots * (1.0f + 3.0f * kCube * square)};
}

template <int N, class T>
ROADTUNE_HD void gegluPack(const GegluArgs& a, std::int64_t at) {
  const auto gate = load<N>(static_cast<const T*>(a.gate) + at);
  const auto up = a.up ? load<N>(static_cast<const T*>(a.up) + at) : Pack<T, N>{};
  Pack<T, N> out;
  for (int j = 0; j < N; ++j) {
    const float value = geluTanh(wide(gate.values[j])).value;
    out.values[j] = Narrow<T>::of(a.up ? value * wide(up.values[j]) : value);
  }
  store<N>(static_cast<T*>(a.out) + at, out);
}

template <int N, class T>
ROADTUNE_HD void gegluGradientPack(const GegluGradientArgs& a, std::int64_t at) {
  const auto gradient = load<N>(static_cast<const T*>(a.gradient) + at);
  const auto gate = load<N>(static_cast<const T*>(a.gate) + at);
  const auto up = a.up ? load<N>(static_cast<const T*>(a.up) + at) : Pack<T, N>{};
  Pack<T, N> forGate, forUp, made;
  for (int j = 0; j < N; ++j) {
    const auto gelu = geluTanh(wide(gate.values[j]));
    const float arrived = wide(gradient.values[j]);
    forGate.values[j] = Narrow<T>::of((a.up ? arrived * wide(up.values[j]) : arrived) * gelu.slope);
    forUp.values[j] = Narrow<T>::of(arrived * gelu.value);
    made.values[j] = Narrow<T>::of(a.up ? gelu.value * wide(up.values[j]) : gelu.value);
  }
  store<N>(static_cast<T*>(a.forGate) + at, forGate);
  if (a.forUp) store<N>(static_cast<T*>(a.forUp) + at, forUp);
  if (a.made) store<N>(static_cast<T*>(a.made) + at, made);
}

// Where heads of one position come from, and the row of their angles.
struct RopeSource {
  bool any;
  std::int64_t batch, position, angle;
};

// Divisions are of 32 bits: those of 64 would take longer than the memory.
ROADTUNE_HD RopeSource ropeSource(const RopeArgs& a, std::int64_t batch, std::int64_t position) {
  if (!a.from) return {true, batch, position, position};
  const std::int64_t from = a.from[batch * a.length + position];
  if (from < 0) return {false, 0, 0, 0};
  const auto number = static_cast<std::uint32_t>(from), length = static_cast<std::uint32_t>(a.fromLength);
  const std::int64_t place = number % length;
  return {true, number / length, place, a.anglesOfX ? place : position};
}

// Pairs i to i + N (below width / 2) of one head at one position.
template <int N, class T>
ROADTUNE_HD void ropePack(const RopeArgs& a, const RopeSource& from, std::int64_t batch, std::int64_t position,
                          std::int64_t head, std::int64_t i) {
  const std::int64_t half = a.width / 2;
  T* out = static_cast<T*>(a.out) + batch * a.outBatch + position * a.outPosition + head * a.outHead + i;
  if (!from.any) {
    store<N>(out, Pack<T, N>{});
    store<N>(out + half, Pack<T, N>{});
    return;
  }
  const T* in =
      static_cast<const T*>(a.x) + from.batch * a.inBatch + from.position * a.inPosition + head * a.inHead + i;
  const auto low = load<N>(in), high = load<N>(in + half);
  if (!a.cosine) {
    store<N>(out, low);
    store<N>(out + half, high);
    return;
  }
  const T* cosine = static_cast<const T*>(a.cosine) + from.angle * a.width + i;
  const T* sine = static_cast<const T*>(a.sine) + from.angle * a.width + i;
  const auto lowCosine = load<N>(cosine), highCosine = load<N>(cosine + half);
  const auto lowSine = load<N>(sine), highSine = load<N>(sine + half);
  const float sign = a.backwards ? -1.0f : 1.0f;
  Pack<T, N> first, second;
  for (int j = 0; j < N; ++j) {
    const float x = wide(low.values[j]), y = wide(high.values[j]);
    first.values[j] = Narrow<T>::of(x * wide(lowCosine.values[j]) - sign * y * wide(lowSine.values[j]));
    second.values[j] = Narrow<T>::of(y * wide(highCosine.values[j]) + sign * x * wide(highSine.values[j]));
  }
  store<N>(out, first);
  store<N>(out + half, second);
}

// N values of one row from `i` on.
template <int N, class T>
ROADTUNE_HD void dropoutPack(const DropoutArgs& a, std::int64_t i) {
  const std::int64_t first = a.places ? a.places[i / a.width] * a.width + i % a.width : i;
  auto values = load<N>(static_cast<const T*>(a.x) + i);
  for (int j = 0; j < N; ++j) {
    const float unit = static_cast<float>(drawn(a.seed, static_cast<std::uint64_t>(first + j)) >> 40) * 0x1p-24f;
    const float kept = unit >= a.probability ? 1.0f / (1.0f - a.probability) : 0.0f;
    values.values[j] = Narrow<T>::of(wide(values.values[j]) * kept);
  }
  store<N>(static_cast<T*>(a.out) + i, values);
}

// Pixel i of one image: its three values go to three planes.
template <class T>
ROADTUNE_HD void pixelAt(const PixelArgs& a, std::int64_t image, std::int64_t i) {
  const std::int64_t plane = a.side * a.side;
  const std::uint8_t* in = a.pixels + (image * plane + i) * 3;
  T* out = static_cast<T*>(a.out) + image * plane * 3 + i;
  for (int c = 0; c < 3; ++c) out[c * plane] = Narrow<T>::of(a.table[c * 256 + in[c]]);
}

}  // namespace roadtune::engine::cuda
