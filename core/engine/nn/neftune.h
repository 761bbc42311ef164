// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/nn/forward_context.h"

#include <ATen/core/Tensor.h>

namespace roadtune::engine {

// Noise [batch, length, H] for token embeddings [..., H]: uniform in +-alpha / sqrt(length * H), drawn where they are,
// from the pass's seed: the same step of the same rank gets the same noise again.
at::Tensor neftuneNoise(std::int64_t batch, std::int64_t length, const at::Tensor& embedded,
                        const ForwardContext& context);

}  // namespace roadtune::engine
