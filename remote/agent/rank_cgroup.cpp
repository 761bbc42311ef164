// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/rank_cgroup.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sstream>
#include <unistd.h>

namespace roadtune::remote {

namespace {

// Files of a control group take a word per write and are never made.
bool say(const fs::path& file, const std::string& word) {
  const UniqueFd fd(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  return fd.valid() && ::write(fd.get(), word.data(), word.size()) == static_cast<ssize_t>(word.size());
}

// Where the unified hierarchy is mounted; "gpu1 /sys/fs/cgroup cgroup2 rw,... 0 0".
fs::path mountPoint(const fs::path& root) {
  for (const auto& line : split(readFile(root / "proc/self/mounts").valueOr(""), '\n')) {
    const auto words = split(line, ' ');
    if (words.size() > 2 && words[2] == "cgroup2") return words[1];
  }
  return {};
}

// The group this process is in: the line "0::/user.slice/session-2.scope".
std::string ownGroup(const fs::path& root) {
  for (const auto& line : split(readFile(root / "proc/self/cgroup").valueOr(""), '\n'))
    if (startsWith(line, "0::")) return line.substr(3);
  return {};
}

std::optional<std::uint64_t> numberIn(const fs::path& file) {
  const auto text = readFile(file);
  if (!text.ok() || text.value().empty() || text.value()[0] < '0' || text.value()[0] > '9') return std::nullopt;
  return std::strtoull(text.value().c_str(), nullptr, 10);
}

std::vector<fs::path> groupsBelow(const fs::path& folder) {
  std::vector<fs::path> groups{folder};
  std::error_code code;
  for (fs::recursive_directory_iterator at(folder, code), end; !code && at != end; at.increment(code))
    if (at->is_directory(code)) groups.push_back(at->path());
  return groups;
}

}  // namespace

Result<RankCgroup> RankCgroup::make(const std::string& name, const fs::path& root) {
  const fs::path mount = mountPoint(root);
  if (mount.empty()) return missing("this machine has no cgroup v2");
  const std::string own = ownGroup(root);
  if (own.empty()) return missing("the agent is in no cgroup v2");
  const fs::path parent = mount / fs::path(own).relative_path();
  std::error_code code;
  fs::create_directory(parent / name, code);
  if (code) return systemError(code.value(), "no control group of its own", (parent / name).string());
  RankCgroup group(parent / name);
  if (::access((group.m_folder / "cgroup.procs").c_str(), W_OK) == 0) return group;
  const Error refused = systemError("no process may be put into", group.m_folder.string());
  group.remove();
  return refused;
}

Status RankCgroup::add(pid_t pid) const {
  if (say(m_folder / "cgroup.procs", std::to_string(pid))) return {};
  return systemError("a rank stays outside its control group", m_folder.string());
}

std::vector<pid_t> RankCgroup::members() const {
  std::vector<pid_t> pids;
  for (const auto& folder : groupsBelow(m_folder)) {
    std::istringstream lines(readFile(folder / "cgroup.procs").valueOr(""));
    for (pid_t pid = 0; lines >> pid;) pids.push_back(pid);
  }
  return pids;
}

void RankCgroup::killAll() const {
  if (say(m_folder / "cgroup.kill", "1")) return;
  for (const pid_t pid : members()) ::kill(pid, SIGKILL);
}

bool RankCgroup::remove() const {
  auto groups = groupsBelow(m_folder);
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) ::rmdir(group->c_str());
  std::error_code code;
  return !fs::exists(m_folder, code);
}

RankCgroup::Usage RankCgroup::usage() const {
  Usage usage;
  usage.memory = numberIn(m_folder / "memory.current");
  usage.memoryPeak = numberIn(m_folder / "memory.peak");
  std::istringstream words(readFile(m_folder / "cpu.stat").valueOr(""));
  double microseconds = 0;
  for (std::string key; words >> key >> microseconds;)
    if (key == "usage_usec") usage.cpuSeconds = microseconds / 1e6;
  return usage;
}

}  // namespace roadtune::remote
