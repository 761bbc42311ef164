// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/launch_plan.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/config/fleet.h"
#include "core/config/resolve.h"
#include "remote/agent/nvml.h"
#include "remote/launch/remote_sources.h"
#include "remote/launch/run_folder.h"

#include <algorithm>

namespace roadtune::remote {

int defaultProcesses(const config::RunConfig& config) {
  if (config.text("device") == "cpu") return 1;
  if (const auto chosen = config.integers("gpus"); !chosen.empty()) return static_cast<int>(chosen.size());
  const auto nvml = Nvml::open();
  return nvml ? static_cast<int>(nvml->gpus().size()) : 1;
}

std::vector<std::pair<std::string, std::string>> rankVariables(const config::RunConfig& config) {
  std::vector<std::pair<std::string, std::string>> variables;
  if (const auto gpus = config.integers("gpus"); !gpus.empty()) {
    std::vector<std::string> numbers;
    for (const auto gpu : gpus) numbers.push_back(std::to_string(gpu));
    variables.emplace_back("CUDA_VISIBLE_DEVICES", join(numbers, ","));
  }
  if (config.has("torch_num_threads"))
    variables.emplace_back("OMP_NUM_THREADS", std::to_string(config.integer("torch_num_threads")));
  static constexpr std::pair<const char*, const char*> kNetwork[] = {{"nccl_debug", "NCCL_DEBUG"},
                                                                     {"nccl_socket_ifname", "NCCL_SOCKET_IFNAME"},
                                                                     {"nccl_ib_hca", "NCCL_IB_HCA"},
                                                                     {"gloo_socket_ifname", "GLOO_SOCKET_IFNAME"}};
  for (const auto& [key, variable] : kNetwork)
    if (config.isSet(key) && config.has(key)) variables.emplace_back(variable, config.text(key));
  for (const auto& [name, value] : config.textMap("environment")) variables.emplace_back(name, value);
  return variables;
}

Supervision supervisionOf(const config::RunConfig& config, int machines) {
  Supervision supervision;
  supervision.stallFactor = config.number("stall_factor");
  supervision.endStalled = config.text("on_stall") == "stop";
  supervision.maxRestarts = machines <= 1 ? static_cast<int>(config.integer("max_restarts")) : 0;
  return supervision;
}

namespace {

Result<int> processesOf(const LaunchRequest& request, const config::RunConfig& config) {
  const int configured = config.has("nproc_per_node") ? static_cast<int>(config.integer("nproc_per_node")) : 0;
  const int asked = request.processesPerNode.value_or(configured > 0 ? configured : defaultProcesses(config));
  if (asked < 1 || asked > 1024)
    return badInput("a machine runs 1 to 1024 processes, not " + std::to_string(asked), "--nproc-per-node");
  return asked;
}

// What the caller names wins over the configuration's hosts and fleet.
Result<std::vector<std::string>> hostsOf(const LaunchRequest& request, const std::optional<config::RunConfig>& config) {
  if (!request.hosts.empty() || !config) return request.hosts;
  return config::machinesOf(*config);
}

// A run that may be started again looks for its newest checkpoint each time it starts; the first time there is none.
config::Resolution resolutionOf(const LaunchRequest& request) {
  config::ResolveOptions options;
  options.overrides = request.overrides;
  options.overridesFrom = request.overridesFrom;
  config::Resolution resolution = config::resolve(request.document, options);
  const bool again = resolution.config && (request.exported || resolution.config->integer("max_restarts") > 0);
  if (!again || resolution.config->has("resume_from_checkpoint")) return resolution;
  options.overrides.push_back("resume_from_checkpoint=latest");
  return config::resolve(request.document, options);
}

}  // namespace

Result<LaunchPlan> planLaunch(const LaunchRequest& request) {
  config::Resolution resolution = resolutionOf(request);
  std::vector<config::Problem> problems = resolution.problems;
  ROADTUNE_TRY(const std::vector<std::string> hosts, hostsOf(request, resolution.config));
  if (resolution.config && !request.exported) {  // other machines are asked for their own files
    const auto wrong =
        hosts.empty() ? config::checkPaths(*resolution.config) : config::checkOverwriting(*resolution.config);
    problems.insert(problems.end(), wrong.begin(), wrong.end());
  }
  if (!resolution.config || config::hasErrors(problems)) {
    std::string text = config::toText(problems);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return badInput(std::move(text));
  }
  if (!hosts.empty() || request.exported) ROADTUNE_CHECK(refuseStorageSources(*resolution.config));
  LaunchPlan plan{.document = request.document,
                  .config = *resolution.config,
                  .warnings = problems,
                  .folder = fs::path(resolution.config->text("output_dir")).lexically_normal(),
                  .ranks = {},
                  .hosts = hosts,
                  .commandLine = request.commandLine};
  ROADTUNE_TRY(plan.ranks.processes, processesOf(request, plan.config));
  plan.ranks.worldSize = plan.ranks.processes;
  plan.environment = rankVariables(plan.config);
  plan.supervision = supervisionOf(plan.config, static_cast<int>(hosts.size()));
  if (plan.config.isSet("master_port")) plan.ranks.masterPort = static_cast<int>(plan.config.integer("master_port"));
  if (plan.config.isSet("master_addr")) plan.ranks.masterAddress = plan.config.text("master_addr");
  if (request.exported) return plan;
  if (plan.ranks.masterPort > 0 && hosts.empty()) ROADTUNE_CHECK(checkPortFree(plan.ranks.masterPort));
  ROADTUNE_CHECK(checkFolderFree(plan.folder, plan.config.flag("overwrite_output_dir")));
  return plan;
}

}  // namespace roadtune::remote
