// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/optim/adamw.h"

#include "core/engine/cuda/fused_update.h"
#include "core/engine/cuda/host_kernels.h"
#include "core/engine/nn/ops.h"

#include <ATen/Parallel.h>
#include <ATen/ops/_foreach_norm.h>
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

double squaresOf(const at::Tensor& gradients) {
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
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

// Their squares, added up. In float64 on the CPU, in parts that do not depend on the number of threads. Torch would
// first make a float64 copy of everything; on a GPU its tree of float32 sums is exact enough.
at::Tensor squaresOf(const std::vector<at::Tensor>& gradients) {
  if (gradients.front().is_cpu()) {
    double sum = 0;
    for (const auto& some : gradients) sum += squaresOf(some);
    return at::scalar_tensor(sum, at::kDouble);
  }
  const auto all = gradients.size() == 1 ? gradients.front() : at::stack(at::_foreach_norm(gradients, 2, at::kFloat));
  return at::linalg_vector_norm(all, 2, std::nullopt, false, at::kFloat).to(at::kDouble).square_();
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
      if (!m_stretches.empty() && m_stretches.back().group == g && m_stretches.back().part == part)
        m_stretches.back().last = i;
      else
        m_stretches.push_back({g, part, i, i});
    }
  }
  if (m_stretches.empty()) return;
  auto inPart =
      at::zeros({kParts, static_cast<std::int64_t>(m_stretches.size())}, at::TensorOptions().dtype(at::kBool));
  for (std::size_t i = 0; i < m_stretches.size(); ++i)
    inPart.select(0, static_cast<std::int64_t>(m_stretches[i].part))
        .select(0, static_cast<std::int64_t>(i))
        .fill_(true);
  m_inPart = inPart.to(m_groups.front().values.device());
}

void AdamW::restartGradients() {
  for (auto& group : m_groups) group.restartGradients();
}

std::vector<at::Tensor> AdamW::gradientsOf(const Stretch& stretch) const {
  const auto& group = m_groups[stretch.group];
  if (!group.fleeting) {  // padding between members is zero and may count
    const auto begin = group.offsets[stretch.first], end = group.offsets[stretch.last] + group.counts[stretch.last];
    return {group.gradients.narrow(0, begin, end - begin)};
  }
  std::vector<at::Tensor> result;
  for (auto i = stretch.first; i <= stretch.last; ++i) result.push_back(group.gradient(i));
  return result;
}

at::Tensor AdamW::gradientSquares(const at::Device& device) const {
  const c10::NoGradGuard noGrad;
  if (m_stretches.empty()) return at::zeros({kParts}, at::TensorOptions().dtype(at::kDouble).device(device));
  std::vector<at::Tensor> squares;
  for (const auto& one : m_stretches) squares.push_back(squaresOf(gradientsOf(one)));
  return at::where(m_inPart, at::stack(squares), 0.0).sum(1);
}

void AdamW::step(double rateFactor, const at::Tensor& gradientFactor) {
  const c10::NoGradGuard noGrad;
  ++m_steps;
  for (auto& group : m_groups) {
    if (!group.fleeting) {
      step({group, 0, group.values.numel(), group.gradients}, rateFactor, gradientFactor);
      continue;
    }
    for (std::size_t i = 0; i < group.members.size(); ++i)
      step({group, group.offsets[i], group.counts[i], group.gradient(i).flatten()}, rateFactor, gradientFactor);
  }
}

void AdamW::step(const Piece& piece, double rateFactor, const at::Tensor& gradientFactor) const {
  const auto& group = piece.group;
  const auto* kernels = cuda::kernelsFor(group.values);
  if (!kernels && (group.firstMoment.inBytes() || (group.in16Bits() && !group.inHalves())))
    kernels = &cuda::hostKernels();
  if (!kernels) {
    const double factor = gradientFactor.item<double>();
    if (!std::isnan(factor)) plainStep(piece, rateFactor, factor);
    return;
  }
  const auto some = [&](const at::Tensor& buffer) { return buffer.defined() ? piece.of(buffer) : buffer; };
  auto values = piece.of(group.values);
  cuda::adamW(*kernels, values, piece.gradients, group.firstMoment.narrow(piece.begin, piece.count),
              group.secondMoment.narrow(piece.begin, piece.count), some(group.rounded),
              {group.learningRate * rateFactor, m_options.beta1, m_options.beta2, m_options.epsilon, group.weightDecay,
               gradientFactor, m_steps},
              some(group.remainders));
}

// By torch's own. What is in halves, on the CPU then, is joined a part at a time by every thread.
void AdamW::plainStep(const Piece& piece, double rateFactor, double gradientFactor) const {
  auto& group = piece.group;
  const auto scalar = [&](double value) { return at::full({}, value, group.values.options().dtype(at::kFloat)); };
  const auto divisor = gradientFactor == 1.0 ? std::optional<at::Tensor>() : scalar(1.0 / gradientFactor);
  const auto move = [&](std::int64_t from, std::int64_t count) {
    const auto begin = piece.begin + from;
    const auto part = [&](const at::Tensor& all) { return all.narrow(0, begin, count); };
    const auto values = group.exact(begin, count);
    at::_fused_adamw_({values}, {piece.gradients.narrow(0, from, count).to(at::kFloat)},
                      {part(group.firstMoment.values)}, {part(group.secondMoment.values)}, {},
                      {scalar(static_cast<double>(m_steps))}, group.learningRate * rateFactor, m_options.beta1,
                      m_options.beta2, group.weightDecay, m_options.epsilon, false, false, divisor);
    if (group.inHalves()) group.setValues(begin, values);
  };
  if (!group.inHalves()) {
    move(0, piece.count);
    return group.round();
  }
  at::parallel_for(0, (piece.count + kJoined - 1) / kJoined, 1, [&](std::int64_t first, std::int64_t last) {
    const c10::NoGradGuard noGrad;  // of this thread
    for (auto part = first; part < last; ++part) move(part * kJoined, std::min(kJoined, piece.count - part * kJoined));
  });
}

}  // namespace roadtune::engine
