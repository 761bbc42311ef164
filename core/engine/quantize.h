// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace roadtune::engine {

struct QuantizeRequest {
  std::filesystem::path model;
  std::filesystem::path out;
  bool doubleQuant = false;
  std::string scope = "hf";    // hf: every linear layer but the head; language_model: those of the text model
  std::string dtype = "auto";  // of everything else, and what 4-bit weights are made from; auto: as stored
  std::uint64_t maxShardBytes = 5'000'000'000;
};

// Writes the model with its linear layers in NF4, as transformers and bitsandbytes save it: a checkpoint that either
// loads. Returns the number of packed layers. Refuses to write into a folder that holds a model; the folder appears
// when it is whole.
Result<std::int64_t> quantize(const QuantizeRequest& request, ProgressSink& progress);

}  // namespace roadtune::engine
