// SPDX-License-Identifier: GPL-3.0-or-later
// predict, merge and quantize need the engine, which this program does not link: roadtune-train beside us does the work
// under the same words.
#include "app/cli/checkpoint_argument.h"
#include "app/cli/command.h"
#include "core/base/progress.h"
#include "core/base/subprocess.h"

namespace roadtune::cli {
namespace {

Result<int> runTrainerTool(const std::string& tool, const std::vector<std::string>& arguments) {
  ROADTUNE_TRY(const auto program, siblingProgram("roadtune-train"));
  ROADTUNE_TRY(const auto words, withCheckpointsHere(arguments));
  Interrupt::install();  // Ctrl-C reaches the tool as well; we wait for its answer
  SpawnOptions options;
  options.command = {program.string(), tool};
  options.command.insert(options.command.end(), words.begin(), words.end());
  options.input = Stream::inherit();
  ROADTUNE_TRY(auto process, Subprocess::start(options));
  return process.wait().code;
}

Registration::SetUp forwardedTo(std::string tool) {
  return [tool = std::move(tool)](CLI::App& app) -> Action {
    app.prefix_command();
    app.set_help_flag();  // the tool explains its options itself
    return [tool, &app] { return runTrainerTool(tool, app.remaining()); };
  };
}

const Registration kPredict{"predict", "greedy predictions of a model, as a COCO results file", forwardedTo("predict")};
const Registration kQuantize{"quantize", "a model with its linear layers in 4 bits, as bitsandbytes stores them",
                             forwardedTo("quantize")};
const Registration kMerge{"merge", "a base model with a LoRA adapter folded in", forwardedTo("merge")};

}  // namespace
}  // namespace roadtune::cli
