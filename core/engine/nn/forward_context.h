// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/numerics.h"

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

namespace roadtune::engine {

class BlockGate;
struct LastProduct;
struct PackedRows;

constexpr std::size_t kAllUnits = std::numeric_limits<std::size_t>::max();

// What one pass through the model needs to know. Cheap to copy; layers read it, nobody writes it during a pass.
struct ForwardContext {
  model::Numerics numerics;
  at::ScalarType type = at::kFloat;    // activations and matrix products
  bool training = false;               // dropout is active
  std::size_t recomputedUnits = 0;     // blocks up to this one run again in the backward pass (BlockGate's numbers)
  bool adaptersInComputeType = false;  // LoRA products in `type` (as under autocast) instead of float32
  double labelSmoothing = 0;
  double neftuneAlpha = 0;        // strength of the noise on token embeddings while training; 0: none
  std::uint64_t dropoutSeed = 0;  // of this pass; every module derives its own
  BlockGate* gate = nullptr;      // where weights are shared out among ranks
  std::int64_t longestRectangle = model::kLongestRectangle;  // up to here attention works on matrices of scores
  LastProduct* lastProduct = nullptr;                        // inside a block that is computed again
  std::shared_ptr<const PackedRows> packed = {};  // inside the text model: its rows; null: the whole rectangle
};

}  // namespace roadtune::engine
