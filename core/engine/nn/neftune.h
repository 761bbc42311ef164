// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/nn/forward_context.h"

#include <ATen/core/Tensor.h>

namespace roadtune::engine {

// Noise for token embeddings [B, L, H]: uniform in +-alpha / sqrt(L * H), drawn from the pass's seed.
at::Tensor neftuneNoise(const at::Tensor& embedded, const ForwardContext& context);

}  // namespace roadtune::engine
