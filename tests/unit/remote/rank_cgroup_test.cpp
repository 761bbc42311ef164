// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/rank_cgroup.h"

#include "core/base/clock.h"
#include "remote/agent/clock_note.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <fstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace roadtune::remote {
namespace {

using ::testing::HasSubstr;
using testing::TempFolder;

TEST(RankCgroup, WhatLeftItsParentAndItsGroupIsStillInsideAndGone) {
  const auto made = RankCgroup::make("roadtune-test-" + std::to_string(::getpid()));
  if (!made.ok()) GTEST_SKIP() << made.error().text();
  const RankCgroup& group = made.value();
  const pid_t rank = ::fork();
  if (rank == 0) {
    ::raise(SIGSTOP);  // until it is inside
    for (int i = 0; i < 2; ++i)
      if (::fork() != 0)
        continue;
      else {
        ::setsid();
        if (::fork() != 0) ::_exit(0);  // a daemon: nobody's child
        ::sleep(100);
        ::_exit(0);
      }
    ::sleep(100);
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(rank, &status, WUNTRACED), rank);
  ASSERT_TRUE(group.add(rank).ok());
  ::kill(rank, SIGCONT);
  for (int i = 0; i < 200 && group.members().size() < 3; ++i) ::usleep(10'000);
  EXPECT_GE(group.members().size(), 3u) << "the rank and its two daemons";
  EXPECT_FALSE(group.remove()) << "somebody lives in it";
  EXPECT_TRUE(group.usage().cpuSeconds.has_value());
  ::kill(rank, SIGKILL);
  ::waitpid(rank, &status, 0);
  EXPECT_FALSE(group.members().empty()) << "the daemons outlive the rank";
  group.killAll();
  for (int i = 0; i < 200 && !group.members().empty(); ++i) ::usleep(10'000);
  EXPECT_TRUE(group.members().empty());
  // The kernel counts those that are no longer listed for a while, as it ends them.
  bool gone = group.remove();
  for (int i = 0; i < 500 && !gone; ++i, gone = group.remove()) ::usleep(10'000);
  EXPECT_TRUE(gone);
}

TEST(RankCgroup, WhereThereIsNoneTheReasonIsTold) {
  const TempFolder root;
  root.write("proc/self/mounts", "tmpfs /sys/fs/cgroup tmpfs rw 0 0\ncgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\n");
  EXPECT_THAT(RankCgroup::make("x", root.path()).error().text(), HasSubstr("no cgroup v2"));
  root.write("proc/self/mounts", "cgroup2 " + (root / "none").string() + " cgroup2 ro 0 0\n");
  EXPECT_THAT(RankCgroup::make("x", root.path()).error().text(), HasSubstr("in no cgroup v2"));
  root.write("proc/self/cgroup", "4:memory:/a\n0::/user.slice/one.scope\n");
  EXPECT_THAT(RankCgroup::make("x", root.path()).error().text(), HasSubstr("none/user.slice/one.scope/x"));
}

TEST(ClockNote, OnlyNewsSinceTheAgentBeganIsTold) {
  const TempFolder run;
  const auto file = run.write("clock-01", clockNoteText(5, 0.1));
  ClockNote note(run.path(), 1);
  EXPECT_FALSE(note.news()) << "an earlier life's";
  const auto write = [&](const std::string& text) {
    ::usleep(20'000);
    std::ofstream(file) << text;
  };
  write("{\"offset\":");
  EXPECT_FALSE(note.news()) << "half written";
  write(clockNoteText(-0.25, 0.01));
  const auto news = note.news();
  ASSERT_TRUE(news);
  EXPECT_EQ(news->at("offset"), -0.25);
  EXPECT_EQ(news->at("round_trip"), 0.01);
  EXPECT_FALSE(note.news()) << "told once";
  EXPECT_FALSE(ClockNote(run.path(), 0).news()) << "another machine's";
}

}  // namespace
}  // namespace roadtune::remote
