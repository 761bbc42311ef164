// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/optim/flat_group.h"

#include <array>
#include <cstdint>
#include <vector>

namespace roadtune::engine {

// Of everything that trains, and of what trains in each tower; 0 where nothing does.
struct GradientNorms {
  std::array<double, 3> parts{};  // by model::Part
  double all = 0;

  static GradientNorms ofSquares(const std::array<double, 3>& squares);
};

// torch.optim.AdamW over flat groups, or that of bitsandbytes where their moments are in bytes.
class AdamW {
 public:
  struct Options {
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
    bool eightBit = false;  // of its groups' moments, as many as may be
  };

  AdamW(std::vector<FlatGroup> groups, Options options);

  void zeroGradients();
  GradientNorms gradientNorms() const;
  // As torch's clip_grad_norm_, given the norm already computed.
  void clip(double norm, double maxNorm);
  void step(double rateFactor);  // rate of every group times this

  std::vector<FlatGroup>& groups() { return m_groups; }
  const std::vector<FlatGroup>& groups() const { return m_groups; }
  bool eightBit() const { return m_options.eightBit; }
  std::int64_t steps() const { return m_steps; }
  void setSteps(std::int64_t steps) { m_steps = steps; }

 private:
  // A stretch of a group's buffers that belongs to one tower.
  struct Stretch {
    std::size_t group;
    model::Part part;
    std::int64_t offset, count;
  };
  std::vector<FlatGroup> m_groups;
  std::vector<Stretch> m_stretches;
  Options m_options;
  double m_gradientFactor = 1;  // clipping that is yet to be applied: a kernel does it on the way
  std::int64_t m_steps = 0;
};

}  // namespace roadtune::engine
