// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/module_tree.h"

#include <cstdint>
#include <string>
#include <vector>

namespace roadtune::model {

// The shape of a training step, as far as memory goes.
struct StepShape {
  int batch = 1;
  int textTokens = 64;   // prompt, suffix and specials, without image tokens
  int labelTokens = 16;  // labelled positions per sample
  int imagesPerSample = 1;
  bool checkpointing = false;  // gradient_checkpointing: one block's activations live at a time
  Dtype computeDtype = Dtype::F32;
  int ranks = 1;
  bool sharded = false;         // parameters, gradients and optimizer states split over the ranks
  bool maskedAttention = true;  // dense scores are kept (CPU); false: flash kernels keep row sums only
  int logitChunk = 0;           // positions per chunk of the head; 0: all labelled positions at once
  int optimizerStates = 2;      // fp32 numbers per trainable parameter (AdamW: 2)
};

struct MemoryItem {
  std::string key;    // "weights", "nf4_constants", "adapters", "masters", "gradients", "optimizer", ...
  std::string label;  // for people
  std::uint64_t bytes = 0;
  std::string formula;  // how the number came about
};

struct MemoryPlan {
  std::vector<MemoryItem> items;
  std::uint64_t activationsPerVisionBlock = 0, activationsPerTextBlock = 0;
  std::uint64_t total() const;
  std::uint64_t bytesOf(const std::string& key) const;
};

// From shapes alone; per rank.
MemoryPlan planMemory(const ModuleTree& tree, const StepShape& step);

}  // namespace roadtune::model
