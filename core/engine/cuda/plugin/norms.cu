// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cuda/plugin/geometry.cuh"
#include "core/engine/cuda/plugin/launches.h"
#include "core/engine/cuda/rows/norm_rows.h"

namespace roadtune::engine::cuda {
namespace {

constexpr int kThreads = 128;

template <int N, class T>
__global__ void __launch_bounds__(1024) rmsNormKernel(RmsNormArgs a) {
  rmsNormRow<N, T>(a, blockIdx.x, BlockLanes{});
}

template <int N, class T>
__global__ void __launch_bounds__(1024) rmsNormGradientKernel(RmsNormGradientArgs a) {
  rmsNormGradientRow<N, T>(a, blockIdx.x, BlockLanes{});
}

template <int N, class T>
__global__ void rmsNormGainKernel(RmsNormGainArgs a) {
  const std::int64_t column = (static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x) * N;
  if (column < a.width) rmsNormGainColumns<N, T>(a, blockIdx.y, column);
}

template <int N, class T>
__global__ void __launch_bounds__(1024) layerNormKernel(LayerNormArgs a) {
  layerNormRow<N, T>(a, blockIdx.x, BlockLanes{});
}

template <int N, class T>
__global__ void __launch_bounds__(1024) layerNormGradientKernel(LayerNormGradientArgs a) {
  layerNormGradientRow<N, T>(a, blockIdx.x, BlockLanes{});
}

template <int N, class T>
__global__ void layerNormGainKernel(LayerNormGainArgs a) {
  const std::int64_t column = (static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x) * N;
  if (column < a.width) layerNormGainColumns<N, T>(a, blockIdx.y, column);
}

}  // namespace

int launchRmsNorm(const RmsNormArgs& a, cudaStream_t stream) {
  if (a.rows == 0) return 0;
  packed(
      a.type, a.width,
      [&](auto t, auto n) {
        constexpr int kN = decltype(n)::kCount;
        start(rmsNormKernel<kN, decltype(t)>, static_cast<unsigned>(a.rows), threadsFor(a.width / kN), stream, a);
      },
      a.x, a.delta, a.gain, a.y, a.sum);
  return lastError();
}

int launchRmsNormGradient(const RmsNormGradientArgs& a, cudaStream_t stream) {
  if (a.rows == 0) return 0;
  packed(
      a.type, a.width,
      [&](auto t, auto n) {
        constexpr int kN = decltype(n)::kCount;
        start(rmsNormGradientKernel<kN, decltype(t)>, static_cast<unsigned>(a.rows), threadsFor(a.width / kN), stream,
              a);
      },
      a.gradient, a.x, a.extra, a.gain, a.forInput);
  return lastError();
}

int launchRmsNormGain(const RmsNormGainArgs& a, cudaStream_t stream) {
  packed(
      a.type, a.width,
      [&](auto t, auto n) {
        constexpr int kN = decltype(n)::kCount;
        const dim3 blocks(blocksFor(a.width / kN, kThreads), static_cast<unsigned>(a.parts));
        start(rmsNormGainKernel<kN, decltype(t)>, blocks, kThreads, stream, a);
      },
      a.gradient, a.x);
  return lastError();
}

int launchLayerNorm(const LayerNormArgs& a, cudaStream_t stream) {
  if (a.rows == 0) return 0;
  packed(
      a.type, a.width,
      [&](auto t, auto n) {
        constexpr int kN = decltype(n)::kCount;
        start(layerNormKernel<kN, decltype(t)>, static_cast<unsigned>(a.rows), threadsFor(a.width / kN), stream, a);
      },
      a.x, a.delta, a.weight, a.bias, a.y, a.sum);
  return lastError();
}

int launchLayerNormGradient(const LayerNormGradientArgs& a, cudaStream_t stream) {
  if (a.rows == 0) return 0;
  packed(
      a.type, a.width,
      [&](auto t, auto n) {
        constexpr int kN = decltype(n)::kCount;
        start(layerNormGradientKernel<kN, decltype(t)>, static_cast<unsigned>(a.rows), threadsFor(a.width / kN), stream,
              a);
      },
      a.gradient, a.x, a.extra, a.weight, a.forInput);
  return lastError();
}

int launchLayerNormGain(const LayerNormGainArgs& a, cudaStream_t stream) {
  packed(
      a.type, a.width,
      [&](auto t, auto n) {
        constexpr int kN = decltype(n)::kCount;
        const dim3 blocks(blocksFor(a.width / kN, kThreads), static_cast<unsigned>(a.parts));
        start(layerNormGainKernel<kN, decltype(t)>, blocks, kThreads, stream, a);
      },
      a.gradient, a.x);
  return lastError();
}

}  // namespace roadtune::engine::cuda
