// SPDX-License-Identifier: GPL-3.0-or-later
// Copies and live events over long and narrow links. How fast exactly: tests/bench/links.
#include "core/base/clock.h"
#include "core/base/hash.h"
#include "remote/ssh/download.h"
#include "remote/ssh/upload.h"
#include "remote/transfer/mirror.h"
#include "tests/support/local_host.h"
#include "tests/support/program.h"
#include "tests/support/ssh_server.h"
#include "tests/support/tcp_relay.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <thread>

namespace roadtune::remote {
namespace {

using testing::readAll;
using testing::SshServer;
using testing::TcpRelay;
using testing::TempFolder;
using testing::Way;

class LongLink : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!SshServer::available()) GTEST_SKIP() << "a throw-away sshd needs root and openssh-server";
    m_server = std::make_unique<SshServer>();
    m_prompts.trustUnknownKey = [](const UnknownKey&) { return true; };
  }
  void lay(const Way& way) { m_relay = std::make_unique<TcpRelay>(m_server->port(), way); }
  HostSpec host() const { return testing::hostOf(*m_server, m_home / "known_hosts", m_relay->port()); }

  TempFolder m_home, m_here, m_there;
  Prompts m_prompts;
  std::unique_ptr<SshServer> m_server;
  std::unique_ptr<TcpRelay> m_relay;
};

TEST_F(LongLink, BothWaysBytesArriveWholeAndUseWhatTheLinkHas) {
  lay({.delay = 0.15, .bytesPerSecond = 20e6});
  const std::string content = testing::noise(12 << 20);
  const auto file = m_home.write("weights", content);
  auto session = Session::connect(host(), m_prompts);
  ASSERT_TRUE(session.ok()) << session.error().text();
  const double began = monotonicSeconds();
  ASSERT_TRUE(uploadFile(session.value(), file, m_there / "weights").ok());
  const double there = monotonicSeconds();
  EXPECT_TRUE(readAll(m_there / "weights") == content);
  const RemoteFile wanted{(m_there / "weights").string(), content.size(), sha256Hex(content)};
  ASSERT_TRUE(downloadFile(session.value(), wanted, m_here / "weights").ok());
  const double back = monotonicSeconds();
  EXPECT_TRUE(readAll(m_here / "weights") == content);
  // One round trip per 128 KB would take 29 s; that much is told apart on any machine.
  EXPECT_LT(there - began, 15);
  EXPECT_LT(back - there, 15);
}

TEST_F(LongLink, EventsComeSoonAndWholeThoughPacketsAreLost) {
  lay({.delay = 0.05, .bytesPerSecond = 1e6, .loss = 0.02});
  std::filesystem::create_directories(m_there / "events");
  std::ofstream(m_there / "events/rank-000.jsonl") << "begin\n";
  Mirror mirror({host(), testing::programPath("roadtune-agent"), m_there.path()}, m_here.path(), m_prompts,
                SshConfig{});
  const auto arrived = [&](double seconds) {
    const double until = monotonicSeconds() + seconds;
    while (monotonicSeconds() < until) {
      if (std::filesystem::exists(m_here / "events/rank-000.jsonl") &&
          readAll(m_here / "events/rank-000.jsonl") == readAll(m_there / "events/rank-000.jsonl"))
        return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  };
  ASSERT_TRUE(arrived(20)) << mirror.lastError();
  for (int step = 0; step < 20; ++step) {
    std::ofstream(m_there / "events/rank-000.jsonl", std::ios::app) << "step " << step << std::string(300, '.') << "\n";
    EXPECT_TRUE(arrived(5)) << "step " << step << ": " << mirror.lastError();
  }
}

}  // namespace
}  // namespace roadtune::remote
