// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <ATen/core/Tensor.h>

namespace roadtune::engine {

// q [B, heads, L, d]; k, v [B, kvHeads, S, d]; mask additive [B or 1, 1, L, S] or undefined; cap 0 means none.
// Returns [B, L, heads * d].
at::Tensor attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask, double scale,
                  double cap);

}  // namespace roadtune::engine
