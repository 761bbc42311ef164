// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"
#include "core/model/module_tree.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace roadtune::studio {

// How many samples the training data of a configuration has, as the trainer will see them. Counting opens indexes and
// reads JSON lines: not for the UI thread; answers are kept. One object per thread.
class SampleCounts {
 public:
  // Nothing when it cannot be told without importing first, or the data is not there.
  std::optional<std::int64_t> samples(const config::RunConfig& config);

 private:
  std::map<std::string, std::optional<std::int64_t>> m_known;  // by everything that decides it
};

// Optimizer steps of the whole run, as the trainer counts them.
std::optional<std::int64_t> stepsOf(const config::RunConfig& config, std::optional<std::int64_t> samples,
                                    int worldSize);

}  // namespace roadtune::studio
