// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>

namespace roadtune::engine {

// Rotation tables [L, d] of the half-split (not interleaved) form, in the type of the activations.
struct RopeTable {
  at::Tensor cos;
  at::Tensor sin;

  RopeTable ofRows(const at::Tensor& places) const;  // [places, d]
};

RopeTable ropeTable(std::int64_t firstPosition, std::int64_t length, std::int64_t headDim, double theta,
                    const at::TensorOptions& options);

// x [B, heads, L, d], rotated.
at::Tensor applyRope(const at::Tensor& x, const RopeTable& table);

// Packed rows x [rows, heads, d] with a table of as many rows.
at::Tensor applyRopeToRows(const at::Tensor& x, const RopeTable& table);

}  // namespace roadtune::engine
