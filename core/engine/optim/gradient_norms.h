// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <ATen/core/Tensor.h>

#include <array>

namespace roadtune::engine {

// Of everything that trains, and of what trains in each tower; 0 where nothing does.
struct GradientNorms {
  std::array<double, 3> parts{};  // by model::Part
  double all = 0;

  static GradientNorms ofSquares(const double* squares);  // of each tower
};

// What gradients are multiplied with so that their norm is at most `maxNorm`, as by torch's clip_grad_norm_; 0: without
// a limit. No number where norm or loss is none: such a step is not to be applied. It is computed where squares (of the
// norms of the towers) and loss lie, in float32: nobody waits for it.
at::Tensor gradientFactor(const at::Tensor& squares, const at::Tensor& loss, double maxNorm);

}  // namespace roadtune::engine
