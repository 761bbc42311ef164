// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/runs/diagnosis.h"
#include "tests/unit/runs/fake_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

namespace roadtune::runs {

inline RunStore open(const fs::path& folder) {
  auto store = RunStore::open(folder);
  EXPECT_TRUE(store.ok());
  EXPECT_TRUE(store.value().refresh().ok());
  return std::move(store).value();
}

inline const Verdict* verdict(const Diagnosis& diagnosis, const std::string& id) {
  const auto found = std::find_if(diagnosis.verdicts.begin(), diagnosis.verdicts.end(),
                                  [&](const Verdict& one) { return one.id == id; });
  return found == diagnosis.verdicts.end() ? nullptr : &*found;
}

inline bool abstains(const Diagnosis& diagnosis, const std::string& id) {
  return std::any_of(diagnosis.abstained.begin(), diagnosis.abstained.end(),
                     [&](const Abstention& one) { return one.id == id; });
}

inline void stepWith(FakeRun& run, int rank, int step, const nlohmann::json& anatomy) {
  run.rank(rank, "step", step, {{"loss", 1.0}, {"step_s", 1.0}, {"anatomy", anatomy}});
}

}  // namespace roadtune::runs
