// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/numerics.h"

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace roadtune::engine {

// Additive masks [B, 1, queries, keys]: 0 where a query may look, the lowest finite value elsewhere.
struct AttentionMasks {
  at::Tensor full;
  at::Tensor sliding;  // the same tensor when no layer slides or everything fits the window
};

// Does the window hide anything of a batch of this length?
bool windowSlides(std::int64_t window, std::int64_t length, const model::Numerics& numerics);

// Prefix-LM: a query sees earlier keys, and inside the prefix (token type 0) everybody sees everybody; padding is
// never seen. `attentionMask` and `tokenTypes` are int64 [B, L]; an undefined `tokenTypes` means plain causal.
AttentionMasks prefixMasks(const at::Tensor& attentionMask, const at::Tensor& tokenTypes, std::int64_t window,
                           const model::Numerics& numerics, at::ScalarType type);

}  // namespace roadtune::engine
