// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/nn/pali_gemma.h"
#include "core/engine/nn/parameter.h"
#include "core/engine/quant/nf4_weight.h"
#include "core/model/module_tree.h"
#include "core/model/weight_files.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::engine {

struct LoadOptions {
  std::filesystem::path folder;
  model::Method method;                           // what is trained, and how
  std::filesystem::path adapter = {};             // its weights instead of fresh ones
  std::optional<at::ScalarType> frozenType = {};  // in memory; none: as stored
  std::optional<at::ScalarType> trainableType = {};
  bool leaves = false;       // for a device, soon: weights are not copied before, and may only be read until then
  std::uint64_t seed = 42;   // of fresh adapter weights
  bool quantiseAll = false;  // every linear layer in NF4, whatever the method says
  model::QuantizedSet quantisedSet = model::QuantizedSet::HuggingFace;   // which ones `quantiseAll` means
  std::optional<at::ScalarType> quantiseFrom = {};                       // round to this type first; none: as stored
  std::function<bool(std::int64_t tensors, std::int64_t of)> read = {};  // before each of them; false: stop
};

// A model in memory with its adapters: the weights, what is known about each, and the network over them.
struct ModelState {
  model::ModuleTree tree;
  model::NameLayout layout = model::NameLayout::L0;        // of the base checkpoint
  std::optional<model::AdapterLayout> adapterLayout = {};  // of the adapter that was read
  ParameterSet parameters;
  std::map<std::string, std::string> diskNames;                 // canonical -> name in the file it came from
  std::map<std::string, std::shared_ptr<Nf4Weight>> quantised;  // canonical weight name -> its packed form
  std::vector<std::string> unused;                              // of the files: names that the model has no place for
  std::unique_ptr<PaliGemma> network;

  at::ScalarType storedType() const;  // of the base checkpoint
};

// Reads the configuration and the weights of a folder in any of the known layouts. Missing tensors, wrong shapes and
// adapters that do not fit are errors that name the tensor.
Result<std::unique_ptr<ModelState>> loadModel(const LoadOptions& options);

// One thread for models so small that a second one costs more than it brings; else the cores, shared by the ranks of
// this machine. OMP_NUM_THREADS wins.
void chooseThreads(std::int64_t parameters, int ranksOnThisMachine);

}  // namespace roadtune::engine
