// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "remote/agent/node_sampler.h"
#include "remote/agent/nvml.h"
#include "remote/agent/rank_cgroup.h"
#include "remote/agent/rank_group.h"

#include <nlohmann/json.hpp>

#include <vector>

namespace roadtune::remote {

// Bodies of an agent's events, as core/protocol/FORMAT.md describes them. What is not known is left out.
nlohmann::json helloBody(const Nvml* nvml);
nlohmann::json nodeBody(const NodeSample& sample, const std::vector<GpuSample>& gpus);
void addUsage(nlohmann::json& body, const RankCgroup::Usage& usage);  // of the ranks alone
nlohmann::json startedBody(const RankProcess& rank);
nlohmann::json endedBody(const RankProcess& rank, bool killedByUs);

}  // namespace roadtune::remote
