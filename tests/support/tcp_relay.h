// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace roadtune::testing {

// What a long way does to the bytes, each way.
struct Way {
  double delay = 0;           // seconds that every byte is under way
  double bytesPerSecond = 0;  // 0: as fast as this machine
  double loss = 0;            // share of packets that arrive a round trip later; what follows them waits
};

// A port on the loopback behind which another one is far away: what `tc netem` does, for kernels without it. Delay,
// rate and order are those of the way; how TCP itself would slow down on it is not imitated.
class TcpRelay {
 public:
  TcpRelay(int targetPort, const Way& way);
  ~TcpRelay();
  TcpRelay(const TcpRelay&) = delete;
  TcpRelay& operator=(const TcpRelay&) = delete;

  int port() const { return m_port; }

 private:
  void accept();
  void carry(int near);
  int m_target, m_port = 0, m_listener = -1;
  Way m_way;
  std::atomic<bool> m_ending{false};
  std::vector<std::thread> m_connections;
  std::thread m_thread;
};

}  // namespace roadtune::testing
