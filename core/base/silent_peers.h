// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace roadtune {

// A machine that loses its power says no goodbye, and who waits for it would wait for good. While this lives, TCP
// connections of this process, whoever opened them, are closed when the other machine has answered nothing for `limit`.
// A process there that is merely busy or stopped does no harm: its kernel answers.
class SilentPeers {
 public:
  using Told = std::function<void(const std::string& address)>;

  SilentPeers(std::chrono::seconds limit, Told told);  // told once for each address, from a thread of its own

  std::string first() const;  // address that fell silent; empty: none

 private:
  void look();

  std::chrono::seconds m_limit;
  Told m_told;
  mutable std::mutex m_mutex;
  std::vector<std::string> m_silent;
  std::jthread m_thread;
};

}  // namespace roadtune
