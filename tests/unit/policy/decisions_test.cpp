// SPDX-License-Identifier: GPL-3.0-or-later
// When to log, evaluate and save; which checkpoints go; when to stop.
#include "core/base/random.h"
#include "core/policy/cadence.h"
#include "core/policy/divergence.h"
#include "core/policy/early_stop.h"
#include "core/policy/retention.h"

#include <gtest/gtest.h>

#include <cmath>

namespace roadtune::policy {
namespace {

using Steps = std::vector<std::int64_t>;

TEST(Cadence, CountsInStepsSharesAndEpochs) {
  const auto steps = Cadence::make(CadenceUnit::Steps, 10, 100, "save_steps").value();
  EXPECT_TRUE(steps.due(20, false));
  EXPECT_FALSE(steps.due(25, true));
  EXPECT_FALSE(steps.due(0, false));
  const auto share = Cadence::make(CadenceUnit::Steps, 0.1, 95, "save_steps").value();
  EXPECT_EQ(share.everySteps(), 10);  // ceil(9.5)
  const auto epoch = Cadence::make(CadenceUnit::Epoch, 10, 100, "save_steps").value();
  EXPECT_TRUE(epoch.due(7, true));
  EXPECT_FALSE(epoch.due(10, false));
  EXPECT_FALSE(Cadence().due(10, true));
}

TEST(Cadence, CanBeChangedWhileRunning) {
  auto cadence = Cadence::make(CadenceUnit::Steps, 100, 1000, "save_steps").value();
  cadence.setEverySteps(7);
  EXPECT_TRUE(cadence.due(14, false));
  cadence.setEverySteps(0);
  EXPECT_FALSE(cadence.due(14, false));
  for (const auto unit : {CadenceUnit::No, CadenceUnit::Epoch}) {
    auto other = Cadence::make(unit, 100, 1000, "save_steps").value();
    other.setEverySteps(7);
    EXPECT_TRUE(other.due(14, false));
    EXPECT_FALSE(other.due(15, true));
  }
}

TEST(Cadence, RefusesWhatIsNeitherStepsNorShare) {
  for (const double every : {0.0, -1.0, 2.5, std::nan("")})
    EXPECT_EQ(Cadence::make(CadenceUnit::Steps, every, 100, "eval_steps").error().where, "eval_steps") << every;
  EXPECT_FALSE(parseCadenceUnit("sometimes").ok());
}

TEST(Retention, DeletesTheOldestFirst) {
  EXPECT_EQ(checkpointsToDelete({300, 100, 200}, {2, {}}), (Steps{100}));
  EXPECT_EQ(checkpointsToDelete({100, 200}, {2, {}}), (Steps{}));
  EXPECT_EQ(checkpointsToDelete({100, 200}, {0, {}}), (Steps{}));
}

TEST(Retention, KeepsTheBestWhateverItsAge) {
  EXPECT_EQ(checkpointsToDelete({100, 200, 300}, {2, 100}), (Steps{200}));
  EXPECT_EQ(checkpointsToDelete({100, 200, 300}, {1, 100}), (Steps{200}));  // the best and the newest
  EXPECT_EQ(checkpointsToDelete({100, 200, 300}, {1, 300}), (Steps{100, 200}));
  EXPECT_EQ(checkpointsToDelete({100, 200, 300}, {1, 150}), (Steps{100, 200}));  // a best that is gone already
}

TEST(Divergence, ANoisyFallingLossIsFine) {
  DivergenceWatch watch;
  Random random(1);
  for (int i = 0; i < 5000; ++i)
    ASSERT_EQ(watch.add(0.2 + 3 * std::exp(-i / 400.0) + 0.1 * random.normal()), LossVerdict::Fine) << i;
}

TEST(Divergence, ALossThatRunsAwayIsFoundWithinTensOfSteps) {
  DivergenceWatch watch;
  Random random(2);
  for (int i = 0; i < 300; ++i) watch.add(1 + 0.05 * random.normal());
  int found = -1;
  for (int i = 0; i < 200 && found < 0; ++i)
    if (watch.add(1 + 0.1 * i + 0.05 * random.normal()) == LossVerdict::Diverged) found = i;
  EXPECT_GT(found, 0);
  EXPECT_LT(found, 80);
}

TEST(Divergence, AJumpIsASpikeFirstAndADivergenceWhenItStays) {
  DivergenceWatch watch;
  for (int i = 0; i < 300; ++i) watch.add(1.0);
  EXPECT_EQ(watch.add(1.05), LossVerdict::Fine);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(watch.add(3.0), LossVerdict::Spike);
  EXPECT_EQ(watch.add(3.0), LossVerdict::Diverged);
  EXPECT_NE(watch.explanation().find("5 times in a row"), std::string::npos) << watch.explanation();
}

TEST(Divergence, ASlowRiseIsFoundByItsAverages) {
  DivergenceWatch watch;
  Random random(2);
  for (int i = 0; i < 300; ++i) watch.add(1 + 0.3 * random.normal());
  int found = -1;
  for (int i = 0; i < 1000 && found < 0; ++i)
    if (watch.add(1 + 0.04 * i + 0.3 * random.normal()) == LossVerdict::Diverged) found = i;
  EXPECT_GT(found, 10);
  EXPECT_NE(watch.explanation().find("times as much"), std::string::npos) << watch.explanation();
}

TEST(Divergence, OneBadBatchIsASpikeAndDoesNotSpoilTheAverage) {
  DivergenceWatch watch;
  Random random(3);
  for (int i = 0; i < 200; ++i) watch.add(1 + 0.05 * random.normal());
  const double before = watch.slowAverage();
  EXPECT_EQ(watch.add(40), LossVerdict::Spike);
  EXPECT_GT(watch.lastZScore(), 100);
  EXPECT_NEAR(watch.slowAverage(), before, 0.02);
  EXPECT_EQ(watch.add(1), LossVerdict::Fine);
  EXPECT_EQ(watch.add(40), LossVerdict::Spike);
}

TEST(Divergence, NonFiniteValuesCountInARow) {
  DivergenceWatch watch;
  EXPECT_EQ(watch.add(NAN), LossVerdict::NonFinite);
  EXPECT_EQ(watch.add(INFINITY), LossVerdict::NonFinite);
  EXPECT_EQ(watch.add(1), LossVerdict::Fine);
  EXPECT_EQ(watch.add(NAN), LossVerdict::NonFinite);
  EXPECT_EQ(watch.add(NAN), LossVerdict::NonFinite);
  EXPECT_EQ(watch.add(NAN), LossVerdict::Diverged);
  EXPECT_EQ(watch.slowAverage(), 1);
}

TEST(EarlyStop, StopsAfterPatienceEvaluationsWithoutGain) {
  EarlyStop stop({2, 0.0, false});
  EXPECT_FALSE(stop.add(10, 1.0));
  EXPECT_TRUE(stop.improved());
  EXPECT_FALSE(stop.add(20, 1.1));
  EXPECT_FALSE(stop.add(30, 0.9));
  EXPECT_FALSE(stop.add(40, NAN));
  EXPECT_TRUE(stop.add(50, 0.95));
  EXPECT_EQ(stop.state().bestStep, 30);
}

TEST(EarlyStop, SmallGainsAreTheBestButCostPatience) {
  EarlyStop stop({2, 0.5, true});
  EXPECT_FALSE(stop.add(1, 1.0));
  EXPECT_FALSE(stop.add(2, 1.1));
  EXPECT_TRUE(stop.improved());
  EXPECT_TRUE(stop.add(3, 1.2));
  EXPECT_EQ(stop.state().best, 1.2);
}

TEST(EarlyStop, GoesOnFromASavedState) {
  EarlyStop first({3, 0.0, false});
  first.add(1, 1.0);
  first.add(2, 2.0);
  EarlyStop second({3, 0.0, false}, first.state());
  EXPECT_FALSE(second.add(3, 2.0));
  EXPECT_TRUE(second.add(4, 2.0));
}

}  // namespace
}  // namespace roadtune::policy
