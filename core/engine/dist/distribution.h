// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/engine/dist/communicator.h"
#include "core/engine/nn/block_gate.h"
#include "core/engine/nn/model_state.h"
#include "core/engine/optim/adamw.h"

#include <functional>
#include <memory>
#include <vector>

namespace roadtune::engine {

// How weights, gradients and optimizer lie on the ranks, and what travels between them during a step. All ranks call
// the same functions in the same order, whatever their data look like.
class Distribution {
 public:
  using Take = std::function<void(const Parameter&, const at::Tensor&)>;

  virtual ~Distribution() = default;

  virtual bool shares() const = 0;              // no rank holds the whole model
  virtual BlockGate* gate() = 0;                // of the network's passes; may be null
  virtual std::vector<FlatGroup> groups() = 0;  // of this rank's optimizer; once
  // As the optimizer's own, but over all ranks.
  virtual at::Tensor gradientSquares(const AdamW& optimizer, const at::Device& device) = 0;

  // One optimizer step: passes, then endStep(). `last` says that this rank accumulates no further.
  virtual void beginBackward(bool last) = 0;
  virtual void endBackward() = 0;
  virtual void idlePass(bool trains) = 0;  // this rank has no data for a pass that others make
  virtual void endForward() = 0;           // of a pass without a backward one
  virtual void endStep() = 0;              // gradients are the sums over all ranks

  // Every trained tensor, whole, as it is kept, on the CPU of every rank, one at a time. Scales lie in one row, and
  // come for moments in bytes alone.
  virtual void eachTrained(const AdamW& optimizer, TrainedValues what, const Take& take) = 0;

  // Between steps: the value of a weight as exact as a checkpoint keeps it, whole. Ranks ask for the same weights in
  // the same order, and end with forgetWhole(); a tensor may be gone when the next one is asked for.
  virtual at::Tensor whole(const Parameter& parameter) = 0;
  virtual void forgetWhole() {}
};

struct DistributionOptions {
  bool shards = false;
  int replicas = 1;  // copies of the shards: ranks are numbered shard by shard within a copy
  bool shardFrozen = true;
  bool releaseAfterForward = true;  // else gathered weights wait for the backward pass
  at::ScalarType computeType = at::kFloat;
  LearningRates rates = {};
  double weightDecay = 0;
  KeptSmall small = {};
  std::int64_t bucketBytes = 25'000'000;
};

// Takes over the model's weights: their tensors change places. Fails when the ranks cannot be split as asked.
Result<std::unique_ptr<Distribution>> distribute(ModelState& model, Communicator& ranks,
                                                 const DistributionOptions& options);

}  // namespace roadtune::engine
