// SPDX-License-Identifier: GPL-3.0-or-later
// What the events of an agent mean.
#include "core/runs/run_store_impl.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::runs {

using protocol::FlatEvent;
using protocol::FlatField;
using protocol::FlatObject;

namespace {

struct SampleName {
  std::string_view key;
  const char* metric;
};

constexpr SampleName kNodeNames[] = {{"cpu", "system/cpu"},
                                     {"mem_used", "system/memory"},
                                     {"mem_total", "system/memory_total"},
                                     {"load", "system/load"},
                                     {"disk_read_bps", "system/disk_read"},
                                     {"disk_write_bps", "system/disk_write"},
                                     {"net_rx_bps", "system/network_received"},
                                     {"net_tx_bps", "system/network_sent"},
                                     {"disk_free", "system/disk_free"},
                                     {"ranks_mem", "system/ranks_memory"},
                                     {"ranks_mem_peak", "system/ranks_memory_peak"}};

constexpr SampleName kGpuNames[] = {{"util", "utilization"},
                                    {"mem_used", "memory_usage"},
                                    {"mem_total", "memory_total"},
                                    {"power_w", "power"},
                                    {"temp_c", "temp"},
                                    {"sm_mhz", "sm_clock"},
                                    {"mem_mhz", "memory_clock"},
                                    {"sm_active", "sm_active"},
                                    {"tensor_active", "tensor_active"},
                                    {"dram_active", "dram_active"},
                                    {"pcie_rx_bps", "pcie_received"},
                                    {"pcie_tx_bps", "pcie_sent"},
                                    {"nvlink_rx_bps", "nvlink_received"},
                                    {"nvlink_tx_bps", "nvlink_sent"},
                                    {"power_peak_w", "power_peak"},
                                    {"ecc_uncorrected", "ecc_uncorrected"}};

}  // namespace

void RunFacts::gpuSample(const std::string& prefix, const FlatObject& gpu, double time) {
  const std::string base = fmt::format("{}gpu/{}/", prefix, gpu.integerOr("index", 0));
  for (const auto& [key, metric] : kGpuNames) {
    const FlatField* field = gpu.find(key);
    if (field && field->numeric) seriesNamed(base + metric, Axis::Time).append({0, time, field->number});
  }
  // How many reasons hold the clocks back (zero is good news), and when each of them did.
  const FlatField* throttle = gpu.find("throttle");
  if (!throttle || throttle->kind != FlatField::Kind::Array) return;
  const auto reasons = protocol::textsOf(throttle->raw);
  seriesNamed(base + "throttle", Axis::Time).append({0, time, static_cast<double>(reasons.size())});
  for (std::string reason : reasons) {
    std::replace(reason.begin(), reason.end(), ' ', '_');
    seriesNamed(base + "throttle_" + reason, Axis::Time).append({0, time, 1});
  }
}

void RunFacts::nodeSample(int node, const FlatEvent& event) {
  const std::string prefix = node == 0 ? "" : fmt::format("node/{}/", node);
  for (const auto& [key, metric] : kNodeNames) {
    const FlatField* field = event.members.find(key);
    if (field && field->numeric) seriesNamed(prefix + metric, Axis::Time).append({0, event.t, field->number});
  }
  const FlatField* gpus = event.members.find("gpus");
  if (!gpus || gpus->kind != FlatField::Kind::Array) return;
  FlatObject gpu;
  for (const std::string_view text : protocol::objectsOf(gpus->raw))
    if (gpu.parse(text)) gpuSample(prefix, gpu, event.t);
}

void RunFacts::nodeProcess(int node, const FlatEvent& event) {
  const FlatObject& body = event.members;
  const int local = static_cast<int>(body.integerOr("local_rank", 0));
  const int rank = static_cast<int>(body.integerOr("rank_of_process", local));
  ranks[rank].processTime = event.t;
  ProcessInfo& process = ranks[rank].process;
  process.rank = rank;
  process.node = node;
  process.localRank = local;
  process.pid = body.integerOr("pid", process.pid);
  process.state = body.textOr("state", process.state);
  if (process.state == "started") {  // what it said and wrote before is of an earlier life
    ranks[rank].logBegin = static_cast<std::uint64_t>(body.integerOr("log_begin", 0));
    if (auto& end = ranks[rank].end; end && end->time < event.t) end.reset();
  }
  if (process.host.empty() && agents.contains(node)) process.host = agents[node].host;
  process.exitCode.reset();
  process.signal.reset();
  if (body.find("exit_code")) process.exitCode = static_cast<int>(body.integerOr("exit_code", 0));
  const auto signal = static_cast<int>(body.integerOr("signal", 0));
  if (signal != 0) process.signal = signal;
  process.lastEvent = std::max(process.lastEvent, event.t);
}

void RunFacts::nodeExchanges(const FlatEvent& event) {
  const FlatField* list = event.members.find("exchanges");
  if (!list || list->kind != FlatField::Kind::Array) return;
  FlatObject one;
  for (const std::string_view text : protocol::objectsOf(list->raw)) {
    if (!one.parse(text)) continue;
    const FlatField* finished = one.find("finished");
    exchanges[static_cast<int>(one.integerOr("rank", 0))] = {static_cast<std::uint64_t>(one.integerOr("number", 0)),
                                                             one.textOr("what"),
                                                             one.textOr("group"),
                                                             static_cast<std::uint64_t>(one.integerOr("bytes", 0)),
                                                             one.numberOr("begun", 0),
                                                             finished && finished->number == 1};
  }
}

// Copies are no sign of life of the run, so that they touch nothing.
void RunFacts::foldMirror(const FlatEvent& event) {
  if (event.kind == "warning" || event.kind == "error")
    note(event.kind == "error" ? Severity::Error : Severity::Warning, event);
}

void RunFacts::foldNode(int node, const FlatEvent& event) {
  // That an agent was lost is said by others, perhaps days after the run had ended.
  if (event.kind != "bye" || event.members.textOr("reason") != "lost") touch(event.t);
  if (event.kind == "node") {
    nodeSample(node, event);
  } else if (event.kind == "clock") {
    const std::string prefix = node == 0 ? "" : fmt::format("node/{}/", node);
    if (const FlatField* offset = event.members.find("offset"); offset && offset->numeric)
      seriesNamed(prefix + "system/clock_offset", Axis::Time).append({0, event.t, offset->number});
  } else if (event.kind == "hello") {
    agentEnds.erase(node);
    agents[node] = {event.members.textOr("host"), event.members.integerOr("pid", 0), 0};
  } else if (event.kind == "process") {
    nodeProcess(node, event);
  } else if (event.kind == "warning" || event.kind == "error") {
    note(event.kind == "error" ? Severity::Error : Severity::Warning, event);
    nodeExchanges(event);
  } else if (event.kind == "bye") {
    EndInfo& end = agentEnds[node] = {};
    end.reason = event.members.textOr("reason", "finished");
    end.exitCode = static_cast<int>(event.members.integerOr("exit_code", 0));
    end.message = event.members.textOr("message");
    end.time = event.t;
    end.node = node;
    const FlatField* first = event.members.find("first_failed");
    FlatObject failed;
    if (first && first->kind == FlatField::Kind::Object && failed.parse(first->raw))
      end.culprit = static_cast<int>(failed.integerOr("rank", -1));
    end.consequence = isConsequence(end);
  }
}

}  // namespace roadtune::runs
