// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cuda/plugin/geometry.cuh"
#include "core/engine/cuda/plugin/launches.h"
#include "core/engine/cuda/rows/norm_rows.h"

namespace roadtune::engine::cuda {
namespace {

template <int N, class T>
__global__ void __launch_bounds__(1024) rmsNormKernel(RmsNormArgs a) {
  rmsNormRow<N, T>(a, blockIdx.x, BlockLanes{});
}

template <int N, class T>
__global__ void __launch_bounds__(1024) rmsNormGradientKernel(RmsNormGradientArgs a) {
  rmsNormGradientPart<N, T>(a, blockIdx.x, BlockLanes{});
}

template <int N, class T>
__global__ void __launch_bounds__(1024) layerNormKernel(LayerNormArgs a) {
  layerNormRow<N, T>(a, blockIdx.x, BlockLanes{});
}

template <int N, class T>
__global__ void __launch_bounds__(1024) layerNormGradientKernel(LayerNormGradientArgs a) {
  layerNormGradientPart<N, T>(a, blockIdx.x, BlockLanes{});
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
  if (a.parts == 0) return 0;
  packed(
      a.type, a.width,
      [&](auto t, auto n) {
        constexpr int kN = decltype(n)::kCount;
        start(rmsNormGradientKernel<kN, decltype(t)>, static_cast<unsigned>(a.parts), threadsFor(a.width / kN), stream,
              a);
      },
      a.gradient, a.x, a.extra, a.gain, a.forInput);
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
  if (a.parts == 0) return 0;
  packed(
      a.type, a.width,
      [&](auto t, auto n) {
        constexpr int kN = decltype(n)::kCount;
        start(layerNormGradientKernel<kN, decltype(t)>, static_cast<unsigned>(a.parts), threadsFor(a.width / kN),
              stream, a);
      },
      a.gradient, a.x, a.extra, a.weight, a.forInput);
  return lastError();
}

}  // namespace roadtune::engine::cuda
