// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/training_step.h"

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/engine/loop/kept_features.h"
#include "core/engine/loop/planned_memory.h"
#include "core/engine/loop/training_loader.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/placement.h"
#include "core/model/step_flops.h"

#include <ATen/ops/bincount.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace roadtune::engine {
namespace {

constexpr std::int64_t kNamedBadSamples = 20;

// Adds the time since `begin` to `into`, and gives the time now.
double lap(double begin, double& into) {
  const double now = monotonicSeconds();
  into += now - begin;
  return now;
}

}  // namespace

Status TrainingStep::reportBad(const std::vector<Error>& bad) {
  for (const auto& error : bad) {
    const bool tooLong = isTooLong(error);
    const bool stops = tooLong ? m_session.config.text("on_long_sample") == "stop" : !m_session.settings.skipBadSamples;
    if (stops) return error;
    if (!m_firstBad) m_firstBad = error;
    if (++m_badSamples <= kNamedBadSamples) m_session.reporter->warning(error);
    if (m_badSamples == kNamedBadSamples)
      m_session.reporter->print("further unreadable samples are counted, not named");
  }
  if (!bad.empty()) m_session.reporter->event("metric", {{"name", "bad_samples"}, {"value", m_badSamples}});
  return {};
}

Status TrainingStep::collect(BatchLoader& loader, std::int64_t count, StepResult& result) {
  m_window.clear();
  m_sampleIds.clear();
  m_sampleLosses.clear();
  for (std::int64_t i = 0; i < count && loader.remaining() > 0; ++i) {
    auto loaded = loader.next();
    result.anatomy.read += loaded.readSeconds;
    result.anatomy.tokenise += loaded.tokeniseSeconds;
    result.anatomy.decode += std::max(0.0, loaded.seconds - loaded.readSeconds - loaded.tokeniseSeconds);
    ROADTUNE_CHECK(reportBad(loaded.bad));
    if (loaded.samples.empty()) continue;
    Micro micro;
    for (const auto& sample : loaded.samples) micro.ids.push_back(sample.id);
    m_sampleIds.insert(m_sampleIds.end(), micro.ids.begin(), micro.ids.end());
    micro.batch = std::move(*loaded.ready);
    micro.newPictures = newPictures(loaded.samples);
    micro.rows = labelRows(micro.batch.labels, micro.batch.places, micro.batch.asked.rows);
    micro.tokens = micro.batch.attentionMask.sum().item<std::int64_t>();
    m_window.push_back(std::move(micro));
  }
  return {};
}

TrainingStep::Totals TrainingStep::count() const {
  Totals totals;
  for (const auto& micro : m_window) {
    const auto examples = micro.batch.labels.size(0);
    totals.targets += static_cast<double>(micro.rows.count());
    totals.samples += static_cast<double>(examples);
    totals.tokens += static_cast<double>(micro.tokens);
    totals.asked += static_cast<double>(micro.batch.asked.defined() ? micro.batch.asked.rows.size(0) : micro.tokens);
    if (micro.rows.count() > 0)
      totals.answered += at::bincount(micro.rows.examples, {}, examples).gt(0).sum().item<double>();
  }
  return totals;
}

at::Tensor TrainingStep::weights(const Micro& micro, const Totals& totals) const {
  if (m_session.settings.perSampleLoss) {
    const auto examples = micro.batch.labels.size(0);
    return perExampleWeights(micro.rows, examples) * (static_cast<double>(examples) / totals.answered);
  }
  return at::full({micro.rows.count()}, 1.0 / totals.targets, at::TensorOptions().dtype(at::kFloat));
}

std::uint64_t TrainingStep::planned() const {
  std::uint64_t most = 0;
  for (const auto& micro : m_window)
    most = std::max(most, plannedBytes(m_session, micro.batch.labels.size(0), micro.tokens, micro.rows.count()));
  return most;
}

// On their way to the host before the step waits for the device.
void TrainingStep::keepLosses() {
  std::vector<at::Tensor> all;
  for (const auto& losses : m_rowLosses)
    if (losses.defined()) all.push_back(losses);
  m_keptLosses = all.empty() ? at::Tensor() : onTheWayToHost(at::cat(all));
}

// While the device updates weights.
void TrainingStep::noteLosses() {
  std::int64_t at = 0;
  for (std::size_t m = 0; m < m_rowLosses.size(); ++m) {
    if (!m_rowLosses[m].defined()) continue;
    const auto& rows = m_window[m].rows;
    const auto& ids = m_window[m].ids;
    const auto examples = static_cast<std::int64_t>(ids.size());
    const auto counts = at::bincount(rows.examples, {}, examples);
    const auto losses = m_keptLosses.narrow(0, std::exchange(at, at + rows.count()), rows.count());
    const auto sums = at::bincount(rows.examples, losses, examples).to(at::kDouble);
    for (std::int64_t i = 0; i < examples; ++i) {
      const auto tokens = counts[i].item<std::int64_t>();
      if (tokens == 0) continue;
      m_sampleLosses.push_back(
          {ids[static_cast<std::size_t>(i)], sums[i].item<double>() / static_cast<double>(tokens), tokens});
    }
  }
  m_rowLosses.clear();
}

