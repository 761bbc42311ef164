// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/ssh_server.h"

#include "tests/support/loopback.h"
#include "tests/support/program.h"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace roadtune::testing {

namespace {

bool answers(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = loopback(port);
  const bool connected = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return connected;
}

void makeKey(const std::filesystem::path& file, const std::string& passphrase) {
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  const auto made = runProgram({"ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-f", file.string()});
  ASSERT_EQ(made.exitCode, 0) << made.err;
}

}  // namespace

int freePort() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = loopback(0);
  ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address);
  socklen_t size = sizeof address;
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(fd);
  return ntohs(address.sin_port);
}

bool SshServer::available() { return ::geteuid() == 0 && ::access("/usr/sbin/sshd", X_OK) == 0; }

SshServer::SshServer(const std::string& extra) : m_extra(extra), m_port(freePort()) {
  ::mkdir("/run/sshd", 0755);
  makeKey(m_folder / "host_key", "");
  makeKey(m_folder / "user_key", "");
  makeKey(m_folder / "locked_key", "correct horse");
  makeKey(m_folder / "stranger_key", "");
  m_folder.write("authorized_keys", readAll(m_folder / "user_key.pub") + readAll(m_folder / "locked_key.pub"));
  m_folder.write(
      "config", "Port " + std::to_string(m_port) + "\nListenAddress 127.0.0.1\nHostKey " +
                    (m_folder / "host_key").string() + "\nAuthorizedKeysFile " +
                    (m_folder / "authorized_keys").string() +
                    "\nPermitRootLogin yes\nStrictModes no\nUsePAM no\nPasswordAuthentication "
                    "no\nKbdInteractiveAuthentication no\n" +
                    "PidFile none\nMaxStartups 100\n" +
                    (m_extra.find("Subsystem") == std::string::npos ? "Subsystem sftp internal-sftp\n" : "") + m_extra);
  start();
}

SshServer::~SshServer() { stop(); }

void SshServer::start() {
  m_pid = ::fork();
  if (m_pid == 0) {
    const std::string config = (m_folder / "config").string(), log = (m_folder / "sshd.log").string();
    ::execl("/usr/sbin/sshd", "/usr/sbin/sshd", "-D", "-f", config.c_str(), "-E", log.c_str(), nullptr);
    ::_exit(127);
  }
  for (int i = 0; i < 200 && !answers(m_port); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(25));
  ASSERT_TRUE(answers(m_port)) << readAll(m_folder / "sshd.log");
}

void SshServer::stop() {
  if (m_pid <= 0) return;
  ::kill(m_pid, SIGTERM);
  ::waitpid(m_pid, nullptr, 0);
  m_pid = -1;
}

std::string SshServer::fingerprint() const {
  const auto shown = runProgram({"ssh-keygen", "-lf", (m_folder / "host_key.pub").string()});
  const auto from = shown.out.find("SHA256:");
  return shown.out.substr(from, shown.out.find(' ', from) - from);
}

void SshServer::breakConnections() {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream status(entry.path() / "status");
    for (std::string line; std::getline(status, line);)
      if (line == "PPid:\t" + std::to_string(m_pid)) ::kill(std::stoi(name), SIGKILL);
  }
}

void SshServer::changeHostKey() {
  stop();
  makeKey(m_folder / "host_key", "");
  start();
}

}  // namespace roadtune::testing
