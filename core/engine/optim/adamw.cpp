// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/optim/adamw.h"

#include "core/engine/cuda/fused_update.h"
#include "core/engine/cuda/host_kernels.h"
#include "core/engine/nn/ops.h"

#include <ATen/Parallel.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace roadtune::engine {
namespace {

constexpr std::int64_t kPart = 1 << 16;  // values summed by one thread at a time
constexpr std::int64_t kLanes = 8;
constexpr std::int64_t kParts = 3;         // of a model
constexpr std::int64_t kJoined = 1 << 15;  // values, from two halves, at a time

template <class T>
double squaresOf(const T* values, std::int64_t count) {
  std::array<double, kLanes> lanes{};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
      const double value = static_cast<float>(values[i + lane]);
      lanes[static_cast<std::size_t>(lane)] += value * value;
    }
  double sum = std::accumulate(lanes.begin(), lanes.end(), 0.0);
  for (; i < count; ++i) {
    const double value = static_cast<float>(values[i]);
    sum += value * value;
  }
  return sum;
}

// In float64 on the CPU, in parts that do not depend on the number of threads. Torch would first make a float64 copy of
// everything; on a GPU its tree of float32 sums is exact enough.
at::Tensor normOf(const at::Tensor& gradients) {
  if (!gradients.is_cpu()) return at::linalg_vector_norm(gradients, 2, std::nullopt, false, at::kFloat).to(at::kDouble);
  const auto count = gradients.numel(), parts = (count + kPart - 1) / kPart;
  std::vector<double> sums(static_cast<std::size_t>(parts));
  const auto addUp = [&](const auto* values) {
    at::parallel_for(0, parts, 1, [&](std::int64_t begin, std::int64_t end) {
      for (auto part = begin; part < end; ++part)
        sums[static_cast<std::size_t>(part)] = squaresOf(values + part * kPart, std::min(kPart, count - part * kPart));
    });
  };
  if (gradients.scalar_type() == at::kBFloat16)
    addUp(gradients.const_data_ptr<at::BFloat16>());
  else
    addUp(gradients.const_data_ptr<float>());
  return at::scalar_tensor(std::sqrt(std::accumulate(sums.begin(), sums.end(), 0.0)), at::kDouble);
}

model::Part partOf(std::string_view name) {
  for (const auto part : {model::Part::Vision, model::Part::Projector})
    if (name.find(model::nameOf(part)) != std::string_view::npos) return part;
  return model::Part::Text;
}

}  // namespace

AdamW::AdamW(std::vector<FlatGroup> groups, Options options) : m_groups(std::move(groups)), m_options(options) {
  for (std::size_t g = 0; g < m_groups.size(); ++g) {
    const auto& group = m_groups[g];
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      const auto part = partOf(group.members[i]->name);
      const auto begin = group.offsets[i], end = begin + group.counts[i];
      // Padding between members is zero and may count.
      if (!m_stretches.empty() && m_stretches.back().group == g && m_stretches.back().part == part)
        m_stretches.back().count = end - m_stretches.back().offset;
      else
        m_stretches.push_back({g, part, begin, group.counts[i]});
    }
  }
  if (m_stretches.empty()) return;
  auto inPart =
      at::zeros({kParts, static_cast<std::int64_t>(m_stretches.size())}, at::TensorOptions().dtype(at::kBool));
  for (std::size_t i = 0; i < m_stretches.size(); ++i)
    inPart.select(0, static_cast<std::int64_t>(m_stretches[i].part))
        .select(0, static_cast<std::int64_t>(i))
        .fill_(true);
  m_inPart = inPart.to(m_groups.front().gradients.device());
}

void AdamW::restartGradients() {
  for (auto& group : m_groups) group.restartGradients();
}

at::Tensor AdamW::gradientSquares(const at::Device& device) const {
  const c10::NoGradGuard noGrad;
  if (m_stretches.empty()) return at::zeros({kParts}, at::TensorOptions().dtype(at::kDouble).device(device));
  std::vector<at::Tensor> norms;
  for (const auto& one : m_stretches)
    norms.push_back(normOf(m_groups[one.group].gradients.narrow(0, one.offset, one.count)));
  return at::where(m_inPart, at::stack(norms).square_(), 0.0).sum(1);
}

void AdamW::step(double rateFactor, const at::Tensor& gradientFactor) {
  const c10::NoGradGuard noGrad;
  ++m_steps;
  for (auto& group : m_groups) {
    const auto* kernels = cuda::kernelsFor(group.values);
    if (!kernels && (group.firstMoment.inBytes() || (group.in16Bits() && !group.inHalves())))
      kernels = &cuda::hostKernels();
    if (kernels) {
      const cuda::Update update{group.learningRate * rateFactor,
                                m_options.beta1,
                                m_options.beta2,
                                m_options.epsilon,
                                group.weightDecay,
                                gradientFactor,
                                m_steps};
      cuda::adamW(*kernels, group.values, group.gradients, group.firstMoment, group.secondMoment, group.rounded, update,
                  group.remainders);
      continue;
    }
    const double factor = gradientFactor.item<double>();
    if (!std::isnan(factor)) plainStep(group, rateFactor, factor);
  }
}

// By torch's own. What is in halves, on the CPU then, is joined a part at a time by every thread.
void AdamW::plainStep(FlatGroup& group, double rateFactor, double gradientFactor) const {
  const auto scalar = [&](double value) { return at::full({}, value, group.values.options().dtype(at::kFloat)); };
  const auto divisor = gradientFactor == 1.0 ? std::optional<at::Tensor>() : scalar(1.0 / gradientFactor);
  const auto move = [&](std::int64_t begin, std::int64_t count) {
    const auto part = [&](const at::Tensor& all) { return all.narrow(0, begin, count); };
    const auto values = group.exact(begin, count);
    at::_fused_adamw_({values}, {part(group.gradients).to(at::kFloat)}, {part(group.firstMoment.values)},
                      {part(group.secondMoment.values)}, {}, {scalar(static_cast<double>(m_steps))},
                      group.learningRate * rateFactor, m_options.beta1, m_options.beta2, group.weightDecay,
                      m_options.epsilon, false, false, divisor);
    if (group.inHalves()) group.setValues(begin, values);
  };
  const auto total = group.values.numel();
  if (!group.inHalves()) {
    move(0, total);
    return group.round();
  }
  at::parallel_for(0, (total + kJoined - 1) / kJoined, 1, [&](std::int64_t first, std::int64_t last) {
    const c10::NoGradGuard noGrad;  // of this thread
    for (auto part = first; part < last; ++part) move(part * kJoined, std::min(kJoined, total - part * kJoined));
  });
}

}  // namespace roadtune::engine
