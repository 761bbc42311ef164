// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/attention/rope.h"
#include "core/engine/nn/packed_rows.h"

namespace roadtune::engine {

// What a projection made of all tokens, as heads [B, heads, L, d]: of a block [B, L, heads * d], or of packed rows
// [rows, heads * d] spread over their rectangle. Rotated where there is a table.
at::Tensor splitHeads(const at::Tensor& projected, std::int64_t heads, const PackedRows* packed = nullptr,
                      const RopeTable* rope = nullptr);

// And back: [B, L, heads * d], or the packed rows.
at::Tensor joinHeads(const at::Tensor& x, const PackedRows* packed = nullptr);

}  // namespace roadtune::engine
