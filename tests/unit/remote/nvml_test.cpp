// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/nvml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace roadtune::remote {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kLibrary = ROADTUNE_BIN_DIR "/../fakes/libfake-nvml.so";

class NvmlTest : public ::testing::Test {
 protected:
  void TearDown() override { ::unsetenv("FAKE_NVML"); }
};

TEST_F(NvmlTest, AMachineWithoutTheLibraryIsNormal) { EXPECT_EQ(Nvml::open("/nowhere/libnvidia-ml.so"), nullptr); }

TEST_F(NvmlTest, ALibraryWithoutADriverOrCardsIsNormal) {
  ::setenv("FAKE_NVML", "no-driver", 1);
  EXPECT_EQ(Nvml::open(kLibrary), nullptr);
  ::setenv("FAKE_NVML", "no-cards", 1);
  EXPECT_EQ(Nvml::open(kLibrary), nullptr);
}

TEST_F(NvmlTest, TellsWhatTheCardTells) {
  const auto nvml = Nvml::open(kLibrary);
  ASSERT_NE(nvml, nullptr);
  ASSERT_EQ(nvml->gpus().size(), 2U);
  EXPECT_EQ(nvml->gpus()[0].name, "Imaginary GPU 80GB");
  EXPECT_EQ(nvml->gpus()[0].memory, 80'000'000'000U);
  EXPECT_EQ(nvml->driverVersion(), "580.65.06");
  EXPECT_EQ(nvml->cudaVersion(), "13.0");
  const GpuSample sample = nvml->sample(0);
  EXPECT_EQ(sample.utilisation, 87);
  EXPECT_EQ(sample.memoryUsed, 20'000'000'000U);
  EXPECT_NEAR(*sample.powerWatts, 413, 0.5);
  EXPECT_EQ(sample.temperature, 71);
  EXPECT_EQ(sample.smMegahertz, 1980);
  EXPECT_EQ(sample.memoryMegahertz, 2619);
  EXPECT_THAT(sample.throttle, ElementsAre("power cap", "hardware thermal"));
  EXPECT_EQ(nvml->computeProcesses(0), 3);
}

TEST_F(NvmlTest, WhatACardRefusesIsAbsentNotZero) {
  const auto nvml = Nvml::open(kLibrary);
  ASSERT_NE(nvml, nullptr);
  const GpuSample sample = nvml->sample(1);
  EXPECT_FALSE(sample.utilisation.has_value());
  EXPECT_FALSE(sample.powerWatts.has_value());
  EXPECT_FALSE(sample.temperature.has_value());
  EXPECT_FALSE(sample.energyJoules.has_value());  // this library has no such question
  EXPECT_THAT(sample.throttle, IsEmpty());
  EXPECT_EQ(sample.memoryUsed, 1'000'000'000U);  // by the older question
}

TEST_F(NvmlTest, GlancesBecomeAMeanAndAPeak) {
  const auto nvml = Nvml::open(kLibrary);
  ASSERT_NE(nvml, nullptr);
  for (int glance = 0; glance < 10; ++glance) nvml->glance();
  const GpuSample summary = nvml->summary(0);
  EXPECT_DOUBLE_EQ(*summary.powerWatts, 413);
  EXPECT_DOUBLE_EQ(*summary.powerPeakWatts, 413.5);
  EXPECT_EQ(summary.utilisation, 87);
  EXPECT_THAT(summary.throttle, ElementsAre("power cap", "hardware thermal"));
  EXPECT_FALSE(nvml->summary(0).powerPeakWatts.has_value()) << "no glance since";
  EXPECT_FALSE(nvml->summary(1).powerPeakWatts.has_value()) << "this card does not tell";
}

TEST_F(NvmlTest, PartsAreToldFromTheSecondLookOn) {
  const auto nvml = Nvml::open(kLibrary);
  ASSERT_NE(nvml, nullptr);
  EXPECT_FALSE(nvml->summary(0).parts.sm.has_value()) << "between one look and none lies nothing";
  for (int look = 0; look < 3; ++look) {
    const PartActivity parts = nvml->summary(0).parts;
    EXPECT_EQ(parts.sm, 2);
    EXPECT_EQ(parts.tensor, 5);
    EXPECT_EQ(parts.dram, 10);
    EXPECT_EQ(parts.pcieReceived, 21.0 * 1024 * 1024);
    EXPECT_EQ(parts.pcieSent, 20.0 * 1024 * 1024);
    EXPECT_FALSE(parts.nvlinkReceived.has_value());
    EXPECT_EQ(parts.nvlinkSent, 61.0 * 1024 * 1024);
    EXPECT_FALSE(nvml->summary(1).parts.sm.has_value()) << "an older card";
  }
}

TEST_F(NvmlTest, CountersThatMayNotBeReadAreAbsent) {
  ::setenv("FAKE_NVML", "no-counters", 1);
  const auto nvml = Nvml::open(kLibrary);
  ASSERT_NE(nvml, nullptr);
  for (int look = 0; look < 3; ++look) {
    const GpuSample summary = nvml->summary(0);
    EXPECT_FALSE(summary.parts.sm.has_value());
    EXPECT_EQ(summary.utilisation, 87);
  }
}

TEST(ThrottleWords, IdlingIsNoReason) {
  EXPECT_THAT(throttleWords(0x1), IsEmpty());
  EXPECT_THAT(throttleWords(0x20 | 0x80), ElementsAre("thermal", "power brake"));
}

}  // namespace
}  // namespace roadtune::remote