at::Tensor TrainingStep::pass(const Micro& micro, const Totals& totals, std::size_t index, bool last,
                              StepResult& result) {
  auto context = m_session.context;
  const auto& state = m_session.state;
  context.dropoutSeed = mix64(mix64(m_session.settings.seed ^ mix64(static_cast<std::uint64_t>(state.globalStep))) +
                              index * 4096 + static_cast<std::uint64_t>(m_session.environment.rank));
  m_clock.start();
  const auto& network = *m_session.model->network;
  const auto& device = m_session.device;
  auto there = placed(micro.batch, device, network.config().imageTokenId);
  const auto rows = placed(micro.rows, device);
  const auto shares = placed(weights(micro, totals), device);
  m_clock.lap(result.anatomy.copy);
  const auto batch = withKeptFeatures(m_session, std::move(there), micro.newPictures, context);
  const auto [loss, rowLoss] = network.loss(network.hidden(batch, context), rows, context, shares);
  const auto value = loss.detach().to(at::kDouble);  // where it is: asking for the number would wait for the device
  if (m_session.settings.lossLedger) m_rowLosses[index] = rowLoss.detach();
  m_clock.lap(result.anatomy.forward);
  m_session.distribution->beginBackward(last);
  loss.backward();
  m_session.distribution->endBackward();
  m_clock.lap(result.anatomy.backward);
  return value;
}

Result<StepResult> TrainingStep::accumulate(BatchLoader& loader, std::int64_t microBatches,
                                            const std::function<bool()>& cancelledNow) {
  StepResult result;
  if (m_session.profile) m_session.profile->beginStep();
  const double begin = monotonicSeconds();
  ROADTUNE_CHECK(collect(loader, microBatches, result));
  double now = lap(begin, result.anatomy.wait);
  const auto local = count();
  auto& ranks = *m_session.ranks;
  const auto sums = ranks.sum({local.targets, local.samples, local.answered, local.tokens, local.asked});
  Totals totals{sums[0], sums[1], sums[2], sums[3], sums[4]};
  result.targets = static_cast<std::int64_t>(totals.targets);
  result.samples = static_cast<std::int64_t>(totals.samples);
  result.tokens = static_cast<std::int64_t>(totals.tokens);
  result.flops = model::stepFlops(m_session.model->tree, {.samples = result.samples,
                                                          .tokens = result.tokens,
                                                          .targets = result.targets,
                                                          .asked = static_cast<std::int64_t>(totals.asked),
                                                          .visionKept = m_session.features != nullptr});
  result.peakFlops = m_session.peakFlops * ranks.size();
  if (!m_session.settings.tokensAcrossRanks) totals.targets = local.targets * ranks.size();
  now = lap(now, result.anatomy.comm);

  m_clock.start();
  m_session.optimizer->zeroGradients();
  m_clock.lap(result.anatomy.optimizer);
  auto loss = at::zeros({}, at::TensorOptions().dtype(at::kDouble).device(m_session.device));
  auto& distribution = *m_session.distribution;
  const auto own = m_window.size();
  m_rowLosses.assign(own, {});
  const auto passes =
      distribution.shares() ? static_cast<std::size_t>(ranks.highest({static_cast<double>(own)})[0]) : own;
  for (std::size_t i = 0; i < passes; ++i) {
    if (cancelledNow()) {
      m_clock.forget();
      return cancelled();
    }
    if (i < own && m_window[i].rows.count() > 0)
      loss += pass(m_window[i], totals, i, i + 1 == own, result);
    else
      distribution.idlePass(true);
  }

  m_clock.start();
  distribution.endStep();
  result.plannedBytes = planned();  // while the device is at work
  m_clock.lap(result.anatomy.comm);
  keepLosses();
  const auto kept = onTheWayToHost(loss);
  result.gradientNorms = distribution.gradientNorms(*m_session.optimizer);  // the one place where a step waits
  m_clock.lap(result.anatomy.optimizer);
  const double ownLoss = kept.item<double>();
  m_clock.settle();
  result.anatomy.optimizer += std::exchange(m_optimizerSeconds, 0);
  now = monotonicSeconds();
  result.loss = ranks.sum(ownLoss);
  lap(now, result.anatomy.comm);
  result.finite = std::isfinite(result.loss) && std::isfinite(result.gradientNorms.all);
  result.seconds = monotonicSeconds() - begin;
  return result;
}

void TrainingStep::apply(StepResult& result) {
  const double begin = monotonicSeconds();
  m_clock.start();
  auto& optimizer = *m_session.optimizer;
  result.rate = m_session.rate();
  result.applied = result.finite && result.targets > 0;
  if (result.applied) {
    if (m_session.settings.maxGradNorm > 0) optimizer.clip(result.gradientNorms.all, m_session.settings.maxGradNorm);
    optimizer.step(m_session.schedule->factor(m_session.state.globalStep) * m_session.state.rateScale());
    if (m_session.average) m_session.average->update(optimizer.groups());
  }
  m_clock.lap(m_optimizerSeconds);
  noteLosses();
  // A GPU does this while the next step begins, and there its time counts.
  if (m_session.device.is_cpu()) result.anatomy.optimizer += std::exchange(m_optimizerSeconds, 0);
  result.seconds += monotonicSeconds() - begin;
  if (m_session.profile)
    if (const auto written = m_session.profile->endStep(); !written.ok()) m_session.reporter->warning(written.error());
  auto& a = result.anatomy;
  a.other = std::max(0.0, result.seconds - a.wait - a.copy - a.forward - a.backward - a.comm - a.optimizer);
}

}  // namespace roadtune::engine
