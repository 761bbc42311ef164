// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/machine_facts.h"

#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/host_name.h"
#include "core/base/text.h"
#include "core/base/unique_fd.h"
#include "remote/agent/node_sampler.h"
#include "remote/agent/nvml.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace roadtune::remote {

using nlohmann::json;

namespace {

constexpr std::size_t kProbeChunk = 4 << 20, kProbeMost = 128 << 20;
constexpr double kProbeSeconds = 0.7;

// "model name : X" -> X, of the first processor.
std::string cpuLine(const std::string& info, const std::string& key) {
  for (const auto& line : split(info, '\n')) {
    const auto colon = line.find(':');
    if (colon != std::string::npos && trim(line.substr(0, colon)) == key)
      return std::string(trim(line.substr(colon + 1)));
  }
  return {};
}

void addProcessor(json& facts) {
  const std::string info = readFile("/proc/cpuinfo").valueOr("");
  facts["cpus"] = ::sysconf(_SC_NPROCESSORS_ONLN);
  facts["cpu"] = cpuLine(info, "model name");
  facts["cpu_features"] = json::array();
  const auto flags = split(cpuLine(info, "flags"), ' ');
  for (const char* wanted : {"avx2", "fma", "avx512f", "avx512_bf16", "amx_bf16"})
    if (std::find(flags.begin(), flags.end(), wanted) != flags.end()) facts["cpu_features"].push_back(wanted);
}

void addSystem(json& facts) {
  facts["host"] = hostName();
  utsname names{};
  ::uname(&names);
  facts["kernel"] = names.release;
  facts["glibc"] = ::gnu_get_libc_version();
  facts["os"] = nullptr;
  for (auto& line : split(readFile("/etc/os-release").valueOr(""), '\n'))
    if (startsWith(line, "PRETTY_NAME=")) {
      std::erase(line, '"');
      facts["os"] = line.substr(12);
    }
  rlimit limit{};
  facts["nofile"] = ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? json(limit.rlim_cur) : json();
  facts["memlock"] =
      ::getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? json(limit.rlim_cur) : json();
  struct statvfs info {};
  facts["shm_free"] = ::statvfs("/dev/shm", &info) == 0 ? json(info.f_bavail * info.f_frsize) : json();
}

// Bytes per second that reach the disk, from a file that is removed again.
json writeSpeed(const fs::path& folder, std::string& error) {
  const fs::path probe = folder / (".roadtune-write-probe-" + std::to_string(::getpid()));
  const UniqueFd fd(::open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd.valid()) {
    error = std::strerror(errno);
    return nullptr;
  }
  ::unlink(probe.c_str());
  const std::vector<char> chunk(kProbeChunk, 'r');
  const double began = monotonicSeconds();
  std::size_t written = 0;
  while (written < kProbeMost && monotonicSeconds() - began < kProbeSeconds) {
    const ssize_t count = ::write(fd.get(), chunk.data(), chunk.size());
    if (count <= 0) {
      error = count < 0 ? std::strerror(errno) : "nothing written";
      break;
    }
    written += static_cast<std::size_t>(count);
  }
  if (::fdatasync(fd.get()) != 0) error = std::strerror(errno);
  const double seconds = monotonicSeconds() - began;
  return written > 0 && seconds > 0 ? json(static_cast<double>(written) / seconds) : json();
}

json diskFacts(fs::path folder, DiskProbe probe) {
  std::error_code ignored;
  folder = fs::weakly_canonical(fs::absolute(folder, ignored), ignored);
  while (!fs::is_directory(folder, ignored) && folder.has_parent_path() && folder != folder.parent_path())
    folder = folder.parent_path();
  json disk{{"path", folder.string()}, {"free", nullptr}, {"total", nullptr}, {"inodes_free", nullptr}, {"error", ""}};
  struct statvfs info {};
  if (::statvfs(folder.c_str(), &info) == 0) {
    disk["free"] = info.f_bavail * info.f_frsize;
    disk["total"] = info.f_blocks * info.f_frsize;
    if (info.f_files > 0) disk["inodes_free"] = info.f_favail;
  }
  std::string error;
  disk["write_bps"] = probe == DiskProbe::Write ? writeSpeed(folder, error) : json();
  if (probe == DiskProbe::LookOnly && ::access(folder.c_str(), W_OK) != 0) error = std::strerror(errno);
  disk["error"] = error;
  return disk;
}

void addCards(json& facts) {
  facts["driver"] = nullptr;
  facts["cuda"] = nullptr;
  facts["gpus"] = json::array();
  const auto nvml = Nvml::open();
  if (!nvml) return;
  facts["driver"] = nvml->driverVersion();
  facts["cuda"] = nvml->cudaVersion();
  for (std::size_t i = 0; i < nvml->gpus().size(); ++i) {
    const GpuSample sample = nvml->sample(i);
    json card{{"index", nvml->gpus()[i].index},
              {"name", nvml->gpus()[i].name},
              {"mem_total", nvml->gpus()[i].memory},
              {"throttle", sample.throttle}};
    if (sample.memoryUsed) card["mem_used"] = *sample.memoryUsed;
    if (sample.temperature) card["temp_c"] = *sample.temperature;
    if (sample.uncorrectedErrors) card["ecc_uncorrected"] = *sample.uncorrectedErrors;
    if (const auto processes = nvml->computeProcesses(i)) card["processes"] = *processes;
    facts["gpus"].push_back(std::move(card));
  }
}

}  // namespace

json machineFacts(const fs::path& folder, DiskProbe probe) {
  json facts = json::object();
  addSystem(facts);
  addProcessor(facts);
  NodeSampler sampler(folder);
  const NodeSample sample = sampler.sample(monotonicSeconds());
  facts["mem_total"] = sample.memoryTotal;
  facts["mem_available"] = sample.memoryTotal - sample.memoryUsed;
  facts["load"] = sample.load;
  facts["disk"] = diskFacts(folder, probe);
  addCards(facts);
  facts["time"] = wallSeconds();  // last: the one who asked knows best when the answer came
  return facts;
}

}  // namespace roadtune::remote
