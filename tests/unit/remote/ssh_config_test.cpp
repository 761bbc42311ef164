// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/ssh_config.h"

#include "remote/ssh/shell_quote.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace roadtune::remote {
namespace {

using testing::TempFolder;

HostSpec resolved(const std::string& text, const std::string& target) {
  TempFolder folder;
  auto config = SshConfig::load(folder.write("config", text));
  EXPECT_TRUE(config.ok()) << (config.ok() ? "" : config.error().text());
  auto host = config.value().resolve(target);
  EXPECT_TRUE(host.ok()) << (host.ok() ? "" : host.error().text());
  return host.value();
}

TEST(SshConfig, WithoutAFileTheTargetSpeaksForItself) {
  const auto config = SshConfig::load("/nowhere/config");
  ASSERT_TRUE(config.ok());
  const HostSpec host = config.value().resolve("alice@node1:2222").value();
  EXPECT_EQ(host.user, "alice");
  EXPECT_EQ(host.hostName, "node1");
  EXPECT_EQ(host.port, 2222);
  EXPECT_EQ(host.label(), "alice@node1:2222");
  EXPECT_FALSE(host.identityFiles.empty());
}

TEST(SshConfig, TheFirstValueWins) {
  const HostSpec host =
      resolved("Host gpu*\n  HostName 10.0.0.7\n  User train\n  Port 2200\nHost *\n  User other\n  Port 22\n", "gpu1");
  EXPECT_EQ(host.hostName, "10.0.0.7");
  EXPECT_EQ(host.user, "train");
  EXPECT_EQ(host.port, 2200);
}

TEST(SshConfig, WhatIsTypedWinsOverTheFile) {
  const HostSpec host = resolved("Host gpu\n  User train\n  Port 2200\n", "me@gpu:23");
  EXPECT_EQ(host.user, "me");
  EXPECT_EQ(host.port, 23);
}

TEST(SshConfig, NegatedPatternsExclude) {
  EXPECT_EQ(resolved("Host *.lan !old.lan\n  User lan\nHost *\n  User any\n", "new.lan").user, "lan");
  EXPECT_EQ(resolved("Host *.lan !old.lan\n  User lan\nHost *\n  User any\n", "old.lan").user, "any");
}

TEST(SshConfig, QuotesEqualsSignsAndCommentsAreRead) {
  const HostSpec host =
      resolved("# comment\nHost a\n  IdentityFile \"/keys/my key\"\n  Port = 2022 # not 22\n  User=bob\n", "a");
  EXPECT_EQ(host.identityFiles, std::vector<std::string>{"/keys/my key"});
  EXPECT_EQ(host.port, 2022);
  EXPECT_EQ(host.user, "bob");
}

TEST(SshConfig, JumpHostsAreSplitAndNoneTurnsThemOff) {
  EXPECT_EQ(resolved("Host a\n ProxyJump j1,user@j2:2222\n", "a").jumps,
            (std::vector<std::string>{"j1", "user@j2:2222"}));
  EXPECT_TRUE(resolved("Host a\n ProxyJump none\nHost *\n ProxyJump j1\n", "a").jumps.empty());
}

TEST(SshConfig, IncludedFilesApplyAndTheBlockAroundThemGoesOn) {
  TempFolder folder;
  folder.write("more", "Host a\n  Port 2001\nHost b\n  Port 2002\n");
  auto config = SshConfig::load(folder.write("config", "Host a\n  Include more\n  User inner\nHost b\n  User other\n"));
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config.value().resolve("a").value().port, 2001);
  EXPECT_EQ(config.value().resolve("a").value().user, "inner");
  EXPECT_EQ(config.value().resolve("b").value().user, "other");
}

TEST(SshConfig, MatchAllAndMatchHostWork) {
  const std::string text =
      "Host a\n HostName real\nMatch host real user bob\n Port 2100\nMatch all\n ConnectTimeout 3\n";
  EXPECT_EQ(resolved(text, "bob@a").port, 2100);
  EXPECT_EQ(resolved(text, "amy@a").port, 22);
  EXPECT_EQ(resolved(text, "a").connectTimeoutSeconds, 3);
}

TEST(SshConfig, WhatIsNotSupportedIsReportedByKeyword) {
  const HostSpec host = resolved(
      "Host a\n  ProxyCommand nc %h %p\n  CertificateFile /x\nMatch exec true\n  User z\nHost b\n  "
      "GSSAPIAuthentication yes\n",
      "a");
  ASSERT_EQ(host.notes.size(), 3u) << ::testing::PrintToString(host.notes);
  EXPECT_NE(host.notes[0].find("config:2: 'proxycommand' is not supported"), std::string::npos);
  EXPECT_NE(host.notes[2].find("Match exec"), std::string::npos);
}

TEST(SshConfig, TurningHostKeyChecksOffIsNotFollowed) {
  const HostSpec host = resolved("Host *\n  StrictHostKeyChecking no\n", "a");
  ASSERT_EQ(host.notes.size(), 1u);
  EXPECT_NE(host.notes[0].find("not followed"), std::string::npos);
}

TEST(SshConfig, OptionsCannotBeSmuggledInAsHosts) {
  const auto config = SshConfig::load("/nowhere").value();
  for (const char* bad : {"", "user@", "-oProxyCommand=x", "host:port", "host:99999"})
    EXPECT_FALSE(config.resolve(bad).ok()) << bad;
}

TEST(SshConfig, EndlessIncludesEnd) {
  TempFolder folder;
  const auto file = folder.write("config", "Include config\n");
  EXPECT_FALSE(SshConfig::load(file).ok());
}

TEST(SshConfig, HostNamesForAPickerLeaveOutPatterns) {
  TempFolder folder;
  auto config = SshConfig::load(folder.write("config", "Host a b\nHost *.lan\nHost c !d\nHost a\n"));
  EXPECT_EQ(config.value().hostNames(), (std::vector<std::string>{"a", "b", "c"}));
}

TEST(ShellQuote, EveryWordArrivesAsItLeft) {
  const std::vector<std::string> words = {"plain", "two words", "it's", "$HOME", "`x`", "a\nb",
                                          "",      "*",         "\\",   "-n",    "ünï"};
  std::vector<std::string> command = {"printf", "%s|"};
  command.insert(command.end(), words.begin(), words.end());
  const auto result = testing::runProgram({"sh", "-c", shellCommand(command)});
  std::string expected;
  for (const auto& word : words) expected += word + "|";
  EXPECT_EQ(result.out, expected);
}

TEST(Patterns, StarsAndQuestionMarks) {
  EXPECT_TRUE(matchesPattern("*", ""));
  EXPECT_TRUE(matchesPattern("g?u*", "gpu12"));
  EXPECT_FALSE(matchesPattern("g?u", "gpu1"));
  EXPECT_TRUE(matchesPattern("*a*b", "xxaxxbab"));
}

}  // namespace
}  // namespace roadtune::remote
