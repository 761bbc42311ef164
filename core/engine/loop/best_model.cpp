// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/best_model.h"

#include "core/engine/checkpoint/complete_marker.h"
#include "core/protocol/checkpoint_marker.h"

#include <nlohmann/json.hpp>

namespace roadtune::engine {
namespace {

// Weights, configuration, tokenizer; not the optimizer's state, nor averages that belong to another moment.
bool belongsToModel(const std::string& name) {
  for (const char* other : {"COMPLETE", "ema", "ema_state.safetensors"})
    if (name == other) return false;
  return name.rfind("resume", 0) != 0;
}

Status copyModel(const fs::path& from, const fs::path& to) {
  std::error_code code;
  fs::remove_all(to, code);
  ROADTUNE_CHECK(makeFolders(to));
  for (const auto& entry : fs::directory_iterator(from, code)) {
    const auto name = entry.path().filename().string();
    if (!belongsToModel(name) || !entry.is_regular_file()) continue;
    fs::copy_file(entry.path(), to / name, code);
    if (code) return failed("cannot copy: " + code.message(), entry.path().string());
  }
  return sealFolder(to);
}

// A run that began from a checkpoint of another one may have its best there.
fs::path bestCheckpoint(const Session& session) {
  const auto own = session.layout.checkpoint(session.state.best.bestStep);
  const fs::path recorded = session.state.bestCheckpoint;
  std::error_code code;
  return !fs::exists(own, code) && recorded.filename() == own.filename() && fs::exists(recorded, code) ? recorded : own;
}

Status exportTo(const Session& session) {
  const auto& state = session.state;
  if (!state.best.best)
    return badInput("there was no evaluation to choose the best model by", "load_best_model_at_end");
  const auto from = bestCheckpoint(session), to = session.layout.best();
  ROADTUNE_CHECK(protocol::verifyCheckpoint(from, protocol::Compare::Content));
  const auto aside = to.parent_path() / ".best.partial";
  ROADTUNE_CHECK(copyModel(from, aside));
  std::error_code code;
  fs::remove_all(to, code);
  fs::rename(aside, to, code);
  if (code) return failed("cannot rename the finished folder: " + code.message(), to.string());
  return syncFolder(to.parent_path());
}

}  // namespace

void exportBest(const Session& session) {
  if (!session.environment.leads()) return;
  if (const auto status = exportTo(session); !status.ok()) {
    auto error = status.error();
    error.what = "the best model could not be taken over: " + error.what;
    if (error.hint.empty()) error.hint = "the run goes without best/; its last checkpoint is complete";
    return session.reporter->warning(error);
  }
  const auto& best = session.state.best;
  session.reporter->event("best", {{"path", session.layout.best().filename().string()},
                                   {"best_step", best.bestStep},
                                   {session.settings.bestMetric, *best.best}});
  session.reporter->print("best model: step " + std::to_string(best.bestStep) + ", " +
                          session.layout.best().filename().string() + "/");
}

}  // namespace roadtune::engine
