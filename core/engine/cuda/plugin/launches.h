// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/kernel_table.h"

#include <driver_types.h>

namespace roadtune::engine::cuda {

// Each starts its kernels on the stream and returns what cudaGetLastError() says of the launch.
int launchRmsNorm(const RmsNormArgs& a, cudaStream_t stream);
int launchRmsNormGradient(const RmsNormGradientArgs& a, cudaStream_t stream);
int launchLayerNorm(const LayerNormArgs& a, cudaStream_t stream);
int launchLayerNormGradient(const LayerNormGradientArgs& a, cudaStream_t stream);
int launchRope(const RopeArgs& a, cudaStream_t stream);
int launchGeglu(const GegluArgs& a, cudaStream_t stream);
int launchGegluGradient(const GegluGradientArgs& a, cudaStream_t stream);
int launchProbabilities(const ProbabilityArgs& a, cudaStream_t stream);
int launchScoreGradient(const ScoreGradientArgs& a, cudaStream_t stream);
int launchCrossEntropy(const CrossEntropyArgs& a, cudaStream_t stream);
int launchAdamW(const AdamWArgs& a, cudaStream_t stream);
int launchAverage(const AverageArgs& a, cudaStream_t stream);
int launchNf4Quantise(const Nf4QuantiseArgs& a, cudaStream_t stream);
int launchNf4Dequantise(const Nf4DequantiseArgs& a, cudaStream_t stream);
int launchNf4Product(const Nf4ProductArgs& a, cudaStream_t stream);
int launchDropout(const DropoutArgs& a, cudaStream_t stream);
int launchPixels(const PixelArgs& a, cudaStream_t stream);
int launchScatter(const ScatterArgs& a, cudaStream_t stream);

std::int64_t normParts(Element type, std::int64_t width);  // of the current device

// All of them as a table: Starts::one<launch> calls a launch with its arguments and a stream.
template <class Starts>
constexpr KernelTable kernelsOf(const char* (*errorText)(int)) {
  return {
      .rmsNorm = Starts::template one<launchRmsNorm>,
      .rmsNormGradient = Starts::template one<launchRmsNormGradient>,
      .layerNorm = Starts::template one<launchLayerNorm>,
      .layerNormGradient = Starts::template one<launchLayerNormGradient>,
      .rope = Starts::template one<launchRope>,
      .geglu = Starts::template one<launchGeglu>,
      .gegluGradient = Starts::template one<launchGegluGradient>,
      .probabilities = Starts::template one<launchProbabilities>,
      .scoreGradient = Starts::template one<launchScoreGradient>,
      .crossEntropy = Starts::template one<launchCrossEntropy>,
      .adamW = Starts::template one<launchAdamW>,
      .average = Starts::template one<launchAverage>,
      .nf4Quantise = Starts::template one<launchNf4Quantise>,
      .nf4Dequantise = Starts::template one<launchNf4Dequantise>,
      .nf4Product = Starts::template one<launchNf4Product>,
      .dropout = Starts::template one<launchDropout>,
      .pixels = Starts::template one<launchPixels>,
      .scatter = Starts::template one<launchScatter>,
      .errorText = errorText,
      .normParts = normParts,
  };
}

}  // namespace roadtune::engine::cuda
