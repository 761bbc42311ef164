// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/runs/run_store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::runs {

// One setting that differs; an absent one is empty.
struct SettingDifference {
  std::string key;  // dotted
  std::optional<std::string> a, b;
};

// A metric at the last step that both runs logged, and at its best.
struct MetricDifference {
  std::string metric;
  std::int64_t step = 0;        // the last common one
  double a = 0, b = 0;          // values there
  double bestA = 0, bestB = 0;  // smallest finite values of the whole runs
  std::size_t commonSteps = 0;
  double meanAbsoluteDifference = 0;  // over the common steps where both are finite
};

struct Comparison {
  std::vector<SettingDifference> settings;
  std::vector<MetricDifference> metrics;  // those both have
  std::vector<std::string> onlyInA, onlyInB;
  std::optional<std::int64_t> firstLossDifference = {};  // first common step whose train/loss is not the same number
};

// A run's own text and the folder that its paths count from.
struct ConfigText {
  std::string yaml;
  fs::path folder;
};

// By what two configurations mean, as far as they can be read: aliases, sections, defaults and spellings are no
// difference.
// Keys in order.
std::vector<SettingDifference> compareSettings(const ConfigText& a, const ConfigText& b);

// Both stores must have been refreshed.
Comparison compareRuns(const RunStore& a, const RunStore& b);

// Settings of a configuration text (YAML as run.yaml holds it), flattened to dotted keys, comments left out.
std::vector<std::pair<std::string, std::string>> flattenSettings(const std::string& yaml);

}  // namespace roadtune::runs
