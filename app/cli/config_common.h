// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/config/resolve.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::cli {

// A run's folder stands for its run.yaml.
std::filesystem::path configFile(const std::filesystem::path& fileOrRun);

// The configuration; or badInput after every problem went to stderr. Warnings go to stderr too.
Result<config::RunConfig> resolveOrExplain(const config::Document& document, const std::vector<std::string>& overrides,
                                           config::Purpose purpose);

// "qlora of paligemma2-3b-pt-224, 3 epochs, effective batch 4 x 2 x 8 = 64".
std::string summaryOf(const config::RunConfig& run);

// The keys that somebody gave, section by section.
std::string givenYaml(const config::RunConfig& run);

nlohmann::json problemsJson(const std::vector<config::Problem>& problems);
nlohmann::json valueJson(const config::Value& value);
nlohmann::json configJson(const config::RunConfig& run, bool everyKey);

}  // namespace roadtune::cli
