// SPDX-License-Identifier: GPL-3.0-or-later
// What opens a machine beyond one key in a file: keys of the agent, two proofs, a person who takes their time.
#include "core/base/subprocess.h"
#include "remote/ssh/session.h"
#include "tests/support/local_host.h"
#include "tests/support/program.h"
#include "tests/support/ssh_server.h"
#include "tests/support/test_network.h"

#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <unistd.h>

namespace roadtune::remote {
namespace {

using testing::Door;
using ::testing::HasSubstr;
using testing::runProgram;
using testing::SshServer;
using testing::TempFolder;
using testing::TestNetwork;

class Proofs : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!SshServer::available()) GTEST_SKIP() << "a throw-away sshd needs root and openssh-server";
  }
  void TearDown() override {
    if (m_agent) ::kill(m_agent->pid(), SIGTERM), m_agent->wait();
    ::unsetenv("SSH_AUTH_SOCK");
  }

  void startAgent(const std::vector<std::string>& keys) {
    const std::string socket = m_home / "agent";
    auto started = Subprocess::start({.command = {"/usr/bin/ssh-agent", "-D", "-a", socket}});
    ASSERT_TRUE(started.ok()) << started.error().text();
    m_agent = std::make_unique<Subprocess>(std::move(started).value());
    for (int i = 0; i < 200 && !std::filesystem::exists(socket); ++i) ::usleep(10'000);
    ::setenv("SSH_AUTH_SOCK", socket.c_str(), 1);
    const std::string answer = m_home.write("answer", "#!/bin/sh\necho correct horse\n");
    std::filesystem::permissions(answer, std::filesystem::perms::owner_all);
    for (const auto& key : keys) {
      const auto added = runProgram({"setsid", "ssh-add", key},
                                    {.environment = {{"SSH_ASKPASS", answer}, {"SSH_ASKPASS_REQUIRE", "force"}}});
      ASSERT_EQ(added.exitCode, 0) << added.err;
    }
  }

  Status tryTo(const SshServer& server, const std::vector<std::string>& keys) {
    HostSpec host = testing::hostOf(server, m_home / "known_hosts");
    host.identityFiles = keys;
    auto session = Session::connect(host, m_prompts);
    if (!session.ok()) return session.error();
    EXPECT_EQ(session.value().output("echo in").valueOr(""), "in\n");
    return {};
  }

  TempFolder m_home;
  Prompts m_prompts{.trustUnknownKey = [](const UnknownKey&) { return true; }};
  std::unique_ptr<Subprocess> m_agent;
};

TEST_F(Proofs, TwoKeysAreGivenWhereTheServerWantsTwo) {
  const SshServer server("AuthenticationMethods publickey,publickey\n");
  m_prompts.passphrase = [](const std::string&) { return std::optional<std::string>("correct horse"); };
  const Status both = tryTo(server, {server.userKey(), server.lockedKey()});
  EXPECT_TRUE(both.ok()) << both.error().text();
  const Status one = tryTo(server, {server.userKey()});
  ASSERT_FALSE(one.ok());
  EXPECT_THAT(one.error().text(), HasSubstr("user_key: accepted, and more is asked for"));
}

TEST_F(Proofs, OfTheAgentOnlyTheKeysThatAreNamedAreOffered) {
  const SshServer server("MaxAuthTries 2\n");
  startAgent({server.strangerKey(), server.userKey(), server.lockedKey()});
  // The locked one by its file, without its passphrase, and by its public half alone.
  for (const auto& key : {server.lockedKey(), server.lockedKey() + ".pub"}) {
    const Status entered = tryTo(server, {key});
    EXPECT_TRUE(entered.ok()) << entered.error().text();
  }
  const Status stranger = tryTo(server, {server.strangerKey() + ".pub"});
  ASSERT_FALSE(stranger.ok()) << "another key of the agent would have opened it";
  EXPECT_THAT(stranger.error().text(), HasSubstr("its other half is not in the agent, or was refused"));
}

TEST_F(Proofs, BothKeysMayComeFromTheAgent) {
  const SshServer server("AuthenticationMethods publickey,publickey\n");
  startAgent({server.userKey(), server.lockedKey()});
  const Status both = tryTo(server, {server.userKey() + ".pub", server.lockedKey() + ".pub"});
  EXPECT_TRUE(both.ok()) << both.error().text();
}

TEST_F(Proofs, APersonMayTakeLongerThanAConnection) {
  if (!TestNetwork::available()) GTEST_SKIP() << "network namespaces need root";
  const TestNetwork network(1, {{Door::Kind::Interactive, "word"}});
  const auto slow = runProgram(
      network.on(0, {"bash", "-c", "sed -i '1a auth required pam_exec.so quiet /bin/sleep 3' /etc/pam.d/sshd"}));
  ASSERT_EQ(slow.exitCode, 0) << slow.err;
  const auto config = SshConfig::load(network.sshConfig());
  HostSpec host = config.value().resolve("host1").value();
  host.connectTimeoutSeconds = 1;
  m_prompts.reply = [](const std::string&, bool) { return std::optional<std::string>("word"); };
  const auto session = Session::connect(host, m_prompts);
  EXPECT_TRUE(session.ok()) << session.error().text();
}

}  // namespace
}  // namespace roadtune::remote
