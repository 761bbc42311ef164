// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/train_length.h"

#include "core/data/source/data_doubts.h"
#include "core/data/source/run_sources.h"
#include "core/policy/batch_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace roadtune::studio {
namespace {

constexpr double kLookSeconds = 1;

// Of all that decides what is trained on.
std::string keyOf(const config::RunConfig& config) {
  const std::string key = data::keyOfSources(data::trainingSources(config), data::trainingTask(config));
  const auto held = data::holdOutOf(config);
  const auto most = config.has("max_train_samples") ? config.integer("max_train_samples") : 0;
  return fmt::format("{}|{}|{}|{}", key, held ? held->share : 0, held ? held->seed : 0, most);
}

}  // namespace

// The one that was opened last stays: both questions are about it.
std::shared_ptr<const data::SampleSource> SampleCounts::open(const config::RunConfig& config, std::string& key) {
  const auto sources = data::trainingSources(config);
  const auto task = data::trainingTask(config);
  key = keyOf(config);
  if (key == m_opened) return m_source;
  m_opened = key;
  m_source = nullptr;
  if (!data::openAtOnce(sources)) return nullptr;
  auto mix = data::openMix(sources, task);
  if (!mix.ok()) return nullptr;
  auto learnt = data::learntFrom(config, std::move(mix).value());
  if (learnt.ok()) m_source = std::move(learnt).value();
  return m_source;
}

std::optional<std::int64_t> SampleCounts::samples(const config::RunConfig& config) {
  std::string key = keyOf(config);
  if (const auto known = m_known.find(key); known != m_known.end() && known->second) return known->second;
  const auto source = open(config, key);
  return m_known[key] = source ? std::optional(static_cast<std::int64_t>(source->size())) : std::nullopt;
}

const text::Tokenizer* SampleCounts::tokenizerOf(const std::string& folder) {
  if (folder != m_tokenizerFolder) {
    m_tokenizerFolder = folder;
    auto loaded = text::Tokenizer::load(folder);
    m_tokenizer = loaded.ok() ? std::optional(std::move(loaded).value()) : std::nullopt;
  }
  return m_tokenizer ? &*m_tokenizer : nullptr;
}

std::optional<data::TextLength> SampleCounts::texts(const config::RunConfig& config) {
  const std::string folder = data::tokenizerFolder(config);
  const std::string key = folder + "|" + keyOf(config);
  if (const auto known = m_texts.find(key); known != m_texts.end()) return known->second;
  std::string opened;
  const auto source = open(config, opened);
  const text::Tokenizer* tokenizer = source ? tokenizerOf(folder) : nullptr;
  if (!tokenizer) return std::nullopt;
  return m_texts[key] = data::longestText(*source, *tokenizer, kLookSeconds);
}

std::vector<config::Problem> SampleCounts::doubts(const config::RunConfig& config) {
  const std::string key = fmt::format("{}|{}|{}|{}|{}|{}", keyOf(config),
                                      data::keyOfSources(data::evaluationSources(config), data::trainingTask(config)),
                                      config.text("eval_strategy"), config.integer("per_device_train_batch_size"),
                                      config.flag("dataloader_drop_last"),
                                      config.has("nproc_per_node") ? config.integer("nproc_per_node") : 0);
  if (!m_doubts.contains(key)) m_doubts[key] = data::dataDoubts(config, kLookSeconds);
  auto doubts = m_doubts[key];
  for (config::Problem& doubt : doubts) {  // the lines of a file move while one writes in it
    const config::Origin origin = config.origin(doubt.key);
    doubt.line = origin.line;
    doubt.column = origin.column;
  }
  return doubts;
}

std::optional<std::int64_t> stepsOf(const config::RunConfig& config, std::optional<std::int64_t> samples,
                                    int worldSize) {
  if (const auto told = config.integer("max_steps"); told > 0) return told;
  if (!samples || *samples <= 0) return std::nullopt;
  const auto plan = policy::BatchPlan::make(policy::batchSpecOf(config, *samples, std::max(1, worldSize)));
  return plan.ok() ? std::optional(plan.value().totalSteps) : std::nullopt;
}

}  // namespace roadtune::studio
