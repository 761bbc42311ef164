// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/kernel_args.h"

namespace roadtune::engine::cuda {

// The kernels, as the plugin offers them. Each starts its work on the current stream of the current device and returns
// 0, or a code for errorText(). The table of the CPU (host_kernels.h) computes the same at once.
struct KernelTable {
  int (*rmsNorm)(const RmsNormArgs&);
  int (*rmsNormGradient)(const RmsNormGradientArgs&);
  int (*layerNorm)(const LayerNormArgs&);
  int (*layerNormGradient)(const LayerNormGradientArgs&);
  int (*rope)(const RopeArgs&);
  int (*geglu)(const GegluArgs&);
  int (*gegluGradient)(const GegluGradientArgs&);
  int (*probabilities)(const ProbabilityArgs&);
  int (*scoreGradient)(const ScoreGradientArgs&);
  int (*crossEntropy)(const CrossEntropyArgs&);
  int (*adamW)(const AdamWArgs&);
  int (*average)(const AverageArgs&);
  int (*nf4Quantise)(const Nf4QuantiseArgs&);
  int (*nf4Dequantise)(const Nf4DequantiseArgs&);
  int (*nf4Product)(const Nf4ProductArgs&);
  int (*dropout)(const DropoutArgs&);
  int (*pixels)(const PixelArgs&);
  int (*scatter)(const ScatterArgs&);
  const char* (*errorText)(int code);
  // Into how many parts the gradients of norms cut their rows: as many as the device works on at a time.
  std::int64_t (*normParts)(Element type, std::int64_t width);
};

}  // namespace roadtune::engine::cuda
