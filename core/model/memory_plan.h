// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"
#include "core/model/graph_blocks.h"
#include "core/model/module_tree.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::model {

constexpr std::uint64_t kLogitChunksOnGpu = 16;  // a GPU wants larger products than a CPU

// The shape of a training step, as far as memory goes.
struct StepShape {
  int batch = 1;
  int accumulation = 1;  // batches of a rank in a step
  int textTokens = 64;   // per sample: prompt, suffix and specials, without image tokens
  int labelTokens = 32;  // per sample: suffix and <eos>
  int imagesPerSample = 1;
  bool checkpointing = false;            // blocks are computed again in the backward pass
  int checkpointedBlocks = kEveryBlock;  // so many, the first that gradients reach; all of them keep their input alone
  Dtype computeDtype = Dtype::F32;
  bool adaptersInComputeDtype = false;  // LoRA products in computeDtype instead of float32
  int ranks = 1;
  bool sharded = false;                         // weights, gradients and optimizer states split over the ranks
  int sharingRanks = 0;                         // that many share one copy; 0: all of them
  bool shardFrozen = true;                      // frozen weights are split, too
  bool reshardAfterForward = true;              // gathered blocks are given back before the backward pass
  bool eightBitMoments = false;                 // of AdamW
  bool pureBf16 = false;                        // what trains and may be narrow has no float32 values
  bool attentionCaps = true, finalCaps = true;  // soft caps of scores and logits, where the configuration has them
  bool averages = false;                        // of what is trained, over the steps
  bool labelRowsAlone = false;                  // the last block works on rows that labels are predicted from
  bool onGpu = false;                           // computes with the kernels of the plugin
  std::uint64_t logitChunkBytes = 64ull << 20;  // float32 logits computed at a time on the CPU

  std::int64_t length(const PaliGemmaConfig& config) const;  // tokens of one sample
  int recomputedBlocks() const { return checkpointing ? checkpointedBlocks : 0; }
  int sharers() const { return sharingRanks > 0 ? sharingRanks : ranks; }
  bool shares() const { return sharded && sharers() > 1; }
  bool onePass() const { return accumulation == 1 && ranks == 1; }  // whose gradients are added to nothing else
  bool keepsHalves() const;  // weights that compute in 16 bits: their float32 values are kept in two halves
};

// From a configuration: batch, precision, checkpointing, ranks. Text lengths are not in it.
StepShape stepShapeFrom(const config::RunConfig& run);

struct MemoryItem {
  std::string key;    // "weights", "nf4", "nf4_constants", "adapters", "masters", "gradients", ...
  std::string label;  // for people
  std::uint64_t bytes = 0;
  bool persistent = true;    // lives between steps; else only at the peak of one
  std::string formula = {};  // how the number came about
};

// Bytes of one rank, from shapes alone.
//
// Persistent: frozen weights in the type they compute in; NF4 codes (half a byte each) and their constants (float32 per
// 64, or one byte per 64 and a float32 per 256 of those); everything trained in float32 with a gradient of float32, or
// both in 16 bits where it is narrow; gradients in 16 bits, too, of what computes so, where a step is one pass alone;
// two moments of float32 each, or of a byte where moments are in 8 bits, and its
// average where one is kept. With `sharded`, each of these divided by the ranks that share a copy.
//
// At the peak of a step: what autograd keeps of each block between its forward and backward pass (only blocks at or
// above the lowest trained module count), 16-bit copies of trained weights, the head's chunk of logits with its
// gradients, and what the backward pass of one block needs on top. With checkpointing a block keeps its input, and
// where not every block is computed again what a norm behind its MLP needs; while its backward pass runs all of it is
// there. The peak is where the backward pass begins, or where it comes to the first block that is computed again. With
// `sharded`, the blocks that are whole at a time.
struct MemoryPlan {
  std::vector<MemoryItem> items;
  std::uint64_t visionBlock = 0, textBlock = 0;  // activations of one block without checkpointing
  int blocksInGraph = 0;                         // blocks that gradients reach, and that could be computed again
  std::uint64_t persistent() const;
  std::uint64_t total() const;
  std::uint64_t bytesOf(const std::string& key) const;
};

MemoryPlan planMemory(const ModuleTree& tree, const StepShape& step);

// The fewest blocks that have to be computed again for a plan of at most so many bytes: a number, or kEveryBlock;
// nothing where even those are too few.
std::optional<int> fewestRecomputed(const ModuleTree& tree, StepShape step, std::uint64_t bytes);

// What a process takes of a graphics card besides tensors: CUDA's context, the workspaces of its libraries, gaps
// between the allocator's blocks. Assumed, and no part of a plan: of what decides whether a run fits on a card.
MemoryItem takenByCuda();

}  // namespace roadtune::model
