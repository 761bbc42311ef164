// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/telemetry.h"

#include "core/base/host_name.h"
#include "core/protocol/event.h"

#include <unistd.h>

namespace roadtune::remote {

namespace {

using nlohmann::json;

template <class T>
void put(json& body, const char* key, const std::optional<T>& value) {
  if (!value) return;
  if constexpr (std::is_floating_point_v<T>)
    body[key] = protocol::number(*value);
  else
    body[key] = *value;
}

json gpuBody(const GpuSample& gpu) {
  json body{{"index", gpu.index}, {"throttle", gpu.throttle}};
  put(body, "util", gpu.utilisation);
  put(body, "mem_used", gpu.memoryUsed);
  put(body, "mem_total", gpu.memoryTotal);
  put(body, "power_w", gpu.powerWatts);
  put(body, "power_peak_w", gpu.powerPeakWatts);
  put(body, "power_limit_w", gpu.powerLimitWatts);
  put(body, "energy_j", gpu.energyJoules);
  put(body, "temp_c", gpu.temperature);
  put(body, "sm_mhz", gpu.smMegahertz);
  put(body, "mem_mhz", gpu.memoryMegahertz);
  put(body, "ecc_uncorrected", gpu.uncorrectedErrors);
  put(body, "sm_active", gpu.parts.sm);
  put(body, "tensor_active", gpu.parts.tensor);
  put(body, "dram_active", gpu.parts.dram);
  put(body, "pcie_rx_bps", gpu.parts.pcieReceived);
  put(body, "pcie_tx_bps", gpu.parts.pcieSent);
  put(body, "nvlink_rx_bps", gpu.parts.nvlinkReceived);
  put(body, "nvlink_tx_bps", gpu.parts.nvlinkSent);
  return body;
}

}  // namespace

json helloBody(const Nvml* nvml) {
  NodeSampler sampler("/");
  json body{{"version", ROADTUNE_VERSION},
            {"host", hostName()},
            {"pid", ::getpid()},
            {"cpus", ::sysconf(_SC_NPROCESSORS_ONLN)},
            {"memory", sampler.sample(0).memoryTotal},
            {"gpus", json::array()}};
  if (!nvml) return body;
  body["driver"] = nvml->driverVersion();
  body["cuda"] = nvml->cudaVersion();
  for (const auto& gpu : nvml->gpus())
    body["gpus"].push_back({{"index", gpu.index}, {"name", gpu.name}, {"uuid", gpu.uuid}, {"memory", gpu.memory}});
  return body;
}

json nodeBody(const NodeSample& sample, const std::vector<GpuSample>& gpus) {
  json body{{"cpu", sample.cpuPercent},
            {"load", sample.load},
            {"mem_used", sample.memoryUsed},
            {"mem_total", sample.memoryTotal},
            {"disk_read_bps", sample.diskReadBytes},
            {"disk_write_bps", sample.diskWriteBytes},
            {"net_rx_bps", sample.networkReceived},
            {"net_tx_bps", sample.networkSent},
            {"disk_free", sample.diskFree},
            {"gpus", json::array()}};
  for (const auto& gpu : gpus) body["gpus"].push_back(gpuBody(gpu));
  return body;
}

void addUsage(json& body, const RankCgroup::Usage& usage) {
  put(body, "ranks_cpu_s", usage.cpuSeconds);
  put(body, "ranks_mem", usage.memory);
  put(body, "ranks_mem_peak", usage.memoryPeak);
}

json startedBody(const RankProcess& rank) {
  return {{"rank_of_process", rank.rank},
          {"local_rank", rank.localRank},
          {"pid", rank.id.pid},
          {"start_ticks", rank.id.startTicks},
          {"state", "started"}};
}

json endedBody(const RankProcess& rank, bool killedByUs) {
  json body = startedBody(rank);
  body["state"] = killedByUs ? "killed" : "exited";
  body["seconds"] = rank.ended - rank.started;
  if (!rank.exit) return body;
  body["exit_code"] = rank.exit->code;
  body["signal"] = rank.exit->signal;
  return body;
}

}  // namespace roadtune::remote
