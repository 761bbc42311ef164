// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/nvml.h"

#include "remote/agent/machine_processes.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <thread>
#include <unistd.h>
#include <vector>

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

TEST_F(NvmlTest, WhoComputesOnTheCardIsNamedAsFarAsItIsSeenFromHere) {
  const auto nvml = Nvml::open(kLibrary);
  ASSERT_NE(nvml, nullptr);
  EXPECT_THAT(nvml->processes(1), IsEmpty());
  auto all = machineProcesses(nvml.get());
  std::erase_if(all, [](const MachineProcess& one) { return one.gpus.empty(); });  // ranks of the tests beside this one
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].pid, ::getpid());
  EXPECT_EQ(all[0].name, "test_unit_remot") << "as the kernel cuts it";
  EXPECT_FALSE(all[0].user.empty());
  EXPECT_THAT(all[0].gpus, ElementsAre(0));
  EXPECT_EQ(all[0].gpuMemory, 12'000'000'000U);
  EXPECT_GT(all[0].memory, 1'000'000U);
  EXPECT_THAT(all[0].run, IsEmpty());
  EXPECT_EQ(all[1].pid, 4'000'001) << "of another container";
  EXPECT_THAT(all[1].user, IsEmpty());
  EXPECT_EQ(all[1].gpuMemory, 7'000'000'000U);
  EXPECT_EQ(all[2].gpuMemory, 0U) << "not told";
  EXPECT_EQ(onCards(*nvml, {::getpid(), 4'000'001}), 2);
  EXPECT_EQ(onCards(*nvml, {::getppid()}), 0);
}

// Reading of one that has just ended fails in the middle.
TEST(MachineProcesses, ThoseThatEndWhileTheyAreLookedAtAreNone) {
  const testing::TempFolder folder;
  std::filesystem::copy_file("/bin/sleep", folder / "roadtune-train");
  std::atomic<bool> done = false;
  std::vector<std::jthread> starters;
  for (int i = 0; i < 6; ++i)
    starters.emplace_back([&] {
      while (!done) testing::runProgram({(folder / "roadtune-train").string(), "0"});
    });
  const std::unique_ptr<std::atomic<bool>, void (*)(std::atomic<bool>*)> end(&done, [](auto* flag) { *flag = true; });
  for (int look = 0; look < 1500; ++look) EXPECT_NO_THROW(machineProcesses(nullptr));
}

TEST(MachineProcesses, TheRunOfARankStandsInItsCommandLine) {
  using namespace std::string_literals;
  EXPECT_EQ(runOfCommandLine("/opt/bin/roadtune-train\0--run\0/home/a b/night\0--profile\0003\0"s), "/home/a b/night");
  EXPECT_EQ(runOfCommandLine("roadtune-train\0--help\0"s), "");
  EXPECT_EQ(runOfCommandLine("roadtune-train\0--run\0"s), "");
  EXPECT_EQ(runOfCommandLine(""), "");
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
