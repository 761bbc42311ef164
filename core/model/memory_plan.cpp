// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/memory_plan.h"

#include "core/model/activation_plan.h"
#include "core/model/moments.h"
#include "core/model/narrow.h"
#include "core/model/numerics.h"
#include "core/model/sharding_plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::model {
namespace {

using Bytes = std::uint64_t;

struct WeightSums {
  Bytes frozen16 = 0, frozen32 = 0, nf4Codes = 0, nf4Constants = 0, largestNf4 = 0;
  Bytes trainedBase = 0, adapters = 0;       // elements
  Bytes narrowBase = 0;                      // of trainedBase, in 16 bits alone
  Bytes copiedBase = 0, copiedAdapters = 0;  // of what is trained, what computes in 16 bits
  Bytes moments = 0;                         // of AdamW
  bool embeddingTrains = false;

  // Bytes of gradients in 16 bits that come and go in a step, where they do: of the language model's blocks, of the
  // vision tower, of the tables and the projector.
  struct Fleeting {
    Bytes text = 0, vision = 0, table = 0, projector = 0;
    Bytes all() const { return text + vision + table + projector; }
  } fleeting = {};
};

Bytes& placeOf(WeightSums::Fleeting& fleeting, const Module& module) {
  if (module.kind == ModuleKind::Embedding) return fleeting.table;
  switch (module.part) {
    case Part::Vision: return fleeting.vision;
    case Part::Projector: return fleeting.projector;
    case Part::Text: break;
  }
  return fleeting.text;
}

WeightSums sumWeights(const ModuleTree& tree, const StepShape& step) {
  WeightSums sums;
  for (const Tensor& tensor : tree.tensors) {
    const auto elements = static_cast<Bytes>(tensor.elements());
    const Module& module = tree.moduleOf(tensor);
    const bool narrow = sizeOf(module.dtype.value_or(step.computeDtype)) < 4;
    if (tensor.trainable)
      sums.moments += momentBytes(tensor.elements(), step.eightBitMoments && momentsInBytes(module, tensor));
    Bytes& frozen = narrow ? sums.frozen16 : sums.frozen32;
    if (tensor.nf4) {
      const Nf4Bytes parts = nf4Bytes(tensor.elements(), tensor.doubleQuant);
      sums.nf4Codes += parts.codes;
      sums.nf4Constants += parts.constants;
      sums.largestNf4 = std::max(sums.largestNf4, elements);
    } else if (tensor.role != TensorRole::Base) {
      sums.adapters += elements;
      if (narrow) sums.copiedAdapters += elements;
    } else if (tensor.trainable) {
      const bool alone = step.pureBf16 && mayBeNarrow(module, tensor);
      sums.trainedBase += elements;
      const bool halved = narrow && !alone && step.keepsHalves() && mayBeNarrow(module, tensor);
      if (alone) sums.narrowBase += elements;
      if (narrow && !alone && !halved) sums.copiedBase += elements;
      if (step.onePass() && (alone || halved)) placeOf(sums.fleeting, module) += elements * 2;
      sums.embeddingTrains |= module.kind == ModuleKind::Embedding && !module.saved;
      if (module.saved && module.kind == ModuleKind::Embedding) frozen += elements;  // the head's table
    } else {
      frozen += elements;
    }
  }
  return sums;
}

// The chunk of the head: logits and log-probabilities, whose place the gradient takes; a soft cap keeps one more.
Bytes headBytes(const ModuleTree& tree, const StepShape& step, const WeightSums& sums) {
  const TextConfig& text = tree.config.text;
  const auto vocab = static_cast<Bytes>(text.vocab),
             rows = static_cast<Bytes>(step.batch) * static_cast<Bytes>(step.labelTokens);
  const Bytes chunkBytes = step.logitChunkBytes * (step.onGpu ? kLogitChunksOnGpu : 1);
  const Bytes chunk = std::min(rows, std::max<Bytes>(1, chunkBytes / (4 * vocab)));
  // A kernel turns logits into their gradient where they are.
  const Bytes copies = step.onGpu ? sizeOf(step.computeDtype) : (step.finalCaps && text.finalSoftcap ? 3 : 2) * 4;
  Bytes bytes = chunk * vocab * copies + 2 * rows * static_cast<Bytes>(text.hidden) * sizeOf(step.computeDtype);
  // The head's gradient of a tied table, and that of the look-up. In float32 on the CPU and in 16 bits on a GPU both
  // are added where gradients are collected, in float32 on a GPU the look-up's, unless blocks are shared out.
  const bool wide = step.computeDtype == Dtype::F32;
  const bool shares = step.shares();
  Bytes ofHead = !shares && wide != step.onGpu ? 0 : 1;
  Bytes ofLookUp = step.onGpu ? (shares ? 1 : 0) : (wide ? 0 : 1);
  if (step.pureBf16) {  // added where they are collected, unless shared out; on the CPU the two are one
    ofHead = shares ? 1 : 0;
    ofLookUp = shares && step.onGpu ? 1 : 0;
  } else if (step.keepsHalves()) {  // the CPU adds to wider gradients in two steps
    ofHead = step.onGpu || step.onePass() ? 0 : 1;
    ofLookUp = 0;
  }
  if (sums.embeddingTrains)
    bytes += (ofHead + ofLookUp) * vocab * static_cast<Bytes>(text.hidden) * sizeOf(step.computeDtype);
  return bytes;
}

class PlanWriter {
 public:
  void persistent(const char* key, const char* label, Bytes bytes, std::string formula) {
    add({key, label, bytes, true, std::move(formula)});
  }
  void peak(const char* key, const char* label, Bytes bytes, std::string formula) {
    add({key, label, bytes, false, std::move(formula)});
  }
  std::vector<MemoryItem> take() { return std::move(m_items); }

