// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/source/run_sources.h"

#include "core/base/text.h"
#include "core/config/problem_at.h"
#include "core/data/index/index.h"
#include "core/data/query/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace roadtune::data {

namespace {

// Bytes of JSON lines, and of a COCO file, that are read without being asked for.
constexpr std::uintmax_t kLargestLines = 200'000'000, kLargestCoco = 50'000'000;

bool opensAtOnce(const SourceSpec& source) {
  std::error_code ignored;
  if (std::filesystem::is_directory(source.path, ignored)) return Index::looksLikeIndex(source.path);
  const std::uintmax_t most = endsWith(source.path, ".jsonl")  ? kLargestLines
                              : endsWith(source.path, ".json") ? kLargestCoco
                                                               : 0;
  const auto size = most > 0 ? std::filesystem::file_size(source.path, ignored) : most;
  return size < most && !ignored;
}

std::vector<SourceSpec> sourcesAt(const char* key, const config::RunConfig& config) {
  std::vector<SourceSpec> specs;
  for (const config::DataSourceSpec& source : config.sources(key)) {
    specs.push_back({.path = source.path,
                     .query = source.query,
                     .weight = source.weight,
                     .task = source.task,
                     .images = source.images});
  }
  return specs;
}

}  // namespace

std::vector<SourceSpec> trainingSources(const config::RunConfig& config) { return sourcesAt("train_data", config); }
std::vector<SourceSpec> evaluationSources(const config::RunConfig& config) { return sourcesAt("eval_data", config); }

std::optional<HoldOut> holdOutOf(const config::RunConfig& config) {
  const double share = config.number("eval_fraction");
  if (!(share > 0) || !config.sources("eval_data").empty()) return {};
  return HoldOut{share, static_cast<std::uint64_t>(config.integer(config.has("data_seed") ? "data_seed" : "seed"))};
}

std::string tokenizerFolder(const config::RunConfig& config) {
  const char* key = config.text("tokenizer_name_or_path").empty() ? "model_name_or_path" : "tokenizer_name_or_path";
  return config.text(key);
}

TaskTemplate trainingTask(const config::RunConfig& config) {
  TaskTemplate task;
  task.task = config.text("task");
  task.classes = config.list("classes");
  task.minBoxPx = config.number("min_box_px");
  task.maxBoxes = static_cast<int>(config.integer("max_boxes"));
  task.includeEmpty = config.flag("include_empty");
  task.prompt = config.text("prompt_template");
  return task;
}

std::vector<SourceSpec> thoseOpenAtOnce(std::vector<SourceSpec> sources) {
  std::erase_if(sources, [](const SourceSpec& source) { return !opensAtOnce(source); });
  return sources;
}

bool openAtOnce(const std::vector<SourceSpec>& sources) {
  return !sources.empty() && std::all_of(sources.begin(), sources.end(), opensAtOnce);
}

std::shared_ptr<const SampleSource> limitedBy(const config::RunConfig& config, const char* key,
                                              std::shared_ptr<const SampleSource> source) {
  return config.has(key) ? firstOfEach(std::move(source), static_cast<std::size_t>(config.integer(key))) : source;
}

Result<std::shared_ptr<const SampleSource>> learntFrom(const config::RunConfig& config,
                                                       std::shared_ptr<const SampleSource> source) {
  if (const auto held = holdOutOf(config)) {
    ROADTUNE_TRY(source, splitByGroup(std::move(source), held->share, held->seed, SplitPart::Kept));
  }
  return limitedBy(config, "max_train_samples", std::move(source));
}

std::vector<config::Problem> queryProblems(const config::RunConfig& config) {
  std::vector<config::Problem> problems;
  const auto report = [&](const std::string& key, const char* field, std::string message, std::string hint) {
    problems.push_back(config::problemAt(config, field, badInput(std::move(message), "", std::move(hint))));
    problems.back().key = key;
  };
  const auto check = [&](const std::string& key, const char* field, const std::string& text) {
    QueryError error;
    if (!Query::parse(text, error).ok())
      report(key, field, fmt::format("{}, in \"{}\"", error.message, text), error.suggestion);
  };
  for (const auto& [data, filter] : {std::pair("train_data", "train_query"), std::pair("eval_data", "eval_query")}) {
    const std::string common = config.text(filter);
    check(filter, filter, common);
    const auto sources = config.sources(data);
    for (std::size_t i = 0; i < sources.size(); ++i)
      if (sources[i].query != common) check(fmt::format("{}[{}].query", data, i), data, sources[i].query);
    for (std::size_t i = 0; i < sources.size(); ++i)
      if (!trim(sources[i].query).empty() && endsWith(sources[i].path, ".jsonl")) {
        const bool own = sources[i].query != common;
        report(own ? fmt::format("{}[{}].query", data, i) : filter, own ? data : filter,
               "a query needs an index; this is a JSONL file",
               "import it with `roadtune data index`, or remove the query");
      }
  }
  return problems;
}

std::string keyOfSources(const std::vector<SourceSpec>& sources, const TaskTemplate& task) {
  std::string key = task.task + "|" + std::to_string(task.minBoxPx) + "|" + std::to_string(task.maxBoxes) + "|" +
                    std::to_string(task.includeEmpty) + "|" + task.prompt;
  for (const std::string& name : task.classes) key += "," + name;
  std::error_code ignored;
  for (const SourceSpec& source : sources) {
    const auto changed = std::filesystem::last_write_time(source.path, ignored).time_since_epoch().count();
    key += "|" + source.path + "|" + source.query + "|" + source.task + "|" + std::to_string(source.weight) + "|" +
           std::to_string(changed);
  }
  return key;
}

}  // namespace roadtune::data
