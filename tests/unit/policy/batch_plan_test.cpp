// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/batch_plan.h"

#include <gtest/gtest.h>

namespace roadtune::policy {
namespace {

BatchPlan plan(BatchSpec spec) {
  const auto made = BatchPlan::make(spec);
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().text());
  return made.value();
}

TEST(BatchPlan, CountsAShortBatchAndAShortWindow) {
  BatchSpec spec;
  spec.samples = 103;
  spec.perDeviceBatch = 4;
  spec.accumulation = 4;
  spec.epochs = 2;
  const BatchPlan p = plan(spec);
  EXPECT_EQ(p.microBatchesPerEpoch, 26);  // the last of 3 samples
  EXPECT_EQ(p.stepsPerEpoch, 7);          // the last of 2 micro-batches
  EXPECT_EQ(p.totalSteps, 14);
  EXPECT_EQ(p.effectiveBatch, 16);
  EXPECT_EQ(p.microBatches(0), 4);
  EXPECT_EQ(p.microBatches(6), 2);
  EXPECT_EQ(p.microBatches(7), 0);
  EXPECT_EQ(p.positions(25, 0), (std::vector<std::int64_t>{100, 101, 102}));
}

TEST(BatchPlan, FractionsOfAnEpochAreRoundedUp) {
  BatchSpec spec;
  spec.samples = 100;
  spec.perDeviceBatch = 10;
  spec.epochs = 0.25;
  EXPECT_EQ(plan(spec).totalSteps, 3);
  EXPECT_EQ(plan(spec).epochs, 1);
}

TEST(BatchPlan, MaxStepsWinsOverEpochs) {
  BatchSpec spec;
  spec.samples = 100;
  spec.perDeviceBatch = 10;
  spec.maxSteps = 25;
  EXPECT_EQ(plan(spec).totalSteps, 25);
  EXPECT_EQ(plan(spec).epochs, 3);
}

TEST(BatchPlan, DroppingTheLastBatchDropsItOnAllRanks) {
  BatchSpec spec;
  spec.samples = 103;
  spec.perDeviceBatch = 4;
  spec.worldSize = 2;
  spec.dropLast = true;
  const BatchPlan p = plan(spec);
  EXPECT_EQ(p.microBatchesPerEpoch, 12);
  EXPECT_EQ(p.positions(11, 1), (std::vector<std::int64_t>{92, 93, 94, 95}));
}

TEST(BatchPlan, SeveralRanksAreFilledUpFromTheFirstSamples) {
  BatchSpec spec;
  spec.samples = 10;
  spec.perDeviceBatch = 4;
  spec.worldSize = 2;
  const BatchPlan p = plan(spec);
  EXPECT_EQ(p.microBatchesPerEpoch, 2);
  EXPECT_EQ(p.positions(1, 0), (std::vector<std::int64_t>{8, 9, 0, 1}));
  EXPECT_EQ(p.positions(1, 1), (std::vector<std::int64_t>{2, 3, 4, 5}));
}

TEST(BatchPlan, TheEpochIsCountedInMicroBatches) {
  BatchSpec spec;
  spec.samples = 26;
  spec.perDeviceBatch = 1;
  spec.accumulation = 4;
  const BatchPlan p = plan(spec);
  EXPECT_DOUBLE_EQ(p.epochAt(1), 4.0 / 26);
  EXPECT_DOUBLE_EQ(p.epochAt(7), 1.0);
  EXPECT_DOUBLE_EQ(p.epochAt(8), 1.0 + 4.0 / 26);
}

TEST(BatchPlan, SaysWhichSettingMakesNoSteps) {
  BatchSpec spec;
  EXPECT_EQ(BatchPlan::make(spec).error().where, "train_data");
  spec.samples = 3;
  spec.perDeviceBatch = 4;
  spec.dropLast = true;
  EXPECT_EQ(BatchPlan::make(spec).error().where, "dataloader_drop_last");
  spec.perDeviceBatch = 0;
  EXPECT_EQ(BatchPlan::make(spec).error().where, "per_device_train_batch_size");
}

}  // namespace
}  // namespace roadtune::policy
