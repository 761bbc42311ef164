// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/nvml.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <initializer_list>
#include <utility>

namespace roadtune::remote {

// Named, not anonymous: Nvml::Calls below is visible outside and holds these.
namespace nvml {

// The library's interface as documented, as far as it is used here. No header of the driver's is needed to build.
using Device = void*;
struct MemoryV1 {
  unsigned long long total, free, used;
};
struct MemoryV2 {
  unsigned version;
  unsigned long long total, reserved, free, used;
};
struct Rates {
  unsigned gpu, memory;
};
struct ProcessV1 {
  unsigned pid;
  unsigned long long memory;
};
struct ProcessV2 {  // what version 3 of the question fills in, too
  unsigned pid;
  unsigned long long memory;
  unsigned instance, part;
};

}  // namespace nvml

namespace {

using nvml::Device;
constexpr int kSuccess = 0;
constexpr int kInsufficientSize = 7;
constexpr int kTemperatureGpu = 0;
constexpr int kClockSm = 1, kClockMemory = 2;
constexpr unsigned kMostProcesses = 256;
constexpr unsigned long long kUntold = ~0ULL;  // a memory that the driver keeps to itself
constexpr int kUncorrected = 1, kSinceDriverLoad = 0;

template <class F>
void find(void* library, F& function, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if ((function = reinterpret_cast<F>(::dlsym(library, name)))) return;
}

}  // namespace

struct Nvml::Calls {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*count)(unsigned*) = nullptr;
  int (*handle)(unsigned, Device*) = nullptr;
  int (*name)(Device, char*, unsigned) = nullptr;
  int (*uuid)(Device, char*, unsigned) = nullptr;
  int (*driver)(char*, unsigned) = nullptr;
  int (*cuda)(int*) = nullptr;
  int (*rates)(nvml::Device, nvml::Rates*) = nullptr;
  int (*memoryV1)(nvml::Device, nvml::MemoryV1*) = nullptr;
  int (*memoryV2)(nvml::Device, nvml::MemoryV2*) = nullptr;
  int (*power)(Device, unsigned*) = nullptr;
  int (*powerLimit)(Device, unsigned*) = nullptr;
  int (*energy)(Device, unsigned long long*) = nullptr;
  int (*temperature)(Device, int, unsigned*) = nullptr;
  int (*clock)(Device, int, unsigned*) = nullptr;
  int (*reasons)(Device, unsigned long long*) = nullptr;
  int (*ecc)(Device, int, int, unsigned long long*) = nullptr;
  int (*processes)(Device, unsigned*, void*) = nullptr;
  bool oldProcesses = false;  // they are told as ProcessV1

