// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/node_sampler.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/statvfs.h>

namespace roadtune::remote {

namespace {

std::vector<std::string> linesOf(const fs::path& path) {
  const auto content = readFile(path);
  return content.ok() ? split(content.value(), '\n') : std::vector<std::string>{};
}

std::uint64_t kilobytes(const std::string& line) {
  const auto colon = line.find(':');
  return colon == std::string::npos ? 0 : std::strtoull(line.c_str() + colon + 1, nullptr, 10) * 1024;
}

double rate(std::uint64_t now, std::uint64_t before, double seconds) {
  return now > before && seconds > 0 ? static_cast<double>(now - before) / seconds : 0;
}

}  // namespace

NodeSampler::NodeSampler(fs::path runFolder, fs::path root)
    : m_runFolder(std::move(runFolder)), m_root(std::move(root)) {}

void NodeSampler::readProcessor(Counters& counters) const {
  const auto lines = linesOf(m_root / "proc/stat");
  unsigned long long user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, steal = 0;
  if (lines.empty() || std::sscanf(lines[0].c_str(), "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice,
                                   &system, &idle, &wait, &irq, &soft, &steal) < 4)
    return;
  counters.cpuBusy = user + nice + system + irq + soft + steal;
  counters.cpuAll = counters.cpuBusy + idle + wait;
}

void NodeSampler::readDisks(Counters& counters) const {
  for (const auto& line : linesOf(m_root / "proc/diskstats")) {
    char name[64] = {};
    unsigned long long read = 0, written = 0;
    if (std::sscanf(line.c_str(), "%*u %*u %63s %*u %*u %llu %*u %*u %*u %llu", name, &read, &written) != 3) continue;
    if (startsWith(name, "loop") || startsWith(name, "ram") || startsWith(name, "dm-") || startsWith(name, "md"))
      continue;
    if (!fs::exists(m_root / "sys/block" / name)) continue;  // a partition is part of a disk that is counted
    counters.diskRead += read;
    counters.diskWritten += written;
  }
}

void NodeSampler::readNetwork(Counters& counters) const {
  for (const auto& line : linesOf(m_root / "proc/net/dev")) {
    const auto colon = line.find(':');
    if (colon == std::string::npos || trim(line.substr(0, colon)) == "lo") continue;
    unsigned long long received = 0, sent = 0;
    if (std::sscanf(line.c_str() + colon + 1, "%llu %*u %*u %*u %*u %*u %*u %*u %llu", &received, &sent) != 2) continue;
    counters.received += received;
    counters.sent += sent;
  }
}

NodeSampler::Counters NodeSampler::readCounters() const {
  Counters counters;
  readProcessor(counters);
  readDisks(counters);
  readNetwork(counters);
  return counters;
}

NodeSample NodeSampler::sample(double now) {
  NodeSample sample;
  const Counters counters = readCounters();
  if (m_lastTime >= 0) {
    const double seconds = now - m_lastTime;
    if (counters.cpuAll > m_last.cpuAll)
      sample.cpuPercent =
          100.0 * rate(counters.cpuBusy, m_last.cpuBusy, 1) / static_cast<double>(counters.cpuAll - m_last.cpuAll);
    sample.diskReadBytes = 512 * rate(counters.diskRead, m_last.diskRead, seconds);
    sample.diskWriteBytes = 512 * rate(counters.diskWritten, m_last.diskWritten, seconds);
    sample.networkReceived = rate(counters.received, m_last.received, seconds);
    sample.networkSent = rate(counters.sent, m_last.sent, seconds);
  }
  m_last = counters;
  m_lastTime = now;

  std::uint64_t available = 0;
  for (const auto& line : linesOf(m_root / "proc/meminfo")) {
    if (startsWith(line, "MemTotal:")) sample.memoryTotal = kilobytes(line);
    if (startsWith(line, "MemAvailable:")) available = kilobytes(line);
  }
  sample.memoryUsed = sample.memoryTotal > available ? sample.memoryTotal - available : 0;
  const auto load = linesOf(m_root / "proc/loadavg");
  if (!load.empty()) sample.load = std::strtod(load[0].c_str(), nullptr);
  struct statvfs info {};
  if (::statvfs(m_runFolder.c_str(), &info) == 0)
    sample.diskFree = static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize;
  return sample;
}

}  // namespace roadtune::remote
