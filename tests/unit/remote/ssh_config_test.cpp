// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/ssh_config.h"

#include "remote/ssh/shell_quote.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>

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
      "Host a\n  PreferredAuthentications publickey\n  CertificateFile /x\nMatch exec true\n  User z\nHost b\n  "
      "GSSAPIAuthentication yes\n",
      "a");
  ASSERT_EQ(host.notes.size(), 3u) << ::testing::PrintToString(host.notes);
  EXPECT_NE(host.notes[0].find("config:2: 'preferredauthentications' is not supported"), std::string::npos);
  EXPECT_NE(host.notes[2].find("Match exec"), std::string::npos);
}

TEST(SshConfig, AnotherWayThanADirectOneIsRefusedAndNotPassedOver) {
  TempFolder folder;
  const auto config = SshConfig::load(
      folder.write("config",
                   "Host a\n ProxyCommand nc %h %p\nHost b\n ProxyJump j\nHost c\n ProxyCommand none\nHost b c\n "
                   "ProxyCommand nc %h %p\n"));
  const auto refused = config.value().resolve("a");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().text().find("config:2"), std::string::npos) << refused.error().text();
  EXPECT_NE(refused.error().hint.find("ProxyJump"), std::string::npos);
  EXPECT_EQ(config.value().resolve("b").value().jumps, std::vector<std::string>{"j"}) << "the first one counts";
  EXPECT_TRUE(config.value().resolve("c").ok());
}

TEST(SshConfig, TurningHostKeyChecksOffIsNotFollowed) {
  for (const std::string value : {"no", "off", "accept-new"}) {
    const HostSpec host = resolved("Host *\n  StrictHostKeyChecking " + value + "\n", "a");
    ASSERT_EQ(host.notes.size(), 1u) << value;
    EXPECT_NE(host.notes[0].find(value + " is not followed"), std::string::npos);
  }
  for (const std::string value : {"yes", "Ask"})
    EXPECT_TRUE(resolved("Host *\n  StrictHostKeyChecking " + value + "\n", "a").notes.empty()) << value;
}

TEST(SshConfig, VariablesAndHomesInNamesOfFilesAreExpanded) {
  ::setenv("ROADTUNE_TEST_KEYS", "/keys", 1);
  const HostSpec host = resolved(
      "Host a\n IdentityFile ${ROADTUNE_TEST_KEYS}/%n.key\n IdentityFile ~root/k\n UserKnownHostsFile ~/one "
      "${ROADTUNE_TEST_KEYS}/two\n",
      "a");
  const std::string home = std::getenv("HOME");
  EXPECT_EQ(host.identityFiles, (std::vector<std::string>{"/keys/a.key", "/root/k"}));
  EXPECT_EQ(host.knownHostsFile, home + "/one");
  EXPECT_EQ(host.moreKnownHostsFiles, std::vector<std::string>{"/keys/two"});
  TempFolder folder;
  const auto unset = SshConfig::load(folder.write("config", "IdentityFile ${ROADTUNE_TEST_UNSET}/k\n"));
  const auto refused = unset.value().resolve("a");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().text().find("${ROADTUNE_TEST_UNSET} is not set"), std::string::npos);
}

TEST(SshConfig, WhatABlockIncludesIsNotForOtherHosts) {
  TempFolder folder;
  folder.write("inner", "Host *\n  Port 2001\nMatch all\n  User inner\n");
  const auto config = SshConfig::load(folder.write("config", "Host a\n  Include inner\n  ConnectTimeout 7\n")).value();
  EXPECT_EQ(config.resolve("a").value().port, 2001);
  EXPECT_EQ(config.resolve("a").value().user, "inner");
  EXPECT_EQ(config.resolve("a").value().connectTimeoutSeconds, 7);
  EXPECT_EQ(config.resolve("b").value().port, 22);
  EXPECT_NE(config.resolve("b").value().user, "inner");
}

TEST(SshConfig, AddressesAreReadAsSshReadsThem) {
  const auto config = SshConfig::load("/nowhere/config").value();
  const HostSpec uri = config.resolve("ssh://me@node1:2222/").value();
  EXPECT_EQ(uri.label(), "me@node1:2222");
  const HostSpec six = config.resolve("me@[fe80::1]:2200").value();
  EXPECT_EQ(six.hostName, "fe80::1");
  EXPECT_EQ(six.port, 2200);
  EXPECT_EQ(six.label(), "me@[fe80::1]:2200");
  EXPECT_EQ(config.resolve("[::1]").value().hostName, "::1");
  EXPECT_EQ(config.resolve("fe80::1").value().hostName, "fe80::1");
  for (const char* bad : {"ssh://", "ssh://a/b", "[::1", "[::1]x", "[]:22", "ssh://-oProxyCommand=x"})
    EXPECT_FALSE(config.resolve(bad).ok()) << bad;
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
