// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/exchange_log.h"

#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace roadtune::protocol {
namespace {

struct ExchangeLogTest : ::testing::Test {
  ExchangeLog made() const { return std::move(ExchangeLog::create(file)).value(); }
  testing::TempFolder folder;
  std::filesystem::path file = folder / "exchanges/rank-000.bin";
};

TEST_F(ExchangeLogTest, TheOldestUnfinishedExchangeIsWhereARankIs) {
  auto log = made();
  EXPECT_FALSE(lastExchange(file).has_value()) << "nothing was begun";
  const auto first = log.begin("sum", "", 25'200'000);
  const auto second = log.begin("gather", "shards/0", 64);
  EXPECT_EQ(lastExchange(file)->number, first);
  log.finish(first);
  const auto open = lastExchange(file);
  EXPECT_EQ(open->number, second);
  EXPECT_EQ(open->text(), "gather no. 2 of 64 B in group shards/0");
  EXPECT_FALSE(open->finished);
  log.finish(second);
  EXPECT_TRUE(lastExchange(file)->finished);
  EXPECT_EQ(lastExchange(file)->number, 2u);
}

TEST_F(ExchangeLogTest, OnlyTheLastOnesAreKeptAndALateEndOfAnOlderOneHarmsNothing) {
  auto log = made();
  for (int i = 0; i < 1000; ++i) log.finish(log.begin("highest", "", 8));
  log.finish(3);
  EXPECT_EQ(lastExchange(file)->number, 1000u);
  EXPECT_EQ(std::filesystem::file_size(file), 4096u);
}

TEST_F(ExchangeLogTest, WhatAKilledProcessWroteIsThere) {
  const pid_t child = ::fork();
  if (child == 0) {
    auto log = made();
    for (int i = 0; i < 41; ++i) log.finish(log.begin("sum", "", 4));
    log.begin("a word that is too long", "a group whose name is too long as well", 4);
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  const auto last = lastExchange(file);
  ASSERT_TRUE(last.has_value());
  EXPECT_EQ(last->number, 42u);
  EXPECT_EQ(last->what, "a word that ");
  EXPECT_EQ(last->group, "a group whose name i");
  EXPECT_FALSE(last->finished);
}

TEST_F(ExchangeLogTest, OtherFilesAreNoLogs) {
  EXPECT_FALSE(lastExchange(file).has_value());
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << "something else";
  EXPECT_FALSE(lastExchange(file).has_value());
  folder.write("taken", "a file where a folder is wanted");
  EXPECT_FALSE(ExchangeLog::create(folder / "taken/rank-000.bin").ok());
}

}  // namespace
}  // namespace roadtune::protocol
