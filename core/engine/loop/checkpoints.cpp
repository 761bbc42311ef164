// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/checkpoints.h"

#include "core/base/clock.h"
#include "core/engine/checkpoint/complete_marker.h"
#include "core/engine/checkpoint/resume_files.h"
#include "core/engine/checkpoint/weights_writer.h"
#include "core/engine/nn/guarded.h"
#include "core/policy/retention.h"
#include "core/protocol/checkpoint_marker.h"

#include <fmt/format.h>

#include <cstdio>

namespace roadtune::engine {
namespace {

// The averages in the weights' place for as long as it lives, however their writing ends. Weights that are exchanged by
// half must not be trained on: what is thrown here ends the process.
class AveragesInPlace {
 public:
  explicit AveragesInPlace(const Session& session) noexcept : m_session(session) { swap(); }
  ~AveragesInPlace() { swap(); }
  AveragesInPlace(const AveragesInPlace&) = delete;
  AveragesInPlace& operator=(const AveragesInPlace&) = delete;

 private:
  void swap() noexcept { m_session.average->swap(m_session.optimizer->groups()); }
  const Session& m_session;
};

// ema/: the averaged weights, as a checkpoint of their own; and beside it what resuming needs.
Status writeAverage(const Session& session, const fs::path& folder, const WeightsWriting& writing) {
  const auto ema = folder / "ema";
  ROADTUNE_CHECK(makeFolders(ema));
  {
    const AveragesInPlace averages(session);
    ROADTUNE_CHECK(session.writesAdapter() ? writeAdapter(*session.model, ema, writing)
                                           : writeModel(*session.model, ema, writing));
  }
  return session.settings.saveOnlyModel ? Status() : session.average->write(session.optimizer->groups(), folder);
}

// Ranks that hold a share each go through all of it together; one of them writes.
Status writeContent(const Session& session, const TrainerFacts& facts, const fs::path& folder, bool writes) {
  const auto& settings = session.settings;
  const WritingTold told = [&reporter = *session.reporter](auto done, auto of) {
    reporter.progress("saving", done, of);
  };
  const auto made = writes ? makeFolders(folder) : Status();
  WeightsWriting writing{settings.model, settings.maxShardBytes, settings.adapterLayout};
  writing.writes = writes && made.ok();
  writing.told = told;
  if (session.config.has("tokenizer_name_or_path")) writing.tokenizer = session.config.text("tokenizer_name_or_path");
  auto& distribution = *session.distribution;
  writing.together = distribution.shares();
  writing.whole = [&](const Parameter& parameter) { return distribution.whole(parameter); };
  const auto weights = session.writesAdapter() ? writeAdapter(*session.model, folder, writing)
                                               : writeModel(*session.model, folder, writing);
  distribution.forgetWhole();
  const ResumeWriting resume{session.config.hash(), settings.maxShardBytes, writing.writes && weights.ok(), told};
  const auto state = settings.saveOnlyModel
                         ? Status()
                         : writeResume(distribution, *session.model, *session.optimizer, session.state, resume, folder);
  for (const auto& status : {made, weights, state}) ROADTUNE_CHECK(status);
  if (!writes) return {};
  if (session.average) ROADTUNE_CHECK(writeAverage(session, folder, writing));
  ROADTUNE_CHECK(writeFileAtomically(folder / "trainer_state.json", trainerStateText(session.state, facts)));
  return sealFolder(folder, told);
}

// What is thrown becomes a status. Not where ranks hold a share each and wait for one another in there: one that cannot
// go on ends, and its agent ends the others.
Status tryContent(const Session& session, const TrainerFacts& facts, const fs::path& folder, bool writes) {
  if (session.distribution->shares()) return writeContent(session, facts, folder, writes);
  return guarded(folder.string(), [&] { return writeContent(session, facts, folder, writes); });
}

Status writeAside(const Session& session, const TrainerFacts& facts, const fs::path& target) {
  const auto aside = target.parent_path() / ("." + target.filename().string() + ".partial");
  std::error_code code;
  fs::remove_all(aside, code);
  const auto status = tryContent(session, facts, aside, true);
  if (!status.ok()) {
    fs::remove_all(aside, code);
    return status;
  }
  fs::remove_all(target, code);  // an incomplete one of an earlier attempt
  fs::rename(aside, target, code);
  if (code) return failed("cannot rename the finished checkpoint: " + code.message(), target.string());
  return syncFolder(target.parent_path());
}

std::vector<std::int64_t> outdated(const Session& session) {
  std::vector<std::int64_t> steps;
  for (const auto& checkpoint : session.layout.checkpoints())
    if (checkpoint.complete) steps.push_back(checkpoint.step);
  policy::RetentionRule rule{.limit = session.settings.saveTotalLimit};
  if (keepsBest(session) && session.state.best.best) rule.bestStep = session.state.best.bestStep;
  return policy::checkpointsToDelete(steps, rule);
}

void removeCheckpoint(const fs::path& checkpoint) {
  // Without its marker first: what is half deleted must not look complete.
  std::error_code code;
  fs::remove(checkpoint / protocol::kCompleteMarker, code);
  fs::remove_all(checkpoint, code);
}

// Who watches from another machine does not see what is removed here.
void announce(Session& session, const fs::path& target, double seconds) {
  nlohmann::json body = {{"path", target.filename().string()}, {"seconds", seconds}, {"bytes", folderBytes(target)}};
  const auto old = outdated(session);
  for (const auto step : old) body["removed"].push_back(session.layout.checkpoint(step).filename().string());
  session.reporter->event("checkpoint", std::move(body));
  session.reporter->print(fmt::format("saved {} in {:.1f} s", target.filename().string(), seconds));
  for (const auto step : old) removeCheckpoint(session.layout.checkpoint(step));
}

bool alreadyThere(const fs::path& target) {
  std::error_code code;
  return fs::exists(target / protocol::kCompleteMarker, code);
}

}  // namespace

// As the reference does: whoever names a metric wants the model that is best by it, loaded at the end or not.
bool keepsBest(const Session& session) {
  const auto& settings = session.settings;
  return settings.saveTotalLimit <= 0 || settings.bestAtEnd || settings.saveBest ||
         session.config.has("metric_for_best_model");
}

fs::path saveCheckpoint(Session& session, const TrainerFacts& facts) {
  auto& reporter = *session.reporter;
  const auto target = session.layout.checkpoint(session.state.globalStep);
  bool broken = false;
  const bool leads = session.environment.leads(), wanted = leads && !alreadyThere(target);
  if (wanted || !leads) reporter.phase("saving");  // the others wait for that, however long it takes
  if (session.distribution->shares() && session.ranks->any(wanted) && !leads)
    broken = !tryContent(session, facts, {}, false).ok();
  if (wanted) {
    const double begin = monotonicSeconds();
    const auto status = writeAside(session, facts, target);
    broken = !status.ok();
    if (broken) {
      auto error = status.error();
      error.what = "the checkpoint could not be written, the run goes on: " + error.what;
      reporter.error(error);
      fmt::print(stderr, "error: {}\n", error.text());
    } else {
      announce(session, target, monotonicSeconds() - begin);
    }
  }
  return session.ranks->any(broken) ? fs::path() : target;
}

}  // namespace roadtune::engine
