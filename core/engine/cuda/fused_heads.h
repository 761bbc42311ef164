// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Attention's heads, rotated and moved to where products of scores want them.
#include "core/engine/cuda/kernels.h"

#include <cstdint>

namespace roadtune::engine::cuda {

// x [B, heads, L, d] with any strides but a dense last dimension, rotated by tables [L, d] of its type; contiguous.
at::Tensor rotated(const KernelTable& kernels, const at::Tensor& x, const at::Tensor& cosine, const at::Tensor& sine);

// The same of packed rows x [rows, heads, d], of which each has its row of the tables.
at::Tensor rotatedRows(const KernelTable& kernels, const at::Tensor& x, const at::Tensor& cosine,
                       const at::Tensor& sine);

// Which rows of tokens stand where in the flattened rectangle [batch, length], and the other way round.
struct RowPlaces {
  at::Tensor placeOf, rowAt;  // int64 [rows] and [batch * length], where -1 is for padding
  std::int64_t batch = 0, length = 0;
};

// Rows [rows, heads * d] as heads [B, heads, L, d] of their rectangle, zero in its padding, rotated by tables [L, d]
// unless these are undefined: one pass over memory each way, instead of one for each of the three.
at::Tensor headsOfRows(const KernelTable& kernels, const at::Tensor& rows, const RowPlaces& places, std::int64_t heads,
                       const at::Tensor& cosine, const at::Tensor& sine);

// And heads [B, heads, L, d] as rows [rows, heads * d].
at::Tensor rowsOfHeads(const KernelTable& kernels, const at::Tensor& x, const RowPlaces& places);

}  // namespace roadtune::engine::cuda
