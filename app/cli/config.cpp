// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune config check | show: is this file good, and what does it mean?
#include "app/cli/command.h"
#include "app/cli/config_common.h"
#include "app/cli/data_readers.h"
#include "app/cli/run_tree.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/base/url.h"
#include "core/config/problem_at.h"
#include "core/config/resolve.h"
#include "core/data/index/import_discovery.h"
#include "core/data/quality/length_doubts.h"
#include "core/data/source/data_doubts.h"
#include "core/data/source/prepared.h"
#include "core/data/source/run_sources.h"
#include "core/model/pali_config.h"
#include "core/protocol/checkpoint_marker.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace roadtune::cli {
namespace {

using config::Problem;
using config::Severity;

constexpr double kLookSeconds = 5;  // at the data itself

struct CheckOptions {
  std::string file;
  std::vector<std::string> overrides;
  bool json = false;
  bool skipPaths = false;
};

void printProblems(const std::vector<Problem>& problems, const std::vector<Problem>& paths) {
  for (const auto& problem : problems) fmt::print(stderr, "{}\n", problem.text());
  if (paths.empty()) return;
  fmt::print(stderr, "On this machine:\n");
  for (const auto& problem : paths) fmt::print(stderr, "{}\n", problem.text());
}

// At the line of the setting it is about.
Problem problemOf(const Error& error, const config::RunConfig& run) {
  const std::string field = error.where.substr(0, error.where.find_first_of(".["));
  Problem problem = config::findField(field) ? config::problemAt(run, field, error)
                                             : Problem{.message = error.what, .hint = error.hint};
  problem.key = error.where;
  return problem;
}

// Of samples and max_length, where both the data and the model can be looked at.
std::vector<Problem> doubtsAboutLength(const config::RunConfig& run) {
  if (!run.has("max_length")) return {};
  const auto model = model::PaliGemmaConfig::fromFolder(run.text("model_name_or_path"));
  const auto texts = model.ok() ? data::longestText(run, kLookSeconds) : std::nullopt;
  return texts ? data::lengthDoubts(run, *texts, model.value().imageTokens()) : std::vector<Problem>();
}

// Folders that a run would import, and that hold nothing it could.
std::vector<Problem> hollowSources(const config::RunConfig& config) {
  std::vector<Problem> problems;
  for (const char* key : {"train_data", "eval_data"})
    for (const auto& source : config.sources(key)) {
      std::error_code code;
      if (isUrl(source.path) || !std::filesystem::is_directory(source.path, code) || !data::needsImport(source.path))
        continue;
      if (!data::planImport({source.path}, dataReaders()).units.empty()) continue;
      problems.push_back(problemOf(badInput("holds no recordings of a known kind: " + source.path, key,
                                            "roadtune data index --help names the kinds"),
                                   config));
    }
  return problems;
}

// A path that is not there is told with the others.
Status checkResumable(const config::RunConfig& config) {
  const std::filesystem::path path = config.text("resume_from_checkpoint");
  std::error_code code;
  if (path.filename() == "latest" || !std::filesystem::exists(path, code)) return {};
  auto whole = protocol::verifyCheckpoint(path, protocol::Compare::Sizes);
  if (whole.ok()) return {};
  const Error& error = whole.error();
  return badInput(error.where + ": " + error.what, "resume_from_checkpoint", error.hint);
}

Result<int> runCheck(const CheckOptions& options) {
  ROADTUNE_TRY(const config::Document document, config::Document::load(options.file));
  config::Resolution resolution = config::resolve(document, {config::Purpose::Training, options.overrides});
  std::vector<Problem> paths;
  if (resolution.config && !options.skipPaths) {
    paths = config::checkPaths(*resolution.config);
    for (Problem& problem : hollowSources(*resolution.config)) paths.push_back(std::move(problem));
  }
  if (resolution.config)
    for (const Problem& problem : data::queryProblems(*resolution.config)) resolution.problems.push_back(problem);
  if (resolution.config && !options.skipPaths)
    for (const Status& fits : {checkModelFolder(*resolution.config), checkAgainstModel(*resolution.config),
                               checkResumable(*resolution.config)})
      if (!fits.ok()) resolution.problems.push_back(problemOf(fits.error(), *resolution.config));
  if (resolution.config && !options.skipPaths)
    for (const Error& doubt : doubtsAboutModel(*resolution.config)) {
      resolution.problems.push_back(problemOf(doubt, *resolution.config));
      resolution.problems.back().severity = config::Severity::Warning;
    }
  const auto isGood = [&] { return resolution.config && !config::hasErrors(resolution.problems) && paths.empty(); };
  if (isGood() && !options.skipPaths)
    for (Problem& doubt : data::dataDoubts(*resolution.config, kLookSeconds))
      resolution.problems.push_back(std::move(doubt));
  if (isGood() && !options.skipPaths)
    for (Problem& doubt : doubtsAboutLength(*resolution.config)) resolution.problems.push_back(std::move(doubt));
  const bool good = isGood();
  if (options.json) {
    nlohmann::json report = {{"file", options.file},
                             {"ok", good},
                             {"problems", problemsJson(resolution.problems)},
                             {"path_problems", problemsJson(paths)}};
    if (resolution.config) {
      report["summary"] = summaryOf(*resolution.config);
      report["hash"] = resolution.config->hash();
    }
    fmt::print("{}\n", jsonText(report));
    return good ? kExitDone : kExitBadInput;
  }
  printProblems(resolution.problems, paths);
  if (good) fmt::print("OK {}: {}\n", options.file, summaryOf(*resolution.config));
  return good ? kExitDone : kExitBadInput;
}

struct ShowOptions {
  std::string file;
  std::vector<std::string> overrides;
  bool resolved = false;
  bool frozen = false;
  bool json = false;
};

Result<int> runShow(const ShowOptions& options) {
  ROADTUNE_TRY(const config::Document document, config::Document::load(configFile(options.file)));
  ROADTUNE_TRY(const config::RunConfig run, resolveOrExplain(document, options.overrides, config::Purpose::Editing));
  if (options.json) {
    fmt::print("{}\n", jsonText(configJson(run, options.resolved)));
  } else if (options.frozen) {
    fmt::print("{}", config::frozenYaml(document, run));
  } else if (options.resolved) {
    fmt::print("{}", config::resolvedYaml(run));
  } else {
    fmt::print("{}", givenYaml(run));
  }
  return kExitDone;
}

const Registration kCheck{
    "config check", "Find every problem of a run configuration", [](CLI::App& app) -> Action {
      auto o = std::make_shared<CheckOptions>();
      app.add_option("file", o->file, "RUN.yaml")->required();
      app.add_option("--set", o->overrides, "key=value, as if the file said so")->take_all()->allow_extra_args(false);
      app.add_flag("--json", o->json, "Report as JSON");
      app.add_flag("--skip-paths", o->skipPaths, "Do not look for the model and the data");
      return [o] { return runCheck(*o); };
    }};

const Registration kShow{
    "config show", "Print what a run configuration means", [](CLI::App& app) -> Action {
      auto o = std::make_shared<ShowOptions>();
      app.add_option("file", o->file, "RUN.yaml, or a run's folder")->required();
      app.add_option("--set", o->overrides, "key=value, as if the file said so")->take_all()->allow_extra_args(false);
      app.add_flag("--resolved", o->resolved, "Every key, defaults included");
      app.add_flag("--frozen", o->frozen, "The copy that a run keeps: your text, completed");
      app.add_flag("--json", o->json, "As JSON");
      return [o] { return runShow(*o); };
    }};

}  // namespace
}  // namespace roadtune::cli
