// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/optim/halves.h"

#include "core/engine/cuda/rows/halves.h"
#include "core/engine/nn/ops.h"
#include "core/engine/optim/parts.h"

#include <ATen/Parallel.h>
#include <ATen/ops/bitwise_left_shift.h>
#include <ATen/ops/bitwise_right_shift.h>
#include <ATen/ops/where.h>

#include <limits>

namespace roadtune::engine {
namespace {

constexpr std::int64_t kGrain = 1 << 15;  // values of one thread at a time

cuda::Bf16* upperOf(const at::Tensor& tensor) { return static_cast<cuda::Bf16*>(tensor.data_ptr()); }
std::uint16_t* lowerOf(const at::Tensor& tensor) { return static_cast<std::uint16_t*>(tensor.data_ptr()); }

void splitHere(const at::Tensor& values, const at::Tensor& upper, const at::Tensor& lower) {
  const auto* from = values.const_data_ptr<float>();
  auto* const high = upperOf(upper);
  auto* const low = lowerOf(lower);
  at::parallel_for(0, values.numel(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = begin; i < end; ++i) {
      const auto halves = cuda::halvesOf(from[i]);
      high[i] = halves.upper;
      low[i] = halves.lower;
    }
  });
}

}  // namespace

at::Tensor joined(const at::Tensor& upper, const at::Tensor& lower) {
  const auto values = at::empty(upper.sizes(), upper.options().requires_grad(false).dtype(at::kFloat));
  if (upper.is_cpu()) {
    const auto* const high = upperOf(upper);
    const auto* const low = lowerOf(lower);
    auto* const out = values.data_ptr<float>();
    at::parallel_for(0, values.numel(), kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = begin; i < end; ++i) out[i] = cuda::joinedHalves({high[i], low[i]});
    });
    return values;
  }
  const auto bits = values.view(at::kInt).flatten(), high = upper.detach().view(at::kShort).flatten(),
             low = lower.flatten();
  inParts(bits.numel(), [&](std::int64_t begin, std::int64_t count) {
    const auto part = at::bitwise_left_shift(high.narrow(0, begin, count).to(at::kInt), 16);
    bits.narrow(0, begin, count).copy_(part.add_(low.narrow(0, begin, count)));
  });
  return values;
}

void split(const at::Tensor& values, at::Tensor upper, at::Tensor lower) {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();  // its lower half is zero
  const auto from = values.detach().flatten(), high = upper.flatten(), low = lower.flatten();
  inParts(from.numel(), [&](std::int64_t begin, std::int64_t count) {
    const auto part = from.narrow(0, begin, count).to(upper.device(), at::kFloat).contiguous();
    const auto ofUpper = high.narrow(0, begin, count), ofLower = low.narrow(0, begin, count);
    if (upper.is_cpu()) return splitHere(part, ofUpper, ofLower);
    auto bits = at::where(part.isnan(), kNone, part).view(at::kInt);
    bits.sub_(bits.bitwise_and(0x1ffff).eq(0x8000).to(at::kInt));
    ofLower.copy_(bits);
    ofUpper.view(at::kShort).copy_(at::bitwise_right_shift(bits + 0x8000, 16));
  });
}

}  // namespace roadtune::engine
