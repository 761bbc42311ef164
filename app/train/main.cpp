// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune-train: one process per rank. `roadtune-train --run DIR` trains; the other words are tools that need the
// engine.
#include "app/train/command.h"
#include "core/base/exit_code.h"

#include <fmt/format.h>

#include <cstdio>

namespace roadtune {
namespace {

int finish(const Result<int>& result) {
  if (result.ok()) return result.value();
  std::fputs(("roadtune-train: " + result.error().text() + "\n").c_str(), stderr);
  return exitCode(result.error().kind);
}

}  // namespace
}  // namespace roadtune

int main(int argc, char** argv) {
  CLI::App app{"The training engine of Roadtune"};
  app.name("roadtune-train");
  app.set_version_flag("--version", ROADTUNE_VERSION);
  const auto runAction = roadtune::addRun(app);
  auto* probe = app.add_subcommand("probe", "one forward and backward pass over a stored batch");
  const auto probeAction = roadtune::addProbe(*probe);
  auto* predict = app.add_subcommand("predict", "greedy predictions as a COCO results file");
  const auto predictAction = roadtune::addPredict(*predict);
  auto* merge = app.add_subcommand("merge", "a base model with an adapter folded in");
  const auto mergeAction = roadtune::addMerge(*merge);
  auto* quantize =
      app.add_subcommand("quantize", "a model with its linear layers in 4 bits (NF4), as bitsandbytes stores them");
  const auto quantizeAction = roadtune::addQuantize(*quantize);
  auto* reduce =
      app.add_subcommand("reduce", "a look at the network: the ranks add up numbers, two by two and together");
  const auto reduceAction = roadtune::addReduce(*reduce);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool fine = app.exit(error) == 0;
    return fine ? roadtune::kExitDone : roadtune::kExitBadInput;
  }
  if (*probe) return roadtune::finish(probeAction());
  if (*predict) return roadtune::finish(predictAction());
  if (*merge) return roadtune::finish(mergeAction());
  if (*quantize) return roadtune::finish(quantizeAction());
  if (*reduce) return roadtune::finish(reduceAction());
  return roadtune::finish(runAction());
}
