// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/machine_processes.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "remote/agent/nvml.h"
#include "remote/agent/process_table.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace roadtune::remote {

namespace {

std::string procFile(pid_t pid, const char* name) { return "/proc/" + std::to_string(pid) + "/" + name; }

std::string nameOf(pid_t pid) {
  std::ifstream file(procFile(pid, "comm"));
  std::string name;
  std::getline(file, name);
  return name;
}

std::string userOf(pid_t pid) {
  struct stat info {};
  if (::stat(procFile(pid, "").c_str(), &info) != 0) return {};
  passwd entry{}, *found = nullptr;
  char text[4096];
  if (::getpwuid_r(info.st_uid, &entry, text, sizeof text, &found) == 0 && found) return found->pw_name;
  return std::to_string(info.st_uid);
}

std::uint64_t memoryOf(pid_t pid) {
  std::ifstream file(procFile(pid, "statm"));
  std::uint64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

// Nothing, of one that has ended meanwhile: an iterator over a stream would throw then.
std::string wordsOf(pid_t pid) { return readFile(procFile(pid, "cmdline")).valueOr({}); }

// Ranks are what an agent starts; those that another launcher started carry the trainer's name.
bool isRank(const ProcessEntry& entry) {
  if (!entry.alive()) return false;
  const std::string name = nameOf(entry.id.pid);
  return name == "roadtune-train" || (name != "roadtune-agent" && nameOf(entry.parent) == "roadtune-agent");
}

}  // namespace

std::string runOfCommandLine(const std::string& words) {
  const auto all = split(words, '\0');
  for (std::size_t i = 0; i + 1 < all.size(); ++i)
    if (all[i] == "--run") return all[i + 1];
  return {};
}

std::vector<MachineProcess> machineProcesses(const Nvml* nvml) {
  std::map<pid_t, MachineProcess> found;
  for (std::size_t i = 0; nvml && i < nvml->gpus().size(); ++i)
    for (const GpuProcess& one : nvml->processes(i)) {
      MachineProcess& process = found[one.pid];
      process.gpus.push_back(nvml->gpus()[i].index);
      process.gpuMemory += one.memory;
    }
  for (const ProcessEntry& entry : allProcesses())
    if (isRank(entry)) found[entry.id.pid].run = runOfCommandLine(wordsOf(entry.id.pid));
  // The agent starts helpers too: what names no run and has no card is none of a rank.
  std::erase_if(found, [](const auto& one) { return one.second.gpus.empty() && one.second.run.empty(); });
  std::vector<MachineProcess> all;
  for (auto& [pid, process] : found) {
    process.pid = pid;
    process.user = userOf(pid);
    process.name = nameOf(pid);
    process.memory = memoryOf(pid);
    all.push_back(std::move(process));
  }
  return all;
}

int onCards(const Nvml& nvml, const std::vector<pid_t>& processes) {
  int found = 0;
  for (std::size_t card = 0; card < nvml.gpus().size(); ++card)
    for (const GpuProcess& one : nvml.processes(card))
      found += std::find(processes.begin(), processes.end(), one.pid) != processes.end();
  return found;
}

}  // namespace roadtune::remote
