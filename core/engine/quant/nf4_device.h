// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/quant/nf4_weight.h"

namespace roadtune::engine {

// What Nf4Weight does where its parts lie on a GPU: with the plugin's kernels, or with plain torch without them.
at::Tensor dequantisedOnDevice(const Nf4Weight& weight, at::ScalarType type);

}  // namespace roadtune::engine
