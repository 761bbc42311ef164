// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/train_length.h"

#include "core/data/index/index.h"
#include "core/data/source/sample_source.h"
#include "core/policy/batch_plan.h"

#include <algorithm>
#include <filesystem>

namespace roadtune::studio {
namespace {

constexpr std::uintmax_t kLargestLines = 200'000'000;  // bytes of JSON lines that are counted without being asked for

data::TaskTemplate taskOf(const config::RunConfig& config) {
  data::TaskTemplate task;
  task.task = config.text("task");
  task.classes = config.list("classes");
  task.minBoxPx = config.number("min_box_px");
  task.maxBoxes = static_cast<int>(config.integer("max_boxes"));
  task.includeEmpty = config.flag("include_empty");
  return task;
}

bool canCount(const config::DataSourceSpec& source) {
  std::error_code ignored;
  if (std::filesystem::is_directory(source.path, ignored)) return data::Index::looksLikeIndex(source.path);
  return source.path.ends_with(".jsonl") && std::filesystem::exists(source.path, ignored) &&
         std::filesystem::file_size(source.path, ignored) < kLargestLines;
}

std::string keyOf(const config::RunConfig& config, const std::vector<config::DataSourceSpec>& sources) {
  std::string key = config.text("task") + "|" + std::to_string(config.number("min_box_px")) + "|" +
                    std::to_string(config.flag("include_empty"));
  for (const std::string& name : config.list("classes")) key += "," + name;
  std::error_code ignored;
  for (const config::DataSourceSpec& source : sources) {
    const auto changed = std::filesystem::last_write_time(source.path, ignored).time_since_epoch().count();
    key += "|" + source.path + "|" + source.query + "|" + source.task + "|" + std::to_string(source.weight) + "|" +
           std::to_string(changed);
  }
  return key;
}

}  // namespace

std::optional<std::int64_t> SampleCounts::samples(const config::RunConfig& config) {
  const auto sources = config.sources("train_data");
  if (sources.empty() || !std::all_of(sources.begin(), sources.end(), canCount)) return std::nullopt;
  const std::string key = keyOf(config, sources);
  if (const auto known = m_known.find(key); known != m_known.end()) return known->second;
  std::vector<data::SourceSpec> specs;
  for (const config::DataSourceSpec& source : sources) {
    specs.push_back({.path = source.path,
                     .query = source.query,
                     .weight = source.weight,
                     .task = source.task,
                     .images = source.images});
  }
  const auto mix = data::openMix(specs, taskOf(config));
  return m_known[key] = mix.ok() ? std::optional(static_cast<std::int64_t>(mix.value()->size())) : std::nullopt;
}

std::optional<std::int64_t> stepsOf(const config::RunConfig& config, std::optional<std::int64_t> samples,
                                    int worldSize) {
  if (const auto told = config.integer("max_steps"); told > 0) return told;
  if (!samples || *samples <= 0) return std::nullopt;
  const auto plan =
      policy::BatchPlan::make({.samples = *samples,
                               .perDeviceBatch = config.integer("per_device_train_batch_size"),
                               .accumulation = std::max<std::int64_t>(1, config.integer("gradient_accumulation_steps")),
                               .worldSize = std::max(1, worldSize),
                               .dropLast = config.flag("dataloader_drop_last"),
                               .epochs = config.number("num_train_epochs")});
  return plan.ok() ? std::optional(plan.value().totalSteps) : std::nullopt;
}

}  // namespace roadtune::studio
