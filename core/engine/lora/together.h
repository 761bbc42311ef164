// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/nn/linear.h"

#include <initializer_list>
#include <vector>

namespace roadtune::engine {

// What each of these layers makes of the input they share, in their order. Adapters of several of them read it once:
// their A matrices, one below the other, are one product, of which each B takes its columns. Weights, names and
// gradients stay those of the single adapters. A layer whose dropout is at work has an input of its own, as in peft,
// and is computed alone.
std::vector<at::Tensor> forwardTogether(std::initializer_list<const Linear*> layers, const at::Tensor& x,
                                        const ForwardContext& context);

}  // namespace roadtune::engine
