// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/config_common.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/config/dump.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace roadtune::cli {

std::filesystem::path configFile(const std::filesystem::path& fileOrRun) {
  std::error_code ignored;
  return std::filesystem::is_directory(fileOrRun, ignored) ? fileOrRun / "run.yaml" : fileOrRun;
}

Result<config::RunConfig> resolveOrExplain(const config::Document& document, const std::vector<std::string>& overrides,
                                           config::Purpose purpose) {
  config::Resolution resolution = config::resolve(document, {purpose, overrides});
  for (const auto& problem : resolution.problems) fmt::print(stderr, "{}\n", problem.text());
  if (resolution.config) return std::move(*resolution.config);
  const auto errors = std::count_if(resolution.problems.begin(), resolution.problems.end(),
                                    [](const auto& problem) { return problem.severity == config::Severity::Error; });
  return badInput(counted(errors, "problem") + ", see above", document.path().string());
}

std::string summaryOf(const config::RunConfig& run) {
  const std::int64_t batch = run.integer("per_device_train_batch_size"),
                     accumulation = run.integer("gradient_accumulation_steps");
  const std::string model = std::filesystem::path(run.text("model_name_or_path")).filename().string();
  const std::string length = run.integer("max_steps") > 0 ? fmt::format("{} steps", run.integer("max_steps"))
                                                          : fmt::format("{:g} epoch{}", run.number("num_train_epochs"),
                                                                        run.number("num_train_epochs") == 1 ? "" : "s");
  std::string text = fmt::format("{} of {}, {}, learning rate {:g} ({}), ", run.text("finetuning_type"), model, length,
                                 run.number("learning_rate"), run.text("lr_scheduler_type"));
  const auto hosts = static_cast<std::int64_t>(std::max<std::size_t>(1, run.list("hosts").size()));
  if (run.has("nproc_per_node") && !run.has("fleet")) {
    const std::int64_t ranks = run.integer("nproc_per_node") * hosts;
    return text +
           fmt::format("effective batch {} x {} x {} = {}", batch, accumulation, ranks, batch * accumulation * ranks);
  }
  return text + fmt::format("effective batch {} x {} = {} per rank", batch, accumulation, batch * accumulation);
}

std::string givenYaml(const config::RunConfig& run) {
  std::string text;
  for (const auto section : config::allSections()) {
    std::string lines;
    for (const auto& field : config::schema())
      if (field.section == section && run.isSet(field.name))
        lines += "  " + field.name + ": " + config::yamlOf(field, run.value(field.name)) + "\n";
    if (!lines.empty()) text += fmt::format("{}{}:\n{}", text.empty() ? "" : "\n", config::sectionName(section), lines);
  }
  return text;
}

nlohmann::json problemsJson(const std::vector<config::Problem>& problems) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& problem : problems)
    list.push_back({{"where", toValidUtf8(problem.where)},
                    {"line", problem.line},
                    {"column", problem.column},
                    {"key", toValidUtf8(problem.key)},
                    {"message", toValidUtf8(problem.message)},
                    {"hint", toValidUtf8(problem.hint)},
                    {"severity", problem.severity == config::Severity::Error ? "error" : "warning"}});
  return list;
}

nlohmann::json valueJson(const config::Value& value) {
  return nlohmann::json::parse(toValidUtf8(config::toJson(value)));
}

nlohmann::json configJson(const config::RunConfig& run, bool everyKey) {
  nlohmann::json keys = nlohmann::json::object();
  for (const auto& field : config::schema())
    if (everyKey || run.isSet(field.name)) keys[field.name] = valueJson(run.value(field.name));
  std::vector<std::string> given;
  for (const auto& field : config::schema())
    if (run.isSet(field.name)) given.push_back(field.name);
  return {{"hash", run.hash()}, {"given", given}, {"values", keys}};
}

}  // namespace roadtune::cli
