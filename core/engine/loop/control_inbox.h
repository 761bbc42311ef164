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
// terminal), lines appended to a file after the start, SIGTERM and SIGINT (stop; a second one: stop now), and the end
// of a standard input that belongs to an agent (stop). take() is polled at step boundaries.
class ControlInbox {
 public:
  // `file` may be empty. `tick` is called about every five seconds. `led`: an agent holds the other end of the input.
  ControlInbox(std::filesystem::path file, std::function<void()> tick, bool led = false);
  ~ControlInbox();
  ControlInbox(const ControlInbox&) = delete;
  ControlInbox& operator=(const ControlInbox&) = delete;

  std::vector<protocol::ControlCommand> take();
  bool stopAsked() const { return m_stopAsked; }  // or stopping now
  bool stopNow() const { return m_stopNow; }
  bool orphaned() const { return m_orphaned; }  // the agent that led this rank is gone

 private:
  void run();
  void add(protocol::ControlCommand command);
  void readInput(std::string& pending);
  void addSignals();

  const bool m_led;
  std::filesystem::path m_file;
  std::function<void()> m_tick;
  std::mutex m_mutex;
  std::vector<protocol::ControlCommand> m_commands;
  std::atomic<bool> m_stopAsked{false};
  std::atomic<bool> m_stopNow{false};
  std::atomic<bool> m_ending{false};
  std::atomic<bool> m_orphaned{false};
  int m_seenSignals = 0;
  bool m_inputOpen = true;
  std::thread m_thread;
};

}  // namespace roadtune::engine
