// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/dist/communicator.h"
#include "core/engine/dist/passing_tensor.h"
#include "core/engine/nn/parameter.h"
#include "core/engine/optim/flat_group.h"

#include <functional>
#include <vector>

namespace roadtune::engine {

// A parameter that is trained, and how.
struct TrainedMember {
  Parameter* parameter = nullptr;
  UpdateRule rule;
};

// The trained weights of one unit, end to end, cut into one equal piece per rank. A rank owns the float32 values,
// gradients and moments of its piece (narrow ones in bfloat16, but for the moments); the whole exists, in the type that
// travels, only while the unit is in use. Not for several threads.
class TrainedSection {
 public:
  TrainedSection() = default;
  // Members keep their order within equal rules, and all have their moments in bytes or none, and are narrow or none.
  // With `travels` bfloat16 the weights are rounded before they are sent, and gradients come back in it, to be summed
  // in float32.
  TrainedSection(std::vector<TrainedMember> members, at::ScalarType travels, Communicator& ranks);

  bool empty() const { return m_members.empty(); }

  std::unique_ptr<Transfer> startGather();  // the weights become whole when it is waited for
  void release() { m_weights.release(); }

  void openGradients();  // zero
  void startReduce();    // sends the gradients
  void finishReduce();   // adds all ranks' to the own piece; the whole gradient is gone
  at::Tensor& gradients() { return m_gradients; }

  // The own piece as groups of the optimizer: one per rule.
  std::vector<FlatGroup> groups(double weightDecay) const;

  // Every rank gets what is kept of every member, whole; scales in one row, and none of moments in float32.
  using Take = std::function<void(const Parameter&, const at::Tensor&)>;
  void collect(TrainedValues what, const Take& take) const;

 private:
  void lay();  // offsets
  void cut();  // the own piece out of the members' values, which become views
  bool narrow() const { return m_members.front().rule.kept == Kept::Narrow; }
  bool momentsInBytes() const { return m_members.front().rule.momentsInBytes; }
  const at::Tensor& pieceOf(TrainedValues what) const;

  Communicator* m_ranks = nullptr;
  std::vector<TrainedMember> m_members;
  std::vector<std::int64_t> m_offsets, m_counts;
  std::int64_t m_piece = 0;  // elements
  at::ScalarType m_travels = at::kFloat;
  PassingTensor m_weights, m_wholeGradients;
  at::Tensor m_values, m_gradients;
  Moment m_firstMoment, m_secondMoment;
  at::Tensor m_sent, m_incoming;
  std::unique_ptr<Transfer> m_reduce;
};

}  // namespace roadtune::engine
