// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/training_step.h"

#include "core/base/counted.h"
#include "core/base/hash.h"
#include "core/engine/loop/planned_memory.h"
#include "core/engine/loop/training_loader.h"
#include "core/engine/nn/device.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/placement.h"
#include "core/engine/nn/tensor_memory.h"
#include "core/model/step_flops.h"

#include <ATen/ops/bincount.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

namespace roadtune::engine {
namespace {

constexpr std::int64_t kNamedBadSamples = 20;

}  // namespace

// After a failure the process ends soon. Memory that the device copies to and from stays then: giving it back, torch
// would ask a device that may be broken, from where nothing can be caught.
TrainingStep::~TrainingStep() {
  if (std::uncaught_exceptions() == 0) return;
  (void)m_begun.release();
  (void)m_underWay.release();
}

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

void TrainingStep::reportCut(const std::vector<EncodedSample>& samples) {
  const auto before = m_cutSamples;
  for (const auto& sample : samples) {
    if (sample.prompt.cutTokens == 0) continue;
    if (m_cutSamples++ > 0) continue;
    m_session.reporter->warning(badInput("the sample is longer than max_length and loses the last " +
                                             counted(sample.prompt.cutTokens, "token") +
                                             " of its answer; further ones are counted, not named",
                                         sample.id, "raise max_length, or set on_long_sample: skip"));
  }
  if (m_cutSamples > before) m_session.reporter->event("metric", {{"name", "cut_samples"}, {"value", m_cutSamples}});
}

Status TrainingStep::collect(BatchLoader& loader, std::int64_t count) {
  auto& anatomy = m_begun->result.anatomy;
  for (std::int64_t i = 0; i < count && loader.remaining() > 0; ++i) {
    auto loaded = loader.next();
    anatomy.read += loaded.readSeconds;
    anatomy.tokenise += loaded.tokeniseSeconds;
    anatomy.decode += std::max(0.0, loaded.seconds - loaded.readSeconds - loaded.tokeniseSeconds);
    if (loaded.failed) return *loaded.failed;
    ROADTUNE_CHECK(reportBad(loaded.bad));
    if (loaded.samples.empty()) continue;
    Micro micro;
    for (const auto& sample : loaded.samples) micro.ids.push_back(sample.id);
    reportCut(loaded.samples);
    micro.batch = std::move(*loaded.ready);
    micro.newPictures = newPictures(loaded.samples);
    micro.rows = labelRows(micro.batch.labels, micro.batch.places, micro.batch.asked.rows);
    micro.tokens = micro.batch.attentionMask.sum().item<std::int64_t>();
    m_begun->window.push_back(std::move(micro));
  }
  return {};
}

// Over all ranks; the result says what the step holds.
TrainingStep::Totals TrainingStep::count() {
  Totals own;
  for (const auto& micro : m_begun->window) {
    own.targets += static_cast<double>(micro.rows.count());
    own.samples += static_cast<double>(micro.examples());
    own.tokens += static_cast<double>(micro.tokens);
    own.asked += static_cast<double>(micro.batch.asked.defined() ? micro.batch.asked.rows.size(0) : micro.tokens);
    if (micro.rows.count() > 0)
      own.answered += at::bincount(micro.rows.examples, {}, micro.examples()).gt(0).sum().item<double>();
  }
  auto& ranks = *m_session.ranks;
  auto& result = m_begun->result;
  const auto sums = ranks.sum({own.targets, own.samples, own.answered, own.tokens, own.asked});
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
  if (!m_session.settings.tokensAcrossRanks) totals.targets = own.targets * ranks.size();
  return totals;
}

at::Tensor TrainingStep::weights(const Micro& micro, const Totals& totals) const {
  if (m_session.settings.perSampleLoss) {
    const auto examples = micro.examples();
    return perExampleWeights(micro.rows, examples) * (static_cast<double>(examples) / totals.answered);
  }
  return at::full({micro.rows.count()}, 1.0 / totals.targets, at::TensorOptions().dtype(at::kFloat));
}

std::uint64_t TrainingStep::planned(const Course& course) const {
  std::uint64_t most = 0;
  for (const auto& micro : course.window)
    most = std::max(most, plannedBytes(m_session, micro.examples(), micro.tokens, micro.rows.count()));
  return most;
}

at::Tensor TrainingStep::pass(Micro& micro, const Totals& totals, std::size_t index, bool last) {
  auto context = m_session.context;
  const auto& state = m_session.state;
  context.dropoutSeed = mix64(mix64(m_session.settings.seed ^ mix64(static_cast<std::uint64_t>(state.globalStep))) +
                              index * 4096 + static_cast<std::uint64_t>(m_session.environment.rank));
  auto& clock = m_begun->clock;
  auto& anatomy = m_begun->result.anatomy;
  const auto& network = *m_session.model->network;
  const auto& device = m_session.device;
  auto there = placed(micro.batch, device, network.config().imageTokenId);
  micro.batch = {};
  const auto rows = placed(micro.rows, device);
  const auto shares = placed(weights(micro, totals), device);
  clock.lap(anatomy.copy);
  auto [batch, made] = withFeatures(m_session, std::move(there), micro.newPictures, context);
  if (device.is_cpu())
    keepFeatures(m_session, made);
  else if (!made.pictures.empty())
    m_begun->features.push_back({std::move(made.pictures), onTheWayToHost(made.values)});
  const auto [loss, rowLoss] = network.loss(network.hidden(batch, context), rows, context, shares);
  const auto value = loss.detach().to(at::kDouble);  // where it is: asking for the number would wait for the device
  if (m_session.settings.lossLedger) m_begun->rowLosses.push_back(rowLoss.detach());
  clock.lap(anatomy.forward);
  m_session.distribution->beginBackward(last);
  {
    const OnlyDeterministic kernels;
    loss.backward();
  }
  m_session.distribution->endBackward();
  clock.lap(anatomy.backward);
  return value;
}

Status TrainingStep::accumulate(BatchLoader& loader, std::int64_t microBatches,
                                const std::function<bool()>& cancelledNow) {
  if (m_underWay)
    notePeak();
  else
    restartTensorPeak();  // what was looked at, evaluated or saved meanwhile is no part of a step
  if (m_session.profile) m_session.profile->beginStep();
  m_begun = std::make_unique<Course>(m_session.device);
  auto& clock = m_begun->clock;
  auto& anatomy = m_begun->result.anatomy;
  if (m_underWay) {  // no time is lost between this step and the one before
    clock.goOnFrom(m_underWay->clock);
    clock.lap(anatomy.other);
  } else {
    clock.start();
  }
  ROADTUNE_CHECK(collect(loader, microBatches));
  clock.lap(anatomy.wait);
  const auto totals = count();
  clock.lap(anatomy.comm);
  m_session.optimizer->restartGradients();
  clock.lap(anatomy.optimizer);
  auto loss = at::zeros({}, at::TensorOptions().dtype(at::kDouble).device(m_session.device));
  auto& distribution = *m_session.distribution;
  auto& window = m_begun->window;
  const auto own = window.size();
  const auto passes =
      distribution.shares() ? static_cast<std::size_t>(m_session.ranks->highest({static_cast<double>(own)})[0]) : own;
  for (std::size_t i = 0; i < passes; ++i) {
    if (cancelledNow()) {
      giveUp();
      return cancelled();
    }
    if (i < own && window[i].rows.count() > 0)
      loss += pass(window[i], totals, i, i + 1 == own);
    else
      distribution.idlePass(true);
  }
  distribution.endStep();
  m_session.ranks->startSum(loss)->wait();
  clock.lap(anatomy.comm);
  keepNumbers(loss);
  clock.lap(anatomy.optimizer);
  return {};
}

// What decides about the update stays where it is; what is to be told comes to the host in its own time.
void TrainingStep::keepNumbers(const at::Tensor& loss) {
  const auto squares = m_session.distribution->gradientSquares(*m_session.optimizer, m_session.device);
  m_begun->gradientFactor = gradientFactor(squares, loss, m_session.settings.maxGradNorm);
  m_begun->norms = onTheWayToHost(at::cat({squares, loss.view({1})}));
  if (const auto rows = std::exchange(m_begun->rowLosses, {}); !rows.empty())
    m_begun->losses = onTheWayToHost(at::cat(rows));
}

StepResult& TrainingStep::apply() {
  auto& course = *m_begun;
  auto& result = course.result;
  auto& optimizer = *m_session.optimizer;
  course.clock.lap(result.anatomy.other);
  result.rate = m_session.rate();
  result.applied = result.targets > 0;
  if (result.applied) {
    optimizer.step(m_session.schedule->factor(m_session.state.globalStep) * m_session.state.rateScale(),
                   course.gradientFactor);
    if (m_session.average) m_session.average->update(optimizer.groups(), course.gradientFactor);
  }
  course.clock.lap(result.anatomy.optimizer);
  if (m_session.profile)
    if (const auto written = m_session.profile->endStep(); !written.ok()) m_session.reporter->warning(written.error());
  m_underWay = std::move(m_begun);
  return result;
}

// A peak belongs to the step during which memory was asked for, which for a GPU is long before it is used.
void TrainingStep::notePeak() {
  if (!m_underWay || m_underWay->result.peakBytes > 0) return;
  m_underWay->result.peakBytes = tensorMemory().peak;
  restartTensorPeak();
}

StepResult TrainingStep::settle() {
  notePeak();
  m_underWay->clock.settle();
  const auto course = std::move(m_underWay);
  auto& result = course->result;
  const auto* norms = course->norms.const_data_ptr<double>();
  result.gradientNorms = GradientNorms::ofSquares(norms);
  result.loss = norms[result.gradientNorms.parts.size()];
  result.finite = std::isfinite(result.loss) && std::isfinite(result.gradientNorms.all);
  if (result.applied && !result.finite) m_session.optimizer->takeBack();
  result.applied = result.applied && result.finite;
  result.plannedBytes = planned(*course);
  result.seconds = result.anatomy.sum();
  noteSamples(*course);
  for (const auto& made : course->features) keepFeatures(m_session, made);
  return result;
}

void TrainingStep::noteSamples(const Course& course) {
  m_sampleIds.clear();
  m_sampleLosses.clear();
  std::int64_t at = 0;
  for (const auto& micro : course.window) {
    const auto& ids = micro.ids;
    m_sampleIds.insert(m_sampleIds.end(), ids.begin(), ids.end());
    if (!course.losses.defined() || micro.rows.count() == 0) continue;
    const auto& rows = micro.rows;
    const auto counts = at::bincount(rows.examples, {}, micro.examples());
    const auto losses = course.losses.narrow(0, std::exchange(at, at + rows.count()), rows.count());
    const auto sums = at::bincount(rows.examples, losses, micro.examples()).to(at::kDouble);
    for (std::int64_t i = 0; i < micro.examples(); ++i) {
      const auto tokens = counts[i].item<std::int64_t>();
      if (tokens == 0) continue;
      m_sampleLosses.push_back(
          {ids[static_cast<std::size_t>(i)], sums[i].item<double>() / static_cast<double>(tokens), tokens});
    }
  }
}

}  // namespace roadtune::engine
