// SPDX-License-Identifier: GPL-3.0-or-later
// Against a real sshd.
#include "remote/ssh/session.h"

#include "core/base/hash.h"
#include "remote/ssh/shell_quote.h"
#include "remote/ssh/tcp.h"
#include "remote/ssh/upload.h"
#include "remote/transfer/remote_turn.h"
#include "tests/support/local_host.h"
#include "tests/support/program.h"
#include "tests/support/ssh_server.h"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>

namespace roadtune::remote {
namespace {

using testing::SshServer;
using testing::TempFolder;

class SshTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!SshServer::available()) GTEST_SKIP() << "a throw-away sshd needs root and openssh-server";
    m_server = std::make_unique<SshServer>();
  }

  HostSpec host(const std::string& key) const {
    HostSpec host = testing::hostOf(*m_server, m_home / "known_hosts");
    host.identityFiles = {key};
    host.globalKnownHostsFile = m_home / "none";
    host.connectTimeoutSeconds = 5;
    return host;
  }

  static Prompts trusting() {
    Prompts prompts;
    prompts.trustUnknownKey = [](const UnknownKey&) { return true; };
    return prompts;
  }

  Session connected() const {
    auto session = Session::connect(host(m_server->userKey()), trusting());
    EXPECT_TRUE(session.ok()) << (session.ok() ? "" : session.error().text());
    return std::move(session).value();
  }

  TempFolder m_home;
  std::unique_ptr<SshServer> m_server;
};

TEST_F(SshTest, AnUnknownHostIsShownAndNotTrustedByItself) {
  const auto session = Session::connect(host(m_server->userKey()), {});
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.error().kind, ErrorKind::BadInput);
  EXPECT_NE(session.error().text().find(m_server->fingerprint()), std::string::npos) << session.error().text();
  EXPECT_FALSE(std::filesystem::exists(m_home / "known_hosts"));
}

TEST_F(SshTest, ATrustedKeyIsRememberedAndNotAskedForAgain) {
  Prompts prompts;
  std::string seen;
  prompts.trustUnknownKey = [&](const UnknownKey& key) {
    seen = key.fingerprint;
    return true;
  };
  ASSERT_TRUE(Session::connect(host(m_server->userKey()), prompts).ok());
  EXPECT_EQ(seen, m_server->fingerprint());
  EXPECT_TRUE(Session::connect(host(m_server->userKey()), {}).ok());
}

TEST_F(SshTest, AChangedKeyIsRefusedEvenIfTheUserWouldTrustIt) {
  ASSERT_TRUE(Session::connect(host(m_server->userKey()), trusting()).ok());
  m_server->changeHostKey();
  const auto session = Session::connect(host(m_server->userKey()), trusting());
  ASSERT_FALSE(session.ok());
  EXPECT_NE(session.error().text().find("HOST KEY CHANGED"), std::string::npos) << session.error().text();
  EXPECT_NE(session.error().hint.find("ssh-keygen -R"), std::string::npos);
}

TEST_F(SshTest, AStrangersKeyIsRefusedAndTheErrorTellsWhatWasTried) {
  const auto session = Session::connect(host(m_server->strangerKey()), trusting());
  ASSERT_FALSE(session.ok());
  EXPECT_NE(session.error().text().find("stranger_key: the key was refused"), std::string::npos)
      << session.error().text();
}

TEST_F(SshTest, ALockedKeyAsksForItsPassphrase) {
  Prompts prompts = trusting();
  EXPECT_FALSE(Session::connect(host(m_server->lockedKey()), prompts).ok()) << "nobody to ask";
  prompts.passphrase = [](const std::string&) { return std::optional<std::string>("wrong"); };
  const auto wrong = Session::connect(host(m_server->lockedKey()), prompts);
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().text().find("wrong passphrase"), std::string::npos) << wrong.error().text();
  EXPECT_EQ(wrong.error().text().find("correct horse"), std::string::npos);
  prompts.passphrase = [](const std::string&) { return std::optional<std::string>("correct horse"); };
  EXPECT_TRUE(Session::connect(host(m_server->lockedKey()), prompts).ok());
}

