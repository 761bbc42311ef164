// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/memory_plan.h"

#include "core/model/checkpoint_size.h"
#include "tests/unit/model/published.h"
#include "tests/unit/model/tiny_config.h"

#include <gtest/gtest.h>

namespace roadtune::model {
namespace {

using testing::full;
using testing::lora;
using testing::smallConfig;

ModuleTree published(std::size_t index, const Method& method) {
  return buildModuleTree(PaliGemmaConfig::fromText(testing::publishedModels()[index].configJson(), "c").value(), method)
      .value();
}

TEST(MemoryPlan, PersistentBytesOfFullTrainingAreSixteenPerParameter) {
  const auto plan = planMemory(published(0, full()), {});
  EXPECT_EQ(plan.bytesOf("masters"), 4ull * 2'923'466'480);
  EXPECT_EQ(plan.bytesOf("gradients"), 4ull * 2'923'466'480);
  EXPECT_EQ(plan.bytesOf("optimizer"), 8ull * 2'923'466'480);
  EXPECT_EQ(plan.bytesOf("weights"), 0u);
  EXPECT_EQ(plan.persistent(), 16ull * 2'923'466'480);
}

TEST(MemoryPlan, MomentsInEightBitsTakeAQuarterButForEmbeddings) {
  StepShape step;
  step.eightBitMoments = true;
  const auto tree = published(0, full());
  std::uint64_t bytes = 0;
  for (const auto& tensor : tree.tensors) {
    const auto kind = tree.moduleOf(tensor).kind;
    const auto count = static_cast<std::uint64_t>(tensor.elements());
    const bool wide = kind == ModuleKind::Embedding || kind == ModuleKind::PositionTable || count < 4096;
    bytes += wide ? 8 * count : 2 * count + 8 * ((count + 255) / 256);
  }
  const auto plan = planMemory(tree, step);
  EXPECT_EQ(plan.bytesOf("optimizer"), bytes);
  EXPECT_LT(bytes, 9'100'000'000u);  // 23.4 GB in float32
  EXPECT_EQ(plan.bytesOf("masters"), planMemory(tree, {}).bytesOf("masters"));
}

// In halves, which are no more than float32, a matrix computes without a copy; its gradient takes four bytes where
// batches or ranks add up.
TEST(MemoryPlan, AMatrixTakesFourBytesOrTwoWithoutMasters) {
  StepShape step;
  step.computeDtype = Dtype::BF16;
  step.onGpu = true;
  const auto tree = published(0, full());
  std::uint64_t matrices = 0, others = 0;
  for (const auto& tensor : tree.tensors)
    (tensor.shape.size() > 1 ? matrices : others) += static_cast<std::uint64_t>(tensor.elements());
  const auto with = planMemory(tree, step);
  step.pureBf16 = true;
  const auto without = planMemory(tree, step);
  EXPECT_EQ(without.bytesOf("masters"), 2 * matrices + 4 * others);
  EXPECT_EQ(without.bytesOf("optimizer"), with.bytesOf("optimizer"));
  EXPECT_EQ(with.total() - without.total(), 2 * matrices);
  EXPECT_EQ(with.bytesOf("masters"), 4 * (matrices + others));
  EXPECT_EQ(with.bytesOf("gradients"), without.bytesOf("gradients"));
  EXPECT_EQ(with.bytesOf("compute_copies"), 2 * others);
  for (int* more : {&step.accumulation, &step.ranks}) {
    *more = 2;
    EXPECT_EQ(planMemory(tree, step).bytesOf("gradients"), 2 * matrices + 4 * others);
    step.pureBf16 = false;
    EXPECT_EQ(planMemory(tree, step).bytesOf("gradients"), 4 * (matrices + others));
    step.pureBf16 = true;
    *more = 1;
  }
  const auto onDisk = checkpointBytes(tree, {.state = true});
  EXPECT_EQ(onDisk - checkpointBytes(tree, {.state = true, .pureBf16 = true}), 4 * matrices);
}

// Activations go as gradients come: where the first are more, they take what the table's do, which is there before;
// where there are next to none, all of theirs.
TEST(MemoryPlan, GradientsOfOneBatchTakeTheRoomThatActivationsGiveBack) {
  StepShape step;
  step.computeDtype = Dtype::BF16;
  step.onGpu = true;
  step.batch = 96;
  const auto tree = published(3, full());
  std::uint64_t matrices = 0, others = 0, table = 0;
  for (const auto& tensor : tree.tensors) {
    const auto elements = static_cast<std::uint64_t>(tensor.elements());
    (tensor.shape.size() > 1 ? matrices : others) += elements;
    if (tree.moduleOf(tensor).kind == ModuleKind::Embedding) table += elements;
  }
  const auto many = planMemory(tree, step);
  EXPECT_EQ(many.bytesOf("gradients"), 2 * table + 4 * others);
  EXPECT_EQ(many.persistent(), 4 * matrices + 6 * others + many.bytesOf("optimizer"));
  step.batch = 1;
  step.checkpointing = true;
  const auto few = planMemory(tree, step);
  EXPECT_GT(few.total(), few.persistent() + 2 * matrices);
  EXPECT_LT(few.total(), few.persistent() + 2 * matrices + 800'000'000);
  EXPECT_LT(few.bytesOf("gradients"), 2 * matrices + 4 * others);
}

TEST(MemoryPlan, AveragesAreOneMoreCopyOfWhatIsTrained) {
  StepShape step;
  const auto without = planMemory(published(0, full()), step);
  step.averages = true;
  const auto with = planMemory(published(0, full()), step);
  EXPECT_EQ(with.bytesOf("averages"), 4ull * 2'923'466'480);
  EXPECT_EQ(with.total(), without.total() + with.bytesOf("averages"));
}

TEST(MemoryPlan, DroppedInputsAreKeptPerAdapterAndTheirMasksOnTheCpuAlone) {
  StepShape step;
  step.computeDtype = Dtype::BF16;
  step.adaptersInComputeDtype = true;
  const auto activations = [&step](double dropout, bool onGpu) {
    Method method = lora({"q_proj", "k_proj"});
    method.loraDropout = dropout;
    step.onGpu = onGpu;
    return planMemory(published(3, method), step).bytesOf("activations_text");
  };
  // Two inputs in place of the one that both adapters share; a mask for each.
  const std::uint64_t input = 26ull * (256 + 64) * 2304 * 2;
  EXPECT_EQ(activations(0.1, true), activations(0, true) + input);
  EXPECT_EQ(activations(0.1, false), activations(0, false) + 3 * input);
}

TEST(MemoryPlan, AProfileWithoutCapsKeepsNoScoresOfLongSamples) {
  StepShape step;
  step.textTokens = 400;
  step.computeDtype = Dtype::BF16;
  step.onGpu = true;
  const auto capped = planMemory(published(3, full()), step);
  step.attentionCaps = step.finalCaps = false;
  const auto plain = planMemory(published(3, full()), step);
  EXPECT_LT(plain.bytesOf("activations_ends"), capped.bytesOf("activations_ends"));  // no masks
  EXPECT_LE(plain.total(), capped.total());
  step.textTokens = 64;  // of short ones matrices of scores are quicker
  const auto quick = planMemory(published(3, full()), step);
  step.attentionCaps = true;
  EXPECT_EQ(quick.bytesOf("activations_ends"), planMemory(published(3, full()), step).bytesOf("activations_ends"));
}

TEST(MemoryPlan, TheLastBlockKeepsRowsOfLabelsAlone) {
  StepShape step;
  step.batch = 16;
  step.computeDtype = Dtype::BF16;
  step.onGpu = true;
  const auto tree = published(3, full());
  const auto all = planMemory(tree, step).bytesOf("activations_text");
  step.labelRowsAlone = true;
  const auto few = planMemory(tree, step).bytesOf("activations_text");
  const auto block = planMemory(tree, step).textBlock;
  EXPECT_LT(few, all - block / 2);
  EXPECT_GT(few, all - block);
  step.labelTokens = step.textTokens = 400;
  const auto most = planMemory(tree, step).bytesOf("activations_text");
  step.labelRowsAlone = false;
  EXPECT_LT(most, planMemory(tree, step).bytesOf("activations_text"));
}

TEST(MemoryPlan, LoraKeepsTheBaseInTheComputeType) {
  StepShape step;
  step.computeDtype = Dtype::BF16;
  const auto plan = planMemory(
      published(3, lora({"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"})), step);
  EXPECT_EQ(plan.bytesOf("weights"), 6'064'484'832u);
  EXPECT_EQ(plan.bytesOf("adapters"), 4ull * 11'876'352);
  EXPECT_EQ(plan.bytesOf("optimizer"), 8ull * 11'876'352);
}

TEST(MemoryPlan, AModuleMayBeKeptInATypeOfItsOwn) {
  StepShape step;
  step.computeDtype = Dtype::BF16;
  Method method = lora({"q_proj"});
  const auto narrow = planMemory(published(3, method), step);
  method.rules = {{.path = "vision_tower", .mode = {}, .dtype = Dtype::F32}};
  const auto tree = published(3, method);
  std::uint64_t vision = 0, matrices = 0;
  for (const auto& tensor : tree.tensors) {
    if (tree.moduleOf(tensor).part != Part::Vision || tensor.role != TensorRole::Base) continue;
    vision += static_cast<std::uint64_t>(tensor.elements());
    if (tensor.shape.size() > 1) matrices += static_cast<std::uint64_t>(tensor.elements());
  }
  EXPECT_EQ(planMemory(tree, step).bytesOf("weights"), narrow.bytesOf("weights") + 2 * vision);
  // What is trained is kept in float32 all the same; vectors are without a copy in 16 bits.
  method = full();
  step.accumulation = 2;
  const auto plain = planMemory(published(3, method), step);
  method.rules = {{.path = "vision_tower", .mode = {}, .dtype = Dtype::F32}};
  const auto wide = planMemory(published(3, method), step);
  EXPECT_EQ(wide.bytesOf("compute_copies"), plain.bytesOf("compute_copies") - 2 * (vision - matrices));
  EXPECT_EQ(wide.bytesOf("gradients"), plain.bytesOf("gradients"));
  EXPECT_EQ(wide.bytesOf("masters"), plain.bytesOf("masters"));
}

TEST(MemoryPlan, FourBitsTakeHalfAByteAndTheirConstants) {
  Method method = lora({"q_proj"});
  method.type = FinetuningType::Qlora;
  const auto plain = planMemory(published(0, method), {});
  EXPECT_EQ(plain.bytesOf("nf4"), 2'395'238'400u / 2);
  EXPECT_NEAR(static_cast<double>(plain.bytesOf("nf4_constants")), 2'395'238'400.0 / 64 * 4, 1e5);
  method.doubleQuant = true;
  const auto nested = planMemory(published(0, method), {});
  EXPECT_NEAR(static_cast<double>(nested.bytesOf("nf4_constants")), 2'395'238'400.0 / 64 * (1 + 4.0 / 256), 1e6);
}

TEST(MemoryPlan, ShardingDividesWhatLivesBetweenSteps) {
  StepShape alone, four;
  four.ranks = 4;
  four.sharded = true;
  const auto tree = published(3, full());
  EXPECT_NEAR(static_cast<double>(planMemory(tree, four).persistent()),
              static_cast<double>(planMemory(tree, alone).persistent()) / 4, 64);
}

TEST(MemoryPlan, SharingKeepsTheEndsAndFewBlocksWhole) {
  StepShape four;
  four.ranks = 4;
  four.sharded = true;
  const auto tree = published(3, full());
  const auto plan = planMemory(tree, four);
  const std::uint64_t embedding = 257'216ull * 2304 * 4;
  EXPECT_GT(plan.bytesOf("gathered_ends"), 2 * embedding);  // with its gradient
  EXPECT_GT(plan.bytesOf("gathered_blocks"), 0u);
  EXPECT_LT(plan.bytesOf("gathered_blocks"), planMemory(tree, {}).bytesOf("masters"));
  EXPECT_EQ(planMemory(tree, {}).bytesOf("gathered_ends"), 0u);
  four.sharingRanks = 2;  // two machines of two
  EXPECT_NEAR(static_cast<double>(planMemory(tree, four).bytesOf("optimizer")),
              static_cast<double>(plan.bytesOf("optimizer")) * 2, 64);
}

TEST(MemoryPlan, FrozenWeightsNeedNotBeShared) {
  StepShape two;
  two.ranks = 2;
  two.sharded = true;
  const auto tree = published(3, lora({"q_proj"}));
  const auto shared = planMemory(tree, two);
  two.shardFrozen = false;
  const auto kept = planMemory(tree, two);
  EXPECT_NEAR(static_cast<double>(kept.bytesOf("weights")), 2.0 * static_cast<double>(shared.bytesOf("weights")), 64);
  EXPECT_LT(kept.bytesOf("gathered_blocks"), shared.bytesOf("gathered_blocks") / 10);
}

TEST(MemoryPlan, CheckpointingKeepsInputsAndOneBlock) {
  const auto tree = published(3, full());
  StepShape step;
  step.batch = 2;
  const auto dense = planMemory(tree, step);
  step.checkpointing = true;
  const auto lean = planMemory(tree, step);
  const auto rows = static_cast<std::uint64_t>(2 * (256 + 64));
  EXPECT_EQ(dense.bytesOf("activations_text"), 26 * dense.textBlock);
  EXPECT_EQ(lean.bytesOf("activations_text"), 26 * rows * 2304 * 4);
  step.checkpointedBlocks = 27 + 25;
  EXPECT_EQ(planMemory(tree, step).bytesOf("activations_text"), 2 * 25 * rows * 2304 * 4 + dense.textBlock)
      << "and what the norm behind the MLP needs";
  EXPECT_GE(lean.bytesOf("logits") + lean.bytesOf("workspace"), lean.textBlock);
  EXPECT_EQ(dense.textBlock, lean.textBlock);
  EXPECT_LT(lean.total(), dense.total());
  EXPECT_EQ(lean.blocksInGraph, 27 + 26);
}

// From the vision tower on: each block that is computed again takes less until the rest is small beside one block.
TEST(MemoryPlan, OnlySoManyBlocksAreComputedAgainAsHaveToBe) {
  const auto tree = published(3, full());
  StepShape step;
  step.batch = 16;
  step.computeDtype = Dtype::BF16;
  step.onGpu = step.labelRowsAlone = true;
  const auto kept = planMemory(tree, step).total();
  step.checkpointing = true;
  const auto all = planMemory(tree, step).total();
  auto before = kept;
  for (int blocks = 1; blocks <= 40; ++blocks) {
    step.checkpointedBlocks = blocks;
    const auto plan = planMemory(tree, step);
    EXPECT_LT(plan.total(), before) << blocks;
    before = plan.total();
    std::uint64_t sum = 0;
    for (const auto& item : plan.items) sum += item.bytes;
    EXPECT_EQ(plan.total(), sum);
  }
  EXPECT_GT(before, all);
  step.checkpointedBlocks = kEveryBlock;
  EXPECT_EQ(fewestRecomputed(tree, step, kept), 0);
  EXPECT_LT(fewestRecomputed(tree, step, all).value(), 53) << "at last it is gradients that take the most";
  EXPECT_EQ(fewestRecomputed(tree, step, all - all / 10), std::nullopt);
  const std::uint64_t half = 44'200'000ull * 1000;  // of what transformers takes for it
  const auto some = fewestRecomputed(tree, step, half);
  ASSERT_TRUE(some);
  step.checkpointedBlocks = *some;
  EXPECT_LE(planMemory(tree, step).total(), half);
  step.checkpointedBlocks = *some - 1;
  EXPECT_GT(planMemory(tree, step).total(), half);
  step.batch = 96;
  step.checkpointedBlocks = kEveryBlock;
  EXPECT_EQ(fewestRecomputed(tree, step, planMemory(tree, step).total()), kEveryBlock) << "from their inputs alone";
}

TEST(MemoryPlan, BlocksAreCountedFromTheFirstThatGradientsReach) {
  const auto inGraph = [](const Method& method) { return blocksInGraph(published(3, method)); };
  EXPECT_EQ(inGraph(full()).vision, 27);
  EXPECT_EQ(inGraph(full()).text, 26);
  auto frozen = full();
  frozen.freezeVisionTower = true;
  EXPECT_EQ(inGraph(frozen).vision, 0);
  EXPECT_EQ(inGraph(frozen).text, 26);
  auto top = lora({"q_proj"});
  top.targets = {{}, ".*language_model\\.layers\\.(1[0-9]|2[0-5])\\..*q_proj", false};
  EXPECT_EQ(inGraph(top).all(), 16);
  top.targets = {{}, ".*vision_tower.*layers\\.20\\..*q_proj", false};
  EXPECT_EQ(inGraph(top).vision, 7);
  EXPECT_EQ(inGraph(top).text, 26);
}

TEST(MemoryPlan, AFrozenTowerKeepsNoActivations) {
  Method method = full();
  method.freezeVisionTower = true;
  const auto plan = planMemory(published(3, method), {});
  EXPECT_EQ(plan.bytesOf("activations_vision"), 0u);
  EXPECT_GT(plan.bytesOf("activations_text"), 0u);
}

TEST(MemoryPlan, BlocksBelowTheLowestTrainedOneKeepNothing) {
  Method method = lora({"q_proj"});
  method.targets = {{}, ".*language_model\\.layers\\.3\\..*q_proj", false};
  const auto one = planMemory(buildModuleTree(smallConfig(), method).value(), {});
  EXPECT_EQ(one.bytesOf("activations_text"), one.textBlock);
}

TEST(MemoryPlan, ActivationsGrowWithTheBatch) {
  const auto tree = buildModuleTree(smallConfig(), full()).value();
  StepShape one, eight;
  eight.batch = 8;
  EXPECT_EQ(planMemory(tree, eight).bytesOf("activations_text"), 8 * planMemory(tree, one).bytesOf("activations_text"));
}

TEST(MemoryPlan, FusedAttentionDropsTheScores) {
  const auto tree = published(5, full());
  StepShape dense, fused;
  fused.onGpu = true;
  EXPECT_LT(planMemory(tree, fused).bytesOf("activations_text") * 2,
            planMemory(tree, dense).bytesOf("activations_text"));
}

TEST(MemoryPlan, AttentionOfRowsNeedsNoMaskAndRepeatsNoKeys) {
  StepShape step;
  step.batch = 4;
  step.textTokens = 400;
  step.computeDtype = Dtype::BF16;
  step.onGpu = true;
  const auto tree = published(0, full());  // PaliGemma: 8 heads of 256, one of keys, 18 layers
  const auto rows = planMemory(tree, step);
  step.onGpu = false;
  const auto plain = planMemory(tree, step);
  const std::uint64_t tokens = 4 * (256 + 400);
  // Kernels of norms keep no copies in float32, and the MLP its two factors alone.
  const std::uint64_t norms = 2 * (4 + 4 - 2) * 2048, mlp = 2 * 2 * 16384;
  EXPECT_EQ(plain.bytesOf("activations_text") - rows.bytesOf("activations_text"),
            18 * tokens * (2 * (2 * (2048 - 256) + 2048) + norms + mlp));
  EXPECT_EQ(plain.bytesOf("activations_ends") - rows.bytesOf("activations_ends"), tokens * (256 + 400) * 3);

  const auto capped = published(5, full());  // PaliGemma 2: the mask stays
  const auto without = planMemory(capped, step).bytesOf("activations_ends");
  step.onGpu = true;
  EXPECT_EQ(planMemory(capped, step).bytesOf("activations_ends"), without);
}

TEST(MemoryPlan, TheHeadIsChunked) {
  const auto tree = published(0, lora({"q_proj"}));
  StepShape step;
  step.batch = 64;
  step.labelTokens = 64;
  EXPECT_LT(planMemory(tree, step).bytesOf("logits"), 300'000'000u);
}

}  // namespace
}  // namespace roadtune::model
