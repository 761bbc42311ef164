// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/live_edits.h"

#include "core/config/resolve.h"
#include "core/protocol/event_reader.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace roadtune::remote {

namespace {

void takeEdit(const protocol::FlatObject& members, protocol::LiveEdit& edits) {
  const auto real = [&](const char* key, std::optional<double>& into) {
    if (members.find(key)) into = members.numberOr(key, 0);
  };
  const auto whole = [&](const char* key, std::optional<std::int64_t>& into) {
    if (members.find(key)) into = members.integerOr(key, 0);
  };
  real("learning_rate", edits.learningRate);
  real("max_grad_norm", edits.maxGradNorm);
  whole("logging_steps", edits.loggingSteps);
  whole("save_steps", edits.saveSteps);
  whole("eval_steps", edits.evalSteps);
}

}  // namespace

RunPast pastOf(const protocol::RunLayout& layout, std::int64_t checkpointStep) {
  RunPast past;
  const std::string written = fmt::format("checkpoint-{}", checkpointStep);
  protocol::EventReader reader(layout.rankEvents(0));
  [[maybe_unused]] const Status read = reader.pollFlat([&](const protocol::FlatEvent& event) {
    if (event.kind == "step") past.lastStep = event.step;
    if (event.kind == "checkpoint" && event.members.textOr("path") == written) past.rateAfterCheckpoint = false;
    if (event.kind != "edit") return;
    takeEdit(event.members, past.edits);
    if (event.members.find("learning_rate")) past.rateAfterCheckpoint = true;
  });
  return past;
}

namespace {

// A living run may be told what no run could begin with.
std::optional<std::string> problemWith(const config::Document& document) {
  for (const auto& problem : config::resolve(document, {config::Purpose::Training}).problems)
    if (problem.severity == config::Severity::Error) return problem.key + ": " + problem.message;
  return std::nullopt;
}

using Steps = std::pair<const char*, std::optional<std::int64_t>>;

// 0 means "never" to a living run; a configuration says that with its strategy.
Result<std::vector<std::string>> keepSteps(const std::vector<Steps>& edits, config::Document& document) {
  std::vector<std::string> notes;
  const bool wasGood = !problemWith(document);
  config::Document changed = document;
  for (const auto& [name, value] : edits) {
    if (!value) continue;
    const std::string steps = std::string(name) + "_steps";
    ROADTUNE_CHECK(changed.set(std::string(name) + "_strategy", std::string(*value > 0 ? "steps" : "no")));
    if (*value > 0) ROADTUNE_CHECK(changed.set(steps, *value));
    notes.push_back(
        fmt::format("{}={}, set while the run went on, stays{}", steps, *value, *value > 0 ? "" : ": never"));
  }
  if (const auto problem = notes.empty() || !wasGood ? std::nullopt : problemWith(changed))
    return std::vector{"what was set of steps while the run went on is given up, as no run begins with it: " +
                       *problem};
  document = std::move(changed);
  return notes;
}

}  // namespace

Result<std::vector<std::string>> keepEdits(const RunPast& past, config::Document& document) {
  std::vector<std::string> notes;
  const auto& edits = past.edits;
  if (edits.learningRate)
    notes.push_back(fmt::format("learning_rate={}, set while the run went on, stays{}", *edits.learningRate,
                                past.rateAfterCheckpoint ? "; the checkpoint is older, so it is set again" : ""));
  if (edits.maxGradNorm) {
    notes.push_back(fmt::format("max_grad_norm={}, set while the run went on, stays", *edits.maxGradNorm));
    ROADTUNE_CHECK(document.set("max_grad_norm", *edits.maxGradNorm));
  }
  ROADTUNE_TRY(
      const auto steps,
      keepSteps({{"logging", edits.loggingSteps}, {"save", edits.saveSteps}, {"eval", edits.evalSteps}}, document));
  notes.insert(notes.end(), steps.begin(), steps.end());
  return notes;
}

}  // namespace roadtune::remote
