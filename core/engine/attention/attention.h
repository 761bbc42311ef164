// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/numerics.h"
#include "core/model/pali_config.h"

#include <ATen/core/Tensor.h>

namespace roadtune::engine {

struct PackedRows;

// Whether attention of a text model takes packed rows without a mask: where there are kernels for them (on the CPU when
// their arithmetic was asked for) and scores have no cap.
bool takesRows(const model::TextConfig& text, const model::Numerics& numerics, at::ScalarType type,
               const at::Device& device);

// Whether attention works on these rows as they are, and not on their rectangle with a mask: where they lie is known,
// and the rectangle is longer than `longest` or holds much padding. On a short one, whole products are faster.
bool takesRows(const PackedRows& packed, std::int64_t longest);

// q [B, heads, L, d]; k, v [B, kvHeads, S, d]; mask additive [B or 1, 1, L, S] or undefined; cap 0 means none.
// Returns [B, heads, L, d].
at::Tensor attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask, double scale,
                  double cap);

}  // namespace roadtune::engine
