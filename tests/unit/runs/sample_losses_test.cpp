// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/sample_losses.h"

#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace roadtune::runs {
namespace {

TEST(SampleLosses, StepsDoneTwiceCountOnceAndBrokenLinesNot) {
  const testing::TempFolder folder;
  const protocol::RunLayout layout(folder.path());
  EXPECT_TRUE(readSampleLosses(layout).value().empty());
  fs::create_directories(layout.ledger());
  std::ofstream(layout.rankLedger(0)) << R"({"step":1,"epoch":0.5,"sample":"a","loss":2.5,"tokens":4}
{"step":2,"epoch":1.0,"sample":"b","loss":9.0,"tokens":1}
{"step":3,"epo
{"resumed_from":1}
{"step":2,"epoch":1.0,"sample":"b","loss":"nan","tokens":1}
{"step":3,"epoch":1.5,"sample":"a","loss":1.5,"tokens":4}
{"step":4,"epoch":1.5,"sam)";
  std::ofstream(layout.rankLedger(1)) << R"({"step":1,"epoch":0.5,"sample":"c","loss":3.0,"tokens":2})"
                                      << "\n";
  const auto losses = readSampleLosses(layout).value();
  ASSERT_EQ(losses.size(), 4u);
  EXPECT_EQ(losses[0].sample + losses[1].sample + losses[2].sample + losses[3].sample, "acba");
  EXPECT_TRUE(std::isnan(losses[2].loss));
  EXPECT_EQ(losses[3].step, 3);

  const auto samples = summarizeSamples(losses);
  ASSERT_EQ(samples.size(), 3u);
  EXPECT_EQ(samples[0].sample, "b") << "what is not finite comes first";
  EXPECT_EQ(samples[1].sample, "c");
  EXPECT_EQ(samples[2].seen, 2);
  EXPECT_EQ(samples[2].first, 2.5);
  EXPECT_EQ(samples[2].last, 1.5);
  EXPECT_EQ(samples[2].mean, 2.0);
  EXPECT_EQ(samples[2].worstStep, 1);
}

}  // namespace
}  // namespace roadtune::runs
