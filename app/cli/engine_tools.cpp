// SPDX-License-Identifier: GPL-3.0-or-later
// predict, merge and quantize need the engine, which this program does not link: roadtune-train beside us does the work
// takes this process over under the same words, so that whoever ends or waits for us ends and waits for it.
#include "app/cli/checkpoint_argument.h"
#include "app/cli/command.h"
#include "core/base/subprocess.h"

#include <csignal>
#include <unistd.h>

namespace roadtune::cli {
namespace {

Result<int> runTrainerTool(const std::string& tool, const std::vector<std::string>& given) {
  ROADTUNE_TRY(const auto program, siblingProgram("roadtune-train"));
  ROADTUNE_TRY(const auto words, withCheckpointsHere(given));
  std::vector<std::string> command{"roadtune", tool};  // what its messages begin with
  command.insert(command.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::signal(SIGPIPE, SIG_DFL);  // what is ignored here would stay ignored there
  ::execv(program.c_str(), arguments.data());
  return systemError("cannot be started", program.string());
}

Registration::SetUp forwardedTo(std::string tool) {
  return [tool = std::move(tool)](CLI::App& app) -> Action {
    app.prefix_command();
    app.set_help_flag();  // the tool explains its options itself
    return [tool, &app] { return runTrainerTool(tool, app.remaining()); };
  };
}

const Registration kPredict{"predict", "Predict greedily; what comes out is a COCO results file",
                            forwardedTo("predict")};
const Registration kQuantize{"quantize", "Put the linear layers of a model into 4 bits, as bitsandbytes stores them",
                             forwardedTo("quantize")};
const Registration kMerge{"merge", "Fold a LoRA adapter into its base model", forwardedTo("merge")};

}  // namespace
}  // namespace roadtune::cli
