// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/held_process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <utility>

namespace roadtune::testing {

HeldProcess::HeldProcess(pid_t pid) : m_pid(pid) {
  const std::filesystem::path tasks = "/proc/" + std::to_string(pid) + "/task";
  for (bool found = true; found;) {  // threads may begin while others are being held
    found = false;
    std::error_code gone;
    for (const auto& entry : std::filesystem::directory_iterator(tasks, gone)) {
      const pid_t thread = std::stoi(entry.path().filename().string());
      if (std::find(m_threads.begin(), m_threads.end(), thread) != m_threads.end()) continue;
      if (::ptrace(PTRACE_SEIZE, thread, nullptr, nullptr) != 0) {
        if (errno == ESRCH) continue;  // it has ended meanwhile
        m_error = std::string("cannot hold a process: ") + std::strerror(errno);
        return;
      }
      m_threads.push_back(thread);
      ::ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr);
      ::waitpid(thread, nullptr, __WALL);
      found = true;
    }
  }
}

HeldProcess::HeldProcess(HeldProcess&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1)), m_threads(std::move(other.m_threads)), m_error(std::move(other.m_error)) {}

HeldProcess::~HeldProcess() {
  if (m_pid <= 0 || m_threads.empty()) return;
  ::kill(m_pid, SIGKILL);
  for (const pid_t thread : m_threads)
    if (thread != m_pid) ::waitpid(thread, nullptr, __WALL);
  ::waitpid(m_pid, nullptr, __WALL);
}

}  // namespace roadtune::testing