 private:
  void add(MemoryItem item) {
    if (item.bytes > 0) m_items.push_back(std::move(item));
  }
  std::vector<MemoryItem> m_items;
};

void addPersistent(PlanWriter& out, const StepShape& step, const WeightSums& sums) {
  const Bytes share = step.sharded ? static_cast<Bytes>(std::max(step.sharers(), 1)) : 1;
  const auto part = [&](Bytes bytes) { return (bytes + share - 1) / share; };
  const auto frozen = [&](Bytes bytes) { return step.shardFrozen ? part(bytes) : bytes; };
  const std::string split = share > 1 ? fmt::format(" / {} ranks", share) : "";
  const std::string frozenSplit = step.shardFrozen ? split : "";
  const Bytes trained = sums.trainedBase + sums.adapters;
  const auto kept = [](Bytes elements, int size) { return fmt::format("{} x {} bytes", elements, size); };
  out.persistent("weights", "frozen weights", frozen(sums.frozen16 * 2 + sums.frozen32 * 4),
                 (sums.frozen16 == 0   ? kept(sums.frozen32, 4)
                  : sums.frozen32 == 0 ? kept(sums.frozen16, 2)
                                       : kept(sums.frozen16, 2) + " + " + kept(sums.frozen32, 4)) +
                     frozenSplit);
  out.persistent("nf4", "4-bit weights", frozen(sums.nf4Codes), "half a byte per weight" + frozenSplit);
  out.persistent("nf4_constants", "4-bit constants", frozen(sums.nf4Constants), "scales of blocks of 64" + frozenSplit);
  const auto wideAndNarrow = [&](Bytes wide, Bytes narrow) {
    const auto words = narrow == 0 ? kept(wide, 4)
                       : wide == 0 ? kept(narrow, 2)
                                   : kept(narrow, 2) + " + " + kept(wide, 4);
    return words + split;
  };
  const auto bytes = [&](Bytes wide, Bytes narrow) { return part(wide * 4 + narrow * 2); };
  const Bytes alone = sums.narrowBase;
  out.persistent("masters", "trained weights", bytes(sums.trainedBase - alone, alone),
                 wideAndNarrow(sums.trainedBase - alone, alone));
  out.persistent("adapters", "adapters", part(sums.adapters * 4), fmt::format("{} x 4 bytes{}", sums.adapters, split));
  if (sums.fleeting.all() == 0)
    out.persistent("gradients", "gradients", bytes(trained - alone, alone), wideAndNarrow(trained - alone, alone));
  out.persistent("optimizer", "optimizer (AdamW)", part(sums.moments),
                 fmt::format("{} x 2 x {}{}", trained,
                             step.eightBitMoments ? "1 byte, 4 in embeddings and small tensors" : "4 bytes", split));
  if (step.averages)
    out.persistent("averages", "averaged weights", part(trained * 4), fmt::format("{} x 4 bytes{}", trained, split));
}

}  // namespace

bool StepShape::keepsHalves() const { return computeDtype == Dtype::BF16 && !pureBf16 && !shares(); }

std::int64_t StepShape::length(const PaliGemmaConfig& config) const {
  return std::int64_t{imagesPerSample} * config.imageTokens() + textTokens;
}

