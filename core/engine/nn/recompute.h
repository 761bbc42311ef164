// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/nn/forward_context.h"

#include <cstddef>
#include <functional>

namespace roadtune::engine {

// block(x). With activation checkpointing only x is kept, and the block runs a second time in the backward pass; the
// block must be a pure function of x and of leaves (dropout included: its seed is part of the context). `trains` says
// whether anything inside the block collects gradients; `unit` is the block's number for the context's gate.
at::Tensor recomputed(const at::Tensor& x, const ForwardContext& context, bool trains, std::size_t unit,
                      std::function<at::Tensor(const at::Tensor&)> block);

}  // namespace roadtune::engine
