// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cuda/plugin/geometry.cuh"
#include "core/engine/cuda/plugin/launches.h"
#include "core/engine/cuda/rows/moment_rows.h"
#include "core/engine/cuda/rows/point_rows.h"
#include "core/engine/cuda/rows/scatter_rows.h"

namespace roadtune::engine::cuda {
namespace {

constexpr int kThreads = 256;

__device__ std::int64_t index() { return static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x; }

template <int N, class T>
__global__ void gegluKernel(GegluArgs a) {
  if (const std::int64_t at = index() * N; at < a.count) gegluPack<N, T>(a, at);
}

template <int N, class T>
__global__ void gegluGradientKernel(GegluGradientArgs a) {
  if (const std::int64_t at = index() * N; at < a.count) gegluGradientPack<N, T>(a, at);
}

// One block per position. Divisions are of 32 bits, as in ropeSource().
template <int N, class T>
__global__ void ropeKernel(RopeArgs a) {
  const auto batch = blockIdx.x / static_cast<unsigned>(a.length),
             position = blockIdx.x % static_cast<unsigned>(a.length);
  const auto from = ropeSource(a, batch, position);
  const auto packs = static_cast<unsigned>(a.width / 2 / N), all = packs * static_cast<unsigned>(a.heads);
  for (unsigned at = threadIdx.x; at < all; at += blockDim.x)
    ropePack<N, T>(a, from, batch, position, at / packs, static_cast<std::int64_t>(at % packs) * N);
}

template <int N, class T>
__global__ void dropoutKernel(DropoutArgs a) {
  if (const std::int64_t at = index() * N; at < a.count) dropoutPack<N, T>(a, at);
}

template <class T>
__global__ void pixelKernel(PixelArgs a) {
  const std::int64_t plane = a.side * a.side, at = index();
  if (at < a.images * plane) pixelAt<T>(a, at / plane, at % plane);
}

template <int N, class T, class Gradient>
__global__ void adamWKernel(AdamWArgs a) {
  adamWValues<N, T, Gradient>(a, index() * N);
}

template <int N>
__global__ void averageKernel(AverageArgs a) {
  if (const std::int64_t at = index() * N; at < a.count) averagePack<N>(a, at);
}

// One warp per block of values; both maps are looked up some four times a value.
template <class T, class Gradient>
__global__ void adamWBlockKernel(AdamWArgs a, std::int64_t blocks) {
  static_assert(kThreads == 256);  // an entry of each map to a thread
  __shared__ float first[kThreads], second[kThreads];
  first[threadIdx.x] = a.firstBytes.map[threadIdx.x];
  second[threadIdx.x] = a.secondBytes.map[threadIdx.x];
  __syncthreads();
  a.firstBytes.map = first;
  a.secondBytes.map = second;
  const std::int64_t block = static_cast<std::int64_t>(blockIdx.x) * (kThreads / 32) + threadIdx.x / 32;
  if (block < blocks) adamWBlock<32, T, Gradient>(a, block, WarpLanes{});
}

template <class T, class Table>
__global__ void scatterKernel(ScatterArgs a) {
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.y) * kThreads + threadIdx.x;
  if (column < a.width) scatterSegment<T, Table>(a, blockIdx.x, column);
}

}  // namespace

int launchGeglu(const GegluArgs& a, cudaStream_t stream) {
  if (a.count == 0) return 0;
  packed(
      a.type, a.count,
      [&](auto t, auto n) {
        constexpr int kN = decltype(n)::kCount;
        start(gegluKernel<kN, decltype(t)>, blocksFor(a.count / kN, kThreads), kThreads, stream, a);
      },
      a.gate, a.up, a.out);
  return lastError();
}

int launchGegluGradient(const GegluGradientArgs& a, cudaStream_t stream) {
  if (a.count == 0) return 0;
  packed(
      a.type, a.count,
      [&](auto t, auto n) {
        constexpr int kN = decltype(n)::kCount;
        start(gegluGradientKernel<kN, decltype(t)>, blocksFor(a.count / kN, kThreads), kThreads, stream, a);
      },
      a.gradient, a.gate, a.up, a.forGate, a.forUp);
  return lastError();
}

int launchRope(const RopeArgs& a, cudaStream_t stream) {
  const std::int64_t pairs = a.heads * (a.width / 2);
  if (a.batch * a.length * pairs == 0) return 0;
  // What divides all of these divides their bits together.
  const std::int64_t steps = a.width / 2 | a.inBatch | a.inPosition | a.inHead | a.outBatch | a.outPosition | a.outHead;
  packed(
      a.type, steps,
      [&](auto t, auto n) {
        constexpr int kN = decltype(n)::kCount;
        start(ropeKernel<kN, decltype(t)>, static_cast<unsigned>(a.batch * a.length), threadsFor(pairs / kN), stream,
              a);
      },
      a.x, a.cosine, a.sine, a.out);
  return lastError();
}

int launchDropout(const DropoutArgs& a, cudaStream_t stream) {
  if (a.count == 0) return 0;
  packed(
      a.type, a.width,
      [&](auto t, auto n) {
        constexpr int kN = decltype(n)::kCount;
        start(dropoutKernel<kN, decltype(t)>, blocksFor(a.count / kN, kThreads), kThreads, stream, a);
      },
      a.x, a.out);
  return lastError();
}

int launchPixels(const PixelArgs& a, cudaStream_t stream) {
  const std::int64_t pixels = a.images * a.side * a.side;
  if (pixels == 0) return 0;
  typed(a.type, [&](auto t) { start(pixelKernel<decltype(t)>, blocksFor(pixels, kThreads), kThreads, stream, a); });
  return lastError();
}

int launchAdamW(const AdamWArgs& a, cudaStream_t stream) {
  if (a.count == 0) return 0;
  const std::int64_t blocks = (a.count + kMomentBlockValues - 1) / kMomentBlockValues;
  typedUpdate(a, [&](auto value, auto gradient) {
    using T = decltype(value);
    using Gradient = decltype(gradient);
    constexpr int kEach = 4;
    if (!a.first)
      start(adamWBlockKernel<T, Gradient>, blocksFor(blocks, kThreads / 32), kThreads, stream, a, blocks);
    else if (aligned(a.values, a.gradients, a.first, a.second, a.copy, a.remainders))
      start(adamWKernel<kEach, T, Gradient>, blocksFor(blocksFor(a.count, kEach), kThreads), kThreads, stream, a);
    else
      start(adamWKernel<1, T, Gradient>, blocksFor(a.count, kThreads), kThreads, stream, a);
  });
  return lastError();
}

int launchAverage(const AverageArgs& a, cudaStream_t stream) {
  if (a.count == 0) return 0;
  constexpr int kEach = 4;
  if (a.count % kEach == 0 && aligned(a.average, a.upper, a.lower))
    start(averageKernel<kEach>, blocksFor(a.count / kEach, kThreads), kThreads, stream, a);
  else
    start(averageKernel<1>, blocksFor(a.count, kThreads), kThreads, stream, a);
  return lastError();
}

int launchScatter(const ScatterArgs& a, cudaStream_t stream) {
  if (a.count == 0) return 0;
  const dim3 blocks(static_cast<unsigned>(a.count), blocksFor(a.width, kThreads));
  typed(a.type, [&](auto t) {
    typed(a.tableType,
          [&](auto table) { start(scatterKernel<decltype(t), decltype(table)>, blocks, kThreads, stream, a); });
  });
  return lastError();
}

}  // namespace roadtune::engine::cuda
