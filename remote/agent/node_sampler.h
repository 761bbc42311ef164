// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

namespace roadtune::remote {

// One look at this machine. Rates are averages since the look before; the first one has none (zero).
struct NodeSample {
  double cpuPercent = 0;                          // of all cores
  double load = 0;                                // one-minute load average
  std::uint64_t memoryUsed = 0, memoryTotal = 0;  // bytes; used = not available to a new program
  double diskReadBytes = 0, diskWriteBytes = 0;   // per second, over whole disks
  double networkReceived = 0, networkSent = 0;    // bytes per second, without the loopback
  std::uint64_t diskFree = 0;                     // bytes left where the run writes
};

// Reads the kernel's counters; files that are absent (containers, other kernels) leave their fields at zero.
class NodeSampler {
 public:
  // `runFolder` decides whose free space is told; `root` is put before /proc and /sys in tests.
  explicit NodeSampler(std::filesystem::path runFolder, std::filesystem::path root = "/");
  NodeSample sample(double monotonicNow);

 private:
  struct Counters {
    std::uint64_t cpuBusy = 0, cpuAll = 0;
    std::uint64_t diskRead = 0, diskWritten = 0;  // sectors of 512 bytes
    std::uint64_t received = 0, sent = 0;
  };
  Counters readCounters() const;
  void readProcessor(Counters& counters) const;
  void readDisks(Counters& counters) const;
  void readNetwork(Counters& counters) const;

  std::filesystem::path m_runFolder, m_root;
  Counters m_last;
  double m_lastTime = -1;
};

}  // namespace roadtune::remote
