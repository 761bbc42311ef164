// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <functional>
#include <string>

namespace roadtune::engine {

// Who this process is among the ranks, in torchrun's words (RANK, LOCAL_RANK, WORLD_SIZE, LOCAL_WORLD_SIZE, NODE_RANK
// or GROUP_RANK, MASTER_ADDR, MASTER_PORT). Without them: the only one.
struct RankEnvironment {
  int rank = 0;
  int localRank = 0;
  int worldSize = 1;
  int localWorldSize = 1;
  int node = 0;
  std::string masterAddress = "127.0.0.1";
  int masterPort = 29500;

  bool leads() const { return rank == 0; }
};

using Lookup = std::function<const char*(const char*)>;

// Refuses values that are no numbers or contradict each other. `lookup` is getenv unless a test says otherwise.
Result<RankEnvironment> rankEnvironment(const Lookup& lookup = {});

}  // namespace roadtune::engine
