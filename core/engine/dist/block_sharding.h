// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/dist/distribution.h"
#include "core/engine/dist/frozen_section.h"
#include "core/engine/dist/trained_section.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace roadtune::engine {

// Every rank holds its share of each block. A block's weights are gathered before it is used, forward and backward,
// and the next block's are fetched meanwhile; its gradients are reduced to the owners' shares as soon as its backward
// pass is over. Whatever the data of a rank look like, all ranks gather and reduce the same units in the same order:
// a unit that is passed over is gathered nevertheless, a rank without data makes an idle pass.
//
// Unit 0 (embeddings, projector, the ends of the towers) stays whole for the length of a pass.
class BlockSharding final : public Distribution, public BlockGate {
 public:
  BlockSharding(ModelState& model, std::unique_ptr<Communicator> shards, std::unique_ptr<Communicator> replicas,
                const DistributionOptions& options);

  bool shares() const override { return true; }
  BlockGate* gate() override { return this; }
  std::vector<FlatGroup> groups() override;
  at::Tensor gradientSquares(const AdamW& optimizer, const at::Device& device) override;
  void beginBackward(bool last) override;
  void endBackward() override;
  void idlePass(bool trains) override;
  void endForward() override;
  void endStep() override;
  void eachTrained(const AdamW& optimizer, TrainedValues what, const Take& take) override;
  at::Tensor whole(const Parameter& parameter) override;
  void forgetWhole() override;

  void begin() override;
  void enter(std::size_t unit) override;
  void leave(std::size_t unit) override;

 private:
  struct Unit {
    std::vector<TrainedSection> trained;  // by the type that travels, and by whether moments are in bytes
    FrozenSection frozen;
    bool trains = false;   // has gradients
    bool inGraph = false;  // takes part in the backward pass
    bool whole = false;
    std::vector<std::unique_ptr<Transfer>> fetching = {};
  };
  enum class Phase { Idle, Forward, Backward };

  Unit makeUnit(ModelState& model, std::size_t index, const DistributionOptions& options);
  void markGraph(const ModelState& model);
  void beginForward(bool trains);
  void forwardTo(std::size_t unit);
  void backwardTo(std::size_t unit);
  void finishForward();
  void open(std::size_t unit);
  void close(std::size_t unit);
  void reduce(std::size_t unit);
  void finishReduces();

  void fetch(Unit& unit);
  void await(Unit& unit);
  void release(Unit& unit);

  std::unique_ptr<Communicator> m_ranks, m_replicas;
  double m_weightDecay;
  bool m_releaseAfterForward;
  std::vector<Unit> m_units;
  std::vector<std::size_t> m_backward;  // blocks in the order of the backward pass
  std::unordered_map<const Parameter*, std::size_t> m_unitOf;

  // Weights in float32 for whole(): those of unit 0, and those of the unit asked for last.
  using Exact = std::unordered_map<const Parameter*, at::Tensor>;
  Exact m_exactEnds, m_exactBlock;
  std::optional<std::size_t> m_exactUnit;

  Phase m_phase = Phase::Idle;
  bool m_trains = false;       // a backward pass will follow
  std::size_t m_next = 0;      // unit that comes next, forward
  std::size_t m_opened = 0;    // blocks of m_backward opened so far
  std::size_t m_reducing = 0;  // the unit whose gradients are under way
  bool m_reduceUnderWay = false;
};

}  // namespace roadtune::engine
