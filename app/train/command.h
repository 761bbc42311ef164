// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <functional>

namespace roadtune {

// What a command does once its options are known: an exit code, or an error that main prints.
using TrainerAction = std::function<Result<int>()>;

// The commands of roadtune-train. Each adds its options to `app` and returns its action.
TrainerAction addRun(CLI::App& app);
TrainerAction addProbe(CLI::App& app);
TrainerAction addPredict(CLI::App& app);
TrainerAction addMerge(CLI::App& app);
TrainerAction addQuantize(CLI::App& app);
TrainerAction addReduce(CLI::App& app);

}  // namespace roadtune
