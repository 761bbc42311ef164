// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/engine/optim/flat_group.h"

#include <vector>

namespace roadtune::engine {

// An exponential average of the trained weights: average = decay * average + (1 - decay) * weights after every applied
// step, from the weights at the start. In float32, one buffer beside each flat group.
class WeightAverage {
 public:
  WeightAverage(double decay, const std::vector<FlatGroup>& groups);

  // After a step that took gradients times this; where it is no number, there was none.
  void update(const std::vector<FlatGroup>& groups, const at::Tensor& gradientFactor);

  // Exchanges averages and weights, in place: done twice, everything is as before, but for what has no place in halves.
  // For writing the average down.
  void swap(std::vector<FlatGroup>& groups);

  // ema_state.safetensors of a checkpoint, exact.
  Status write(const std::vector<FlatGroup>& groups, const fs::path& folder) const;
  Status read(const std::vector<FlatGroup>& groups, const fs::path& folder);

 private:
  double m_decay;
  std::vector<at::Tensor> m_averages;
};

}  // namespace roadtune::engine
