// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/run_loop.h"

#include "core/base/clock.h"
#include "core/base/units.h"
#include "core/engine/loop/best_model.h"
#include "core/engine/loop/checkpoints.h"
#include "core/engine/loop/training_loader.h"
#include "core/engine/nn/tensor_memory.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace roadtune::engine {

namespace {

// Of the loss and the norm of the gradients what is not a finite number.
std::string notFinite(const StepResult& result) {
  const std::string loss = formatNumber(result.loss), norm = formatNumber(result.gradientNorms.all);
  if (std::isfinite(result.loss)) return fmt::format("gradient norm {} is not finite", norm);
  if (std::isfinite(result.gradientNorms.all)) return fmt::format("loss {} is not finite", loss);
  return fmt::format("loss {} and gradient norm {} are not finite", loss, norm);
}

}  // namespace

RunLoop::RunLoop(Session& session)
    : m_session(session),
      m_desk(session),
      m_step(session),
      m_receipt(session),
      m_watch({.ratio = session.settings.divergenceRatio, .nonFiniteLimit = session.settings.maxNonFiniteSteps}),
      m_ledger(session.layout, session.environment.rank, session.state.globalStep),
      m_started(monotonicSeconds()) {
  const auto& config = session.config;
  const auto total = session.plan.totalSteps;
  m_facts = {total,
             config.steps("logging_steps", total),
             config.steps("eval_steps", total),
             config.steps("save_steps", total),
             session.settings.perDeviceBatch,
             session.plan.epochs};
}

double RunLoop::trainingSeconds() const { return m_session.state.secondsBefore + monotonicSeconds() - m_started; }

Result<TrainOutcome> RunLoop::run() {
  auto& state = m_session.state;
  m_session.reporter->setStep(state.globalStep);
  m_session.reporter->phase("training");
  if (m_session.settings.evalOnStart && m_session.evalData && state.globalStep == 0)
    ROADTUNE_CHECK(evaluateNow(Wanted::AtStart));
  if (state.evaluationOwed && m_session.evalData) ROADTUNE_CHECK(evaluateNow());
  ROADTUNE_CHECK(obey());
  while (!m_done && state.globalStep < m_session.plan.totalSteps) ROADTUNE_CHECK(epoch());
  if (!m_stopNow && state.globalStep > 0) save();
  if (m_session.settings.bestAtEnd && !m_stopNow) exportBest(m_session);
  conclude();
  if (m_outcome.checkpoint.empty() && !m_stopNow && state.globalStep > 0)
    return failed("the run ended, but its last checkpoint could not be written", m_session.layout.root().string(),
                  "free some space and resume the run");
  return m_outcome;
}

Status RunLoop::epoch() {
  auto& state = m_session.state;
  auto batches = trainingBatches(m_session, state.epochIndex);
  const auto done =
      std::min(static_cast<std::size_t>(state.stepInEpoch * m_session.settings.accumulation), batches.size());
  batches.erase(batches.begin(), batches.begin() + static_cast<std::ptrdiff_t>(done));
  if (batches.empty())
    return failed(fmt::format("epoch {} has no batch left after {} steps", state.epochIndex, state.stepInEpoch),
                  m_session.layout.root().string());
  const auto loader = trainingLoader(m_session, std::move(batches), state.epochIndex);
  while (!m_done && loader->remaining() > 0 && state.globalStep < m_session.plan.totalSteps)
    ROADTUNE_CHECK(step(*loader, m_session.plan.microBatches(state.stepInEpoch)));
  return {};
}

Status RunLoop::step(BatchLoader& loader, std::int64_t microBatches) {
  const auto begun = begin(loader, microBatches);
  // A GPU is making these passes by now. What the step before came to may be a reason not to use them.
  ROADTUNE_CHECK(settle());
  if (!begun.ok()) return begun.error();
  if (!begun.value()) return obey();
  if (m_done) {
    m_step.giveUp();
    return {};
  }
  const bool verify = m_session.settings.verifyUpdates && m_receipt.pending();
  if (verify) {
    m_receipt.beforeStep();
    m_step.skipTime();
  }
  advance(m_step.apply());
  const bool endOfEpoch = m_session.state.stepInEpoch == 0;
  if (verify) {
    const auto result = m_step.settle();
    ROADTUNE_CHECK(m_receipt.afterStep(result));
    restartTensorPeak();  // the comparison's own is no step's
    ROADTUNE_CHECK(told(result));
  } else if (!mayRunAhead(endOfEpoch)) {
    ROADTUNE_CHECK(settle());
  }
  if (evaluationDue(endOfEpoch)) {
    const auto evaluated = evaluateNow();
    if (!evaluated.ok()) saveBeforeFailure();
    ROADTUNE_CHECK(evaluated);
  }
  if (saveDue(endOfEpoch)) save();
  return obey();
}

