// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace roadtune::remote {

class Nvml;

// A process that computes on a card of this machine, or a rank of ours wherever it computes.
struct MachineProcess {
  pid_t pid = -1;
  std::string user;             // empty: it is not seen from here (another container's)
  std::string name;             // of its program
  std::string run;              // folder of the run that it is a rank of; empty: none of ours
  std::vector<int> gpus = {};   // on which it computes
  std::uint64_t memory = 0;     // bytes of the machine's memory
  std::uint64_t gpuMemory = 0;  // bytes on all cards together; 0 where the driver does not tell
  bool operator==(const MachineProcess&) const = default;
};

// Those of now, by number. `nvml` may be null. One thread at a time, as the library.
std::vector<MachineProcess> machineProcesses(const Nvml* nvml);

// How many of these processes the driver still counts on any card.
int onCards(const Nvml& nvml, const std::vector<pid_t>& processes);

// The folder behind `--run` in a command line, as the kernel keeps it ('\0' between the words).
std::string runOfCommandLine(const std::string& words);

}  // namespace roadtune::remote