TEST_F(SshTest, AWrongPassphraseIsAskedForAgainThreeTimesAtMost) {
  std::vector<std::string> answers{"wrong", "correct horse"};
  std::size_t asked = 0;
  std::vector<std::string> refused;
  Prompts prompts = trusting();
  prompts.passphrase = [&](const std::string&) {
    return std::optional(answers[std::min(asked++, answers.size() - 1)]);
  };
  prompts.refused = [&](const std::string& file) { refused.push_back(file); };
  EXPECT_TRUE(Session::connect(host(m_server->lockedKey()), prompts).ok());
  EXPECT_EQ(asked, 2u);
  EXPECT_EQ(refused, std::vector<std::string>{m_server->lockedKey()});

  answers = {"wrong"};
  asked = 0;
  const auto session = Session::connect(host(m_server->lockedKey()), prompts);
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(asked, 3u);
  EXPECT_NE(session.error().text().find("wrong passphrase"), std::string::npos) << session.error().text();
}

TEST_F(SshTest, CommandsGiveOutputErrorsAndExitCode) {
  Session session = connected();
  const auto result = session.run("cat; echo oops >&2; exit 7", {.input = "hello"});
  ASSERT_TRUE(result.ok()) << result.error().text();
  EXPECT_EQ(result.value().out, "hello");
  EXPECT_EQ(result.value().err, "oops\n");
  EXPECT_EQ(result.value().exitCode, 7);
  const auto failing = session.output("echo first >&2; echo last words >&2; exit 3");
  ASSERT_FALSE(failing.ok());
  EXPECT_NE(failing.error().text().find("ended with 3: last words"), std::string::npos) << failing.error().text();
}

TEST_F(SshTest, MegabytesGoThroughBothWays) {
  Session session = connected();
  std::string big;
  for (int i = 0; big.size() < (4u << 20); ++i) big += std::to_string(i * 7919);
  const auto result = session.run("cat", {.input = big});
  ASSERT_TRUE(result.ok()) << result.error().text();
  EXPECT_EQ(result.value().out.size(), big.size());
  EXPECT_TRUE(result.value().out == big);
}

TEST_F(SshTest, ACommandThatHangsIsGivenUpAndTheSessionGoesOn) {
  Session session = connected();
  const auto hanging = session.run("sleep 30", {.timeoutSeconds = 0.4});
  ASSERT_FALSE(hanging.ok());
  EXPECT_EQ(session.output("echo still here").valueOr(""), "still here\n");
  const auto stopped = session.run("sleep 30", {.timeoutSeconds = 20, .stopRequested = [] { return true; }});
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().kind, ErrorKind::Cancelled);
}

TEST_F(SshTest, AnUploadArrivesWholeAndIsNotRepeated) {
  Session session = connected();
  std::string content;
  for (int i = 0; content.size() < (3u << 20); ++i) content += static_cast<char>(i * 31 ^ (i >> 8));
  const auto file = m_home.write("bundle", content);
  const std::string target = (m_server->folder() / "with space/it's here").string();
  ASSERT_TRUE(uploadFile(session, file, target, "755").ok());
  EXPECT_TRUE(testing::readAll(target) == content);
  EXPECT_EQ(session.output("stat -c %a " + shellQuote(target)).valueOr(""), "755\n");
  const auto before = std::filesystem::last_write_time(target);
  ASSERT_TRUE(uploadFile(session, file, target).ok());
  EXPECT_EQ(std::filesystem::last_write_time(target), before) << "equal content is not sent again";
}

