// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/nn/linear.h"
#include "core/model/pali_config.h"

namespace roadtune::engine {

// What a layer makes of the activated gate times `up`, or of the activated gate alone where that is undefined. With
// kernels this input, as wide as an MLP, is not kept but made again when gradients need it.
at::Tensor forwardGated(const Linear& layer, const at::Tensor& gate, const at::Tensor& up, model::Activation activation,
                        const ForwardContext& context);

}  // namespace roadtune::engine
