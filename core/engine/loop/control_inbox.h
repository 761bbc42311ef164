// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/protocol/control.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace roadtune::engine {

// Collects what the run is asked to do, from a thread of its own: lines on standard input (unless that is a
// terminal), lines appended to a file after the start, SIGTERM and SIGINT (stop; a second one: stop now). take() is
// polled at step boundaries.
class ControlInbox {
 public:
  // `file` may be empty. `tick` is called about every five seconds.
  ControlInbox(std::filesystem::path file, std::function<void()> tick);
  ~ControlInbox();
  ControlInbox(const ControlInbox&) = delete;
  ControlInbox& operator=(const ControlInbox&) = delete;

  std::vector<protocol::ControlCommand> take();
  bool stopNow() const { return m_stopNow; }

 private:
  void run();
  void add(protocol::ControlCommand command);
  void readInput(std::string& pending);
  void addSignals();

  std::filesystem::path m_file;
  std::function<void()> m_tick;
  std::mutex m_mutex;
  std::vector<protocol::ControlCommand> m_commands;
  std::atomic<bool> m_stopNow{false};
  std::atomic<bool> m_ending{false};
  int m_seenSignals = 0;
  bool m_inputOpen = true;
  std::thread m_thread;
};

}  // namespace roadtune::engine