TEST_F(SshTest, AnInterruptedUploadGoesOnWhereItStopped) {
  Session session = connected();
  const std::string content(1 << 20, 'x');
  const auto file = m_home.write("bundle", content);
  std::ofstream(partName(m_server->folder() / "there")) << content.substr(0, 700000);
  ASSERT_TRUE(uploadFile(session, file, (m_server->folder() / "there").string()).ok());
  EXPECT_TRUE(testing::readAll(m_server->folder() / "there") == content);
  std::ofstream(partName(m_server->folder() / "other")) << std::string(5000, 'y');  // not the beginning of our file
  ASSERT_TRUE(uploadFile(session, file, (m_server->folder() / "other").string()).ok());
  EXPECT_TRUE(testing::readAll(m_server->folder() / "other") == content);
}

// Goes on in pieces, whichever of them had arrived.
TEST_F(SshTest, ALargeUploadThatWasCutSendsOnlyWhatIsMissing) {
  constexpr std::size_t kSize = (40 << 20) + 12345;
  const std::string content = testing::noise(kSize);
  const auto file = m_home.write("large", content);
  const std::string target = m_home / "there/large";
  class CutShort : public ProgressSink {
   public:
    bool report(const Progress& progress) override {
      if (first == 0) first = progress.done;
      return progress.done < cut;
    }
    std::uint64_t cut = 32 << 20, first = 0;
  };
  CutShort cut;
  {
    Session session = connected();
    EXPECT_FALSE(uploadFile(session, file, target, "644", &cut).ok());
  }
  EXPECT_FALSE(std::filesystem::exists(target));
  CutShort whole;
  whole.cut = kSize + 1;
  Session session = connected();
  ASSERT_TRUE(uploadFile(session, file, target, "644", &whole).ok());
  EXPECT_GT(whole.first, 8u << 20) << "what had arrived was sent again";
  EXPECT_TRUE(testing::readAll(target) == content);
  EXPECT_FALSE(std::filesystem::exists(partName(target) + ".pieces"));
  // A piece that rotted is found by the hash of the whole, and everything is sent once more.
  std::filesystem::remove(target);
  std::ofstream(partName(target)) << std::string(kSize, 'x');
  std::string finished = sha256Hex(content) + "\n";
  for (int piece = 0; piece < 11; ++piece) finished += std::to_string(piece) + "\n";
  std::ofstream(partName(target) + ".pieces") << finished;
  ASSERT_TRUE(uploadFile(session, file, target).ok());
  EXPECT_TRUE(testing::readAll(target) == content);
}

// Copies go through commands: servers that offer no file transfer will do.
TEST_F(SshTest, AServerWithSftpSwitchedOffTakesFilesAllTheSame) {
  m_server.reset();
  m_server = std::make_unique<SshServer>("Subsystem sftp /bin/false\n");
  std::filesystem::remove(m_home / "known_hosts");
  Session session = connected();
  for (const std::size_t size : {std::size_t{1} << 20, std::size_t{17} << 20}) {
    const auto file = m_home.write("bundle", testing::noise(size));
    ASSERT_TRUE(uploadFile(session, file, (m_home / "there").string()).ok());
    EXPECT_TRUE(testing::readAll(m_home / "there") == testing::readAll(file));
  }
}

TEST_F(SshTest, AFolderThatCannotBeMadeThereIsNamed) {
  Session session = connected();
  const auto file = m_home.write("bundle", std::string(1 << 20, 'x'));
  const auto result = uploadFile(session, file, "/dev/full/x");
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().text().find("/dev/full"), std::string::npos) << result.error().text();
}

