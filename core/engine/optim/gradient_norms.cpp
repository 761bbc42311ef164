// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/optim/gradient_norms.h"

#include "core/engine/nn/ops.h"

#include <cmath>

namespace roadtune::engine {

GradientNorms GradientNorms::ofSquares(const double* squares) {
  GradientNorms norms;
  double all = 0;
  for (std::size_t part = 0; part < norms.parts.size(); ++part) {
    norms.parts[part] = std::sqrt(squares[part]);
    all += squares[part];
  }
  norms.all = std::sqrt(all);
  return norms;
}

at::Tensor gradientFactor(const at::Tensor& squares, const at::Tensor& loss, double maxNorm) {
  const c10::NoGradGuard noGrad;
  const auto norm = squares.sum().sqrt_();
  const auto nothing = (norm + loss).mul_(0);  // what is not finite, times 0, is no number
  if (maxNorm <= 0) return (nothing + 1).to(at::kFloat);
  return (norm + 1e-6).reciprocal_().mul_(maxNorm).clamp_max_(1).add_(nothing).to(at::kFloat);
}

}  // namespace roadtune::engine
