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
  std::vector<Pair> pairs;  // with every other rank
  double seconds = 0;       // to add up 4 MB with all
  std::string error = {};   // why not; empty too when a pair failed and it was not tried
};

// A look at the network as collectives see it: who this rank is comes from torchrun's environment. Seconds, also when
// some ranks cannot reach each other; a rank that reaches nobody is an error.
Result<ReduceReport> probeReduce();

}  // namespace roadtune::engine
