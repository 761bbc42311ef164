// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <string>
#include <utility>
#include <vector>

namespace roadtune::remote {

// The part of a job that one machine runs.
struct RankPlan {
  int node = 0;
  int nodes = 1;
  int processes = 1;  // on this machine
  int firstRank = 0;
  int worldSize = 1;
  std::string masterAddress = "127.0.0.1";
  int masterPort = 0;
};

// What torchrun would set for this rank. OMP_NUM_THREADS shares the cores unless the user has set it.
std::vector<std::pair<std::string, std::string>> rankEnvironment(const RankPlan& plan, int localRank);

// A TCP port that nobody uses now.
Result<int> findFreePort();

// Refuses, naming the process that holds it where that can be seen, when nothing could listen on the port.
Status checkPortFree(int port);

}  // namespace roadtune::remote
