// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/quant/nf4_weight.h"

#include "core/engine/cuda/fused_update.h"
#include "core/engine/nn/ops.h"
#include "core/engine/quant/nf4_codec.h"
#include "core/engine/quant/nf4_device.h"

#include <ATen/Parallel.h>

#include <numeric>

namespace roadtune::engine {
namespace {

constexpr std::int64_t kBlocksPerTask = 1024;

template <class T>
std::span<T> spanOf(const at::Tensor& tensor) {
  return {tensor.data_ptr<std::remove_const_t<T>>(), static_cast<std::size_t>(tensor.numel())};
}

std::vector<float> plainScales(const Nf4Weight& weight) {
  std::vector<float> scales(static_cast<std::size_t>(weight.absmax.numel()));
  if (weight.doubleQuant) {
    dequantiseScales(spanOf<const std::uint8_t>(weight.absmax), spanOf<const float>(weight.nestedAbsmax),
                     static_cast<float>(weight.nestedOffset), scales);
  } else {
    const auto stored = spanOf<const float>(weight.absmax);
    scales.assign(stored.begin(), stored.end());
  }
  return scales;
}

// Few numbers in one order: always on the CPU, so that every device gives the same codes.
void quantiseScalesOf(Nf4Weight& weight) {
  const auto scales = weight.absmax.to(at::kCPU);
  const auto nested = quantiseScales(spanOf<const float>(scales), scales.mean().item<float>());
  weight.nestedOffset = nested.offset;
  weight.absmax = at::empty({scales.numel()}, at::TensorOptions().dtype(at::kByte));
  weight.nestedAbsmax =
      at::empty({static_cast<std::int64_t>(nested.absmax.size())}, at::TensorOptions().dtype(at::kFloat));
  std::copy(nested.codes.begin(), nested.codes.end(), weight.absmax.data_ptr<std::uint8_t>());
  std::copy(nested.absmax.begin(), nested.absmax.end(), weight.nestedAbsmax.data_ptr<float>());
}

}  // namespace

Nf4Weight Nf4Weight::quantise(const at::Tensor& weight, bool doubleQuant) {
  const c10::NoGradGuard noGrad;
  const auto dense = weight.detach().to(cuda::activeDevice(weight.device()), at::kFloat).contiguous();
  const auto count = dense.numel(), blocks = (count + 63) / 64;
  Nf4Weight result;
  result.shape = weight.sizes().vec();
  result.storedType = weight.scalar_type();
  result.doubleQuant = doubleQuant;
  result.codes = at::empty({(count + 1) / 2, 1}, dense.options().dtype(at::kByte));
  result.absmax = at::empty({blocks}, dense.options());
  if (const auto* kernels = cuda::kernelsFor(dense)) {
    cuda::quantiseNf4(*kernels, dense, result.codes, result.absmax);
    result.codes = result.codes.to(weight.device());
    result.absmax = result.absmax.to(weight.device());
    if (doubleQuant) quantiseScalesOf(result);
    return result;
  }
  const auto values = spanOf<const float>(dense);
  const auto codes = spanOf<std::uint8_t>(result.codes);
  const auto scales = spanOf<float>(result.absmax);
  at::parallel_for(0, blocks, kBlocksPerTask, [&](std::int64_t begin, std::int64_t end) {
    const auto first = static_cast<std::size_t>(begin) * kNf4Block;
    const auto last = std::min(static_cast<std::size_t>(end) * kNf4Block, values.size());
    quantiseNf4(values.subspan(first, last - first), codes.subspan(first / 2, (last + 1) / 2 - first / 2),
                scales.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
  });
  if (doubleQuant) quantiseScalesOf(result);
  return result;
}

at::Tensor Nf4Weight::dequantise(at::ScalarType type) const {
  const c10::NoGradGuard noGrad;
  if (!codes.is_cpu()) return dequantisedOnDevice(*this, type);
  auto dense = at::empty(shape, at::TensorOptions().dtype(at::kFloat));
  const auto scales = plainScales(*this);
  const auto packed = spanOf<const std::uint8_t>(codes);
  const auto values = spanOf<float>(dense);
  at::parallel_for(0, static_cast<std::int64_t>(scales.size()), kBlocksPerTask,
                   [&](std::int64_t begin, std::int64_t end) {
                     const auto first = static_cast<std::size_t>(begin) * kNf4Block;
                     const auto last = std::min(static_cast<std::size_t>(end) * kNf4Block, values.size());
                     dequantiseNf4(packed.subspan(first / 2),
                                   std::span<const float>(scales).subspan(static_cast<std::size_t>(begin)),
                                   values.subspan(first, last - first));
                   });
  return dense.to(storedType).to(type);
}

at::Tensor Nf4Weight::product(const at::Tensor& x, const std::optional<at::Tensor>& bias) const {
  const c10::NoGradGuard noGrad;
  const auto few = fewRowsProduct(*this, x);
  if (!few.defined()) return at::linear(x, dequantise(x.scalar_type()), bias);
  return bias ? few + *bias : few;
}

std::int64_t Nf4Weight::bytes() const {
  return codes.numel() + absmax.numel() * absmax.element_size() + (doubleQuant ? nestedAbsmax.numel() * 4 : 0);
}

}  // namespace roadtune::engine
