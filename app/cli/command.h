// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/exit_code.h"
#include "core/base/result.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <functional>
#include <string>
#include <vector>

namespace roadtune::cli {

// What a command does once its options are known: an exit code, or an error that main prints.
using Action = std::function<Result<int>()>;

// One command of the program. A file under app/cli defines its commands and registers them at namespace scope:
//   const Registration kInfo{"data info", "What an index holds", [](CLI::App& app) -> Action { ... }};
struct Registration {
  using SetUp = std::function<Action(CLI::App&)>;
  Registration(std::string path, std::string help, SetUp setUp);
};

struct RegisteredCommand {
  std::string path;
  std::string help;
  Registration::SetUp setUp;
};

std::vector<RegisteredCommand>& registeredCommands();

}  // namespace roadtune::cli
