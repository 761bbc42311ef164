// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/process_table.h"

#include "core/base/text.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace roadtune::remote {

namespace {

std::string readProc(pid_t pid, const char* name) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/%s", static_cast<int>(pid), name);
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  std::string content;
  char buffer[4096];
  for (ssize_t count = 0; (count = ::read(fd, buffer, sizeof buffer)) > 0;)
    content.append(buffer, static_cast<std::size_t>(count));
  ::close(fd);
  return content;
}

}  // namespace

std::optional<ProcessEntry> lookUpProcess(pid_t pid) {
  const std::string line = readProc(pid, "stat");
  // The name stands in brackets and may hold anything, brackets included: what follows the last one is regular.
  const auto close = line.rfind(')');
  if (close == std::string::npos) return std::nullopt;
  ProcessEntry entry;
  entry.id.pid = pid;
  int parent = 0, group = 0;
  unsigned long long start = 0;
  const int fields = std::sscanf(line.c_str() + close + 1,
                                 " %c %d %d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
                                 &entry.state, &parent, &group, &start);
  if (fields != 4) return std::nullopt;
  entry.parent = parent;
  entry.group = group;
  entry.id.startTicks = start;
  return entry;
}

std::vector<ProcessEntry> allProcesses() {
  std::vector<ProcessEntry> entries;
  DIR* folder = ::opendir("/proc");
  if (!folder) return entries;
  while (const dirent* item = ::readdir(folder)) {
    const int pid = std::atoi(item->d_name);
    if (pid <= 0) continue;
    if (const auto entry = lookUpProcess(pid)) entries.push_back(*entry);
  }
  ::closedir(folder);
  return entries;
}

bool isAlive(const ProcessId& id) {
  const auto entry = lookUpProcess(id.pid);
  return entry && entry->alive() && entry->id == id;
}

std::vector<ProcessEntry> descendantsOf(pid_t pid) {
  const auto table = allProcesses();
  std::vector<ProcessEntry> found;
  std::vector<pid_t> parents{pid};
  for (std::size_t i = 0; i < parents.size(); ++i)
    for (const auto& entry : table)
      if (entry.parent == parents[i]) {
        found.push_back(entry);
        parents.push_back(entry.id.pid);
      }
  return found;
}

std::vector<std::string> argumentsOf(pid_t pid) {
  std::string line = readProc(pid, "cmdline");
  while (!line.empty() && line.back() == '\0') line.pop_back();
  return line.empty() ? std::vector<std::string>() : split(line, '\0');
}

std::string commandLineOf(pid_t pid) {
  std::string line = readProc(pid, "cmdline");
  while (!line.empty() && line.back() == '\0') line.pop_back();
  std::replace(line.begin(), line.end(), '\0', ' ');
  return line;
}

}  // namespace roadtune::remote
