// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/link_probe.h"

#include "core/base/clock.h"
#include "core/base/unique_fd.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace roadtune::remote {

namespace {

constexpr int kPings = 5;
constexpr double kFlood = 1.0;           // seconds of sending at most
constexpr std::size_t kMost = 64 << 20;  // bytes
constexpr int kPatience = 3;             // seconds for one socket operation

void setPatience(int fd) {
  timeval limit{kPatience, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  const int yes = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

bool sendAll(int fd, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = ::send(fd, data, size, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    data += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receiveAll(int fd, char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t got = ::recv(fd, data, size, 0);
    if (got <= 0) return false;
    data += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

// 'p': one byte back. 'b': everything up to the caller's end of sending, then the count back.
void answer(int fd, const std::string& secret) {
  setPatience(fd);
  std::string said(secret.size(), '\0');
  if (!receiveAll(fd, said.data(), said.size()) || said != secret) return;
  char word = 0;
  while (receiveAll(fd, &word, 1)) {
    if (word == 'p' && !sendAll(fd, "p", 1)) return;
    if (word != 'b') continue;
    std::vector<char> buffer(1 << 18);
    std::uint64_t total = 0;
    for (ssize_t got = 0; (got = ::recv(fd, buffer.data(), buffer.size(), 0)) > 0;)
      total += static_cast<std::uint64_t>(got);
    sendAll(fd, reinterpret_cast<const char*>(&total), sizeof total);
    return;
  }
}

// An IPv6 socket takes IPv4 as well, where there is IPv6.
UniqueFd listenAnywhere(int& port) {
  for (const int family : {AF_INET6, AF_INET}) {
    UniqueFd fd(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_storage address{};
    address.ss_family = static_cast<sa_family_t>(family);
    socklen_t size = family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
    if (!fd.valid() || ::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(fd.get(), 64) != 0)
      continue;
    ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size);
    port = ntohs(family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&address)->sin6_port
                                    : reinterpret_cast<sockaddr_in*>(&address)->sin_port);
    return fd;
  }
  return {};
}

// A connection within kPatience, or an errno value.
UniqueFd reach(const std::string& host, int port, std::string& error) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int code = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found); code != 0) {
    error = ::gai_strerror(code);
    return {};
  }
  UniqueFd fd(::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  int problem = ::connect(fd.get(), found->ai_addr, found->ai_addrlen) == 0 ? 0 : errno;
  ::freeaddrinfo(found);
  if (problem == EINPROGRESS) {
    pollfd watched{fd.get(), POLLOUT, 0};
    socklen_t size = sizeof problem;
    if (::poll(&watched, 1, kPatience * 1000) <= 0)
      problem = ETIMEDOUT;
    else
      ::getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &problem, &size);
  }
  if (problem != 0) {
    error = std::strerror(problem);
    return {};
  }
  ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) & ~O_NONBLOCK);
  setPatience(fd.get());
  return fd;
}

// Seconds for a byte there and back, the shortest of a few; negative when it does not come back.
double measureLatency(int fd) {
  double best = -1;
  for (int i = 0; i < kPings; ++i) {
    char back = 0;
    const double began = monotonicSeconds();
    if (!sendAll(fd, "p", 1) || !receiveAll(fd, &back, 1)) return -1;
    const double took = monotonicSeconds() - began;
    best = best < 0 ? took : std::min(best, took);
  }
  return best;
}

double measureBandwidth(int fd) {
  const std::vector<char> chunk(1 << 18, 'b');
  const double began = monotonicSeconds();
  std::size_t sent = 0;
  if (!sendAll(fd, "b", 1)) return -1;
  while (sent < kMost && monotonicSeconds() - began < kFlood) {
    if (!sendAll(fd, chunk.data(), chunk.size())) return -1;
    sent += chunk.size();
  }
  ::shutdown(fd, SHUT_WR);
  std::uint64_t arrived = 0;
  if (!receiveAll(fd, reinterpret_cast<char*>(&arrived), sizeof arrived)) return -1;
  return static_cast<double>(arrived) / (monotonicSeconds() - began);
}

}  // namespace

int answerLinkProbes(double seconds) {
  std::string secret;
  std::getline(std::cin, secret);
  int port = 0;
  const UniqueFd listener = listenAnywhere(port);
  if (secret.size() < 16 || !listener.valid()) return std::fputs("roadtune-agent: cannot listen\n", stderr), 1;
  std::printf("{\"port\":%d}\n", port);
  std::fflush(stdout);
  const double deadline = monotonicSeconds() + seconds;
  while (monotonicSeconds() < deadline) {
    pollfd watched[] = {{listener.get(), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    if (::poll(watched, 2, 200) <= 0) continue;
    char ignored[64];
    if (watched[1].revents != 0 && ::read(STDIN_FILENO, ignored, sizeof ignored) <= 0) return 0;
    if ((watched[0].revents & POLLIN) == 0) continue;
    const UniqueFd caller(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (caller.valid()) answer(caller.get(), secret);
  }
  return 0;
}

int callLinkProbe(const std::string& host, int port) {
  std::string secret, error;
  std::getline(std::cin, secret);
  const UniqueFd fd = reach(host, port, error);
  nlohmann::json result{{"ok", false}};
  if (!fd.valid()) {
    result["error"] = error;
  } else if (double latency = -1;
             !sendAll(fd.get(), secret.data(), secret.size()) || (latency = measureLatency(fd.get())) < 0) {
    result["error"] = "the other side does not answer";
  } else {
    result = {{"ok", true}, {"latency_s", latency}, {"bps", measureBandwidth(fd.get())}};
  }
  std::puts(result.dump().c_str());
  return 0;
}

}  // namespace roadtune::remote
