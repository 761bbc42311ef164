// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/spare_room.h"

#include "core/base/files.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/file_stream.h"
#include "remote/transfer/mirror.h"
#include "tests/support/small_disk.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace roadtune::remote {
namespace {

const std::string kNode = R"({"v":1,"seq":0,"t":1,"mono":1,"rank":0,"step":0,"kind":"node","disk_free":)";

TEST(SpareRoom, IsThereWhenTheRestOfTheDiskIsFull) {
  const testing::TempFolder folder;
  const testing::SmallDisk disk(folder / "run", "size=1m");
  if (!disk.mounted()) GTEST_SKIP() << "mounting a file system needs root";
  holdSpareRoom(folder / "run", 0);
  EXPECT_FALSE(isDiskFull(folder / "run"));
  disk.fill();
  EXPECT_TRUE(isDiskFull(folder / "run"));
  giveUpSpareRoom(folder / "run", 0);
  EXPECT_FALSE(isDiskFull(folder / "run"));
  holdSpareRoom(folder / "run", 0);
  disk.fill();
  holdSpareRoom(folder / "run", 1);  // none to be had: nothing is left behind
  EXPECT_FALSE(std::filesystem::exists(folder / "run/.spare-01"));
}

TEST(SpareRoom, WhatTheAgentToldLastTellsOfTheDisk) {
  const testing::TempFolder folder;
  const auto events = protocol::RunLayout(folder.path()).nodeEvents(0).lexically_relative(folder.path()).string();
  EXPECT_FALSE(wasDiskFull(folder.path(), 0));
  folder.write(events, kNode + "5e9}\n");
  EXPECT_FALSE(wasDiskFull(folder.path(), 0));
  folder.write(events, kNode + "4096}\n");
  EXPECT_TRUE(wasDiskFull(folder.path(), 0));
  folder.write(events, kNode + "5e9}\n" + kNode);
  EXPECT_TRUE(wasDiskFull(folder.path(), 0)) << "a line was cut short";
  folder.write(events, kNode + "5e12}\n" + kNode);
  EXPECT_FALSE(wasDiskFull(folder.path(), 0)) << "by a power cut: no disk fills up so fast";
}

TEST(SpareRoom, AGoodbyeThatCannotBeWrittenTravelsWithAHeartbeat) {
  const testing::TempFolder here;
  MirrorWriter writer(here.path());
  ASSERT_TRUE(writer.feed(frameHeader({.lost = "the disk was full"})).ok());
  EXPECT_EQ(writer.lost(), "the disk was full");
  ASSERT_TRUE(writer.feed(frameHeader({})).ok());
  EXPECT_EQ(writer.lost(), "") << "a new agent is at work";
}

}  // namespace
}  // namespace roadtune::remote