// A wish that cannot be met does not end the run. Of several ranks one may have failed alone.
Status RunLoop::evaluateByWish() {
  const auto evaluated = evaluateNow(Wanted::ByUser);
  if (evaluated.ok() || m_session.ranks->size() > 1) return evaluated;
  m_session.reporter->warning(evaluated.error());
  m_session.reporter->phase(m_desk.paused() ? "paused" : "training");
  return {};
}

// What was learnt is not lost with an evaluation that fails. Of several ranks others may wait elsewhere.
void RunLoop::saveBeforeFailure() {
  const bool wanted = m_session.cadences.save.unit() != policy::CadenceUnit::No;
  if (wanted && m_session.ranks->size() == 1) save();
}

// Makes the passes of a step; no: the run was told to stop meanwhile.
Result<bool> RunLoop::begin(BatchLoader& loader, std::int64_t microBatches) {
  const bool alone = m_session.ranks->size() == 1;
  try {
    const auto status = m_step.accumulate(loader, microBatches, [&] { return alone && m_desk.stopNow(); });
    if (!status.ok() && status.error().kind != ErrorKind::Cancelled) return status.error();
    return status.ok();
  } catch (...) {
    // What failed takes nothing with it of the step before. That of several ranks may never end where one is gone.
    if (alone) tellBeforeFailure();
    throw;
  }
}

void RunLoop::tellBeforeFailure() {
  try {
    if (const auto status = settle(); !status.ok()) m_session.reporter->error(status.error());
  } catch (const std::exception&) {  // so did the device; what failed first is told
  }
}

// On a GPU a step's numbers can wait until the passes of the next one are under way: the device then has work to do
// while they are read. Not where something else comes first, nor where a step takes so long that nothing is gained;
// several ranks, whose times differ, have to be of one mind about when a run ends.
bool RunLoop::mayRunAhead(bool endOfEpoch) const {
  constexpr double kLong = 5;
  return !m_session.device.is_cpu() && (m_session.ranks->size() > 1 || m_stepSeconds < kLong) &&
         m_session.state.globalStep < m_session.plan.totalSteps && !evaluationDue(endOfEpoch) && !saveDue(endOfEpoch);
}

Status RunLoop::settle() { return m_step.underWay() ? told(m_step.settle()) : Status(); }

Status RunLoop::told(const StepResult& result) {
  m_stepSeconds = result.seconds;
  addLoss(result);
  m_session.reporter->stepDone(result, m_session.plan.totalSteps);
  recordSamples();
  recordLosses();
  ROADTUNE_CHECK(checkFed(result));
  judge(result);
  log(result);
  return {};
}

void RunLoop::advance(StepResult& result) {
  auto& state = m_session.state;
  ++state.globalStep;
  ++state.stepInEpoch;
  if (state.stepInEpoch >= m_session.plan.stepsPerEpoch) {
    state.stepInEpoch = 0;
    ++state.epochIndex;
    result.endsEpoch = true;
  }
  state.epoch = m_session.plan.epochAt(state.globalStep);
  state.tokensSeen += result.tokens;
  state.flops += m_session.flopsPerToken * static_cast<double>(result.tokens);
  result.epoch = state.epoch;
  m_session.reporter->setStep(state.globalStep);
}

void RunLoop::addLoss(const StepResult& result) {
  auto& state = m_session.state;
  const auto since = static_cast<double>(state.globalStep - state.lastLoggedStep);  // this step included
  if (result.targets == 0) {  // no loss: the mean stays what it is
    state.lossSinceLog += since > 1 ? state.lossSinceLog / (since - 1) : state.lastMean();
    return;
  }
  state.fedSinceLog = true;
  if (!std::isfinite(result.loss) && m_session.settings.filterNonFinite)  // as the reference does
    state.lossSinceLog += state.lossSinceLog / since;
  else
    state.lossSinceLog += result.loss;
}

