// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/engine/checkpoint/writing_told.h"
#include "core/engine/nn/model_state.h"

#include <cstdint>
#include <functional>
#include <string>

namespace roadtune::engine {

struct WeightsWriting {
  fs::path base;  // folder the model came from: configuration, processor and tokenizer files
  std::uint64_t maxShardBytes = 5'000'000'000;
  std::string adapterLayout = "auto";  // auto: as the adapter was read, else C, what peft writes today
  fs::path tokenizer = {};             // its folder, where that is another one

  // How to come by a weight in full. Empty: it lies here. Where ranks share a model, all of them do so in the same
  // order, and only one of them writes.
  std::function<at::Tensor(const Parameter&)> whole = {};
  bool together = false, writes = true;
  WritingTold told = {};
  std::function<bool()> goesOn = {};  // asked before each weight, where no other rank takes part

  at::Tensor valueOf(const Parameter& parameter) const { return whole ? whole(parameter) : parameter.value; }
};

// model.safetensors (or shards and an index) in the base checkpoint's names and types, with config.json, tokenizer
// and processor files: what transformers loads.
Status writeModel(const ModelState& state, const fs::path& folder, const WeightsWriting& options);

// Refuses a folder that holds something: asked before the work, for which writeNewModel comes too late.
Status requireNewFolder(const fs::path& folder);

// The same as a folder of its own, which is there whole or not at all, also where whoever follows `progress` had
// enough. Refuses one that holds something.
Status writeNewModel(const ModelState& state, const fs::path& folder, const fs::path& base, std::uint64_t maxShardBytes,
                     ProgressSink& progress);

// adapter_model.safetensors and adapter_config.json: what peft loads; tokenizer and processor files beside them.
Status writeAdapter(const ModelState& state, const fs::path& folder, const WeightsWriting& options);

}  // namespace roadtune::engine
