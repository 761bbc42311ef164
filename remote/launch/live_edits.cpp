// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/live_edits.h"

#include "core/protocol/event_reader.h"

#include <fmt/format.h>

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

Result<std::vector<std::string>> keepEdits(const RunPast& past, config::Document& document) {
  std::vector<std::string> notes;
  const auto keep = [&](const char* key, const config::Value& value, const std::string& shown) -> Status {
    notes.push_back(fmt::format("{}={}, set while the run went on, stays", key, shown));
    return document.set(key, value);
  };
  const auto& edits = past.edits;
  if (edits.learningRate)
    notes.push_back(fmt::format("learning_rate={}, set while the run went on, stays{}", *edits.learningRate,
                                past.rateAfterCheckpoint ? "; the checkpoint is older, so it is set again" : ""));
  if (edits.maxGradNorm)
    ROADTUNE_CHECK(keep("max_grad_norm", *edits.maxGradNorm, fmt::format("{}", *edits.maxGradNorm)));
  for (const auto& [name, value] : {std::pair{"logging", edits.loggingSteps}, std::pair{"save", edits.saveSteps},
                                    std::pair{"eval", edits.evalSteps}}) {
    if (!value) continue;
    // 0 means "never" to a living run; a configuration says that with its strategy.
    const std::string steps = std::string(name) + "_steps", strategy = std::string(name) + "_strategy";
    ROADTUNE_CHECK(document.set(strategy, std::string(*value > 0 ? "steps" : "no")));
    if (*value > 0)
      ROADTUNE_CHECK(keep(steps.c_str(), *value, fmt::format("{}", *value)));
    else
      notes.push_back(steps + "=0, set while the run went on, stays: never");
  }
  return notes;
}

}  // namespace roadtune::remote
