// SPDX-License-Identifier: GPL-3.0-or-later
// What happens between two steps: logging, evaluation, checkpoints, and the end of a run.
#include "core/base/clock.h"
#include "core/base/counted.h"
#include "core/base/json_text.h"
#include "core/base/units.h"
#include "core/engine/loop/checkpoints.h"
#include "core/engine/loop/evaluation.h"
#include "core/engine/loop/probe_predictions.h"
#include "core/engine/loop/run_loop.h"
#include "core/protocol/event.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace roadtune::engine {
namespace {

using nlohmann::json;

json entry(const Numbers& numbers, const RunState& state) {
  json result = json::object();
  for (const auto& [name, value] : numbers) result[name] = protocol::number(value);
  result["epoch"] = state.epoch;
  result["step"] = state.globalStep;
  return result;
}

// What is no number has no sign to be shown.
double shown(double value) { return std::isnan(value) ? std::fabs(value) : value; }

Numbers prefixed(const Numbers& numbers, const std::string& from, const std::string& to) {
  Numbers result;
  for (const auto& [name, value] : numbers)
    result.emplace_back(to + (name.rfind(from, 0) == 0 ? name.substr(from.size()) : name), value);
  return result;
}

}  // namespace

void RunLoop::log(const StepResult& result) {
  auto& state = m_session.state;
  const bool first = m_session.settings.logFirstStep && state.globalStep == 1;
  const bool last =
      state.globalStep >= m_session.plan.totalSteps && m_session.cadences.log.unit() != policy::CadenceUnit::No;
  if (!first && !last && !m_session.cadences.log.due(state.globalStep, result.endsEpoch)) return;
  const auto steps = state.globalStep - state.lastLoggedStep;
  if (steps == 0) return;
  const bool fed = std::exchange(state.fedSinceLog, false);
  const Numbers numbers{{"loss", shown(state.lossSinceLog / static_cast<double>(steps))},
                        {"grad_norm", shown(result.gradientNorms.all)},
                        {"learning_rate", result.rate}};
  state.totalLoss += state.lossSinceLog;
  state.lossSinceLog = 0;
  state.lastLoggedStep = state.globalStep;
  if (!fed) return;  // steps without a sample have no loss to tell of
  state.history.push_back(entry(numbers, state));
  auto scalars = prefixed(numbers, "", "train/");
  scalars.emplace_back("train/epoch", state.epoch);
  m_session.reporter->scalars(scalars);
  m_session.reporter->print(
      fmt::format("step {}/{}  loss {:.4f}  grad_norm {:.4f}  lr {:.3e}  epoch {:.2f}  {:.1f} samples/s",
                  state.globalStep, m_session.plan.totalSteps, numbers[0].second, numbers[1].second, numbers[2].second,
                  state.epoch, static_cast<double>(result.samples) / std::max(result.seconds, 1e-9)));
}

bool RunLoop::evaluationDue(bool endOfEpoch) const {
  const auto& state = m_session.state;
  const auto& cadence = m_session.cadences.evaluate;
  // As the reference does: the end is evaluated, too, though it be in the middle of an epoch.
  const bool last = cadence.unit() != policy::CadenceUnit::No && state.globalStep >= m_session.plan.totalSteps;
  if (!m_session.evalData || m_done || !(last || cadence.due(state.globalStep, endOfEpoch))) return false;
  const double passed =
      cadence.unit() == policy::CadenceUnit::Epoch ? state.epoch : static_cast<double>(state.globalStep);
  return passed >= m_session.settings.evalDelay;
}

