// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/dry_run.h"

#include "core/base/clock.h"
#include "core/base/units.h"
#include "core/engine/checkpoint/complete_marker.h"
#include "core/engine/checkpoint/resume_files.h"
#include "core/engine/loop/checkpoints.h"
#include "core/engine/loop/control_desk.h"
#include "core/engine/loop/evaluation.h"
#include "core/engine/loop/longest_samples.h"
#include "core/engine/loop/probe_predictions.h"
#include "core/engine/loop/receipt.h"
#include "core/engine/loop/training_loader.h"
#include "core/engine/loop/training_step.h"
#include "core/engine/nn/device.h"
#include "core/engine/nn/tensor_memory.h"
#include "core/protocol/checkpoint_marker.h"
#include "core/protocol/event.h"

#include <algorithm>
#include <cmath>

namespace roadtune::engine {
namespace {

using nlohmann::json;

constexpr double kLookSeconds = 15;  // at the lengths of samples
constexpr double kPaceSeconds = 20;  // no further step is begun after so long
constexpr int kPaceSteps = 4;        // the first one does not count: it warms up

class DryRun {
 public:
  explicit DryRun(Session& session)
      : m_session(session), m_desk(session), m_step(session), m_receipt(session), m_began(monotonicSeconds()) {}

  Result<TrainOutcome> run() {
    for (const auto part : {&DryRun::longestStep, &DryRun::pace, &DryRun::evaluation, &DryRun::predictions,
                            &DryRun::checkpoint, &DryRun::forecast}) {
      if (asksToStop()) return outcome(TrainEnd::Stopped);
      m_began = monotonicSeconds();
      ROADTUNE_CHECK((this->*part)());
    }
    return outcome(TrainEnd::Finished);
  }

 private:
  Status longestStep();
  Status pace();
  Status evaluation();
  Status predictions();
  Status checkpoint();
  Status forecast();

  Result<StepResult> step(BatchLoader& loader, std::int64_t microBatches);
  Result<LongestSamples> longest(const data::SampleSource& source, std::int64_t samples, std::int64_t count);
  Status readBack(const fs::path& folder);
  std::int64_t timesDue(const policy::Cadence& cadence) const;
  void notePeak() { m_peak = std::max(m_peak, static_cast<double>(tensorMemory().peak)); }

  // All ranks must hear the same, at the same places.
  bool asksToStop() {
    const auto orders = m_desk.decide();
    return orders.stop || orders.stopNow;
  }
  TrainOutcome outcome(TrainEnd end) const { return {.end = end, .steps = m_session.state.globalStep, .loss = m_loss}; }
  void proved(const char* name, json numbers) {
    numbers["name"] = name;
    numbers["ok"] = true;
    numbers["seconds"] = monotonicSeconds() - m_began;
    m_session.reporter->event("proof", std::move(numbers));
  }

