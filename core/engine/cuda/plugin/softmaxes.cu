// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cuda/plugin/geometry.cuh"
#include "core/engine/cuda/plugin/launches.h"
#include "core/engine/cuda/rows/softmax_rows.h"

namespace roadtune::engine::cuda {
namespace {

constexpr int kWarps = 4;  // rows of a block
constexpr int kVocabularyThreads = 1024;

__device__ std::int64_t warpRow() { return static_cast<std::int64_t>(blockIdx.x) * kWarps + threadIdx.x / 32; }

template <class T>
__global__ void probabilityKernel(ProbabilityArgs a) {
  if (const std::int64_t row = warpRow(); row < a.batch * a.heads * a.queries) probabilityRow<T>(a, row, WarpLanes{});
}

template <class T>
__global__ void scoreGradientKernel(ScoreGradientArgs a) {
  if (const std::int64_t row = warpRow(); row < a.batch * a.heads * a.queries) scoreGradientRow<T>(a, row, WarpLanes{});
}

template <int N, class T>
__global__ void __launch_bounds__(kVocabularyThreads) crossEntropyKernel(CrossEntropyArgs a) {
  crossEntropyRow<N, T>(a, blockIdx.x, BlockLanes{});
}

}  // namespace

int launchProbabilities(const ProbabilityArgs& a, cudaStream_t stream) {
  const std::int64_t rows = a.batch * a.heads * a.queries;
  if (rows == 0) return 0;
  typed(a.type,
        [&](auto t) { start(probabilityKernel<decltype(t)>, blocksFor(rows, kWarps), kWarps * 32, stream, a); });
  return lastError();
}

int launchScoreGradient(const ScoreGradientArgs& a, cudaStream_t stream) {
  const std::int64_t rows = a.batch * a.heads * a.queries;
  if (rows == 0) return 0;
  typed(a.type,
        [&](auto t) { start(scoreGradientKernel<decltype(t)>, blocksFor(rows, kWarps), kWarps * 32, stream, a); });
  return lastError();
}

int launchCrossEntropy(const CrossEntropyArgs& a, cudaStream_t stream) {
  if (a.rows == 0) return 0;
  packed(
      a.type, a.vocabulary,
      [&](auto t, auto n) {
        start(crossEntropyKernel<decltype(n)::kCount, decltype(t)>, static_cast<unsigned>(a.rows), kVocabularyThreads,
              stream, a);
      },
      a.logits);
  return lastError();
}

}  // namespace roadtune::engine::cuda
