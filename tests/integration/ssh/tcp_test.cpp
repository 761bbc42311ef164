// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/tcp.h"

#include "tests/support/loopback.h"

#include <gmock/gmock.h>

#include <csignal>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <vector>

namespace roadtune::remote {
namespace {

using ::testing::HasSubstr;

// Listens, and takes nobody in.
struct Listener {
  explicit Listener(int room) : fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = testing::loopback(0);
    ::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address);
    ::listen(fd.get(), room);
    socklen_t size = sizeof address;
    ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size);
    port = ntohs(address.sin_port);
  }
  UniqueFd fd;
  int port = 0;
};

int optionOf(const UniqueFd& fd, int level, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  ::getsockopt(fd.get(), level, name, &value, &size);
  return value;
}

TEST(ConnectTcp, AConnectionThatWaitsIsKeptAlive) {
  const Listener listener(4);
  for (const auto& [asked, seconds] : {std::pair(7, 7), std::pair(0, 30)}) {
    const auto connected = connectTcp("127.0.0.1", listener.port, 5, asked);
    ASSERT_TRUE(connected.ok()) << connected.error().text();
    EXPECT_EQ(optionOf(connected.value(), SOL_SOCKET, SO_KEEPALIVE), 1);
    EXPECT_EQ(optionOf(connected.value(), IPPROTO_TCP, TCP_KEEPIDLE), seconds);
    EXPECT_EQ(optionOf(connected.value(), IPPROTO_TCP, TCP_KEEPINTVL), seconds);
  }
}

TEST(ConnectTcp, ASignalWhileItWaitsIsNoAnswer) {
  const Listener listener(0);
  std::vector<Result<UniqueFd>> first;  // fills the room that there is
  for (int i = 0; i < 3; ++i) first.push_back(connectTcp("127.0.0.1", listener.port, 0.2));
  ASSERT_FALSE(first.back().ok());
  struct sigaction interrupting {
  }, before{};
  interrupting.sa_handler = [](int) {};
  ::sigaction(SIGALRM, &interrupting, &before);
  const itimerval soon{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = 50'000}};
  ::setitimer(ITIMER_REAL, &soon, nullptr);
  const auto connected = connectTcp("127.0.0.1", listener.port, 0.4);
  ::sigaction(SIGALRM, &before, nullptr);
  ASSERT_FALSE(connected.ok()) << "nobody took it in";
  EXPECT_THAT(connected.error().text(), HasSubstr("no answer within"));
}

}  // namespace
}  // namespace roadtune::remote
