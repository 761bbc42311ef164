// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/optim/flat_group.h"

#include <cstdint>
#include <vector>

namespace roadtune::engine {

// torch.optim.AdamW over flat groups, or that of bitsandbytes where their moments are in bytes.
class AdamW {
 public:
  struct Options {
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
    bool eightBit = false;  // of its groups' moments, as many as may be
  };

  AdamW(std::vector<FlatGroup> groups, Options options);

  void restartGradients();  // of all groups
  // The squared norm of each tower's gradients, by model::Part, in float64 on `device`, where they lie.
  at::Tensor gradientSquares(const at::Device& device) const;
  // The rate of every group times `rateFactor`, gradients times `gradientFactor` (float32, where they lie): where that
  // is no number nothing changes, and who learns so later takes the step back.
  void step(double rateFactor, const at::Tensor& gradientFactor);
  void takeBack() { --m_steps; }

  std::vector<FlatGroup>& groups() { return m_groups; }
  const std::vector<FlatGroup>& groups() const { return m_groups; }
  bool eightBit() const { return m_options.eightBit; }
  std::int64_t steps() const { return m_steps; }
  void setSteps(std::int64_t steps) { m_steps = steps; }

 private:
  // A stretch of a group's buffers and their gradients, which are flat.
  struct Piece {
    FlatGroup& group;
    std::int64_t begin, count;
    at::Tensor gradients;

    at::Tensor of(const at::Tensor& buffer) const { return buffer.narrow(0, begin, count); }
  };
  void step(const Piece& piece, double rateFactor, const at::Tensor& gradientFactor) const;
  void plainStep(const Piece& piece, double rateFactor, double gradientFactor) const;

  // Members of a group that follow each other and belong to one tower.
  struct Stretch {
    std::size_t group;
    model::Part part;
    std::size_t first, last;
  };
  std::vector<at::Tensor> gradientsOf(const Stretch& stretch) const;

  std::vector<FlatGroup> m_groups;
  std::vector<Stretch> m_stretches;
  at::Tensor m_inPart;  // [parts, stretches]
  Options m_options;
  std::int64_t m_steps = 0;
};

}  // namespace roadtune::engine