  explicit Calls(void* library) {
    find(library, init, {"nvmlInit_v2", "nvmlInit"});
    find(library, shutdown, {"nvmlShutdown"});
    find(library, count, {"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"});
    find(library, handle, {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"});
    find(library, name, {"nvmlDeviceGetName"});
    find(library, uuid, {"nvmlDeviceGetUUID"});
    find(library, driver, {"nvmlSystemGetDriverVersion"});
    find(library, cuda, {"nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion"});
    find(library, rates, {"nvmlDeviceGetUtilizationRates"});
    find(library, memoryV1, {"nvmlDeviceGetMemoryInfo"});
    find(library, memoryV2, {"nvmlDeviceGetMemoryInfo_v2"});
    find(library, power, {"nvmlDeviceGetPowerUsage"});
    find(library, powerLimit, {"nvmlDeviceGetEnforcedPowerLimit"});
    find(library, energy, {"nvmlDeviceGetTotalEnergyConsumption"});
    find(library, temperature, {"nvmlDeviceGetTemperature"});
    find(library, clock, {"nvmlDeviceGetClockInfo"});
    find(library, reasons, {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
    find(library, ecc, {"nvmlDeviceGetTotalEccErrors"});
    find(library, processes, {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"});
    if (processes) return;
    find(library, processes, {"nvmlDeviceGetComputeRunningProcesses"});
    oldProcesses = true;
  }
};

std::unique_ptr<Nvml> Nvml::open(const std::string& path) {
  const char* chosen = std::getenv("ROADTUNE_NVML");
  const std::string only = !path.empty() ? path : chosen ? chosen : "";
  void* library = nullptr;
  if (!only.empty()) {
    library = ::dlopen(only.c_str(), RTLD_LAZY | RTLD_LOCAL);
  } else {
    for (const char* name : {"libnvidia-ml.so.1", "libnvidia-ml.so"})
      if ((library = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL))) break;
  }
  if (!library) return nullptr;
  auto calls = std::make_unique<Calls>(library);
  if (!calls->init || !calls->count || !calls->handle || calls->init() != kSuccess) {
    ::dlclose(library);
    return nullptr;
  }
  std::unique_ptr<Nvml> nvml(new Nvml(library, std::move(calls)));
  nvml->listGpus();
  if (nvml->m_gpus.empty()) return nullptr;
  nvml->m_gpm = std::make_unique<Gpm>(library);
  nvml->m_glances.resize(nvml->m_gpus.size());
  return nvml;
}

Nvml::Nvml(void* library, std::unique_ptr<Calls> calls) : m_library(library), m_calls(std::move(calls)) {}

Nvml::~Nvml() {
  m_gpm.reset();  // before the library it calls
  if (m_calls->shutdown) m_calls->shutdown();
  ::dlclose(m_library);
}

void Nvml::listGpus() {
  unsigned count = 0;
  if (m_calls->count(&count) != kSuccess) return;
  for (unsigned i = 0; i < count; ++i) {
    Device device = nullptr;
    if (m_calls->handle(i, &device) != kSuccess) continue;  // a card that fell off the bus
    GpuInfo info;
    info.index = static_cast<int>(i);
    std::array<char, 96> text{};
    if (m_calls->name && m_calls->name(device, text.data(), text.size()) == kSuccess) info.name = text.data();
    if (m_calls->uuid && m_calls->uuid(device, text.data(), text.size()) == kSuccess) info.uuid = text.data();
    m_devices.push_back(device);
    m_gpus.push_back(info);
    m_gpus.back().memory = sample(m_gpus.size() - 1).memoryTotal.value_or(0);
  }
}

std::string Nvml::driverVersion() const {
  std::array<char, 96> text{};
  return m_calls->driver && m_calls->driver(text.data(), text.size()) == kSuccess ? text.data() : "";
}

std::string Nvml::cudaVersion() const {
  int version = 0;
  if (!m_calls->cuda || m_calls->cuda(&version) != kSuccess) return {};
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

namespace {

std::optional<double> ask(int (*call)(Device, unsigned*), Device device, double scale) {
  unsigned value = 0;
  if (!call || call(device, &value) != kSuccess) return std::nullopt;
  return value * scale;
}

std::optional<double> ask(int (*call)(Device, int, unsigned*), Device device, int which) {
  unsigned value = 0;
  if (!call || call(device, which, &value) != kSuccess) return std::nullopt;
  return value;
}

}  // namespace

GpuSample Nvml::sample(std::size_t position) const {
  const Device device = m_devices[position];
  GpuSample sample;
  sample.index = m_gpus[position].index;
  nvml::Rates rates{};
  if (m_calls->rates && m_calls->rates(device, &rates) == kSuccess) sample.utilisation = rates.gpu;
  nvml::MemoryV2 newer{};
  newer.version = static_cast<unsigned>(sizeof newer) | (2U << 24);
  nvml::MemoryV1 older{};
  if (m_calls->memoryV2 && m_calls->memoryV2(device, &newer) == kSuccess) {
    sample.memoryUsed = newer.used;
    sample.memoryTotal = newer.total;
  } else if (m_calls->memoryV1 && m_calls->memoryV1(device, &older) == kSuccess) {
    sample.memoryUsed = older.used;
    sample.memoryTotal = older.total;
  }
  sample.powerWatts = ask(m_calls->power, device, 1e-3);
  sample.powerLimitWatts = ask(m_calls->powerLimit, device, 1e-3);
  sample.temperature = ask(m_calls->temperature, device, kTemperatureGpu);
  sample.smMegahertz = ask(m_calls->clock, device, kClockSm);
  sample.memoryMegahertz = ask(m_calls->clock, device, kClockMemory);
  unsigned long long value = 0;
  if (m_calls->energy && m_calls->energy(device, &value) == kSuccess)
    sample.energyJoules = static_cast<double>(value) * 1e-3;
  if (m_calls->ecc && m_calls->ecc(device, kUncorrected, kSinceDriverLoad, &value) == kSuccess)
    sample.uncorrectedErrors = value;
  if (m_calls->reasons && m_calls->reasons(device, &value) == kSuccess) sample.throttle = throttleWords(value);
  return sample;
}

void Nvml::glance() {
  for (std::size_t i = 0; i < m_devices.size(); ++i) {
    Glances& seen = m_glances[i];
    nvml::Rates rates{};
    if (m_calls->rates && m_calls->rates(m_devices[i], &rates) == kSuccess) {
      seen.utilisation += rates.gpu;
      ++seen.utilisations;
    }
    if (const auto watts = ask(m_calls->power, m_devices[i], 1e-3)) {
      seen.power += *watts;
      seen.powerPeak = std::max(seen.powerPeak, *watts);
      ++seen.powers;
    }
    unsigned long long reasons = 0;
    if (m_calls->reasons && m_calls->reasons(m_devices[i], &reasons) == kSuccess) seen.throttle |= reasons;
  }
}

GpuSample Nvml::summary(std::size_t position) {
  GpuSample sample = this->sample(position);
  const Glances seen = std::exchange(m_glances[position], {});
  if (seen.utilisations > 0) sample.utilisation = seen.utilisation / seen.utilisations;
  if (seen.powers > 0) {
    sample.powerWatts = seen.power / seen.powers;
    sample.powerPeakWatts = seen.powerPeak;
  }
  for (auto& word : throttleWords(seen.throttle))
    if (std::find(sample.throttle.begin(), sample.throttle.end(), word) == sample.throttle.end())
      sample.throttle.push_back(std::move(word));
  sample.parts = m_gpm->look(m_devices[position]);
  return sample;
}

std::optional<int> Nvml::computeProcesses(std::size_t position) const {
  if (!m_calls->processes) return std::nullopt;
  unsigned count = 0;
  const int answer = m_calls->processes(m_devices[position], &count, nullptr);  // asks for the number only
  if (answer != kSuccess && answer != kInsufficientSize) return std::nullopt;
  return static_cast<int>(count);
}

namespace {

template <class Entry, class Call>
std::vector<GpuProcess> listProcesses(const Call& call, Device device) {
  std::vector<Entry> entries(kMostProcesses);
  unsigned count = kMostProcesses;
  if (call(device, &count, entries.data()) != kSuccess) return {};
  std::vector<GpuProcess> all;
  for (unsigned i = 0; i < std::min(count, kMostProcesses); ++i)
    all.push_back({static_cast<int>(entries[i].pid), entries[i].memory == kUntold ? 0 : entries[i].memory});
  return all;
}

}  // namespace

std::vector<GpuProcess> Nvml::processes(std::size_t position) const {
  if (!m_calls->processes) return {};
  return m_calls->oldProcesses ? listProcesses<nvml::ProcessV1>(m_calls->processes, m_devices[position])
                               : listProcesses<nvml::ProcessV2>(m_calls->processes, m_devices[position]);
}

std::vector<std::string> throttleWords(unsigned long long mask) {
  static constexpr std::array<std::pair<unsigned long long, const char*>, 8> kReasons{{{0x2, "application clocks"},
                                                                                       {0x4, "power cap"},
                                                                                       {0x8, "hardware slowdown"},
                                                                                       {0x10, "sync boost"},
                                                                                       {0x20, "thermal"},
                                                                                       {0x40, "hardware thermal"},
                                                                                       {0x80, "power brake"},
                                                                                       {0x100, "display clocks"}}};
  std::vector<std::string> words;
  for (const auto& [bit, word] : kReasons)
    if (mask & bit) words.emplace_back(word);
  return words;
}

}  // namespace roadtune::remote
