// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"
#include "core/data/quality/text_length.h"
#include "core/model/module_tree.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace roadtune::studio {

// How many samples the training data of a configuration has, and how long their texts get, as the trainer will see
// them. Opens indexes and reads JSON lines: not for the UI thread; answers are kept. One object per thread.
class SampleCounts {
 public:
  // Nothing when it cannot be told without importing first, or the data is not there.
  std::optional<std::int64_t> samples(const config::RunConfig& config);
  // The same, and nothing without a tokenizer. Looks at samples for a second at most.
  std::optional<data::TextLength> texts(const config::RunConfig& config);
  // Why its data cannot be used, or its evaluation may tell less than it seems to.
  std::vector<config::Problem> doubts(const config::RunConfig& config);

 private:
  std::shared_ptr<const data::SampleSource> open(const config::RunConfig& config, std::string& key);
  const text::Tokenizer* tokenizerOf(const std::string& folder);
  std::map<std::string, std::optional<std::int64_t>> m_known;  // by everything that decides it
  std::map<std::string, std::optional<data::TextLength>> m_texts;
  std::map<std::string, std::vector<config::Problem>> m_doubts;
  std::string m_opened;  // what m_source is
  std::shared_ptr<const data::SampleSource> m_source;
  std::string m_tokenizerFolder;  // whose m_tokenizer is
  std::optional<text::Tokenizer> m_tokenizer;
};

// Optimizer steps of the whole run, as the trainer counts them.
std::optional<std::int64_t> stepsOf(const config::RunConfig& config, std::optional<std::int64_t> samples,
                                    int worldSize);

}  // namespace roadtune::studio
