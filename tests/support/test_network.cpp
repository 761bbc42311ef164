// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_network.h"

#include "core/base/file_lock.h"
#include "tests/support/program.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace roadtune::testing {

namespace {

bool quietly(const std::vector<std::string>& command) { return runProgram(command).exitCode == 0; }

void must(const std::vector<std::string>& command) {
  const auto result = runProgram(command);
  ASSERT_EQ(result.exitCode, 0) << ::testing::PrintToString(command) << result.err;
}

std::vector<std::string> namesIn(const char* folder, const std::string& prefix) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (const std::string name = entry.path().filename(); name.starts_with(prefix)) names.push_back(name);
  return names;
}

std::vector<pid_t> processesIn(const std::string& space) {
  std::istringstream words(runProgram({"ip", "netns", "pids", space}).out);
  return {std::istream_iterator<pid_t>(words), {}};
}

void takeDown(const std::string& tag) {
  for (const auto& space : namesIn("/run/netns", tag + "n")) {
    // A namespace lives on while a process is in it: sessions outlive their server, and never learn of a cut cable.
    for (const pid_t pid : processesIn(space)) ::kill(pid, SIGKILL);
    quietly({"ip", "netns", "del", space});
    std::error_code ignored;
    std::filesystem::remove_all("/etc/netns/" + space, ignored);
  }
  for (const auto& link : namesIn("/sys/class/net", tag + "v")) quietly({"ip", "link", "del", link});
  quietly({"ip", "link", "del", tag + "br"});
}

std::string tagOf(pid_t test) { return "rt" + std::to_string(test); }

// A test that was killed leaves its machines: its subnet leads nowhere, and its sessions would work on.
void takeDownWhatIsLeft() {
  for (const auto& link : namesIn("/sys/class/net", "rt")) {
    const pid_t test = std::atoi(link.c_str() + 2);
    if (test > 0 && link == tagOf(test) + "br" && ::kill(test, 0) != 0) takeDown(tagOf(test));
  }
}

}  // namespace

// Every kind of step that is needed is tried: some containers allow the first ones only.
bool TestNetwork::available() {
  if (::geteuid() != 0 || ::access("/usr/sbin/sshd", X_OK) != 0) return false;
  const std::string space = "rtp" + std::to_string(::getpid()), bridge = space + "b", veth = space + "v";
  const bool works =
      quietly({"ip", "netns", "add", space}) && quietly({"ip", "-n", space, "link", "set", "lo", "up"}) &&
      quietly({"ip", "link", "add", bridge, "type", "bridge"}) &&
      quietly({"ip", "link", "add", veth, "type", "veth", "peer", "name", "eth0", "netns", space}) &&
      quietly({"ip", "link", "set", veth, "master", bridge, "up"}) && quietly({"ip", "netns", "exec", space, "true"});
  quietly({"ip", "link", "del", veth});
  quietly({"ip", "link", "del", bridge});
  quietly({"ip", "netns", "del", space});
  return works;
}

std::string TestNetwork::name(int host) const { return "host" + std::to_string(host + 1); }
std::string TestNetwork::address(int host) const { return m_subnet + "." + std::to_string(host + 2); }
std::filesystem::path TestNetwork::home(int host) const { return m_folder / (name(host) + "-home"); }
std::string TestNetwork::sshConfig() const { return m_folder / "ssh_config"; }
std::string TestNetwork::ns(int host) const { return m_tag + "n" + std::to_string(host); }
std::filesystem::path TestNetwork::ownFiles(int host) const { return "/etc/netns/" + ns(host); }

std::string TestNetwork::hosts() const {
  std::string list;
  for (int host = 0; host < m_count; ++host) list += (host ? "," : "") + name(host);
  return list;
}

