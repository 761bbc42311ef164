// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace roadtune::remote {

// A process beyond doubt: numbers are reused, but not together with the moment of birth (clock ticks since boot).
struct ProcessId {
  pid_t pid = -1;
  std::uint64_t startTicks = 0;
  bool operator==(const ProcessId&) const = default;
};

struct ProcessEntry {
  ProcessId id;
  pid_t parent = -1;
  pid_t group = -1;
  char state = '?';  // R S D Z T as the kernel calls them
  bool alive() const { return state != 'Z' && state != 'X' && state != '?'; }
};

std::optional<ProcessEntry> lookUpProcess(pid_t pid);
std::vector<ProcessEntry> allProcesses();

// True while exactly this process runs; a zombie counts as gone.
bool isAlive(const ProcessId& id);

// Everything below `pid`, children first, from one look at the table.
std::vector<ProcessEntry> descendantsOf(pid_t pid);

// Empty for a zombie or a process of somebody else.
std::vector<std::string> argumentsOf(pid_t pid);

// Arguments joined with spaces; empty for a zombie or a process of somebody else.
std::string commandLineOf(pid_t pid);

}  // namespace roadtune::remote