Status RunLoop::evaluateNow(Wanted wanted) {
  auto& state = m_session.state;
  auto& reporter = *m_session.reporter;
  reporter.phase("evaluating");
  state.evaluationOwed = wanted == Wanted::BySchedule || state.evaluationOwed;
  const auto evaluated = evaluate(m_session, [this] { return m_desk.stopAsked(); });
  if (!evaluated.ok())
    return evaluated.error().kind == ErrorKind::Cancelled ? giveUpEvaluation() : Status(evaluated.error());
  const auto& result = evaluated.value();
  const auto probes = probeNumbers();
  if (!probes) return giveUpEvaluation();
  Numbers numbers{{"eval_loss", result.loss},
                  {"eval_runtime", result.seconds},
                  {"eval_samples_per_second", static_cast<double>(result.samples) / result.seconds},
                  {"eval_steps_per_second", static_cast<double>(result.batches) / result.seconds}};
  json told = {{"loss", protocol::number(result.loss)}, {"samples", result.samples}, {"seconds", result.seconds}};
  for (const auto& [name, value] : *probes) {
    numbers.emplace_back("eval_" + name, value);
    told[name] = protocol::number(value);
  }
  state.history.push_back(entry(numbers, state));
  reporter.event("eval", told);
  reporter.scalars(prefixed(numbers, "eval_", "eval/"));
  reporter.print(fmt::format("step {}  eval loss {:.4f} over {} samples in {:.1f} s", state.globalStep,
                             shown(result.loss), result.samples, result.seconds));
  if (wanted == Wanted::BySchedule) {
    state.evaluationOwed = false;
    ROADTUNE_CHECK(chooseBest(numbers));
  }
  reporter.phase(m_desk.paused() ? "paused" : "training");
  return {};
}

// Half of an evaluation says nothing: nobody is told of it, and no model is chosen by it.
Status RunLoop::giveUpEvaluation() {
  m_session.reporter->print(
      fmt::format("step {}  the evaluation is given up: the run is to stop", m_session.state.globalStep));
  m_session.reporter->phase(m_desk.paused() ? "paused" : "training");
  return {};
}

// Predicts the probe samples on the rank that leads, and tells everybody how right that was. Nothing: given up.
std::optional<Numbers> RunLoop::probeNumbers() {
  const auto written = writeProbePredictions(m_session, [this] { return m_desk.stopAsked(); });
  if (!written.ok() && written.error().kind == ErrorKind::Cancelled) return std::nullopt;  // on all ranks
  if (!written.ok()) m_session.reporter->warning(written.error());
  const auto scores = written.valueOr({});
  const Numbers names{{"AP", scores.ap.value_or(-1)},
                      {"AP50", scores.ap50.value_or(-1)},
                      {"accuracy", scores.accuracy.value_or(-1)},
                      {"malformed", scores.malformed.value_or(-1)}};
  std::vector<double> values;
  for (const auto& [name, value] : names) values.push_back(m_session.environment.leads() ? value : -1);
  values = m_session.ranks->highest(values);
  Numbers numbers;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (values[i] >= 0) numbers.emplace_back(names[i].first, values[i]);
  return numbers;
}

// Is this the best model so far, and was it the last chance to become better?
Status RunLoop::chooseBest(const Numbers& numbers) {
  auto& state = m_session.state;
  const auto& settings = m_session.settings;
  const auto metric = std::find_if(numbers.begin(), numbers.end(),
                                   [&](const auto& number) { return number.first == "eval_" + settings.bestMetric; });
  if (metric == numbers.end())
    return badInput("the probe samples gave no " + settings.bestMetric, "metric_for_best_model",
                    "AP and AP50 need boxes, accuracy needs answers in words; or use loss");
  policy::EarlyStop stop({settings.earlyStopPatience, settings.earlyStopThreshold, settings.greaterIsBetter},
                         state.best);
  const bool ends = stop.add(state.globalStep, metric->second);
  state.best = stop.state();
  if (stop.improved() && (settings.saveBest || settings.bestAtEnd)) save();
  if (!ends) return {};
  m_outcome.cause.what = settings.earlyStopPatience == 1
                             ? "the last evaluation was no better"
                             : fmt::format("none of the last {} evaluations was better", settings.earlyStopPatience);
  m_session.reporter->print(m_outcome.cause.what + ": the run ends here");
  m_done = true;
  return {};
}

