// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune-train: one process per rank. `roadtune-train --run DIR` trains; the other words are tools that need the
// engine.
#include "app/train/command.h"
#include "core/base/exit_code.h"
#include "core/base/standard_streams.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace roadtune {
namespace {

// As typed: `roadtune predict` becomes this program.
std::string nameFrom(int argc, char** argv) {
  return argc > 0 && std::filesystem::path(argv[0]).filename() == "roadtune" ? "roadtune" : "roadtune-train";
}

void complain(const CLI::App& app, const std::string& what) {
  std::string name = app.get_name();
  for (const CLI::App* tool : app.get_subcommands()) name += " " + tool->get_name();
  std::fputs((name + ": " + what + "\n").c_str(), stderr);
}

int finish(const CLI::App& app, const Result<int>& result) {
  if (result.ok()) return result.value();
  complain(app, result.error().text());
  return exitCode(result.error().kind);
}

}  // namespace
}  // namespace roadtune

int main(int argc, char** argv) {
  roadtune::keepStandardStreams();
  CLI::App app{"The training engine of Roadtune"};
  app.name(roadtune::nameFrom(argc, argv));
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
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    roadtune::complain(app, std::string(error.what()) + " (--help lists the options)");
    return roadtune::kExitBadInput;
  }
  const auto& action = *probe      ? probeAction
                       : *predict  ? predictAction
                       : *merge    ? mergeAction
                       : *quantize ? quantizeAction
                       : *reduce   ? reduceAction
                                   : runAction;
  int code = roadtune::finish(app, action());
  if (std::fflush(stdout) != 0 && errno != EPIPE) {
    roadtune::complain(app, std::string("cannot write the output: ") + std::strerror(errno));
    if (code == roadtune::kExitDone) code = roadtune::kExitFailed;
  }
  // The work is done and written. Torch takes itself apart piece by piece, on which its GPU half may hang or fail, and
  // for which a fleet on few cores waits.
  std::fflush(nullptr);
  ::_exit(code);
}
