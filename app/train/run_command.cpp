// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/train/command.h"
#include "core/base/exit_code.h"
#include "core/engine/trainer.h"

#include <memory>

namespace roadtune {

TrainerAction addRun(CLI::App& app) {
  auto request = std::make_shared<engine::TrainRequest>();
  app.add_option("--run", request->run, "folder of a run: trains as its run.yaml says, as the rank that RANK names");
  app.add_flag("--dry-run", request->dryRun,
               "prove the run instead of training: longest samples, checkpoint, disk, time");
  app.add_option("--profile", request->profileSteps, "record so many steps as a Chrome trace in DIR/profile")
      ->check(CLI::Range(0, 1000));
  return [request]() -> Result<int> {
    if (request->run.empty()) return badInput("no run was named", "--run", "roadtune-train --run DIR, or see --help");
    ROADTUNE_TRY(const auto outcome, engine::train(*request));
    if (outcome.end == engine::TrainEnd::Diverged) return outcome.cause;
    return kExitDone;
  };
}

}  // namespace roadtune
