// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/dist/trained_section.h"

#include "core/engine/nn/ops.h"
#include "core/model/moments.h"

#include <algorithm>

namespace roadtune::engine {
namespace {

constexpr std::int64_t kAlignedElements = 16;  // elements: a cache line of float32

}  // namespace

TrainedSection::TrainedSection(std::vector<TrainedMember> members, at::ScalarType travels, Communicator& ranks)
    : m_ranks(&ranks), m_members(std::move(members)), m_travels(travels) {
  if (m_members.empty()) return;
  const c10::NoGradGuard noGrad;
  std::stable_sort(m_members.begin(), m_members.end(), [](const auto& a, const auto& b) { return a.rule < b.rule; });
  lay();
  cut();
}

void TrainedSection::lay() {
  std::int64_t total = 0;
  for (const auto& member : m_members) {
    m_offsets.push_back(total);
    m_counts.push_back(member.parameter->value.numel());
    total += m_counts.back();
    if (momentsInBytes()) total = scalesFor(total) * model::kMomentBlock;
  }
  const auto aligned = momentsInBytes() ? model::kMomentBlock : kAlignedElements, grain = aligned * m_ranks->size();
  m_piece = (total + grain - 1) / grain * aligned;
}

void TrainedSection::cut() {
  const auto device = m_members.front().parameter->value.device();
  const auto options = at::TensorOptions().dtype(narrow() ? at::kBFloat16 : at::kFloat).device(device);
  m_values = at::zeros({m_piece}, options);
  m_gradients = at::zeros({m_piece}, options);
  m_firstMoment = Moment::zeros(m_piece, momentsInBytes(), true, device);
  m_secondMoment = Moment::zeros(m_piece, momentsInBytes(), false, device);
  const auto whole = m_piece * m_ranks->size();
  m_weights = PassingTensor(whole, m_travels, device);
  m_wholeGradients = PassingTensor(whole, m_travels, device);
  const auto begin = m_piece * m_ranks->rank(), end = begin + m_piece;
  for (std::size_t i = 0; i < m_members.size(); ++i) {
    auto& parameter = *m_members[i].parameter;
    const auto from = std::max(begin, m_offsets[i]), to = std::min(end, m_offsets[i] + m_counts[i]);
    if (from < to)
      m_values.narrow(0, from - begin, to - from)
          .copy_(parameter.value.detach().flatten().narrow(0, from - m_offsets[i], to - from));
    const auto shape = parameter.value.sizes().vec();
    parameter.narrow = narrow();
    parameter.value = m_weights.view(m_offsets[i], m_counts[i]).view(shape).detach().requires_grad_(true);
    parameter.value.mutable_grad() = m_wholeGradients.view(m_offsets[i], m_counts[i]).view(shape);
  }
  m_weights.release();
  m_wholeGradients.release();
}

std::unique_ptr<Transfer> TrainedSection::startGather() {
  const c10::NoGradGuard noGrad;
  m_weights.allocate();
  m_sent = m_values.to(m_travels);
  return m_ranks->startGather(m_weights.raw(), m_sent);
}

void TrainedSection::openGradients() {
  if (empty()) return;
  const c10::NoGradGuard noGrad;
  m_wholeGradients.allocate();
  m_wholeGradients.raw().zero_();
}

void TrainedSection::startReduce() {
  if (empty()) return;
  const c10::NoGradGuard noGrad;
  m_incoming = at::empty_like(m_wholeGradients.raw());
  m_reduce = m_ranks->startExchange(m_incoming, m_wholeGradients.raw());
}

void TrainedSection::finishReduce() {
  if (!m_reduce) return;
  const c10::NoGradGuard noGrad;
  m_reduce->wait();
  m_reduce.reset();
  m_wholeGradients.release();
  // In the order of ranks, so that the sum does not depend on who was faster.
  auto sum = m_incoming.narrow(0, 0, m_piece).to(at::kFloat, false, true);
  for (int rank = 1; rank < m_ranks->size(); ++rank) sum.add_(m_incoming.narrow(0, rank * m_piece, m_piece));
  m_gradients.add_(sum);
  m_incoming = at::Tensor();
}

std::vector<FlatGroup> TrainedSection::groups(double weightDecay) const {
  std::vector<FlatGroup> groups;
  const auto begin = m_piece * (m_ranks ? m_ranks->rank() : 0), end = begin + m_piece;
  for (std::size_t i = 0; i < m_members.size();) {
    const auto rule = m_members[i].rule;
    FlatGroup group{.learningRate = rule.learningRate, .weightDecay = rule.decays ? weightDecay : 0.0};
    const auto first = std::clamp(m_offsets[i], begin, end);
    auto last = first;
    for (; i < m_members.size() && m_members[i].rule == rule; ++i) {
      const auto from = std::max(begin, m_offsets[i]), to = std::min(end, m_offsets[i] + m_counts[i]);
      if (from >= to) continue;
      group.members.push_back(m_members[i].parameter);
      group.offsets.push_back(from - first);
      group.begins.push_back(from - m_offsets[i]);
      group.counts.push_back(to - from);
      last = to;
    }
    if (group.members.empty()) continue;
    const auto own = [&](const at::Tensor& buffer) { return buffer.narrow(0, first - begin, last - first); };
    group.values = own(m_values);
    group.gradients = own(m_gradients);
    group.firstMoment = m_firstMoment.narrow(first - begin, last - first);
    group.secondMoment = m_secondMoment.narrow(first - begin, last - first);
    groups.push_back(std::move(group));
  }
  return groups;
}

const at::Tensor& TrainedSection::pieceOf(TrainedValues what) const {
  switch (what) {
    case TrainedValues::FirstMoment: return m_firstMoment.values;
    case TrainedValues::SecondMoment: return m_secondMoment.values;
    case TrainedValues::FirstScales: return m_firstMoment.scales;
    case TrainedValues::SecondScales: return m_secondMoment.scales;
    case TrainedValues::Weights: break;
  }
  return m_values;
}

void TrainedSection::collect(TrainedValues what, const Take& take) const {
  if (empty() || !pieceOf(what).defined()) return;
  const c10::NoGradGuard noGrad;
  const auto& piece = pieceOf(what);
  const auto whole = at::empty({piece.numel() * m_ranks->size()}, piece.options());
  m_ranks->startGather(whole, piece)->wait();
  const bool scales = piece.numel() != m_piece;
  for (std::size_t i = 0; i < m_members.size(); ++i) {
    const auto& parameter = *m_members[i].parameter;
    const auto part = scales ? whole.narrow(0, m_offsets[i] / model::kMomentBlock, scalesFor(m_counts[i]))
                             : whole.narrow(0, m_offsets[i], m_counts[i]).view(parameter.value.sizes());
    take(parameter, part.to(at::kCPU));
  }
}

}  // namespace roadtune::engine
