// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cuda/plugin/geometry.cuh"
#include "core/engine/cuda/plugin/launches.h"
#include "core/engine/cuda/rows/nf4_rows.h"

namespace roadtune::engine::cuda {
namespace {

constexpr int kThreads = 256;

struct Nf4Map {
  float values[16];
};

Nf4Map nf4Map() {
  Nf4Map map;
  for (int i = 0; i < 16; ++i) map.values[i] = kNf4Values[i];
  return map;
}

__global__ void nf4QuantiseKernel(Nf4QuantiseArgs a, std::int64_t blocks) {
  const std::int64_t block = static_cast<std::int64_t>(blockIdx.x) * (kThreads / 32) + threadIdx.x / 32;
  if (block < blocks) nf4QuantiseBlock(a, block, WarpLanes{});
}

template <int N, class T>
__global__ void nf4DequantiseKernel(Nf4DequantiseArgs a, Nf4Map map) {
  __shared__ float values[16];
  if (threadIdx.x < 16) values[threadIdx.x] = map.values[threadIdx.x];
  __syncthreads();
  const std::int64_t at = (static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x) * N;
  if (at < a.count) nf4DequantisePack<N, T>(a, values, at);
}

// One warp per column of the result.
template <int N, class T>
__global__ void nf4ProductKernel(Nf4ProductArgs a, Nf4Map map) {
  __shared__ float values[16];
  if (threadIdx.x < 16) values[threadIdx.x] = map.values[threadIdx.x];
  __syncthreads();
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * (kThreads / 32) + threadIdx.x / 32;
  if (column < a.columns)
    nf4ProductColumn<N, T>(a, values, column, static_cast<std::int64_t>(blockIdx.y) * N, WarpLanes{});
}

template <int N, class T>
void startNf4Product(const Nf4ProductArgs& a, cudaStream_t stream) {
  const dim3 grid(blocksFor(a.columns, kThreads / 32), blocksFor(a.rows, N));
  start(nf4ProductKernel<N, T>, grid, kThreads, stream, a, nf4Map());
}

}  // namespace

int launchNf4Quantise(const Nf4QuantiseArgs& a, cudaStream_t stream) {
  if (a.count == 0) return 0;
  const std::int64_t blocks = (a.count + kNf4BlockValues - 1) / kNf4BlockValues;
  start(nf4QuantiseKernel, blocksFor(blocks, kThreads / 32), kThreads, stream, a, blocks);
  return lastError();
}

int launchNf4Dequantise(const Nf4DequantiseArgs& a, cudaStream_t stream) {
  if (a.count == 0) return 0;
  packed(
      a.type, a.count,
      [&](auto t, auto n) {
        constexpr int kN = decltype(n)::kCount > 1 ? decltype(n)::kCount : 2;
        start(nf4DequantiseKernel<kN, decltype(t)>, blocksFor((a.count + kN - 1) / kN, kThreads), kThreads, stream, a,
              nf4Map());
      },
      a.codes, a.out);
  return lastError();
}

int launchNf4Product(const Nf4ProductArgs& a, cudaStream_t stream) {
  if (a.rows == 0 || a.columns == 0) return 0;
  typed(a.weight.type, [&](auto t) {
    if (a.rows == 1)
      startNf4Product<1, decltype(t)>(a, stream);
    else if (a.rows <= 4)
      startNf4Product<4, decltype(t)>(a, stream);
    else
      startNf4Product<kNf4ProductRows, decltype(t)>(a, stream);
  });
  return lastError();
}

}  // namespace roadtune::engine::cuda
