// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/silent_peers.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <charconv>
#include <condition_variable>
#include <filesystem>
#include <linux/tcp.h>
#include <mutex>
#include <netinet/in.h>
#include <string_view>
#include <sys/socket.h>
#include <utility>

namespace roadtune {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kLookAgain{5};
constexpr int kProbes = 4;  // that are sent before the limit is up, where nothing else is under way
constexpr int kUnansweredAreMany = 2;
constexpr int kEstablished = 1;  // TCP_ESTABLISHED

template <typename T>
bool ask(int fd, int level, int option, T& value) {
  socklen_t length = sizeof value;
  return ::getsockopt(fd, level, option, &value, &length) == 0;
}

// The address at the other end of a TCP connection to another machine; else empty.
std::string otherMachine(int fd) {
  int protocol = 0;
  if (!ask(fd, SOL_SOCKET, SO_PROTOCOL, protocol) || protocol != IPPROTO_TCP) return {};
  sockaddr_storage peer{};
  socklen_t length = sizeof peer;
  if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &length) != 0) return {};
  const void* address = &reinterpret_cast<const sockaddr_in*>(&peer)->sin_addr;
  if (peer.ss_family == AF_INET6) address = &reinterpret_cast<const sockaddr_in6*>(&peer)->sin6_addr;
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (!::inet_ntop(peer.ss_family, address, text.data(), text.size())) return {};
  std::string name = text.data();
  if (constexpr std::string_view kMapped = "::ffff:"; name.starts_with(kMapped)) name.erase(0, kMapped.size());
  return name.starts_with("127.") || name == "::1" ? std::string() : name;
}

// Where nothing is sent, nothing is answered: the kernel asks now and then. It would itself give up later than we do.
void letAsk(int fd, seconds limit) {
  const auto set = [fd](int level, int option, int value) { ::setsockopt(fd, level, option, &value, sizeof value); };
  const int every = std::max(1, static_cast<int>(limit.count()) / (kProbes + 1));
  set(IPPROTO_TCP, TCP_KEEPIDLE, every);
  set(IPPROTO_TCP, TCP_KEEPINTVL, every);
  set(IPPROTO_TCP, TCP_KEEPCNT, 3 * kProbes);
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
}

// TCP_USER_TIMEOUT is not this: it also ends connections to a process that answers and takes no data for a while.
bool isSilent(int fd, seconds limit) {
  tcp_info info{};
  if (!ask(fd, IPPROTO_TCP, TCP_INFO, info) || info.tcpi_state != kEstablished) return false;
  return info.tcpi_retransmits + info.tcpi_probes >= kUnansweredAreMany &&
         milliseconds(info.tcpi_last_ack_recv) >= limit;
}

}  // namespace

void SilentPeers::look() {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored)) {
    const std::string name = entry.path().filename().string();
    int fd = -1;
    std::from_chars(name.data(), name.data() + name.size(), fd);
    const std::string address = otherMachine(fd);
    if (address.empty()) continue;
    letAsk(fd, m_limit);
    if (!isSilent(fd, m_limit)) continue;
    if (std::find(m_silent.begin(), m_silent.end(), address) == m_silent.end()) {
      const std::lock_guard lock(m_mutex);
      m_silent.push_back(address);
      m_told(address);
    }
    ::shutdown(fd, SHUT_RDWR);
  }
}

std::string SilentPeers::first() const {
  const std::lock_guard lock(m_mutex);
  return m_silent.empty() ? std::string() : m_silent.front();
}

SilentPeers::SilentPeers(seconds limit, Told told)
    : m_limit(limit), m_told(std::move(told)), m_thread([this](const std::stop_token& stop) {
        std::mutex mutex;
        std::condition_variable_any woken;
        std::unique_lock lock(mutex);
        do look();
        while (!woken.wait_for(lock, stop, std::min(kLookAgain, m_limit), [&stop] { return stop.stop_requested(); }));
      }) {}

}  // namespace roadtune
