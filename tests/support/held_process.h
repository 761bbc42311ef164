// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <sys/types.h>
#include <vector>

namespace roadtune::testing {

// A process that stands still, deaf to every signal but SIGKILL. A SIGSTOP would not do where its parents end next: the
// kernel wakes a stopped group that has lost them, with a hang-up. Belongs to the thread that made it.
class HeldProcess {
 public:
  explicit HeldProcess(pid_t pid);
  ~HeldProcess();  // ends the process
  HeldProcess(HeldProcess&& other) noexcept;
  HeldProcess(const HeldProcess&) = delete;
  HeldProcess& operator=(const HeldProcess&) = delete;

  const std::string& error() const { return m_error; }  // empty while it is held

 private:
  pid_t m_pid;
  std::vector<pid_t> m_threads;
  std::string m_error;
};

}  // namespace roadtune::testing
