// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/tcp_relay.h"

#include "core/base/clock.h"
#include "tests/support/loopback.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <deque>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <random>
#include <sys/socket.h>
#include <unistd.h>

namespace roadtune::testing {

namespace {

constexpr std::size_t kPacket = 1448, kRead = 16 * kPacket;

// One direction of a connection.
class Lane {
 public:
  Lane(int from, int to, const Way& way, unsigned seed) : m_from(from), m_to(to), m_way(way), m_dice(seed) {}

  bool wants() const { return !m_ended && m_inside < room(); }
  bool blocked(double now) const { return !m_bytes.empty() && m_bytes.front().due <= now; }
  bool done() const { return m_ended && m_bytes.empty(); }
  double next() const { return m_bytes.empty() ? 1e18 : m_bytes.front().due; }
  int from() const { return m_from; }
  int to() const { return m_to; }

  void take(double now) {
    std::array<char, kRead> buffer;
    const ssize_t count = ::recv(m_from, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) {
      m_ended = true;
      return;
    }
    const auto size = static_cast<std::size_t>(count);
    m_leaves =
        std::max(m_leaves, now) + (m_way.bytesPerSecond > 0 ? static_cast<double>(size) / m_way.bytesPerSecond : 0);
    double due = m_leaves + m_way.delay;
    for (std::size_t at = 0; m_way.loss > 0 && at < size; at += kPacket)
      if (std::uniform_real_distribution<>(0, 1)(m_dice) < m_way.loss) due += 2 * m_way.delay;
    m_arrives = std::max(m_arrives, due);
    m_bytes.push_back({m_arrives, std::string(buffer.data(), size)});
    m_inside += size;
  }

  void give(double now) {
    while (!m_bytes.empty() && m_bytes.front().due <= now) {
      auto& [due, bytes] = m_bytes.front();
      const ssize_t count = ::send(m_to, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
      if (count < 0) {
        m_ended = true;
        m_bytes.clear();
        return;
      }
      m_inside -= static_cast<std::size_t>(count);
      bytes.erase(0, static_cast<std::size_t>(count));
      if (!bytes.empty()) return;
      m_bytes.pop_front();
    }
    if (done()) ::shutdown(m_to, SHUT_WR);
  }

 private:
  // What is under way, and a queue in front of it as routers have one.
  std::size_t room() const {
    return static_cast<std::size_t>(m_way.bytesPerSecond > 0 ? m_way.bytesPerSecond * (m_way.delay + 0.05) : 64e6) +
           kRead;
  }
  struct Bytes {
    double due;
    std::string text;
  };
  int m_from, m_to;
  Way m_way;
  std::mt19937 m_dice;
  std::deque<Bytes> m_bytes;
  std::size_t m_inside = 0;
  double m_leaves = 0, m_arrives = 0;
  bool m_ended = false;
};

}  // namespace

TcpRelay::TcpRelay(int targetPort, const Way& way) : m_target(targetPort), m_way(way) {
  m_listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  ::bind(m_listener, reinterpret_cast<sockaddr*>(&address), size);
  ::listen(m_listener, 64);
  ::getsockname(m_listener, reinterpret_cast<sockaddr*>(&address), &size);
  m_port = ntohs(address.sin_port);
  m_thread = std::thread([this] { accept(); });
}

TcpRelay::~TcpRelay() {
  m_ending = true;
  m_thread.join();
  for (auto& connection : m_connections) connection.join();
  ::close(m_listener);
}

void TcpRelay::accept() {
  while (!m_ending) {
    pollfd watched{m_listener, POLLIN, 0};
    if (::poll(&watched, 1, 50) <= 0) continue;
    const int near = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (near >= 0) m_connections.emplace_back([this, near] { carry(near); });
  }
}

void TcpRelay::carry(int near) {
  const int far = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
  const sockaddr_in address = loopback(m_target);
  for (const int fd : {near, far}) ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(far, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    std::array<Lane, 2> lanes{Lane(near, far, m_way, 1), Lane(far, near, m_way, 2)};
    while (!m_ending && !(lanes[0].done() && lanes[1].done())) {
      const double now = monotonicSeconds();
      std::array<pollfd, 4> watched;
      double wait = 0.05;
      for (std::size_t i = 0; i < 2; ++i) {
        watched[2 * i] = {lanes[i].from(), static_cast<short>(lanes[i].wants() ? POLLIN : 0), 0};
        watched[2 * i + 1] = {lanes[i].to(), static_cast<short>(lanes[i].blocked(now) ? POLLOUT : 0), 0};
        if (!lanes[i].blocked(now)) wait = std::clamp(lanes[i].next() - now, 0.0, wait);
      }
      for (auto& one : watched)
        if (one.events == 0) one.fd = -1;
      const timespec limit{0, static_cast<long>(wait * 1e9)};
      ::ppoll(watched.data(), watched.size(), &limit, nullptr);
      for (std::size_t i = 0; i < 2; ++i) {
        if (watched[2 * i].fd >= 0 && (watched[2 * i].revents & (POLLIN | POLLHUP | POLLERR)))
          lanes[i].take(monotonicSeconds());
        lanes[i].give(monotonicSeconds());
      }
    }
  }
  ::close(near);
  ::close(far);
}

}  // namespace roadtune::testing
