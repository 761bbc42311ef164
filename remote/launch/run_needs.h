// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"
#include "remote/launch/preflight.h"
#include "remote/launch/read_probe.h"
#include "remote/launch/run_inputs.h"

#include <string>
#include <vector>

namespace roadtune::remote {

// What a run asks of the machines that it goes to.
struct RunNeeds {
  PreflightLimits limits = {};
  std::string folder = ".";             // where it would be written
  std::vector<std::string> paths = {};  // model and data
  std::vector<InputGroup> inputs = {};  // the same with their files, for whoever asks runInputs()
};

// Room for checkpoints is known where the model is described here.
RunNeeds needsOf(const config::RunConfig& config);

// How this machine reads the run's data, a check per source and about half a second for each; or, for ranks
// `elsewhere`, why they cannot.
std::vector<Check> checkReads(const config::RunConfig& config, bool elsewhere, const OpenStorage& open = {});

}  // namespace roadtune::remote
