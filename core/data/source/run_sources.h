// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/problem.h"
#include "core/config/run_config.h"
#include "core/data/source/sample_source.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::data {

// The data of a configuration as sources, for whoever looks at it before a run does.
std::vector<SourceSpec> trainingSources(const config::RunConfig& config);
std::vector<SourceSpec> evaluationSources(const config::RunConfig& config);

// What of the training data is held out to be evaluated on (eval_fraction); nothing where the data for that is named.
struct HoldOut {
  double share = 0;
  std::uint64_t seed = 0;
};
std::optional<HoldOut> holdOutOf(const config::RunConfig& config);

// Whose tokenizer turns its texts into tokens.
std::string tokenizerFolder(const config::RunConfig& config);

// How images of an index become samples under it.
TaskTemplate trainingTask(const config::RunConfig& config);

// Can all of them be opened without importing first, and without reading very much? False where one is not there.
bool openAtOnce(const std::vector<SourceSpec>& sources);
std::vector<SourceSpec> thoseOpenAtOnce(std::vector<SourceSpec> sources);

// No more samples than `key` says (max_train_samples, max_eval_samples).
std::shared_ptr<const SampleSource> limitedBy(const config::RunConfig& config, const char* key,
                                              std::shared_ptr<const SampleSource> source);

// What of the training data is learnt from: what is not held out, and no more of it than max_train_samples.
Result<std::shared_ptr<const SampleSource>> learntFrom(const config::RunConfig& config,
                                                       std::shared_ptr<const SampleSource> source);

// Queries of the configuration's data that are not well formed, each under the key that holds it.
std::vector<config::Problem> queryProblems(const config::RunConfig& config);

// A text that is another one when other samples would come out.
std::string keyOfSources(const std::vector<SourceSpec>& sources, const TaskTemplate& task);

}  // namespace roadtune::data
