// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace roadtune::remote {

// A control group (cgroup v2) of the ranks of one machine: nothing that a rank starts gets out of it, whatever process
// group or parent it takes, so that an empty group proves that nothing is left. Needs a cgroup2 file system in which
// the user may make a folder below the agent's own group: root, a delegated systemd scope, most containers' own.
class RankCgroup {
 public:
  // `root` is put before /proc in tests. Fails with the reason where it is not allowed.
  static Result<RankCgroup> make(const std::string& name, const std::filesystem::path& root = "/");
  // One that is there already.
  explicit RankCgroup(std::filesystem::path folder) : m_folder(std::move(folder)) {}

  Status add(pid_t pid) const;
  void killAll() const;                // with one word where the kernel can (5.14), else one by one
  std::vector<pid_t> members() const;  // of it and of groups that ranks made below
  bool remove() const;                 // true when it is gone: nobody was in it

  struct Usage {
    std::optional<double> cpuSeconds;
    std::optional<std::uint64_t> memory, memoryPeak;  // where the memory controller is handed down
  };
  Usage usage() const;
  const std::filesystem::path& folder() const { return m_folder; }

 private:
  std::filesystem::path m_folder;
};

}  // namespace roadtune::remote
