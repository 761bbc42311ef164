// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/subprocess.h"

#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

namespace roadtune {
namespace {

TEST(Subprocess, KeepsWhatACommandPrintedAndItsExitCode) {
  const auto output = runCommand({.command = {"sh", "-c", "echo out; echo err >&2; exit 3"}});
  ASSERT_TRUE(output.ok()) << output.error().text();
  EXPECT_EQ(output.value().out, "out\n");
  EXPECT_EQ(output.value().err, "err\n");
  EXPECT_EQ(output.value().status.code, 3);
  EXPECT_EQ(output.value().status.text(), "exit code 3");
}

TEST(Subprocess, NamesTheSignalThatKilled) {
  const auto output = runCommand({.command = {"sh", "-c", "kill -KILL $$"}});
  ASSERT_TRUE(output.ok());
  EXPECT_EQ(output.value().status.code, 137);
  EXPECT_EQ(output.value().status.text(), "killed by SIGKILL");
}

TEST(Subprocess, AMissingProgramIsAnErrorNotAnExitCode) {
  const auto child = Subprocess::start({.command = {"/nowhere/to/be/found"}});
  ASSERT_FALSE(child.ok());
  EXPECT_EQ(child.error().kind, ErrorKind::Missing);
  EXPECT_NE(child.error().text().find("/nowhere/to/be/found"), std::string::npos);
}

TEST(Subprocess, AddsVariablesAndSetsTheFolder) {
  const auto output = runCommand({.command = {"sh", "-c", "echo $ROADTUNE_TEST_WORD; pwd"},
                                  .environment = {{"ROADTUNE_TEST_WORD", "hello"}},
                                  .folder = "/tmp"});
  ASSERT_TRUE(output.ok());
  EXPECT_EQ(output.value().out, "hello\n/tmp\n");
}

TEST(Subprocess, DescriptorsOfOursDoNotLeakIntoIt) {
  const int leaky = ::open("/dev/zero", O_RDONLY);  // without O_CLOEXEC
  const auto output = runCommand({.command = {"sh", "-c", "ls -l /proc/$$/fd"}});
  ::close(leaky);
  ASSERT_TRUE(output.ok());
  EXPECT_EQ(output.value().out.find("/dev/zero"), std::string::npos) << output.value().out;
}

TEST(Subprocess, PassesLinesThroughItsInputPipe) {
  auto child = Subprocess::start({.command = {"cat"}, .input = Stream::pipe(), .output = Stream::pipe()});
  ASSERT_TRUE(child.ok());
  ASSERT_EQ(::write(child.value().input().get(), "abc", 3), 3);
  child.value().input().reset();
  char buffer[8] = {};
  EXPECT_EQ(::read(child.value().output().get(), buffer, sizeof buffer), 3);
  EXPECT_STREQ(buffer, "abc");
  EXPECT_TRUE(child.value().wait().ok());
}

TEST(Subprocess, KillsTheWholeGroupPastItsLimit) {
  const auto output = runCommand({.command = {"sh", "-c", "sleep 30 & sleep 30"}}, 0.3);
  ASSERT_FALSE(output.ok());
  EXPECT_NE(output.error().text().find("did not end"), std::string::npos);
}

TEST(Subprocess, PollAnswersNothingWhileItRuns) {
  auto child = Subprocess::start({.command = {"sleep", "20"}, .newGroup = true});
  ASSERT_TRUE(child.ok());
  EXPECT_FALSE(child.value().poll().has_value());
  EXPECT_EQ(::getpgid(child.value().pid()), child.value().pid());
  ::kill(child.value().pid(), SIGTERM);
  EXPECT_EQ(child.value().wait().signal, SIGTERM);
}

}  // namespace
}  // namespace roadtune
