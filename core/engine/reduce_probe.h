// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <string>
#include <vector>

namespace roadtune::engine {

// What one rank sees when the ranks of a job add up a few numbers, first two by two, then all together.
struct ReduceReport {
  struct Pair {
    int other = 0;
    double seconds = 0;      // to add up 1 MB with that rank
    std::string error = {};  // why they could not
  };
  int rank = 0, size = 1;
  std::string backend = {};                 // what carried the numbers: "nccl" or "gloo"
  std::vector<std::string> obstacles = {};  // by rank: what keeps it from NCCL; empty words: nothing
  std::vector<Pair> pairs;                  // with every other rank
  double seconds = 0;                       // to add up 4 MB with all
  std::string error = {};                   // why not; empty too when a pair failed and it was not tried
};

// What a rank brings to the choice between NCCL and Gloo.
struct ReduceMeans {
  std::string obstacle;  // why its first card cannot be used: no driver, no plugin; empty when it can
  std::string machine;   // two ranks of one machine have the same
};

// What keeps each rank from NCCL; all empty: NCCL carries the sum, else Gloo does. NCCL refuses two ranks on one card.
// Pure, so that all ranks decide alike.
std::vector<std::string> obstaclesToNccl(const std::vector<ReduceMeans>& means);

// A look at the network as collectives see it: who this rank is comes from torchrun's environment. Seconds, also when
// some ranks cannot reach each other; a rank that reaches nobody is an error. Numbers lie on the first card of each
// machine where all of them can speak NCCL, else in memory. A single rank adds up alone.
Result<ReduceReport> probeReduce();

}  // namespace roadtune::engine