  Session& m_session;
  ControlDesk m_desk;
  TrainingStep m_step;
  Receipt m_receipt;
  double m_began;
  double m_peak = 0, m_loss = 0;
  double m_secondsPerStep = 0, m_secondsPerEvaluation = 0, m_secondsPerCheckpoint = 0, m_checkpointBytes = 0;
};

Result<LongestSamples> DryRun::longest(const data::SampleSource& source, std::int64_t samples, std::int64_t count) {
  const bool stops = m_session.config.text("on_long_sample") == "stop";
  ROADTUNE_TRY(auto found,
               findLongest(source, samples, count, *m_session.encoder, *m_session.ranks, kLookSeconds, stops));
  if (found.indices.empty())
    return found.bad ? *found.bad
                     : badInput("none of the " + formatCount(found.looked) + " samples looked at can be used",
                                &source == m_session.trainData.get() ? "train_data" : "eval_data",
                                "loosen the query, or name another source");
  return found;
}

Result<StepResult> DryRun::step(BatchLoader& loader, std::int64_t microBatches) {
  const bool alone = m_session.ranks->size() == 1;
  ROADTUNE_CHECK(m_step.accumulate(loader, microBatches, [&] { return alone && m_desk.stopNow(); }));
  const bool verify = m_session.settings.verifyUpdates && m_receipt.pending();
  if (verify) {
    m_receipt.beforeStep();
    m_step.skipTime();
  }
  m_step.apply();
  const auto result = m_step.settle();
  auto& state = m_session.state;
  ++state.globalStep;
  m_session.reporter->setStep(state.globalStep);
  m_peak = std::max(m_peak, static_cast<double>(result.peakBytes));
  m_session.reporter->stepDone(result, 1 + std::min<std::int64_t>(kPaceSteps, m_session.plan.stepsPerEpoch));
  if (!result.finite)
    return failed("loss " + formatNumber(result.loss) + " and gradient norm " + formatNumber(result.gradientNorms.all) +
                      " are not finite",
                  "the step with the longest samples", "lower learning_rate, or look at these samples");
  if (verify) ROADTUNE_CHECK(m_receipt.afterStep(result));
  m_loss = result.loss;
  return result;
}

// The batch that takes the most memory, accumulated at least once where the run accumulates.
Status DryRun::longestStep() {
  auto& session = m_session;
  session.reporter->phase("training");
  ROADTUNE_TRY(const auto found, longest(*session.trainData, session.trainSamples(), session.settings.perDeviceBatch));
  ROADTUNE_TRY(const auto sample, session.trainData->text(static_cast<std::size_t>(found.indices.front())));
  proved("samples", {{"looked", found.looked},
                     {"of", session.trainSamples()},
                     {"tokens", found.tokens},
                     {"too_long", found.tooLong},
                     {"sample", sample.id}});
  m_began = monotonicSeconds();
  const auto passes = std::min<std::int64_t>(session.settings.accumulation, 2);
  const auto loader =
      trainingLoader(session, std::vector<std::vector<std::int64_t>>(static_cast<std::size_t>(passes), found.indices),
                     session.state.epochIndex);
  ROADTUNE_TRY(const auto result, step(*loader, passes));
  const auto gpu = gpuInUse();
  const auto peak = session.ranks->highest({m_peak, static_cast<double>(residentBytes())});
  proved("step", {{"loss", protocol::number(result.loss)},
                  {"grad_norm", protocol::number(result.gradientNorms.all)},
                  {"samples", static_cast<std::int64_t>(found.indices.size())},
                  {"tokens", result.tokens},
                  {"trained", static_cast<std::int64_t>(session.model->parameters.trainable().size())},
                  {"memory_peak", peak[0]},
                  {"resident", peak[1]},
                  {"memory_total", gpu ? gpu->bytes : 0.0}});
  return {};
}

// A few steps of the run itself: its order, its accumulation, its loader.
Status DryRun::pace() {
  auto& session = m_session;
  const auto& plan = session.plan;
  auto batches = trainingBatches(session, session.state.epochIndex);
  const auto loader = trainingLoader(session, std::move(batches), session.state.epochIndex);
  double seconds = 0, samples = 0;
  int steps = 0, counted = 0;
  for (; steps < kPaceSteps && steps < plan.stepsPerEpoch; ++steps) {
    if (steps > 0 && session.ranks->any(monotonicSeconds() - m_began > kPaceSeconds)) break;
    ROADTUNE_TRY(const auto result, step(*loader, plan.microBatches(steps)));
    if (steps > 0 || plan.stepsPerEpoch == 1) {
      seconds += result.seconds;
      samples += static_cast<double>(result.samples);
      ++counted;
    } else {
      m_secondsPerStep = result.seconds;
    }
  }
  if (counted > 0) m_secondsPerStep = seconds / counted;
  proved("pace",
         {{"steps", steps}, {"step_s", m_secondsPerStep}, {"samples_per_s", seconds > 0 ? samples / seconds : 0.0}});
  return {};
}

Status DryRun::evaluation() {
  auto& session = m_session;
  if (!session.evalData) return {};
  session.reporter->phase("evaluating");
  const auto batch = session.settings.evalBatch;
  ROADTUNE_TRY(const auto found, longest(*session.evalData, session.evalSamples(), batch));
  ROADTUNE_TRY(const auto result, evaluate(session, {found.indices}, 1));
  notePeak();
  const auto perRound = batch * session.ranks->size();
  m_secondsPerEvaluation = result.seconds * static_cast<double>((session.evalSamples() + perRound - 1) / perRound);
  proved("evaluation", {{"loss", protocol::number(result.loss)},
                        {"samples", static_cast<std::int64_t>(found.indices.size())},
                        {"of", session.evalSamples()},
                        {"tokens", found.tokens},
                        {"memory_peak", session.ranks->highest({m_peak})[0]}});
  return {};
}

Status DryRun::predictions() {
  auto& session = m_session;
  if (!session.evalData || session.settings.probeSamples == 0) return {};
  const auto wanted = std::min(session.settings.probeSamples, session.evalSamples());
  const auto tried = std::min(wanted, session.settings.evalBatch);
  session.settings.probeSamples = tried;
  ROADTUNE_TRY(const auto scores, writeProbePredictions(session));
  const double seconds = session.ranks->highest({monotonicSeconds() - m_began})[0];
  m_secondsPerEvaluation += seconds * static_cast<double>(wanted) / static_cast<double>(tried);
  proved("predictions", {{"samples", tried}, {"of", wanted}, {"malformed", scores.malformed.value_or(0)}});
  return {};
}

// The ranks of the leading machine see the files; each takes what it would go on with.
Status DryRun::readBack(const fs::path& folder) {
  if (m_session.environment.leads()) ROADTUNE_CHECK(protocol::verifyCheckpoint(folder, protocol::Compare::Content));
  if (m_session.environment.node != 0 || m_session.settings.saveOnlyModel) return {};
  ROADTUNE_CHECK(readResumeTensors(*m_session.optimizer, folder));
  const auto state = readResumeState(folder);
  return state.ok() ? Status() : Status(state.error());
}

Status DryRun::checkpoint() {
  auto& session = m_session;
  const auto folder = saveCheckpoint(session, {});
  if (folder.empty())
    return failed("the checkpoint could not be written", session.layout.root().string(),
                  "the error before this one says why");
  const double written = monotonicSeconds() - m_began;
  const auto read = readBack(folder);
  const bool broken = session.ranks->any(!read.ok());  // all have read what will be removed
  if (session.environment.leads()) {
    m_checkpointBytes = static_cast<double>(folderBytes(folder));
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  ROADTUNE_CHECK(read);
  if (broken) return failed("the checkpoint cannot be read back", folder.string());
  m_secondsPerCheckpoint = written;
  proved("checkpoint",
         {{"bytes", m_checkpointBytes}, {"write_s", written}, {"read_s", monotonicSeconds() - m_began - written}});
  return {};
}

std::int64_t DryRun::timesDue(const policy::Cadence& cadence) const {
  const auto& plan = m_session.plan;
  std::int64_t times = 0;
  for (std::int64_t step = 1; step <= plan.totalSteps; ++step)
    times += cadence.due(step, plan.stepsPerEpoch > 0 && step % plan.stepsPerEpoch == 0);
  return times;
}

// What is left of the run, and whether the disk holds its checkpoints.
Status DryRun::forecast() {
  auto& session = m_session;
  const auto steps = session.plan.totalSteps;
  const auto evaluations = session.evalData ? timesDue(session.cadences.evaluate) : 0;
  auto checkpoints = timesDue(session.cadences.save);
  if (!session.cadences.save.due(steps, true)) ++checkpoints;  // the one at the end
  const auto limit = session.settings.saveTotalLimit;
  // Before an old one goes, the next one is complete.
  const auto kept = limit > 0 ? std::min(checkpoints, limit + 1) : checkpoints;
  const double need = m_checkpointBytes * static_cast<double>(kept);
  std::error_code code;
  const auto space = fs::space(session.layout.root(), code);
  const double free = code ? -1 : static_cast<double>(space.available);
  const double seconds = m_secondsPerStep * static_cast<double>(steps) +
                         m_secondsPerEvaluation * static_cast<double>(evaluations) +
                         m_secondsPerCheckpoint * static_cast<double>(checkpoints);
  json numbers{
      {"total_steps", steps}, {"evaluations", evaluations}, {"checkpoints", checkpoints}, {"kept_checkpoints", kept},
      {"total_s", seconds},   {"disk_need", need},          {"name", "forecast"},         {"seconds", 0.0}};
  if (free >= 0) numbers["disk_free"] = free;
  const bool fits = free < 0 || need <= free;
  numbers["ok"] = fits;
  session.reporter->event("proof", numbers);
  if (fits || !session.environment.leads()) return {};
  return failed("the disk holds " + formatBytes(free) + ", and " + formatCount(kept) + " checkpoints of " +
                    formatBytes(m_checkpointBytes) + " need " + formatBytes(need),
                session.layout.root().string(),
                "free space, a larger disk for that folder, a smaller save_total_limit, or save_only_model: true");
}

}  // namespace

Result<TrainOutcome> dryRun(Session& session) { return DryRun(session).run(); }

}  // namespace roadtune::engine