// A sample that cannot be used is left out; a run in which none can be has nothing to learn from.
Status RunLoop::checkFed(const StepResult& result) {
  constexpr std::int64_t kMostEmptySteps = 20;
  if (result.samples > 0) {
    m_fed = true;
    m_emptySteps = 0;
    return {};
  }
  const bool over = result.endsEpoch || m_session.state.globalStep >= m_session.plan.totalSteps;
  if (++m_emptySteps < kMostEmptySteps && (m_fed || !over)) return {};
  std::string what = m_fed ? fmt::format("no sample of the last {} steps could be used", m_emptySteps)
                           : "no sample of the training data can be used";
  std::string hint = "check that the pictures are where the data says";
  if (auto first = m_step.firstBad()) {
    if (!first->hint.empty()) hint = std::exchange(first->hint, {});
    what += "; the first: " + first->text();
  }
  return badInput(what, "train_data", hint);
}

void RunLoop::judge(const StepResult& result) {
  auto& state = m_session.state;
  const auto where = fmt::format("step {}", state.globalStep);
  if (!result.finite) {
    ++state.nonFiniteInRow;
    const auto inRow = state.nonFiniteInRow > 1 ? fmt::format(", {} times in a row", state.nonFiniteInRow) : "";
    const auto error = failed(notFinite(result) + inRow + ": the step was not applied", where,
                              "lower learning_rate, or look at the samples of this step");
    const bool nothingLearnt =
        state.globalStep >= m_session.plan.totalSteps && state.nonFiniteInRow >= state.globalStep;
    if (m_session.settings.stopOnNonFinite || nothingLearnt ||
        state.nonFiniteInRow >= m_session.settings.maxNonFiniteSteps)
      end(error);
    else
      m_session.reporter->warning(error);
    return;
  }
  state.nonFiniteInRow = 0;
  if (!m_session.settings.watchDivergence) return;
  const auto verdict = m_watch.add(result.loss);
  if (verdict == policy::LossVerdict::Fine || verdict == policy::LossVerdict::NonFinite) return;
  const auto error = failed(m_watch.explanation(), where, "lower learning_rate or max_grad_norm");
  if (verdict == policy::LossVerdict::Diverged && m_session.settings.stopOnDivergence)
    end(error);
  else
    m_session.reporter->warning(error);
}

void RunLoop::end(const Error& cause) {
  m_outcome.end = TrainEnd::Diverged;
  m_outcome.cause = cause;
  m_done = true;
  m_session.reporter->error(cause);
}

Status RunLoop::obey() {
  while (true) {
    Status settled;
    const auto orders = m_desk.decide([&] { settled = settle(); });
    ROADTUNE_CHECK(settled);
    if (orders.stopNow) m_stopNow = true;
    if (orders.stop || orders.stopNow) {
      m_outcome.end = m_desk.orphaned() ? TrainEnd::Orphaned : TrainEnd::Stopped;
      if (m_desk.orphaned()) m_outcome.cause = failed("the agent of this run was killed; the run saved and ended");
      m_done = true;
      return {};
    }
    if (orders.evaluate) ROADTUNE_CHECK(evaluateByWish());
    if (orders.save) save();
    if (!m_desk.paused()) return {};
  }
}

void RunLoop::save() {
  auto& state = m_session.state;
  state.secondsBefore = trainingSeconds();
  state.samplesPerStep = m_session.plan.effectiveBatch;
  m_started = monotonicSeconds();
  // The best evaluation's checkpoint may be the one that is written here.
  std::error_code code;
  const auto best = m_session.layout.checkpoint(state.best.bestStep);
  if (state.best.best && (state.best.bestStep == state.globalStep || fs::exists(best, code)))
    state.bestCheckpoint = best.string();
  if (!keepsBest(m_session)) state.bestCheckpoint.clear();
  m_outcome.checkpoint = saveCheckpoint(m_session, m_facts);
  m_session.reporter->phase(m_desk.paused() ? "paused" : "training");
}

}  // namespace roadtune::engine