bool RunLoop::saveDue(bool endOfEpoch) const {
  const auto step = m_session.state.globalStep;
  return !m_done && step < m_session.plan.totalSteps && m_session.cadences.save.due(step, endOfEpoch);
}

void RunLoop::recordSamples() {
  if (!m_session.settings.provenance) return;
  const auto write = [&]() -> Status {
    if (!m_provenance) {
      const auto folder = m_session.layout.provenance();
      ROADTUNE_CHECK(makeFolders(folder));
      ROADTUNE_TRY(m_provenance,
                   AppendFile::open(folder / fmt::format("rank-{:03}.jsonl", m_session.environment.rank)));
    }
    return m_provenance->append(jsonLine(json{{"step", m_session.state.globalStep}, {"samples", m_step.sampleIds()}}) +
                                "\n");
  };
  if (const auto status = write(); !status.ok()) {
    m_session.settings.provenance = false;
    m_session.reporter->warning(status.error());
  }
}

void RunLoop::recordLosses() {
  if (!m_session.settings.lossLedger) return;
  const auto& state = m_session.state;
  if (const auto status = m_ledger.append(state.globalStep, state.epoch, m_step.sampleLosses()); !status.ok()) {
    m_session.settings.lossLedger = false;
    m_session.reporter->warning(status.error());
  }
}

Numbers RunLoop::summary() const {
  const auto& state = m_session.state;
  const double seconds = std::max(trainingSeconds(), 1e-9);
  const auto steps = static_cast<double>(std::max<std::int64_t>(state.globalStep, 1));
  const auto& plan = m_session.plan;
  const double planned = m_session.settings.maxSteps > 0
                             ? static_cast<double>(plan.totalSteps * plan.effectiveBatch)
                             : static_cast<double>(m_session.trainSamples()) * m_session.settings.epochs;
  const double done =
      static_cast<double>(state.globalStep) / static_cast<double>(std::max<std::int64_t>(plan.totalSteps, 1));
  return {{"epoch", state.epoch},
          {"total_flos", state.flops},
          {"train_loss", (state.totalLoss + state.lossSinceLog) / steps},
          {"train_runtime", seconds},
          {"train_samples_per_second", planned * done / seconds},
          {"train_steps_per_second", static_cast<double>(state.globalStep) / seconds}};
}

void RunLoop::conclude() {
  auto& state = m_session.state;
  const auto numbers = summary();
  m_outcome.steps = state.globalStep;
  for (const auto& [name, value] : numbers)
    if (name == "train_loss") m_outcome.loss = value;
  if (!m_session.environment.leads()) return;
  if (m_step.badSamples() > 0)
    m_session.reporter->warning(
        failed(counted(m_step.badSamples(), "sample") + " could not be used and left out", "train_data"));
  auto results = entry(numbers, state);
  results.erase("step");
  if (!state.bestCheckpoint.empty()) results["best_model_checkpoint"] = state.bestCheckpoint;
  results["train_samples"] = m_session.trainSamples();
  for (const auto& past : state.history)
    for (const auto& [name, value] : past.items())
      if (name.rfind("eval_", 0) == 0) results[name] = value;
  const auto status = writeFileAtomically(m_session.layout.allResults(), jsonText(results, 4) + "\n");
  if (!status.ok()) m_session.reporter->warning(status.error());
  m_session.reporter->scalars(prefixed(numbers, "", "train/"));  // train/train_loss is no point of train/loss
  m_session.reporter->print(fmt::format("{} after {} steps in {}: mean loss {:.4f}",
                                        m_outcome.end == TrainEnd::Finished   ? "finished"
                                        : m_outcome.end == TrainEnd::Diverged ? "diverged"
                                                                              : "stopped",
                                        state.globalStep, formatDuration(trainingSeconds()), shown(m_outcome.loss)));
}

}  // namespace roadtune::engine
