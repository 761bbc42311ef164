// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/dist/distribution.h"

#include <vector>

namespace roadtune::engine {

// Every rank holds everything. In the last backward pass of a step, gradients are summed in flat buckets while later
// ones are still being computed; passes before it exchange nothing.
class Replicas final : public Distribution {
 public:
  Replicas(ModelState& model, Communicator& ranks, const DistributionOptions& options);
  ~Replicas() override;

  bool shares() const override { return false; }
  BlockGate* gate() override { return nullptr; }
  std::vector<FlatGroup> groups() override { return m_groups; }
  at::Tensor gradientSquares(const AdamW& optimizer, const at::Device& device) override {
    return optimizer.gradientSquares(device);
  }
  void beginBackward(bool last) override;
  void endBackward() override { m_armed = false; }
  void idlePass(bool) override {}
  void endForward() override {}
  void endStep() override;
  void eachTrained(const AdamW& optimizer, TrainedValues what, const Take& take) override;
  at::Tensor whole(const Parameter& parameter) override;

 private:
  // A range of one group's gradients.
  struct Bucket {
    std::size_t group = 0;
    std::int64_t begin = 0, count = 0;
    std::size_t lowest = 0;  // place in the checkpoint of its first member, the last to be ready
    std::size_t members = 0, missing = 0;
    std::unique_ptr<Transfer> transfer = {};
  };

  void makeBuckets(std::int64_t maxBytes);
  void watch();
  void ready(std::size_t bucket);
  void send(bool all);

  ModelState& m_model;
  Communicator& m_ranks;
  std::vector<FlatGroup> m_groups;  // share their buffers with the optimizer's
  std::vector<Bucket> m_buckets;    // in the order of sending
  std::vector<std::pair<Parameter*, std::size_t>> m_bucketOf;
  std::size_t m_sent = 0;
  bool m_armed = false;
};

}  // namespace roadtune::engine