TestNetwork::TestNetwork(int hosts, const std::vector<Door>& doors) : m_tag(tagOf(::getpid())), m_count(hosts) {
  takeDownWhatIsLeft();
  for (int number = ::getpid() % 250 + 1; !m_claim.valid(); number = number % 250 + 1) {
    auto lock = tryLock(std::filesystem::temp_directory_path() / ("roadtune-10.77." + std::to_string(number)));
    if (lock.ok() && lock.value()) m_claim = std::move(*lock.value());
    m_subnet = "10.77." + std::to_string(number);
  }
  ::mkdir("/run/sshd", 0755);
  must({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", (m_folder / "user_key").string()});
  must({"ip", "link", "add", m_tag + "br", "type", "bridge"});
  must({"ip", "addr", "add", m_subnet + ".1/24", "dev", m_tag + "br"});
  must({"ip", "link", "set", m_tag + "br", "up"});
  std::string config, known;
  for (int host = 0; host < hosts; ++host) {
    const std::string veth = m_tag + "v" + std::to_string(host);
    must({"ip", "netns", "add", ns(host)});
    must({"ip", "link", "add", veth, "type", "veth", "peer", "name", "eth0", "netns", ns(host)});
    must({"ip", "link", "set", veth, "master", m_tag + "br", "up"});
    must({"ip", "-n", ns(host), "addr", "add", address(host) + "/24", "dev", "eth0"});
    must({"ip", "-n", ns(host), "link", "set", "eth0", "up"});
    must({"ip", "-n", ns(host), "link", "set", "lo", "up"});
    std::filesystem::create_directories(home(host));
    must({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", (m_folder / (name(host) + "_key")).string()});
    std::string key = readAll(m_folder / (name(host) + "_key.pub"));
    known += address(host) + " " + key.substr(0, key.rfind(' ')) + "\n";
    const Door door = static_cast<std::size_t>(host) < doors.size() ? doors[static_cast<std::size_t>(host)] : Door{};
    config += "Host " + name(host) + "\n  HostName " + address(host) + "\n  IdentityFile " + keyOf(host, door) + "\n";
    startSshd(host, door);
  }
  config +=
      "Host *\n  User root\n  IdentitiesOnly yes\n  UserKnownHostsFile " + (m_folder / "known_hosts").string() + "\n";
  m_folder.write("ssh_config", config);
  m_folder.write("known_hosts", known);
}

// The key that opens the host; a file that is not there, where keys open nothing.
std::string TestNetwork::keyOf(int host, const Door& door) const {
  if (door.kind == Door::Kind::Key) return m_folder / "user_key";
  const auto key = m_folder / (name(host) + "_user_key");
  if (door.kind == Door::Kind::LockedKey)
    must({"ssh-keygen", "-q", "-t", "ed25519", "-N", door.secret, "-f", key.string()});
  return key;
}

std::string TestNetwork::settingsOf(int host, const Door& door) const {
  if (door.kind == Door::Kind::Key)
    return "UsePAM no\nAuthorizedKeysFile " + (m_folder / "user_key.pub").string() + "\n";
  if (door.kind == Door::Kind::LockedKey)
    return "UsePAM no\nAuthorizedKeysFile " + (m_folder / (name(host) + "_user_key.pub")).string() + "\n";
  // sshd sees a list of passwords of its own, in the place of the system's.
  const auto plain = m_folder.write("plain", door.secret + "\n");
  const auto hash = runProgram({"bash", "-c", "openssl passwd -6 -stdin < '" + plain.string() + "'"}).out;
  std::filesystem::remove(plain);
  std::filesystem::create_directories(ownFiles(host) / "pam.d");
  std::ofstream(ownFiles(host) / "shadow") << "root:" + hash.substr(0, hash.find('\n')) + ":19000:0:99999:7:::\n";
  std::ofstream(ownFiles(host) / "pam.d/sshd")
      << "auth required pam_unix.so\naccount required pam_permit.so\nsession required pam_permit.so\n";
  const bool interactive = door.kind == Door::Kind::Interactive;
  return std::string("PubkeyAuthentication no\nUsePAM ") + (interactive ? "yes" : "no") +
         "\nKbdInteractiveAuthentication " + (interactive ? "yes" : "no") + "\nPasswordAuthentication " +
         (interactive ? "no" : "yes") + "\n";
}

void TestNetwork::startSshd(int host, const Door& door) {
  const auto config = m_folder.write(
      name(host) + ".conf",
      "ListenAddress " + address(host) + "\nHostKey " + (m_folder / (name(host) + "_key")).string() +
          "\nPermitRootLogin yes\nStrictModes no\nPidFile none\nMaxStartups 100\nSetEnv HOME=" + home(host).string() +
          "\nSubsystem sftp internal-sftp\n" + settingsOf(host, door));
  const pid_t pid = ::fork();
  if (pid == 0) {
    // Whoever waits for the end of the test's output must not wait for a server.
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int fd : {0, 1, 2}) ::dup2(nothing, fd);
    const std::string space = ns(host), log = (m_folder / (name(host) + ".log")).string();
    ::execlp("ip", "ip", "netns", "exec", space.c_str(), "/usr/sbin/sshd", "-D", "-f", config.c_str(), "-E",
             log.c_str(), nullptr);
    ::_exit(127);
  }
  m_daemons.push_back(pid);
  for (int i = 0; i < 200; ++i) {
    if (quietly({"ip", "netns", "exec", ns(host), "bash", "-c", "exec 3<>/dev/tcp/" + address(host) + "/22"})) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
  }
  ADD_FAILURE() << "sshd of " << name(host) << " does not answer";
}

TestNetwork::~TestNetwork() {
  for (const pid_t pid : m_daemons) ::kill(pid, SIGTERM);
  for (const pid_t pid : m_daemons) ::waitpid(pid, nullptr, 0);
  takeDown(m_tag);
}

void TestNetwork::cable(int host, bool plugged) const {
  must({"ip", "link", "set", m_tag + "v" + std::to_string(host), plugged ? "up" : "down"});
}

void TestNetwork::limitRate(int host, const std::string& rate) const {
  std::vector<std::string> command{"tc"};
  if (host >= 0) command.insert(command.end(), {"-n", ns(host)});
  command.insert(command.end(), {"qdisc", "replace", "dev", host >= 0 ? "eth0" : m_tag + "br", "root", "tbf", "rate",
                                 rate, "burst", "64kb", "latency", "100ms"});
  must(command);
}

void TestNetwork::breakSessions(int host) const {
  for (const pid_t pid : processesIn(ns(host)))
    if (pid != m_daemons[static_cast<std::size_t>(host)]) ::kill(pid, SIGKILL);
}

bool TestNetwork::impair(int host, const std::vector<std::string>& words) const {
  std::vector<std::string> command{"tc", "-n", ns(host), "qdisc", "replace", "dev", "eth0", "root", "netem"};
  command.insert(command.end(), words.begin(), words.end());
  return quietly(command);
}

bool TestNetwork::losePackets(int host, int percent) const {
  std::string rules = "table inet lossy {\n";
  for (const char* hook : {"input", "output"})
    rules += std::string("  chain ") + hook + " {\n    type filter hook " + hook +
             " priority 0;\n    oifname \"lo\" accept\n    iifname \"lo\" accept\n    numgen random mod 100 < " +
             std::to_string(percent) + " drop\n  }\n";
  return quietly({"ip", "netns", "exec", ns(host), "nft", "-f", m_folder.write("lossy.nft", rules + "}\n").string()});
}

void TestNetwork::mountThere(int host, const std::filesystem::path& folder, const std::string& options) const {
  onDisk(host, {"mount", "-t", "tmpfs", "-o", options, "tmpfs", folder.string()});
}

void TestNetwork::onDisk(int host, const std::vector<std::string>& command) const {
  // Each sshd has a view of its own of what is mounted, and takes it to its grave.
  std::vector<std::string> words{"nsenter", "-t", std::to_string(m_daemons[static_cast<std::size_t>(host)]), "-m",
                                 "-r"};
  words.insert(words.end(), command.begin(), command.end());
  must(words);
}

void TestNetwork::closeWay(int from, int to) const {
  must({"ip", "-n", ns(from), "route", "add", "prohibit", address(to) + "/32"});
}

void TestNetwork::openWay(int from, int to) const {
  must({"ip", "-n", ns(from), "route", "del", "prohibit", address(to) + "/32"});
}

void TestNetwork::nameHosts() const {
  std::string names = "127.0.0.1 localhost\n";
  for (int host = 0; host < m_count; ++host) names += address(host) + " " + name(host) + "\n";
  for (int host = 0; host < m_count; ++host) {
    std::filesystem::create_directories(ownFiles(host));
    std::ofstream(ownFiles(host) / "hosts") << names;
  }
}

std::vector<std::string> TestNetwork::on(int host, const std::vector<std::string>& command) const {
  std::vector<std::string> words{
      "ip", "netns", "exec", ns(host), "unshare", "--uts", "bash", "-c", "hostname \"$0\" && exec \"$@\"", name(host)};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

void TestNetwork::forgetHostKey(int host) const {
  must({"ssh-keygen", "-q", "-R", address(host), "-f", (m_folder / "known_hosts").string()});
}

}  // namespace roadtune::testing
