// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/attention/rope.h"

#include "core/engine/cuda/fused_heads.h"
#include "core/engine/nn/ops.h"

#include <ATen/ops/cos.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/sin.h>

namespace roadtune::engine {

RopeTable ropeTable(std::int64_t firstPosition, std::int64_t length, std::int64_t headDim, double theta,
                    const at::TensorOptions& options) {
  const c10::NoGradGuard noGrad;
  const auto wide = options.dtype(at::kFloat);
  const auto exponent = at::arange(0, headDim, 2, wide) / headDim;
  const auto inverse = at::pow(at::scalar_tensor(theta, wide), exponent).reciprocal();
  const auto positions = at::arange(firstPosition, firstPosition + length, wide);
  const auto angle = positions.unsqueeze(1) * inverse.unsqueeze(0);
  const auto both = at::cat({angle, angle}, -1);
  const auto type = c10::typeMetaToScalarType(options.dtype());
  return {both.cos().to(type), both.sin().to(type)};
}

RopeTable RopeTable::ofRows(const at::Tensor& places) const {
  return {cos.index_select(0, places), sin.index_select(0, places)};
}

at::Tensor applyRopeToRows(const at::Tensor& x, const RopeTable& table) {
  if (const auto* kernels = cuda::kernelsFor(x)) return cuda::rotatedRows(*kernels, x, table.cos, table.sin);
  return applyRope(x.unsqueeze(0).transpose(1, 2), table).squeeze(0).transpose(0, 1);
}

at::Tensor applyRope(const at::Tensor& x, const RopeTable& table) {
  if (const auto* kernels = cuda::kernelsFor(x)) return cuda::rotated(*kernels, x, table.cos, table.sin);
  const auto half = x.size(-1) / 2;
  const auto rotated = at::cat({x.narrow(-1, half, half).neg(), x.narrow(-1, 0, half)}, -1);
  return x * table.cos + rotated * table.sin;
}

}  // namespace roadtune::engine
