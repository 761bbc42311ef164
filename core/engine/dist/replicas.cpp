// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/dist/replicas.h"

#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <unordered_map>

namespace roadtune::engine {
namespace {

struct AfterGradient final : torch::autograd::PostAccumulateGradHook {
  explicit AfterGradient(std::function<void()> f) : call(std::move(f)) {}
  void operator()(const torch::autograd::Variable&) override { call(); }
  std::function<void()> call;
};

KeptSmall smallAmong(const Communicator& ranks, const DistributionOptions& options) {
  auto small = options.small;
  small.ofOneProduct &= ranks.size() == 1;
  return small;
}

}  // namespace

Replicas::Replicas(ModelState& model, Communicator& ranks, const DistributionOptions& options)
    : m_model(model),
      m_ranks(ranks),
      m_groups(makeGroups(model.parameters, model.tree, options.rates, options.weightDecay, options.computeType,
                          smallAmong(ranks, options))) {
  if (ranks.size() == 1) return;
  makeBuckets(options.bucketBytes);
  watch();
}

Replicas::~Replicas() {
  for (const auto& [parameter, bucket] : m_bucketOf)
    torch::autograd::impl::set_post_acc_grad_hooks(parameter->value, nullptr);
}

// Backward reaches the end of the checkpoint's order first, so buckets grow from the back.
void Replicas::makeBuckets(std::int64_t maxBytes) {
  std::unordered_map<const Parameter*, std::size_t> places;
  for (const auto& parameter : m_model.parameters.all()) places.emplace(parameter.get(), places.size());
  for (std::size_t g = 0; g < m_groups.size(); ++g) {
    const auto& group = m_groups[g];
    bool fresh = true;
    for (std::size_t i = group.members.size(); i-- > 0;) {
      if (fresh) m_buckets.push_back({.group = g, .begin = group.offsets[i] + group.counts[i]});
      auto& bucket = m_buckets.back();
      bucket.count += bucket.begin - group.offsets[i];
      bucket.begin = group.offsets[i];
      bucket.lowest = places.at(group.members[i]);
      ++bucket.members;
      fresh = bucket.count * group.gradients.element_size() >= maxBytes;
    }
  }
  std::sort(m_buckets.begin(), m_buckets.end(), [](const Bucket& a, const Bucket& b) { return a.lowest > b.lowest; });
}

void Replicas::watch() {
  for (std::size_t b = 0; b < m_buckets.size(); ++b) {
    const auto& group = m_groups[m_buckets[b].group];
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      const auto place = group.offsets[i] - m_buckets[b].begin;
      if (place < 0 || place >= m_buckets[b].count) continue;
      m_bucketOf.emplace_back(group.members[i], b);
      torch::autograd::impl::set_post_acc_grad_hooks(group.members[i]->value,
                                                     std::make_unique<AfterGradient>([this, b] { ready(b); }));
    }
  }
}

void Replicas::beginBackward(bool last) {
  m_armed = last && m_ranks.size() > 1;
  m_sent = 0;
  for (auto& bucket : m_buckets) bucket.missing = bucket.members;
}

void Replicas::ready(std::size_t bucket) {
  if (!m_armed) return;
  if (m_buckets[bucket].missing > 0) --m_buckets[bucket].missing;
  send(false);
}

// In the same order on every rank, whatever was ready first.
void Replicas::send(bool all) {
  for (; m_sent < m_buckets.size(); ++m_sent) {
    auto& bucket = m_buckets[m_sent];
    if (!all && bucket.missing > 0) return;
    bucket.transfer = m_ranks.startSum(m_groups[bucket.group].gradients.narrow(0, bucket.begin, bucket.count));
  }
}

void Replicas::endStep() {
  for (auto& group : m_groups) group.finishGradients();
  if (m_ranks.size() == 1) return;
  send(true);
  for (auto& bucket : m_buckets) {
    bucket.transfer->wait();
    bucket.transfer.reset();
  }
  m_sent = 0;
}

at::Tensor Replicas::whole(const Parameter& parameter) {
  if (parameter.storedType == parameter.value.scalar_type()) return parameter.value;
  for (const auto& group : m_groups) {
    if (!group.inHalves()) continue;
    const auto found = std::find(group.members.begin(), group.members.end(), &parameter);
    if (found != group.members.end())
      return group.part(TrainedValues::Weights, static_cast<std::size_t>(found - group.members.begin()));
  }
  return parameter.value;
}

void Replicas::eachTrained(const AdamW& optimizer, TrainedValues what, const Take& take) {
  for (const auto& group : optimizer.groups())
    for (std::size_t i = 0; i < group.members.size(); ++i)
      if (const auto part = group.part(what, i); part.defined()) take(*group.members[i], part.to(at::kCPU));
}

}  // namespace roadtune::engine