StepShape stepShapeFrom(const config::RunConfig& run) {
  StepShape step;
  step.batch = static_cast<int>(run.integer("per_device_train_batch_size"));
  step.accumulation = static_cast<int>(run.integer("gradient_accumulation_steps"));
  step.checkpointing = run.flag("gradient_checkpointing");
  if (run.has("gradient_checkpointing_blocks"))
    step.checkpointedBlocks =
        static_cast<int>(std::min<std::int64_t>(run.integer("gradient_checkpointing_blocks"), kEveryBlock));
  step.pureBf16 = run.flag("pure_bf16");
  const bool bf16 = run.flag("bf16") || step.pureBf16;
  if (const auto numerics = numericsOf(run.text("profile")); numerics.ok()) {
    step.attentionCaps = numerics.value().attentionCap;
    step.finalCaps = numerics.value().finalCap;
  }
  step.labelRowsAlone = run.flag("padding_free");
  step.averages = run.has("ema_decay");
  step.eightBitMoments = run.text("optim") == "adamw_8bit";
  step.computeDtype = bf16 || run.text("torch_dtype") == "bfloat16" ? Dtype::BF16 : Dtype::F32;
  step.adaptersInComputeDtype = bf16;
  const int perNode = run.has("nproc_per_node") ? static_cast<int>(run.integer("nproc_per_node")) : 1;
  step.ranks = std::max(1, perNode) * std::max<int>(1, static_cast<int>(run.list("hosts").size()));
  step.sharded = run.text("sharding") != "ddp";
  if (run.text("sharding") == "hybrid") step.sharingRanks = std::max(1, perNode);
  step.shardFrozen = run.flag("shard_frozen_weights");
  step.reshardAfterForward = run.flag("reshard_after_forward");
  return step;
}

