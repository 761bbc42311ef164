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

// Blocks of at most so many threads of a gradient's kernel, so many at a time on a multiprocessor.
template <int T, int B>
struct Residence {
  static constexpr int kThreads = T, kBlocks = B;
};

template <class Work>
auto residing(unsigned threads, Work&& work) {
  if (threads <= 160) return work(Residence<160, 4>{});
  if (threads <= 288) return work(Residence<288, 3>{});
  return work(Residence<1024, 1>{});
}

template <class R, int N, class T>
__global__ void __launch_bounds__(R::kThreads, R::kBlocks) rmsNormGradientKernel(RmsNormGradientArgs a) {
  rmsNormGradientPart<N, T>(a, blockIdx.x, BlockLanes{});
}

template <int N, class T>
__global__ void __launch_bounds__(1024) layerNormKernel(LayerNormArgs a) {
  layerNormRow<N, T>(a, blockIdx.x, BlockLanes{});
}

template <class R, int N, class T>
__global__ void __launch_bounds__(R::kThreads, R::kBlocks) layerNormGradientKernel(LayerNormGradientArgs a) {
  layerNormGradientPart<N, T>(a, blockIdx.x, BlockLanes{});
}

int multiprocessors() {
  int count = 0;
#ifdef __CUDACC__
  if (int device = 0; cudaGetDevice(&device) == cudaSuccess)
    cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
#endif
  return count > 0 ? count : 132;
}

}  // namespace

std::int64_t normParts(Element type, std::int64_t width) {
  const int packed = type == Element::Float ? Wide<float>::kCount : Wide<Bf16>::kCount;
  const auto threads = threadsFor(width / (width % packed == 0 ? packed : 1));
  return multiprocessors() * residing(threads, [](auto r) { return decltype(r)::kBlocks; });
}

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
        const unsigned threads = threadsFor(a.width / kN);
        residing(threads, [&](auto r) {
          start(rmsNormGradientKernel<decltype(r), kN, decltype(t)>, static_cast<unsigned>(a.parts), threads, stream,
                a);
        });
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
        const unsigned threads = threadsFor(a.width / kN);
        residing(threads, [&](auto r) {
          start(layerNormGradientKernel<decltype(r), kN, decltype(t)>, static_cast<unsigned>(a.parts), threads, stream,
                a);
        });
      },
      a.gradient, a.x, a.extra, a.weight, a.forInput);
  return lastError();
}

}  // namespace roadtune::engine::cuda
