// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/config/document.h"
#include "core/config/problem.h"
#include "core/config/run_config.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::config {

// What the configuration is for decides which keys must be there.
enum class Purpose {
  Training,  // model_name_or_path, train_data, output_dir
  Model,     // model_name_or_path: counts, trees, estimates
  Editing,   // none
};

struct ResolveOptions {
  Purpose purpose = Purpose::Training;
  std::vector<std::string> overrides = {};   // "key=value", later ones win
  std::filesystem::path overridesFrom = {};  // where their relative paths count from; empty: the working folder
};

// A configuration, or every reason why there is none. Warnings may accompany a configuration.
struct Resolution {
  std::optional<RunConfig> config;
  std::vector<Problem> problems;  // in the order of the file
};

// Reads, checks and completes. Touches no device and none of the paths inside.
Resolution resolve(const Document& document, const ResolveOptions& options = {});

// The problems of resolve() alone.
std::vector<Problem> check(const Document& document, const ResolveOptions& options = {});

// Do the model, the data and the resume checkpoint exist, and can output_dir be made? Apart from resolve(): a file may
// be checked on a machine that has none of them.
std::vector<Problem> checkPaths(const RunConfig& config);
// Of these only whether the run would overwrite the checkpoint that it goes on from.
std::vector<Problem> checkOverwriting(const RunConfig& config);

// Load and resolve in one go. The error holds every problem, one per line.
Result<RunConfig> loadRunConfig(const std::filesystem::path& path, const ResolveOptions& options = {});

// Every key with its value, section by section; comments mark the defaults. Reads back to an equal configuration.
std::string resolvedYaml(const RunConfig& config);

// The user's own text with overrides, absolute paths and variables filled in, and the remaining keys appended: what a
// run keeps as run.yaml. Reads back to an equal configuration; keys marked "# default" count as not given while
// they hold it.
std::string frozenYaml(const Document& document, const RunConfig& config);

}  // namespace roadtune::config