MemoryItem takenByCuda() {
  return {"cuda", "CUDA and its libraries", 1'000'000'000, true, "assumed: its context, workspaces, gaps"};
}

std::uint64_t MemoryPlan::persistent() const {
  Bytes sum = 0;
  for (const MemoryItem& item : items) sum += item.persistent ? item.bytes : 0;
  return sum;
}

std::uint64_t MemoryPlan::total() const {
  Bytes sum = 0;
  for (const MemoryItem& item : items) sum += item.bytes;
  return sum;
}

std::uint64_t MemoryPlan::bytesOf(const std::string& key) const {
  Bytes sum = 0;
  for (const MemoryItem& item : items) sum += item.key == key ? item.bytes : 0;
  return sum;
}

namespace {

// Whole blocks beside the shares; at the end of the backward pass, when activations are gone, the ends' gradients.
void addGathered(PlanWriter& out, const ShardingPlan& sharing, Bytes otherPeak) {
  if (sharing.ends + sharing.block == 0) return;
  out.peak("gathered_ends", "gathered: embeddings, projector", sharing.ends + sharing.endsGradients,
           "whole during a step, with gradients where they train");
  out.peak("gathered_blocks", "gathered: blocks in work",
           sharing.duringBackward() - sharing.ends - sharing.endsGradients,
           "the block at hand, the next one, and what travels");
  const Bytes backward = sharing.duringBackward() + otherPeak;
  out.peak("gathered_exchange", "gradients of the ends on their way",
           sharing.atItsEnd() > backward ? sharing.atItsEnd() - backward : 0, "when activations are gone");
}

// What is trained and computes in 16 bits: kept beside float32 values that are no halves, and made for every pass where
// only some modules do, or where blocks, which arrive in 16 bits, are shared out.
void addCopies(PlanWriter& out, const StepShape& step, const WeightSums& sums, const ShardingPlan& sharing) {
  const char* const key = "compute_copies";
  const char* const label = "16-bit copies of trained weights";
  const bool narrow = sizeOf(step.computeDtype) < 4;
  if (narrow && sharing.ends == 0) {
    const Bytes kept = sums.copiedBase + sums.copiedAdapters;
    out.persistent(key, label, kept * 2, fmt::format("{} x 2 bytes", kept));
    return;
  }
  const Bytes ofEnds = step.pureBf16 ? 0 : sharing.endsGradients / 4;
  const Bytes copied = narrow ? ofEnds : sums.copiedBase;
  out.peak(key, label, (copied + (step.adaptersInComputeDtype ? sums.copiedAdapters : 0)) * 2,
           "2 bytes per trained weight while a step runs");
}

// Of weights in four bits, the largest of a block is unpacked beside what its backward pass adds; of one that is
// computed again little is left by then.
Bytes duringBackward(const ActivationPlan::Blocks& blocks, Bytes unpacked) {
  return blocks.again == 0 ? blocks.transient + unpacked : blocks.one + std::max(blocks.transient, unpacked);
}

// What there is of activations at the places of a backward pass where it may be most.
struct BackwardPass {
  Bytes begun;   // all that is kept, and the head or the last block
  Bytes text;    // at the first text block that is computed again
  Bytes vision;  // at the vision tower's first block on the way back
  Bytes done;

  BackwardPass(const ActivationPlan& plan, Bytes head, Bytes unpacked) {
    const Bytes all = plan.vision.all + plan.text.all + plan.ends;
    const Bytes most = std::max(plan.text.transient, plan.vision.transient) + unpacked;
    const bool lastIsKept = plan.text.again < plan.text.count;
    begun = all + std::max(head, lastIsKept ? most - std::min(most, plan.lastTextBlock) : 0);
    text = plan.text.again == 0 ? 0
                                : plan.vision.all + plan.text.ofAgain + plan.ends + duringBackward(plan.text, unpacked);
    vision = plan.vision.count == 0 ? 0 : plan.vision.all + plan.ends + duringBackward(plan.vision, unpacked);
    done = plan.ends + duringBackward(plan.vision.count > 0 ? plan.vision : plan.text, unpacked);
  }
  Bytes most() const { return std::max({begun, text, vision, done}); }
};

// Gradients that are made during the backward pass, while activations go: what they take beyond the peak of these.
void addFleeting(PlanWriter& out, const WeightSums& sums, const ActivationPlan& activations, const BackwardPass& pass) {
  const auto& fleeting = sums.fleeting;
  if (fleeting.all() == 0) return;
  const auto& text = activations.text;
  const Bytes ofKept =
      text.count == 0 ? 0
                      : fleeting.text / static_cast<Bytes>(text.count) * static_cast<Bytes>(text.count - text.again);
  const Bytes atVision =
      pass.vision > 0 ? pass.vision : activations.vision.all + activations.ends + duringBackward(text, 0);
  const Bytes most = std::max({pass.begun + fleeting.table, pass.text > 0 ? pass.text + fleeting.table + ofKept : 0,
                               atVision + fleeting.table + fleeting.text, pass.done + fleeting.all()});
  const Bytes kept = (sums.trainedBase + sums.adapters) * 4 - fleeting.all() * 2;  // of what is in float32
  out.peak("gradients", "gradients", kept + (most > pass.most() ? most - pass.most() : 0),
           fmt::format("{} x 2 bytes, made as activations go: what they take beyond these", fleeting.all() / 2));
}

}  // namespace

MemoryPlan planMemory(const ModuleTree& tree, const StepShape& step) {
  const WeightSums sums = sumWeights(tree, step);
  const ActivationPlan activations = planActivations(tree, step);
  const Bytes size = sizeOf(step.computeDtype);
  PlanWriter out;
  addPersistent(out, step, sums);
  const ShardingPlan sharing = planSharding(tree, step);
  addCopies(out, step, sums, sharing);
  const auto keptBy = [](const ActivationPlan::Blocks& blocks) {
    if (blocks.again == 0) return std::string("what autograd keeps");
    if (blocks.again == blocks.count) return std::string("what each block is computed again from");
    return fmt::format("{} of {} blocks are computed again", blocks.again, blocks.count);
  };
  out.peak("activations_vision", "activations, vision tower", activations.vision.all, keptBy(activations.vision));
  out.peak("activations_text", "activations, language model", activations.text.all, keptBy(activations.text));
  out.peak("activations_ends", "embeddings, masks, pictures", activations.ends, "one batch");
  const Bytes head = headBytes(tree, step, sums);
  const BackwardPass pass(activations, head, sums.largestNf4 * (step.onGpu ? size : size + 4));
  // The head is done when the last block's backward pass begins: only the larger of the two counts.
  out.peak("logits", "logits and their gradient", head,
           fmt::format("labelled positions only, {} MB at a time", step.logitChunkBytes >> 20));
  const Bytes before = activations.vision.all + activations.text.all + activations.ends + head;
  out.peak("workspace", "backward pass of one block", pass.most() > before ? pass.most() - before : 0,
           activations.vision.again + activations.text.again > 0
               ? "and what it is made of once more, beyond what the head and others have given back"
               : "beyond what the head has given back");
  addFleeting(out, sums, activations, pass);
  addGathered(out, sharing, pass.most());
  MemoryPlan plan;
  plan.items = out.take();
  plan.visionBlock = activations.vision.one;
  plan.textBlock = activations.text.one;
  plan.blocksInGraph = activations.vision.count + activations.text.count;
  return plan;
}

std::optional<int> fewestRecomputed(const ModuleTree& tree, StepShape step, std::uint64_t bytes) {
  step.checkpointing = true;
  const auto fits = [&](int blocks) {
    step.checkpointedBlocks = blocks;
    return planMemory(tree, step).total() <= bytes;
  };
  if (!fits(kEveryBlock)) return std::nullopt;
  const int all = blocksInGraph(tree).all();
  for (int blocks = 0; blocks <= all; ++blocks)
    if (fits(blocks)) return blocks;
  return kEveryBlock;
}

}  // namespace roadtune::model
