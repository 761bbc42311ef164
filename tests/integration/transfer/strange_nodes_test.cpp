// SPDX-License-Identifier: GPL-3.0-or-later
// What machines say that are strange, gone or named by their loopback, through a real sshd.
#include "core/base/file_lock.h"
#include "core/base/hash.h"
#include "core/protocol/checkpoint_marker.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/checkpoint_places.h"
#include "remote/launch/meeting_address.h"
#include "remote/launch/run_results.h"
#include "remote/transfer/checkpoint_transfer.h"
#include "tests/support/program.h"
#include "tests/support/ssh_server.h"
#include "tests/support/test_network.h"

#include <gmock/gmock.h>

#include <memory>

namespace roadtune::remote {
namespace {

using ::testing::HasSubstr;
using testing::readAll;
using testing::SshServer;
using testing::TempFolder;
using testing::TestNetwork;

constexpr const char* kNear = "near";  // this machine, over its loopback

std::string blockOf(const SshServer& server, const TempFolder& home) {
  return std::string("Host ") + kNear + "\n  HostName 127.0.0.1\n  User root\n  Port " + std::to_string(server.port()) +
         "\n  IdentityFile " + server.userKey() + "\n  IdentitiesOnly yes\n  UserKnownHostsFile " +
         (home / "known_hosts").string() + "\n";
}

class StrangeNodes : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!SshServer::available()) GTEST_SKIP() << "a throw-away sshd needs root and openssh-server";
    m_server = std::make_unique<SshServer>("SetEnv PATH=" + (m_home / "bin").string() + ":/usr/bin:/bin\n");
    m_access.config = SshConfig::load(m_home.write("config", blockOf(*m_server, m_home))).value();
    m_access.prompts.trustUnknownKey = [](const UnknownKey&) { return true; };
  }
  void ranThere() const {
    protocol::Manifest manifest;
    manifest.runId = "id";
    manifest.nodes = {{.node = 0, .host = "far", .address = kNear, .folder = m_there.path(), .agentPid = 17}};
    ASSERT_TRUE(protocol::writeManifest(protocol::RunLayout(m_here.path()).manifest(), manifest).ok());
  }
  Session connected() const {
    auto session = m_access.connect(kNear);
    EXPECT_TRUE(session.ok()) << (session.ok() ? "" : session.error().text());
    return std::move(session).value();
  }

  TempFolder m_home, m_here, m_there;
  HostAccess m_access;
  std::unique_ptr<SshServer> m_server;
};

struct Impatient : ProgressSink {
  explicit Impatient(std::string stage) : m_stage(std::move(stage)) {}
  bool report(const Progress& progress) override { return progress.stage != m_stage; }
  std::string m_stage;
};

