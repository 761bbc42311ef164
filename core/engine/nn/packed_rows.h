// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/attention/prefix_rows.h"

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace roadtune::engine {

// The tokens of a batch without the padding between them. What works row by row is done on [rows, width]; attention,
// which needs whole examples, on the rectangle [batch, length, width], unless `prefixes` tell it where they
// lie. Both ways carry gradients.
struct PackedRows {
  at::Tensor places;  // int64 [rows], ascending: where each stands in the flattened rectangle
  std::int64_t batch = 0, length = 0;
  PrefixRows prefixes = {};  // of attention without a mask
  at::Tensor rowAt = {};     // int64 [batch * length]: which row stands there, or -1; where kernels move them

  at::Tensor spread(const at::Tensor& rows) const;         // zero where nothing stands
  at::Tensor gathered(const at::Tensor& rectangle) const;  // what stands in the places
  void turnAround();                                       // fills `rowAt`
};

}  // namespace roadtune::engine
