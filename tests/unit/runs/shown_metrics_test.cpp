// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/shown_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roadtune::runs {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> titles(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (const ShownMetric& metric : shownMetrics(names)) shown.push_back(metric.title);
  return shown;
}

TEST(ShownMetrics, LossComesFirstAndThePartsOfAStepLast) {
  EXPECT_THAT(titles({"anatomy/backward", "anatomy/wait", "my/score", "train/grad_norm", "train/loss"}),
              ElementsAre("Loss", "Gradient norm", "my/score", "Waiting for data, seconds", "Backward, seconds"));
}

TEST(ShownMetrics, CountersOfTheStepAreNoCurves) {
  EXPECT_THAT(titles({"train/epoch", "train/samples", "train/tokens", "eval/loss"}), ElementsAre("Evaluation loss"));
}

}  // namespace
}  // namespace roadtune::runs
