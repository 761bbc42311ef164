// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/quant/nf4_device.h"

#include "core/engine/cuda/fused_update.h"
#include "core/engine/nn/ops.h"
#include "core/engine/quant/nf4_codec.h"

#include <ATen/ops/stack.h>

#include <algorithm>

namespace roadtune::engine {
namespace {

constexpr auto kBlock = static_cast<std::int64_t>(kNf4Block);

cuda::Nf4Parts partsOf(const Nf4Weight& weight) {
  return {weight.codes, weight.absmax, weight.nestedAbsmax, weight.byteMap, weight.nestedOffset};
}

// Kernels load up to 16 bytes at a time.
bool onWholePacks(const at::Tensor& tensor) {
  return reinterpret_cast<std::uintptr_t>(tensor.const_data_ptr()) % 16 == 0;
}

bool kernelsKnow(at::ScalarType type) { return type == at::kFloat || type == at::kBFloat16; }

at::Tensor valueTable(const at::Device& device) {
  const auto& map = nf4Map();
  auto table = at::empty({16}, at::TensorOptions().dtype(at::kFloat));
  std::copy(map.begin(), map.end(), table.data_ptr<float>());
  return table.to(device);
}

at::Tensor scalesOf(const Nf4Weight& weight) {
  if (!weight.doubleQuant) return weight.absmax;
  const auto blocks = weight.absmax.numel();
  const auto nested = weight.nestedAbsmax.repeat_interleave(static_cast<std::int64_t>(kByteBlock)).narrow(0, 0, blocks);
  return weight.byteMap.index_select(0, weight.absmax.to(at::kLong)) * nested + weight.nestedOffset;
}

at::Tensor withTorch(const Nf4Weight& weight, at::ScalarType type) {
  const auto codes = weight.codes.flatten().to(at::kLong);
  const auto both = at::stack({codes.bitwise_right_shift(4), codes.bitwise_and(15)}, 1).flatten();
  std::int64_t count = 1;
  for (const auto size : weight.shape) count *= size;
  const auto values = valueTable(weight.codes.device()).index_select(0, both.narrow(0, 0, count));
  const auto scales = scalesOf(weight).repeat_interleave(kBlock).narrow(0, 0, count);
  return (values * scales).view(weight.shape).to(weight.storedType).to(type);
}

}  // namespace

at::Tensor fewRowsProduct(const Nf4Weight& weight, const at::Tensor& x) {
  const c10::NoGradGuard noGrad;
  const auto width = weight.shape.size() == 2 ? weight.shape[1] : 0;
  if (width == 0 || width % kBlock != 0 || x.numel() > kFewRows * width || !kernelsKnow(weight.storedType)) return {};
  const auto* kernels = cuda::kernelsFor(x);
  if (!kernels || (weight.doubleQuant && !weight.byteMap.defined())) return {};
  const auto input = x.contiguous();
  if (!onWholePacks(input) || !onWholePacks(weight.codes)) return {};
  return cuda::nf4Product(*kernels, partsOf(weight), weight.shape, weight.storedType, input);
}

at::Tensor dequantisedOnDevice(const Nf4Weight& weight, at::ScalarType type) {
  const auto like = at::empty({0}, weight.codes.options().dtype(type));
  const auto* kernels = kernelsKnow(weight.storedType) ? cuda::kernelsFor(like) : nullptr;
  if (!kernels) return withTorch(weight, type);
  return cuda::dequantiseNf4(*kernels, partsOf(weight), weight.shape, weight.storedType, type);
}

}  // namespace roadtune::engine
