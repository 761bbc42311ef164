// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/optim/flat_group.h"

#include <cstdint>
#include <vector>

namespace roadtune::engine {

// torch.optim.AdamW over flat groups.
class AdamW {
 public:
  struct Options {
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  };

  AdamW(std::vector<FlatGroup> groups, Options options) : m_groups(std::move(groups)), m_options(options) {}

  void zeroGradients();
  double gradientNorm() const;  // over all groups
  // As torch's clip_grad_norm_, given the norm already computed.
  void clip(double norm, double maxNorm);
  void step(double scheduleFactor);  // rate of every group times this

  // A live edit of the base rate: every group keeps its ratio to it.
  void scaleRates(double factor);

  std::vector<FlatGroup>& groups() { return m_groups; }
  const std::vector<FlatGroup>& groups() const { return m_groups; }
  std::int64_t steps() const { return m_steps; }
  void setSteps(std::int64_t steps) { m_steps = steps; }

 private:
  std::vector<FlatGroup> m_groups;
  Options m_options;
  double m_gradientFactor = 1;  // clipping that is yet to be applied: a kernel does it on the way
  std::int64_t m_steps = 0;
};

}  // namespace roadtune::engine