TEST_F(SshTest, AJumpHostLeadsOn) {
  SshServer behind;
  SshServer second;
  TempFolder folder;
  const auto block = [&](const std::string& name, const SshServer& server) {
    return "Host " + name + "\n  HostName 127.0.0.1\n  User root\n  Port " + std::to_string(server.port()) +
           "\n  IdentityFile " + server.userKey() + "\n  IdentitiesOnly yes\n  UserKnownHostsFile " +
           (m_home / "known_hosts").string() + "\n";
  };
  const auto config = SshConfig::load(folder.write(
      "config", block("door", *m_server) + block("hall", second) + block("room", behind) + "  ProxyJump door,hall\n"));
  ASSERT_TRUE(config.ok());
  const HostSpec room = config.value().resolve("room").value();
  auto session = Session::connect(room, trusting(), config.value());
  ASSERT_TRUE(session.ok()) << session.error().text();
  EXPECT_EQ(session.value().output("echo $SSH_CONNECTION | cut -d' ' -f4").valueOr(""),
            std::to_string(behind.port()) + "\n");
  const std::string big(2 << 20, 'z');
  EXPECT_EQ(session.value().run("wc -c", {.input = big}).value().out, std::to_string(big.size()) + "\n");
}

TEST_F(SshTest, PlainNetworkTroubleIsNamed) {
  HostSpec gone = host(m_server->userKey());
  gone.port = testing::freePort();
  EXPECT_NE(Session::connect(gone, trusting()).error().text().find("connection refused"), std::string::npos);
  gone.hostName = "no-such-host.invalid";
  EXPECT_NE(Session::connect(gone, trusting()).error().text().find("cannot be resolved"), std::string::npos);
}

// Logins there get a shell of our own making: the text of a script, which finds the command in $SSH_ORIGINAL_COMMAND.
class LoginShellTest : public SshTest {
 protected:
  Session connectedTo(const std::string& script) {
    const auto file = m_home.write("login-shell", "#!/bin/bash\n" + script);
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    m_server = std::make_unique<SshServer>("ForceCommand " + file.string() + "\n");
    return connected();
  }
  // Refuses what shells read differently: anything but words, plain or between single quotes, the latter without what
  // fish and csh look at there. It greets on both streams, and the last line has no end.
  static constexpr const char* kStrange = R"(
echo '*** Welcome ***'; printf 'good morning '
echo 'noise on stderr' >&2
c=$SSH_ORIGINAL_COMMAND
case $c in *[\!]* | *$'\n'* | *"\\'"* | *'\\'*) echo "Unmatched '." >&2; exit 1;; esac
o=$(printf %s "$c" | sed "s/'[^']*'//g")
case $o in *[^a-zA-Z0-9_/.\ -]*) echo "Unsupported use of: $o" >&2; exit 127;; esac
eval "$c"
)";
};

TEST_F(LoginShellTest, WhichOneItIsAndWhatItSaysFirstMakesNoDifference) {
  Session session = connectedTo(kStrange);
  const std::string text = "it's a \\ b! \"$HOME\" `x` ü %s \\n\nnext line\n";
  const auto result =
      session.run("f=" + shellQuote(text) + "; printf %s \"$f\"; cat; echo \"oops!\" >&2; exit 7", {.input = "in\n"});
  ASSERT_TRUE(result.ok()) << result.error().text();
  EXPECT_EQ(result.value().out, text + "in\n");
  EXPECT_EQ(result.value().err, "oops!\n");
  EXPECT_EQ(result.value().exitCode, 7);
  EXPECT_EQ(session.output("true").valueOr("?"), "");
  const auto failing = session.output("exit 3");
  ASSERT_FALSE(failing.ok());
  EXPECT_EQ(failing.error().text().find("noise"), std::string::npos) << failing.error().text();
}

