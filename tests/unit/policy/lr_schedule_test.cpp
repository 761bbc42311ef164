// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/lr_schedule.h"

#include <gtest/gtest.h>

#include <cmath>

namespace roadtune::policy {
namespace {

LrSchedule make(ScheduleKind kind, std::int64_t warmup, std::int64_t total) {
  LrScheduleSpec spec;
  spec.kind = kind;
  spec.warmupSteps = warmup;
  spec.totalSteps = total;
  auto schedule = LrSchedule::make(spec);
  EXPECT_TRUE(schedule.ok());
  return std::move(schedule).value();
}

TEST(LrSchedule, LinearRisesAndFalls) {
  const auto schedule = make(ScheduleKind::Linear, 2, 10);
  EXPECT_EQ(schedule.factor(0), 0.0);
  EXPECT_EQ(schedule.factor(1), 0.5);
  EXPECT_EQ(schedule.factor(2), 1.0);
  EXPECT_EQ(schedule.factor(6), 0.5);
  EXPECT_EQ(schedule.factor(10), 0.0);
  EXPECT_EQ(schedule.factor(50), 0.0);
}

TEST(LrSchedule, CosineHasItsHalfInTheMiddle) {
  const auto schedule = make(ScheduleKind::Cosine, 0, 100);
  EXPECT_NEAR(schedule.factor(50), 0.5, 1e-15);
  EXPECT_NEAR(schedule.factor(100), 0.0, 1e-15);
}

TEST(LrSchedule, RestartsEndAtZero) {
  LrScheduleSpec spec;
  spec.kind = ScheduleKind::CosineWithRestarts;
  spec.totalSteps = 100;
  spec.numCycles = 4;
  const auto schedule = LrSchedule::make(spec);
  EXPECT_EQ(schedule.value().factor(25), 1.0);
  EXPECT_EQ(schedule.value().factor(100), 0.0);
}

TEST(LrSchedule, ConstantIgnoresTheWarmUp) {
  EXPECT_EQ(make(ScheduleKind::Constant, 10, 100).factor(0), 1.0);
  EXPECT_EQ(make(ScheduleKind::ConstantWithWarmup, 10, 100).factor(5), 0.5);
  EXPECT_EQ(make(ScheduleKind::ConstantWithWarmup, 10, 100).factor(5000), 1.0);
}

TEST(LrSchedule, PolynomialEndsAtItsAbsoluteRate) {
  LrScheduleSpec spec;
  spec.kind = ScheduleKind::Polynomial;
  spec.learningRate = 1e-3;
  spec.lrEnd = 1e-4;
  spec.totalSteps = 10;
  const auto schedule = LrSchedule::make(spec);
  EXPECT_NEAR(schedule.value().rate(10), 1e-4, 1e-18);
  EXPECT_NEAR(schedule.value().rate(11), 1e-4, 1e-18);
  spec.lrEnd = 1e-2;
  EXPECT_FALSE(LrSchedule::make(spec).ok());
}

TEST(LrSchedule, NamesAreThoseOfTransformersAndTyposAreAnswered) {
  for (const auto& name : scheduleNames()) {
    const auto kind = parseScheduleKind(name);
    ASSERT_TRUE(kind.ok());
    EXPECT_EQ(policy::name(kind.value()), name);
  }
  const auto typo = parseScheduleKind("cosin");
  ASSERT_FALSE(typo.ok());
  EXPECT_EQ(typo.error().hint, "cosine");
}

TEST(LrSchedule, RefusesRunsWithoutSteps) {
  LrScheduleSpec spec;
  spec.totalSteps = 0;
  EXPECT_FALSE(LrSchedule::make(spec).ok());
}

TEST(LrSchedule, ADecayLongerThanTheRunIsUnderWayWhenTheWarmupEnds) {
  LrScheduleSpec spec;
  spec.kind = ScheduleKind::WarmupStableDecay;
  spec.totalSteps = 10;
  spec.warmupSteps = 5;
  spec.decaySteps = 20;
  spec.decayShape = RampShape::Linear;
  const auto schedule = LrSchedule::make(spec);
  ASSERT_TRUE(schedule.ok());
  EXPECT_NEAR(schedule.value().factor(4), 0.8, 1e-12);
  EXPECT_NEAR(schedule.value().factor(5), 0.25, 1e-12);  // 15 of 20 steps of the decay are over
  EXPECT_NEAR(schedule.value().factor(10), 0.0, 1e-12);
}

TEST(WarmupSteps, AValueBelowOneIsAShareRoundedUp) {
  EXPECT_EQ(warmupSteps(0, 0, 100), 0);
  EXPECT_EQ(warmupSteps(7, 0.5, 100), 7);
  EXPECT_EQ(warmupSteps(0.03, 0, 101), 4);
  EXPECT_EQ(warmupSteps(0, 0.1, 101), 11);
}

}  // namespace
}  // namespace roadtune::policy
