// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/node_sampler.h"

#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace roadtune::remote {
namespace {

void writeMachine(const testing::TempFolder& root, int busy, int idle, int sectors, int bytes) {
  const auto number = [](int value) { return std::to_string(value); };
  root.write("proc/stat", "cpu  " + number(busy) + " 0 0 " + number(idle) + " 0 0 0 0 0 0\ncpu0 1 2 3 4\n");
  root.write("proc/meminfo", "MemTotal:  1000 kB\nMemFree: 1 kB\nMemAvailable:   400 kB\n");
  root.write("proc/loadavg", "1.50 1.00 0.50 2/300 12345\n");
  root.write("proc/diskstats",
             " 8 0 sda 10 0 " + number(sectors) + " 0 5 0 " + number(2 * sectors) +
                 " 0 0 0 0\n 8 1 sda1 10 0 999 0 5 0 999 0 0 0 0\n 7 0 loop0 1 0 777 0 1 0 777 0 0 0 0\n");
  root.write("sys/block/sda/size", "1");
  root.write("sys/block/loop0/size", "1");
  root.write("proc/net/dev", "Inter-|\n face |\n    lo: 5000 1 0 0 0 0 0 0 5000 1 0 0 0 0 0 0\n  eth0: " +
                                 number(bytes) + " 1 0 0 0 0 0 0 " + number(3 * bytes) + " 1 0 0 0 0 0 0\n");
}

TEST(NodeSampler, TheFirstLookHasNoRates) {
  const testing::TempFolder root;
  writeMachine(root, 100, 100, 50, 1000);
  NodeSampler sampler(root.path(), root.path());
  const NodeSample sample = sampler.sample(10);
  EXPECT_EQ(sample.cpuPercent, 0);
  EXPECT_EQ(sample.networkReceived, 0);
  EXPECT_EQ(sample.memoryTotal, 1000U * 1024);
  EXPECT_EQ(sample.memoryUsed, 600U * 1024);
  EXPECT_DOUBLE_EQ(sample.load, 1.5);
  EXPECT_GT(sample.diskFree, 0U);
}

TEST(NodeSampler, RatesAreDifferencesOverTime) {
  const testing::TempFolder root;
  writeMachine(root, 100, 100, 50, 1000);
  NodeSampler sampler(root.path(), root.path());
  sampler.sample(10);
  writeMachine(root, 175, 125, 150, 3000);
  const NodeSample sample = sampler.sample(12);
  EXPECT_DOUBLE_EQ(sample.cpuPercent, 75);
  EXPECT_DOUBLE_EQ(sample.diskReadBytes, 100 * 512 / 2.0);  // whole disks, no partitions, no loop devices
  EXPECT_DOUBLE_EQ(sample.diskWriteBytes, 200 * 512 / 2.0);
  EXPECT_DOUBLE_EQ(sample.networkReceived, 1000);  // no loopback
  EXPECT_DOUBLE_EQ(sample.networkSent, 3000);
}

TEST(NodeSampler, CountersThatWereResetGiveZeroNotNonsense) {
  const testing::TempFolder root;
  writeMachine(root, 500, 500, 500, 9000);
  NodeSampler sampler(root.path(), root.path());
  sampler.sample(10);
  writeMachine(root, 1, 1, 1, 1);
  const NodeSample sample = sampler.sample(11);
  EXPECT_EQ(sample.cpuPercent, 0);
  EXPECT_EQ(sample.diskReadBytes, 0);
  EXPECT_EQ(sample.networkSent, 0);
}

TEST(NodeSampler, AMachineThatTellsNothingIsNoError) {
  const testing::TempFolder root;
  NodeSampler sampler(root.path(), root.path());
  sampler.sample(1);
  EXPECT_EQ(sampler.sample(2).memoryTotal, 0U);
}

}  // namespace
}  // namespace roadtune::remote