TEST_F(LoginShellTest, FilesArriveAndTurnsAreTakenThroughAnyOfThem) {
  Session session = connectedTo(kStrange);
  const auto source = m_home.write("source file", std::string(300'000, 'x') + "\0\n!'\\"), target = m_home / "a 'b' !c";
  const Status sent = uploadFile(session, source, target.string(), "644");
  ASSERT_TRUE(sent.ok()) << sent.error().text();
  EXPECT_EQ(testing::readAll(target), testing::readAll(source));
  auto turn = waitForTurn(session, (m_home / "folder").string(), nullptr);
  ASSERT_TRUE(turn.ok()) << turn.error().text();
  EXPECT_EQ(turn.value().errors(), "");
}

TEST_F(LoginShellTest, OneThatRunsNothingIsNamedAsTheTrouble) {
  Session session = connectedTo("echo 'This account is not available.'; exit 1");
  const auto refused = session.output("echo hello");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().text().find("the login shell there does not run commands: This account is not"),
            std::string::npos)
      << refused.error().text();
}

TEST_F(LoginShellTest, WaitingForOneThatSaysNothingCanBeEnded) {
  struct Impatient : ProgressSink {
    bool report(const Progress&) override { return false; }
  } impatient;
  Session session = connectedTo("exec cat >/dev/null");
  const auto turn = waitForTurn(session, (m_home / "folder").string(), &impatient);
  ASSERT_FALSE(turn.ok());
  EXPECT_EQ(turn.error().kind, ErrorKind::Cancelled);
  const auto silent = waitForTurn(session, (m_home / "folder").string(), nullptr, 1);
  ASSERT_FALSE(silent.ok());
  EXPECT_NE(silent.error().text().find("no word in 1 s about "), std::string::npos) << silent.error().text();
}

TEST_F(SshTest, ACircleOfJumpHostsIsNamed) {
  const auto file = m_home.write("config",
                                 "Host one\n  ProxyJump two\nHost two\n  ProxyJump one\nHost *\n  ProxyJump "
                                 "door\n");
  const auto config = SshConfig::load(file);
  ASSERT_TRUE(config.ok());
  for (const auto& [name, way] : {std::pair("one", "one → two → one"), std::pair("far", "far → door → door")}) {
    const auto session = Session::connect(config.value().resolve(name).value(), {}, config.value());
    ASSERT_FALSE(session.ok());
    EXPECT_EQ(session.error().kind, ErrorKind::BadInput);
    EXPECT_NE(session.error().text().find(way), std::string::npos) << session.error().text();
  }
}

TEST_F(SshTest, TroubleOfAJumpHostIsSaidToBeItsOwn) {
  const auto file = m_home.write("config", "Host door\n  HostName 127.0.0.1\n  Port " +
                                               std::to_string(m_server->port()) + "\n  UserKnownHostsFile " +
                                               (m_home / "known_hosts").string() + "\nHost far\n  ProxyJump door\n");
  const auto config = SshConfig::load(file);
  ASSERT_TRUE(config.ok());
  const auto session = Session::connect(config.value().resolve("far").value(), {}, config.value());
  ASSERT_FALSE(session.ok());
  EXPECT_NE(session.error().what.find("jump host door: unknown host key"), std::string::npos) << session.error().what;
}

TEST_F(SshTest, AnAliasIsLookedUpWithoutThePortAsSshDoes) {
  const std::string key = testing::readAll(m_server->folder() / "host_key.pub");
  m_home.write("known_hosts", "gpu-one " + key.substr(0, key.rfind(' ')) + "\n");
  HostSpec spec = host(m_server->userKey());
  spec.hostKeyAlias = "gpu-one";
  const auto session = Session::connect(spec, {});
  EXPECT_TRUE(session.ok()) << session.error().text();
}

TEST_F(SshTest, TheEntryOfAChangedKeyIsNamedWithItsPort) {
  const std::string port = std::to_string(m_server->port());
  HostSpec spec = host(m_server->userKey());
  for (const std::string alias : {"", "gpu-one"}) {
    spec.hostKeyAlias = alias;
    ASSERT_TRUE(Session::connect(spec, trusting()).ok());
    m_server->changeHostKey();
    const auto session = Session::connect(spec, trusting());
    ASSERT_FALSE(session.ok());
    const auto at = session.error().hint.find("ssh-keygen -R ");
    ASSERT_NE(at, std::string::npos) << session.error().hint;
    testing::runProgram({"bash", "-c", session.error().hint.substr(at)});
    EXPECT_TRUE(Session::connect(spec, trusting()).ok()) << session.error().hint;
    std::filesystem::remove(m_home / "known_hosts");
  }
}

}  // namespace
}  // namespace roadtune::remote
