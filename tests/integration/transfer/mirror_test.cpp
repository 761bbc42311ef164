// SPDX-License-Identifier: GPL-3.0-or-later
// A run's files, copied through a real sshd by the real agent program.
#include "remote/transfer/mirror.h"

#include "core/base/clock.h"
#include "tests/support/local_host.h"
#include "tests/support/program.h"
#include "tests/support/ssh_server.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

namespace roadtune::remote {
namespace {

using testing::readAll;
using testing::SshServer;
using testing::TempFolder;

TEST(FileFrames, HeadersSurviveTheTripAndBadOnesAreRefused) {
  const auto frame = parseFrameHeader(frameHeader({"events/rank-000.jsonl", 5, 7}));
  ASSERT_TRUE(frame.ok());
  EXPECT_EQ(frame.value().file, "events/rank-000.jsonl");
  EXPECT_EQ(frame.value().offset, 5u);
  for (const char* bad : {"", "x", "[]", "{}", R"({"file":"../../etc/passwd","offset":0,"size":1})",
                          R"({"file":"/etc/x","offset":0,"size":1})", R"({"file":"a","offset":-1,"size":1})",
                          R"({"file":"a","offset":0,"size":99999999999})"})
    EXPECT_FALSE(parseFrameHeader(bad).ok()) << bad;
}

TEST(MirrorWriter, AnyCutOfTheStreamGivesTheSameFiles) {
  const std::string stream = frameHeader({"events/a", 0, 5}) + "hello" + frameHeader({}) +
                             frameHeader({"logs/b", 0, 2}) + "\n\n" + frameHeader({"events/a", 5, 3}) + "abc";
  for (std::size_t step = 1; step < stream.size(); step += 3) {
    TempFolder folder;
    MirrorWriter writer(folder.path());
    for (std::size_t at = 0; at < stream.size(); at += step) ASSERT_TRUE(writer.feed(stream.substr(at, step)).ok());
    EXPECT_EQ(readAll(folder / "events/a"), "helloabc");
    EXPECT_EQ(readAll(folder / "logs/b"), "\n\n");
    EXPECT_EQ(writer.have(), (FileOffsets{{"events/a", 8}, {"logs/b", 2}}));
  }
}

TEST(MirrorWriter, AGapIsRefused) {
  TempFolder folder;
  MirrorWriter writer(folder.path());
  EXPECT_FALSE(writer.feed(frameHeader({"events/a", 4, 1}) + "x").ok());
}

class MirrorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!SshServer::available()) GTEST_SKIP() << "a throw-away sshd needs root and openssh-server";
    m_server = std::make_unique<SshServer>();
    std::filesystem::create_directories(m_there / "events");
    std::filesystem::create_directories(m_there / "logs");
    m_prompts.trustUnknownKey = [](const UnknownKey&) { return true; };
  }

  std::unique_ptr<Mirror> mirror() {
    const HostSpec host = testing::hostOf(*m_server, m_home / "known_hosts");
    return std::make_unique<Mirror>(MirrorSource{host, testing::programPath("roadtune-agent"), m_there.path()},
                                    m_here.path(), m_prompts, SshConfig{});
  }

  void append(const std::string& file, const std::string& text) const {
    std::ofstream(m_there / file, std::ios::app) << text;
  }

  bool equalWithin(const std::string& file, double seconds) const {
    const double until = monotonicSeconds() + seconds;
    while (monotonicSeconds() < until) {
      if (std::filesystem::exists(m_here / file) && readAll(m_here / file) == readAll(m_there / file)) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }

  TempFolder m_home, m_here, m_there;
  Prompts m_prompts;
  std::unique_ptr<SshServer> m_server;
};

TEST_F(MirrorTest, WhatIsAppendedThereAppearsHere) {
  append("events/rank-000.jsonl", "one\n");
  const auto mirror = this->mirror();
  EXPECT_TRUE(equalWithin("events/rank-000.jsonl", 10)) << mirror->lastError();
  append("events/rank-000.jsonl", std::string(3 << 20, 'x') + "\n");
  append("logs/rank-000.log", "words\n");
  EXPECT_TRUE(equalWithin("events/rank-000.jsonl", 10)) << mirror->lastError();
  EXPECT_TRUE(equalWithin("logs/rank-000.log", 5));
}

TEST_F(MirrorTest, ALaterMirrorContinuesAtTheByte) {
  append("events/rank-000.jsonl", "one\ntwo");
  {
    const auto first = mirror();
    EXPECT_TRUE(equalWithin("events/rank-000.jsonl", 10));
  }
  append("events/rank-000.jsonl", " and a half\nthree\n");
  const auto second = mirror();
  EXPECT_TRUE(equalWithin("events/rank-000.jsonl", 10)) << second->lastError();
}

TEST_F(MirrorTest, AServerThatGoesAwayAndComesBackCostsNothing) {
  append("events/rank-000.jsonl", "one\n");
  const auto mirror = this->mirror();
  EXPECT_TRUE(equalWithin("events/rank-000.jsonl", 10));
  EXPECT_TRUE(mirror->reached());
  m_server->breakConnections();
  append("events/rank-000.jsonl", "written while the link was down\n");
  bool lost = false;
  for (int i = 0; i < 500 && !(lost = !mirror->reached()); ++i) ::usleep(10'000);
  EXPECT_TRUE(lost);
  EXPECT_TRUE(equalWithin("events/rank-000.jsonl", 15)) << mirror->lastError();
  EXPECT_TRUE(mirror->reached());
}

}  // namespace
}  // namespace roadtune::remote