TEST_F(StrangeNodes, AResultWithAWholePathIsNotTaken) {
  ranThere();
  const std::string content = "owned", evil = m_home / "evil";
  m_there.write("predictions/step-1.jsonl", content);
  m_there.write(evil.substr(1), content);
  const auto program = m_home.write("bin/stat", "#!/bin/sh\necho 5 " + evil + "\necho 5\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const Status brought = bringResults(m_here.path(), m_access);
  EXPECT_TRUE(brought.ok()) << brought.error().text();
  EXPECT_FALSE(std::filesystem::exists(evil));
}

TEST_F(StrangeNodes, ResultsWaitForWhoBringsThemAlready) {
  ranThere();
  m_there.write("predictions/step-1.jsonl", "right");
  {
    const auto other = tryLock(m_here / ".fetch.lock");
    ASSERT_TRUE(other.ok() && other.value());
    Impatient impatient("waiting");
    EXPECT_FALSE(bringResults(m_here.path(), m_access, &impatient).ok());
    EXPECT_FALSE(std::filesystem::exists(m_here / "predictions"));
  }
  EXPECT_TRUE(bringResults(m_here.path(), m_access).ok());
  EXPECT_EQ(readAll(m_here / "predictions/step-1.jsonl"), "right");
}

std::string markerOf(const std::string& content) {
  return protocol::markerText({{"weights", content.size(), sha256Hex(content)}});
}

TEST_F(StrangeNodes, ABestThatCannotBeBroughtLeavesTheOneThatIsHere) {
  m_here.write("best/weights", "old");
  m_here.write("best/COMPLETE", markerOf("old"));
  m_there.write("best/COMPLETE", markerOf("better"));
  Session session = connected();
  EXPECT_FALSE(fetchBest(session, m_there.path(), m_here.path()).ok());
  EXPECT_EQ(readAll(m_here / "best/COMPLETE"), markerOf("old"));
  m_there.write("best/weights", "better");
  const Status fetched = fetchBest(session, m_there.path(), m_here.path());
  EXPECT_TRUE(fetched.ok()) << fetched.error().text();
  EXPECT_EQ(readAll(m_here / "best/weights"), "better");
}

TEST_F(StrangeNodes, AnotherCheckpointOfTheSameStepIsNotWholeWhileItIsReplaced) {
  const auto here = m_here.write("checkpoint-4/weights", "new").parent_path();
  m_here.write("checkpoint-4/COMPLETE", markerOf("new"));
  m_there.write("checkpoint-4/weights", "old");
  m_there.write("checkpoint-4/COMPLETE", markerOf("old"));
  Session session = connected();
  Impatient impatient("copying");
  EXPECT_FALSE(sendCheckpoint(session, here, m_there.path(), &impatient).ok());
  EXPECT_FALSE(std::filesystem::exists(m_there / "checkpoint-4/COMPLETE"));
  const auto sent = sendCheckpoint(session, here, m_there.path());
  EXPECT_TRUE(sent.ok()) << sent.error().text();
  EXPECT_EQ(readAll(m_there / "checkpoint-4/COMPLETE"), markerOf("new"));
}

TEST_F(StrangeNodes, WhoIsMetAtItsLoopbackIsFoundWhereItTalksToOthers) {
  if (!TestNetwork::available()) GTEST_SKIP() << "network namespaces need root";
  const TestNetwork network(1);
  HostAccess far = m_access;
  far.config = SshConfig::load(network.sshConfig()).value();
  auto there = far.connect("host1");
  ASSERT_TRUE(there.ok()) << there.error().text();
  Session near = connected(), alsoNear = connected();
  std::string nearAddress = "127.0.1.1", farAddress = network.address(0), alsoAddress = "127.0.0.1";
  ASSERT_TRUE(leaveLoopbacks({{kNear, &near, &nearAddress}, {"host1", &there.value(), &farAddress}}).ok());
  EXPECT_EQ(farAddress, network.address(0));
  EXPECT_EQ(nearAddress, farAddress.substr(0, farAddress.rfind('.')) + ".1");
  EXPECT_TRUE(wayTo(near, farAddress, "dev", kNear).valueOr("").ends_with("br"));
  // Accounts of one machine may meet there; of two machines none of which has another address nothing is known.
  nearAddress = "127.0.0.1";
  EXPECT_TRUE(leaveLoopbacks({{kNear, &near, &nearAddress}, {"also", &alsoNear, &alsoAddress}}).ok());
  farAddress = "::1";
  const Status lost = leaveLoopbacks({{kNear, &near, &nearAddress}, {"host1", &there.value(), &farAddress}});
  ASSERT_FALSE(lost.ok());
  EXPECT_THAT(lost.error().text(), HasSubstr("host1: was reached at ::1, where other machines do not find it"));
}

TEST_F(StrangeNodes, WhatLivingMachinesWroteIsBroughtThoughAnotherOneIsGone) {
  if (!TestNetwork::available()) GTEST_SKIP() << "network namespaces need root";
  const TestNetwork network(2);
  HostAccess access = m_access;
  access.config = SshConfig::load(network.sshConfig()).value();
  const auto program = testing::programPath("roadtune-agent");
  const TempFolder gone;
  protocol::Manifest manifest;
  manifest.runId = "id";
  manifest.nodes = {{.node = 0, .host = "a", .address = "host1", .folder = gone.path(), .program = program},
                    {.node = 1, .host = "b", .address = "host2", .folder = m_there.path(), .program = program}};
  ASSERT_TRUE(protocol::writeManifest(protocol::RunLayout(m_here.path()).manifest(), manifest).ok());
  m_here.write("events/rank-001.jsonl", "one\n");
  m_there.write("events/rank-001.jsonl", "one\ntwo\nthree\n");
  network.cable(0, false);
  EXPECT_FALSE(bringEvents(m_here.path(), access, 20).ok());
  EXPECT_EQ(readAll(m_here / "events/rank-001.jsonl"), "one\n");
  const Status brought = bringEvents(m_here.path(), access, 20, Unreachable::PassOver);
  EXPECT_TRUE(brought.ok()) << brought.error().text();
  EXPECT_EQ(readAll(m_here / "events/rank-001.jsonl"), "one\ntwo\nthree\n");
}

}  // namespace
}  // namespace roadtune::remote
