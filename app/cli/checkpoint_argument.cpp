// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/checkpoint_argument.h"

#include "app/cli/terminal_prompts.h"
#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/checkpoint_places.h"

#include <fmt/format.h>

namespace roadtune::cli {

namespace fs = std::filesystem;

namespace {

Result<std::string> checkpointHere(const std::string& word) {
  std::error_code code;
  fs::path path = fs::absolute(word, code).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  const auto step = protocol::checkpointStep(path.filename().string());
  const bool there = fs::is_directory(path, code);
  const fs::path run = step && !there ? path.parent_path() : path;
  if ((step && there) || !protocol::RunLayout(run).isRun()) return word;
  if (!step && (fs::exists(path / "config.json", code) || fs::exists(path / "adapter_config.json", code))) return word;
  ROADTUNE_TRY(const remote::HostAccess access, remote::HostAccess::load(terminalPrompts()));
  ROADTUNE_TRY(const ProgressStyle style, parseProgressStyle(""));
  const auto progress = makeProgressSink(style, [] { return Interrupt::requested(); });
  ROADTUNE_TRY(const fs::path folder, remote::bringCheckpoint(run, step, access, progress.get()));
  fmt::print(stderr, "checkpoint {}\n", folder.string());
  return folder.string();
}

}  // namespace

Result<std::vector<std::string>> withCheckpointsHere(std::vector<std::string> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    for (const std::string option : {"--adapter", "--model"}) {
      if (arguments[i] == option && i + 1 < arguments.size()) {
        ROADTUNE_TRY(arguments[i + 1], checkpointHere(arguments[i + 1]));
      } else if (startsWith(arguments[i], option + "=")) {
        ROADTUNE_TRY(const std::string folder, checkpointHere(arguments[i].substr(option.size() + 1)));
        arguments[i] = option + "=" + folder;
      }
    }
  }
  return arguments;
}

}  // namespace roadtune::cli
