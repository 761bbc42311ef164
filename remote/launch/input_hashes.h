// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"
#include "core/protocol/manifest.h"

#include <map>
#include <string>
#include <vector>

namespace roadtune::remote {

// What a run learns from and starts with, quickly told: sizes of files, and pieces of their beginning, middle and end.
// Equal hashes mean equal inputs but for a change between the pieces that keeps the size. Of data that names pictures
// its own files count, not the pictures. What is not on this machine has none.
struct InputHashes {
  std::map<std::string, std::string> data;     // by path, as the configuration names it
  std::map<std::string, std::string> weights;  // by file of the model
};
InputHashes hashInputs(const config::RunConfig& config);

// What is here and is not what it was when the run began, in a sentence each.
std::vector<std::string> changedInputs(const protocol::Manifest& began, const config::RunConfig& config);

}  // namespace roadtune::remote
