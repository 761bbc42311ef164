// SPDX-License-Identifier: GPL-3.0-or-later
// A machine that is gone and one that takes nothing for a while, told apart by what their kernels answer.
#include "core/base/silent_peers.h"

#include "core/base/clock.h"
#include "core/base/subprocess.h"
#include "core/base/unique_fd.h"
#include "tests/support/test_network.h"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <atomic>
#include <chrono>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace roadtune {
namespace {

using testing::TestNetwork;

constexpr int kPort = 7000;
constexpr const char* kTakesNothing =
    "import socket, time\n"
    "server = socket.create_server(('', 7000))\n"
    "taken = [server.accept() for _ in range(2)]\n"
    "time.sleep(300)";

// Once somebody listens there; never blocks afterwards.
UniqueFd connectTo(const std::string& address) {
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(kPort);
  ::inet_pton(AF_INET, address.c_str(), &there.sin_addr);
  for (const double deadline = monotonicSeconds() + 30; monotonicSeconds() < deadline; ::usleep(50'000)) {
    UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&there), sizeof there) != 0) continue;
    ::fcntl(fd.get(), F_SETFL, O_NONBLOCK);
    return fd;
  }
  return UniqueFd();
}

bool isClosed(const UniqueFd& fd) {
  pollfd looked{fd.get(), POLLIN, 0};
  return ::poll(&looked, 1, 0) > 0 && (looked.revents & (POLLHUP | POLLERR)) != 0;
}

void sendUntilNothingIsTaken(const UniqueFd& fd) {
  const std::string much(1 << 20, 'x');
  for (double last = monotonicSeconds(); monotonicSeconds() < last + 0.5; ::usleep(1000))
    if (::send(fd.get(), much.data(), much.size(), MSG_NOSIGNAL) > 0) last = monotonicSeconds();
}

TEST(SilentPeersTest, ClosesWhatLeadsToAMachineThatIsGoneAndNothingElse) {
  if (!TestNetwork::available()) GTEST_SKIP() << "network namespaces need root";
  const TestNetwork network(1);
  auto words = network.on(0, {"python3", "-c", kTakesNothing});
  auto server = Subprocess::start({.command = words});
  ASSERT_TRUE(server.ok()) << server.error().text();
  const UniqueFd idle = connectTo(network.address(0)), full = connectTo(network.address(0));
  ASSERT_TRUE(idle.valid() && full.valid());
  sendUntilNothingIsTaken(full);

  std::atomic<int> told = 0;
  const SilentPeers watch(std::chrono::seconds(2), [&](const std::string& address) {
    EXPECT_EQ(address, network.address(0));
    ++told;
  });
  std::this_thread::sleep_for(std::chrono::seconds(7));
  EXPECT_FALSE(isClosed(idle)) << "the kernel there answers";
  EXPECT_FALSE(isClosed(full)) << "nothing is taken, but the kernel there answers";
  EXPECT_EQ(watch.first(), "");

  network.cable(0, false);
  for (const double deadline = monotonicSeconds() + 60; monotonicSeconds() < deadline; ::usleep(50'000))
    if (isClosed(idle) && isClosed(full)) break;
  EXPECT_TRUE(isClosed(idle));
  EXPECT_TRUE(isClosed(full));
  EXPECT_EQ(told, 1) << "one machine";
  EXPECT_EQ(watch.first(), network.address(0));
}

}  // namespace
}  // namespace roadtune
