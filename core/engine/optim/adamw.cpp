// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/optim/adamw.h"

#include "core/engine/cuda/fused_update.h"
#include "core/engine/nn/ops.h"

#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/stack.h>

#include <cmath>
#include <utility>

namespace roadtune::engine {
namespace {

// In float64 on the CPU. On a GPU torch would first make a float64 copy of everything; its tree of float32 sums is exact
// enough there.
at::Tensor normOf(const at::Tensor& gradients) {
  if (gradients.is_cpu()) return at::linalg_vector_norm(gradients, 2, {}, false, at::kDouble);
  return at::linalg_vector_norm(gradients, 2).to(at::kDouble);
}

}  // namespace

void AdamW::zeroGradients() {
  for (auto& group : m_groups) group.gradients.zero_();
}

double AdamW::gradientNorm() const {
  const c10::NoGradGuard noGrad;
  std::vector<at::Tensor> norms;
  for (const auto& group : m_groups)
    norms.push_back(normOf(group.gradients));
  if (norms.empty()) return 0;
  const auto all = at::stack(norms).to(at::kCPU);  // one wait, however many groups
  double squares = 0;
  for (std::int64_t i = 0; i < all.numel(); ++i) {
    const double norm = all.const_data_ptr<double>()[i];
    squares += norm * norm;
  }
  return std::sqrt(squares);
}

void AdamW::clip(double norm, double maxNorm) {
  const c10::NoGradGuard noGrad;
  const double factor = maxNorm / (norm + 1e-6);
  if (factor >= 1.0) return;
  if (!m_groups.empty() && cuda::kernelsFor(m_groups.front().values)) {
    m_gradientFactor = factor;
    return;
  }
  for (auto& group : m_groups) group.gradients.mul_(factor);
}

void AdamW::step(double scheduleFactor) {
  const c10::NoGradGuard noGrad;
  ++m_steps;
  const double gradientFactor = std::exchange(m_gradientFactor, 1.0);
  for (auto& group : m_groups) {
    if (const auto* kernels = cuda::kernelsFor(group.values)) {
      const cuda::Update update{group.learningRate * scheduleFactor, m_options.beta1, m_options.beta2,
                                m_options.epsilon,                   group.weightDecay, gradientFactor,
                                m_steps};
      cuda::adamW(*kernels, group.values, group.gradients, group.firstMoment, group.secondMoment, {}, update, false);
      continue;
    }
    const auto count = at::full({}, static_cast<double>(m_steps), group.values.options());
    at::_fused_adamw_({group.values}, {group.gradients}, {group.firstMoment}, {group.secondMoment}, {}, {count},
                      group.learningRate * scheduleFactor, m_options.beta1, m_options.beta2, group.weightDecay,
                      m_options.epsilon, false, false);
  }
}

void AdamW::scaleRates(double factor) {
  for (auto& group : m_groups) group.learningRate *= factor;
}

}  // namespace roadtune::engine
