// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/control_server.h"

#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace roadtune::remote {
namespace {

namespace fs = std::filesystem;

UniqueFd connectTo(const fs::path& socket) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, socket.c_str(), sizeof address.sun_path - 1);
  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM, 0));
  if (::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return UniqueFd();
  return fd;
}

std::string echo(const std::string& line) { return "<" + line + ">"; }

TEST(ControlServer, AnswersEveryLine) {
  const testing::TempFolder folder;
  auto server = ControlServer::listen(folder / "a.sock");
  ASSERT_TRUE(server.ok());
  const UniqueFd peer = connectTo(folder / "a.sock");
  ASSERT_TRUE(peer.valid());
  ASSERT_EQ(::write(peer.get(), "one\ntw", 6), 6);
  server.value().serve(echo);
  char buffer[64] = {};
  EXPECT_EQ(::read(peer.get(), buffer, sizeof buffer), 6);
  EXPECT_STREQ(buffer, "<one>\n");
  ASSERT_EQ(::write(peer.get(), "o\n", 2), 2);
  server.value().serve(echo);
  std::memset(buffer, 0, sizeof buffer);
  EXPECT_EQ(::read(peer.get(), buffer, sizeof buffer), 6);
  EXPECT_STREQ(buffer, "<two>\n");
}

TEST(ControlServer, HangsUpOnEndlessLinesAndSurvivesPeersThatLeave) {
  const testing::TempFolder folder;
  auto server = ControlServer::listen(folder / "a.sock");
  ASSERT_TRUE(server.ok());
  {
    const UniqueFd rude = connectTo(folder / "a.sock");
    const std::string flood(20'000, 'x');
    ASSERT_EQ(::write(rude.get(), flood.data(), flood.size()), static_cast<ssize_t>(flood.size()));
    server.value().serve(echo);
    char byte = 0;
    EXPECT_LE(::recv(rude.get(), &byte, 1, MSG_DONTWAIT), 0);
  }
  { const UniqueFd gone = connectTo(folder / "a.sock"); }
  server.value().serve(echo);
  const UniqueFd next = connectTo(folder / "a.sock");
  ASSERT_EQ(::write(next.get(), "x\n", 2), 2);
  server.value().serve(echo);
  char buffer[16] = {};
  EXPECT_EQ(::read(next.get(), buffer, sizeof buffer), 4);
}

TEST(ControlServer, TakesOverTheSocketOfADeadAgentAndRemovesItsOwn) {
  const testing::TempFolder folder;
  {
    auto first = ControlServer::listen(folder / "a.sock");
    ASSERT_TRUE(first.ok());
    ASSERT_TRUE(ControlServer::listen(folder / "a.sock").ok());
  }
  EXPECT_FALSE(fs::exists(folder / "a.sock"));
}

TEST(ControlServer, TheFolderOfSocketsIsPrivate) {
  const testing::TempFolder folder;
  ::setenv("XDG_RUNTIME_DIR", folder.path().c_str(), 1);
  const auto sockets = privateSocketFolder();
  ::unsetenv("XDG_RUNTIME_DIR");
  ASSERT_TRUE(sockets.ok());
  EXPECT_EQ(sockets.value(), folder / "roadtune");
  struct stat info {};
  ASSERT_EQ(::stat(sockets.value().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700U);
}

TEST(ControlServer, RefusesAFolderThatSomebodyElseLaid) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make a folder of somebody else";
  const testing::TempFolder folder;
  fs::create_directory(folder / "roadtune");
  ASSERT_EQ(::chown((folder / "roadtune").c_str(), 65534, 65534), 0);
  ::setenv("XDG_RUNTIME_DIR", folder.path().c_str(), 1);
  const auto sockets = privateSocketFolder();
  ::unsetenv("XDG_RUNTIME_DIR");
  EXPECT_FALSE(sockets.ok());
}

TEST(ControlServer, TurnsOtherUsersAway) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can act as somebody else";
  // A server of a plain user, asked by root and by another plain user: checked through the credentials of a peer that
  // changed its identity before connecting.
  const testing::TempFolder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
  auto server = ControlServer::listen(folder / "a.sock");
  ASSERT_TRUE(server.ok());
  ASSERT_EQ(::chmod((folder / "a.sock").c_str(), 0666), 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (::setuid(65534) != 0) ::_exit(9);
    const UniqueFd peer = connectTo(folder / "a.sock");
    [[maybe_unused]] const ssize_t ignored = ::send(peer.get(), "stop\n", 5, MSG_NOSIGNAL);
    char byte = 0;
    ::_exit(::read(peer.get(), &byte, 1) > 0 ? 1 : 0);  // an answer would be a failure
  }
  bool asked = false;
  for (int i = 0; i < 40; ++i) {
    server.value().serve([&asked](const std::string&) { return asked = true, std::string("?"); });
    ::usleep(10'000);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_FALSE(asked);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace roadtune::remote
