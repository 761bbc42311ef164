// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the row algorithms below are written in, so that the same source is a kernel under nvcc and a plain function
// under any C++ compiler. Free of torch and of CUDA headers.
#include <cstdint>
#include <cstring>

#ifdef __CUDACC__
#define ROADTUNE_HD __device__ inline
#else
#define ROADTUNE_HD inline
#endif

namespace roadtune::engine::cuda {

// bfloat16 by its bits; conversion rounds to nearest, ties to even, and keeps NaN.
struct Bf16 {
  std::uint16_t bits;
};

ROADTUNE_HD std::uint32_t bitsOf(float value) {
  std::uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

ROADTUNE_HD float floatOf(std::uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

ROADTUNE_HD float wide(float value) { return value; }
ROADTUNE_HD float wide(Bf16 value) { return floatOf(static_cast<std::uint32_t>(value.bits) << 16); }

ROADTUNE_HD Bf16 roundedBf16(float value) {
#ifdef __CUDA_ARCH__
  Bf16 rounded;  // the same in one instruction, but for the bits of NaN
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(rounded.bits) : "f"(value));
  return rounded;
#else
  const std::uint32_t bits = bitsOf(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return {0x7fc0};
  return {static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16)};
#endif
}

template <class T>
struct Narrow;
template <>
struct Narrow<float> {
  ROADTUNE_HD static float of(float value) { return value; }
};
template <>
struct Narrow<Bf16> {
  ROADTUNE_HD static Bf16 of(float value) { return roundedBf16(value); }
};

// N neighbouring values that travel as one load or store.
template <class T, int N>
struct alignas(sizeof(T) * N) Pack {
  T values[N];
};

template <int N, class T>
ROADTUNE_HD Pack<T, N> load(const T* at) {
  return *reinterpret_cast<const Pack<T, N>*>(at);
}

// `at` lies in the memory of the device, not of a block.
template <int N, class T>
ROADTUNE_HD void store(T* at, const Pack<T, N>& pack) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(pack) == 16) {  // the compiler breaks some of these up
    std::uint32_t words[4];
    memcpy(words, &pack, sizeof words);
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(at)), "r"(words[0]),
                 "r"(words[1]), "r"(words[2]), "r"(words[3])
                 : "memory");
    return;
  }
#endif
  *reinterpret_cast<Pack<T, N>*>(at) = pack;
}

// N values by 16 bytes at a time, or fewer where there are not as many: each load or store begins on so many.
template <int N, class T>
ROADTUNE_HD Pack<T, N> loadInParts(const T* at) {
  constexpr int kMost = 16 / sizeof(T), kEach = N < kMost ? N : kMost;
  Pack<T, N> all;
  for (int i = 0; i < N; i += kEach) {
    const auto some = load<kEach>(at + i);
    for (int j = 0; j < kEach; ++j) all.values[i + j] = some.values[j];
  }
  return all;
}

template <int N, class T>
ROADTUNE_HD void storeInParts(T* at, const Pack<T, N>& pack) {
  constexpr int kMost = 16 / sizeof(T), kEach = N < kMost ? N : kMost;
  for (int i = 0; i < N; i += kEach) {
    Pack<T, kEach> some;
    for (int j = 0; j < kEach; ++j) some.values[j] = pack.values[i + j];
    store<kEach>(at + i, some);
  }
}

// A group of lanes works on one row: lane() of size() takes every size()-th pack; sum() and highest() give every lane
// the result over all, and are called by all lanes alike. The one-lane group is the plain C++ form.
struct OneLane {
  ROADTUNE_HD int lane() const { return 0; }
  ROADTUNE_HD int size() const { return 1; }
  ROADTUNE_HD float sum(float value) const { return value; }
  ROADTUNE_HD float highest(float value) const { return value; }
};

}  // namespace roadtune::engine::cuda
