// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/nn/forward_context.h"

#include <cstddef>
#include <functional>

namespace roadtune::engine {

// A block of the network, a pure function of its input and of leaves (dropout included: its seed is part of the
// context).
using Block = std::function<at::Tensor(const at::Tensor&, const ForwardContext&)>;

// What a block that is computed again knows of the last product on its way. Nobody asks for the block's output a second
// time, and so this product is left out. Where something behind it needs its result, that is kept from the first time,
// unless all blocks are computed again, for the least memory.
struct LastProduct {
  bool again = false;    // the block runs for the second time
  bool needed = false;   // by the block's own backward pass
  bool mayStay = false;  // from the first time on
  at::Tensor result = {};

  bool isKnown() const { return again && (!needed || result.defined()); }
  void made(const at::Tensor& output) {
    if (!again && needed && mayStay) result = output;
  }
};

// block(x). Where the context says so, only x is kept, and the block runs a second time in the backward pass. `trains`
// says whether anything inside the block collects gradients; `unit` is the block's number for the context's gate.
at::Tensor recomputed(const at::Tensor& x, const ForwardContext& context, bool trains, std::size_t unit, Block block);

}  // namespace roadtune::engine
