// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "remote/agent/gpm.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::remote {

struct GpuInfo {
  int index = 0;
  std::string name;
  std::string uuid;
  std::uint64_t memory = 0;  // bytes
};

// A process that computes on a card, numbered as the driver sees it.
struct GpuProcess {
  int pid = -1;
  std::uint64_t memory = 0;  // bytes on the card; 0: not told
};

// What a card says of itself at one moment. Absent means: this card, driver or permission does not tell.
struct GpuSample {
  int index = 0;
  std::optional<double> utilisation;  // percent of time with any kernel running; not a measure of efficiency
  std::optional<std::uint64_t> memoryUsed, memoryTotal;
  std::optional<double> powerWatts, powerLimitWatts, energyJoules;
  std::optional<double> temperature;  // degrees Celsius
  std::optional<double> smMegahertz, memoryMegahertz;
  std::optional<std::uint64_t> uncorrectedErrors;  // ECC, since the driver was loaded
  PartActivity parts;                              // since the look before
  std::optional<double> powerPeakWatts;            // the most of several glances
  std::vector<std::string> throttle;               // why clocks are held down: "power cap", "thermal", ...
};

// The driver's management library, opened while running: a machine without it is a normal machine.
// One thread at a time.
class Nvml {
 public:
  // `path` is tried alone when given; else ROADTUNE_NVML, else the system's libnvidia-ml.so.1.
  // Nothing when there is no library, no driver, or no card.
  static std::unique_ptr<Nvml> open(const std::string& path = {});
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  const std::vector<GpuInfo>& gpus() const { return m_gpus; }
  std::string driverVersion() const;
  std::string cudaVersion() const;  // the newest the driver can run: "13.0"

  GpuSample sample(std::size_t position) const;

  // A quick look at what changes quickly, ten times a second; summary() is a sample with the mean of the glances since
  // the one before, and their highest power. What parts did (PartActivity) is averaged by the card itself.
  void glance();
  GpuSample summary(std::size_t position);
  // How many processes compute on the card now; nothing when it does not tell.
  std::optional<int> computeProcesses(std::size_t position) const;
  // Which they are; none when it does not tell.
  std::vector<GpuProcess> processes(std::size_t position) const;

 private:
  struct Calls;
  Nvml(void* library, std::unique_ptr<Calls> calls);
  void listGpus();

  void* m_library = nullptr;
  std::unique_ptr<Calls> m_calls;
  std::vector<void*> m_devices;
  std::vector<GpuInfo> m_gpus;
  std::unique_ptr<Gpm> m_gpm;
  struct Glances {
    double utilisation = 0, power = 0, powerPeak = 0;
    int utilisations = 0, powers = 0;
    unsigned long long throttle = 0;  // reasons that held at any of them
  };
  std::vector<Glances> m_glances;
};

// The reasons in a driver's bit mask, in words. Idling is not a reason worth telling.
std::vector<std::string> throttleWords(unsigned long long mask);

}  // namespace roadtune::remote
