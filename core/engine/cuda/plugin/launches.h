// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/kernel_args.h"

#include <driver_types.h>

namespace roadtune::engine::cuda {

// Each starts its kernels on the stream and returns what cudaGetLastError() says of the launch.
int launchRmsNorm(const RmsNormArgs& a, cudaStream_t stream);
int launchRmsNormGradient(const RmsNormGradientArgs& a, cudaStream_t stream);
int launchRmsNormGain(const RmsNormGainArgs& a, cudaStream_t stream);
int launchLayerNorm(const LayerNormArgs& a, cudaStream_t stream);
int launchLayerNormGradient(const LayerNormGradientArgs& a, cudaStream_t stream);
int launchLayerNormGain(const LayerNormGainArgs& a, cudaStream_t stream);
int launchRope(const RopeArgs& a, cudaStream_t stream);
int launchGeglu(const GegluArgs& a, cudaStream_t stream);
int launchGegluGradient(const GegluGradientArgs& a, cudaStream_t stream);
int launchProbabilities(const ProbabilityArgs& a, cudaStream_t stream);
int launchScoreGradient(const ScoreGradientArgs& a, cudaStream_t stream);
int launchCrossEntropy(const CrossEntropyArgs& a, cudaStream_t stream);
int launchAdamW(const AdamWArgs& a, cudaStream_t stream);
int launchNf4Quantise(const Nf4QuantiseArgs& a, cudaStream_t stream);
int launchNf4Dequantise(const Nf4DequantiseArgs& a, cudaStream_t stream);
int launchNf4Product(const Nf4ProductArgs& a, cudaStream_t stream);
int launchDropout(const DropoutArgs& a, cudaStream_t stream);
int launchPixels(const PixelArgs& a, cudaStream_t stream);
int launchScatter(const ScatterArgs& a, cudaStream_t stream);

}  // namespace roadtune::engine::cuda
