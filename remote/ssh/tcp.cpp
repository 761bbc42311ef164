// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/tcp.h"

#include "core/base/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

namespace roadtune::remote {

namespace {

// 0, or the errno of the attempt.
int connectOne(int fd, const addrinfo& address, double timeoutSeconds) {
  if (::connect(fd, address.ai_addr, address.ai_addrlen) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  const double deadline = monotonicSeconds() + timeoutSeconds;
  for (int ready = -1; ready < 0;) {
    pollfd waiting{fd, POLLOUT, 0};
    ready = ::poll(&waiting, 1, static_cast<int>(std::max(0.0, deadline - monotonicSeconds()) * 1000));
    if (ready == 0) return ETIMEDOUT;
    if (ready < 0 && errno != EINTR) return errno;
  }
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
  return error;
}

// Firewalls and routers forget a connection on which nothing goes; a machine that is gone is noticed.
void keepAlive(int fd, int seconds) {
  constexpr int kUsual = 30, kLongest = 32767, kUnanswered = 4;
  const int pause = seconds > 0 ? std::min(seconds, kLongest) : kUsual, on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  ::setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &pause, sizeof pause);
  ::setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &pause, sizeof pause);
  ::setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &kUnanswered, sizeof kUnanswered);
}

constexpr const char* kRefused = "connection refused";
constexpr const char* kNoWay = "the host cannot be reached from here";

Error explain(int error, const std::string& where, double timeoutSeconds) {
  switch (error) {
    case ECONNREFUSED: return failed(kRefused, where, "is sshd running there, on that port?");
    case ETIMEDOUT:
      return failed(fmt::format("no answer within {:.0f} s", timeoutSeconds), where,
                    "check the address, the network and firewalls");
    case EHOSTUNREACH:
    case ENETUNREACH: return failed(kNoWay, where, "check the network and the route");
    default: return systemError(error, "cannot connect", where);
  }
}

}  // namespace

Result<UniqueFd> connectTcp(const std::string& host, int port, double timeoutSeconds, int keepAliveSeconds) {
  const std::string where = fmt::format("{}:{}", host, port);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int code = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found); code != 0)
    return failed(fmt::format("the name cannot be resolved: {}", ::gai_strerror(code)), host,
                  "check the spelling, or give an address");
  int error = EHOSTUNREACH;
  for (const addrinfo* at = found; at; at = at->ai_next) {
    UniqueFd fd(::socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd.valid()) continue;
    error = connectOne(fd.get(), *at, timeoutSeconds);
    if (error != 0) continue;
    ::freeaddrinfo(found);
    const int on = 1;
    ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    keepAlive(fd.get(), keepAliveSeconds);
    ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) & ~O_NONBLOCK);
    return fd;
  }
  ::freeaddrinfo(found);
  return explain(error, where, timeoutSeconds);
}

bool tellsOfSilence(const Error& error) {
  for (const char* words : {kRefused, kNoWay, "no answer within "})
    if (error.what.find(words) != std::string::npos) return true;
  return false;
}

}  // namespace roadtune::remote
