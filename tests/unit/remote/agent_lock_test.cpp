// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/agent_lock.h"

#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace roadtune::remote {
namespace {

using ::testing::HasSubstr;

TEST(AgentLock, OnePerRunAndNode) {
  const testing::TempFolder run;
  auto first = AgentLock::take(run.path(), 0);
  ASSERT_TRUE(first.ok());
  ASSERT_TRUE(first.value().name({4711, 99}).ok());
  const auto second = AgentLock::take(run.path(), 0);
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(second.error().text(), HasSubstr("already going on (agent 4711"));
  EXPECT_TRUE(AgentLock::take(run.path(), 1).ok());
}

TEST(AgentLock, TellsItsHolderAndIsFreeAfterwards) {
  const testing::TempFolder run;
  EXPECT_FALSE(AgentLock::holder(run.path(), 0).has_value());
  {
    auto lock = AgentLock::take(run.path(), 0);
    ASSERT_TRUE(lock.ok());
    EXPECT_EQ(AgentLock::holder(run.path(), 0), (ProcessId{-1, 0}));  // not named yet
    ASSERT_TRUE(lock.value().name({12, 34}).ok());
    EXPECT_EQ(AgentLock::holder(run.path(), 0), (ProcessId{12, 34}));
  }
  EXPECT_FALSE(AgentLock::holder(run.path(), 0).has_value());
}

TEST(AgentLock, GoesWithTheProcessHoweverItEnds) {
  const testing::TempFolder run;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    const auto lock = AgentLock::take(run.path(), 0);
    [[maybe_unused]] const ssize_t ignored = ::write(ready[1], "x", 1);
    ::pause();
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_TRUE(AgentLock::holder(run.path(), 0).has_value());
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  EXPECT_FALSE(AgentLock::holder(run.path(), 0).has_value());
  EXPECT_TRUE(AgentLock::take(run.path(), 0).ok());
}

TEST(ProcessTable, APidBornAtAnotherTimeIsAnotherProcess) {
  const auto self = lookUpProcess(::getpid());
  ASSERT_TRUE(self.has_value());
  EXPECT_TRUE(isAlive(self->id));
  EXPECT_FALSE(isAlive({self->id.pid, self->id.startTicks + 1}));
}

TEST(ProcessTable, FindsGrandchildrenAndCountsZombiesAsGone) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const pid_t grandchild = ::fork();
    if (grandchild == 0) ::pause();
    [[maybe_unused]] const ssize_t ignored = ::write(ready[1], &grandchild, sizeof grandchild);
    ::pause();
  }
  pid_t grandchild = -1;
  ASSERT_EQ(::read(ready[0], &grandchild, sizeof grandchild), static_cast<ssize_t>(sizeof grandchild));
  bool found = false;
  for (const auto& entry : descendantsOf(::getpid())) found |= entry.id.pid == grandchild;
  EXPECT_TRUE(found);
  ::kill(grandchild, SIGKILL);
  const auto id = lookUpProcess(child)->id;
  ::kill(child, SIGKILL);
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  EXPECT_FALSE(isAlive(id));  // a zombie
  ::waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace roadtune::remote
