// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/fit_work.h"

#include "core/base/units.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace roadtune::studio {
namespace {

constexpr int kSmallBatch = 4;  // below it a graphics card idles: checkpointing is tried first

constexpr std::uint64_t kRoomForDoubts = 20;  // one part of so many stays free where a run is made larger

// What makes the numbers of training smaller.
struct Numbers {
  bool eightBit, pureBf16;
};

struct Attempt {
  std::int64_t batch, accumulation;
  bool checkpointing, sharded;
  Numbers numbers;
  int blocks = model::kEveryBlock;  // that are computed again, with checkpointing
};

// Gentle ones first.
std::vector<Attempt> attemptsFor(std::int64_t batch, std::int64_t accumulation, bool checkpointing, bool sharded,
                                 bool severalRanks, Numbers numbers) {
  std::vector<Attempt> attempts;
  const auto ladder = [&](std::int64_t most, std::int64_t least, bool check, bool share) {
    for (std::int64_t size = most; size >= least; size /= 2) {
      if (batch % size == 0) attempts.push_back({size, accumulation * (batch / size), check, share, numbers});
      if (size == 1) break;
    }
  };
  if (!checkpointing) ladder(batch, std::min<std::int64_t>(batch, kSmallBatch), false, sharded);
  ladder(batch, std::min<std::int64_t>(batch, kSmallBatch), true, sharded);
  if (!checkpointing) ladder(std::min<std::int64_t>(batch, kSmallBatch), 1, false, sharded);
  ladder(std::min<std::int64_t>(batch, kSmallBatch), 1, true, sharded);
  if (!sharded && severalRanks) {
    ladder(batch, 1, checkpointing, true);
    ladder(batch, 1, true, true);
  }
  return attempts;
}

struct FitText {
  Q_DECLARE_TR_FUNCTIONS(Fit)
};

FitProposal describe(const config::RunConfig& config, const Attempt& attempt, const model::StepShape& shape,
                     std::uint64_t bytes, int allBlocks) {
  FitProposal proposal;
  proposal.bytes = bytes;
  QStringList words;
  if (attempt.batch != config.integer("per_device_train_batch_size")) {
    words << FitText::tr("batch %1 × %2 accumulated").arg(attempt.batch).arg(attempt.accumulation);
    proposal.values.emplace_back(QStringLiteral("per_device_train_batch_size"), config::Value(attempt.batch));
    proposal.values.emplace_back(QStringLiteral("gradient_accumulation_steps"), config::Value(attempt.accumulation));
  }
  if (attempt.checkpointing && !shape.checkpointing)
    proposal.values.emplace_back(QStringLiteral("gradient_checkpointing"), config::Value(true));
  if (attempt.checkpointing && (!shape.checkpointing || attempt.blocks != shape.checkpointedBlocks)) {
    const bool every = attempt.blocks == model::kEveryBlock;
    words << (every ? FitText::tr("gradient checkpointing")
                    : FitText::tr("gradient checkpointing of %1 of %2 blocks").arg(attempt.blocks).arg(allBlocks));
    if (!every || shape.checkpointedBlocks != model::kEveryBlock)
      proposal.values.emplace_back(QStringLiteral("gradient_checkpointing_blocks"),
                                   every ? config::Value() : config::Value(attempt.blocks));
  }
  if (attempt.sharded && !shape.sharded) {
    words << FitText::tr("weights and optimizer shared among the processes");
    proposal.values.emplace_back(QStringLiteral("sharding"), config::Value("sharded"));
  }
  if (attempt.numbers.eightBit && !shape.eightBitMoments) {
    words << FitText::tr("the optimizer's moments in 8 bits");
    proposal.values.emplace_back(QStringLiteral("optim"), config::Value("adamw_8bit"));
  }
  if (attempt.numbers.pureBf16 && !shape.pureBf16) {
    words << FitText::tr("trained weights in bfloat16 alone");
    proposal.values.emplace_back(QStringLiteral("pure_bf16"), config::Value(true));
  }
  proposal.words = words.join(QStringLiteral(", "));
  return proposal;
}

}  // namespace

std::optional<FitProposal> proposeFit(const config::RunConfig& config, const model::ModuleTree& tree,
                                      const model::StepShape& shape, std::uint64_t memory) {
  const auto batch = std::max<std::int64_t>(1, config.integer("per_device_train_batch_size"));
  const auto accumulation = std::max<std::int64_t>(1, config.integer("gradient_accumulation_steps"));
  std::vector<Numbers> numbers{{shape.eightBitMoments, shape.pureBf16}};  // others after all that leaves them
  if (!shape.eightBitMoments) numbers.push_back({true, shape.pureBf16});
  if (!shape.pureBf16 && shape.computeDtype == model::Dtype::BF16 && !shape.averages) numbers.push_back({true, true});
  std::vector<Attempt> attempts;
  for (const auto& one : numbers) {
    const auto more = attemptsFor(batch, accumulation, shape.checkpointing, shape.sharded, shape.ranks > 1, one);
    attempts.insert(attempts.end(), more.begin(), more.end());
  }
  const bool everyBlock = shape.checkpointing && shape.checkpointedBlocks == model::kEveryBlock;  // as was chosen
  const int allBlocks = model::blocksInGraph(tree).all();
  for (Attempt& attempt : attempts) {
    model::StepShape next = shape;
    next.batch = static_cast<int>(attempt.batch);
    next.accumulation = static_cast<int>(attempt.accumulation);
    next.checkpointing = attempt.checkpointing;
    next.sharded = attempt.sharded;
    next.eightBitMoments = attempt.numbers.eightBit;
    next.pureBf16 = attempt.numbers.pureBf16;
    if (attempt.checkpointing && !everyBlock) {
      const auto fewest = model::fewestRecomputed(tree, next, memory);
      if (!fewest) continue;
      next.checkpointedBlocks = attempt.blocks = std::max(1, *fewest);
    }
    const std::uint64_t bytes = model::planMemory(tree, next).total();
    if (bytes <= memory) return describe(config, attempt, shape, bytes, allBlocks);
  }
  return std::nullopt;
}

std::optional<FitProposal> proposeFaster(const model::ModuleTree& tree, const model::StepShape& shape,
                                         std::uint64_t memory) {
  if (shape.recomputedBlocks() == 0) return std::nullopt;
  const auto fewest = model::fewestRecomputed(tree, shape, memory - memory / kRoomForDoubts);
  if (!fewest || *fewest >= shape.recomputedBlocks()) return std::nullopt;
  FitProposal proposal;
  if (*fewest == 0) {
    proposal.words = FitText::tr("no block has to be computed again");
    proposal.values.emplace_back(QStringLiteral("gradient_checkpointing"), config::Value(false));
  } else {
    proposal.words =
        FitText::tr("%1 of %2 blocks computed again are enough").arg(*fewest).arg(model::blocksInGraph(tree).all());
    proposal.values.emplace_back(QStringLiteral("gradient_checkpointing_blocks"), config::Value(*fewest));
  }
  model::StepShape next = shape;
  next.checkpointedBlocks = *fewest;
  proposal.bytes = model::planMemory(tree, next).total();
  return proposal;
}

}  // namespace roadtune::studio
