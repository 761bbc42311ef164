// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/optim/adamw.h"

#include "core/engine/nn/ops.h"

#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/linalg_vector_norm.h>

#include <cmath>

namespace roadtune::engine {

void AdamW::zeroGradients() {
  for (auto& group : m_groups) group.gradients.zero_();
}

double AdamW::gradientNorm() const {
  const c10::NoGradGuard noGrad;
  double squares = 0;
  for (const auto& group : m_groups) {
    const double norm = at::linalg_vector_norm(group.gradients, 2, {}, false, at::kDouble).item<double>();
    squares += norm * norm;
  }
  return std::sqrt(squares);
}

void AdamW::clip(double norm, double maxNorm) {
  const c10::NoGradGuard noGrad;
  const double factor = maxNorm / (norm + 1e-6);
  if (factor >= 1.0) return;
  for (auto& group : m_groups) group.gradients.mul_(factor);
}

void AdamW::step(double scheduleFactor) {
  const c10::NoGradGuard noGrad;
  const auto count = at::full({}, static_cast<double>(++m_steps), at::TensorOptions().dtype(at::kFloat));
  for (auto& group : m_groups)
    at::_fused_adamw_({group.values}, {group.gradients}, {group.firstMoment}, {group.secondMoment}, {}, {count},
                      group.learningRate * scheduleFactor, m_options.beta1, m_options.beta2, group.weightDecay,
                      m_options.epsilon, false, false);
}

void AdamW::scaleRates(double factor) {
  for (auto& group : m_groups) group.learningRate *= factor;
}

}  // namespace roadtune::engine
