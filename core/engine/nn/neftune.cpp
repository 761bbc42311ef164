// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/neftune.h"

#include "core/base/hash.h"
#include "core/engine/nn/ops.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/detail/CUDAHooksInterface.h>

#include <cmath>

namespace roadtune::engine {
namespace {

at::Generator generatorOn(const at::Device& device, std::uint64_t seed) {
  if (!device.is_cuda()) return at::make_generator<at::CPUGeneratorImpl>(seed);
  auto generator = at::detail::getCUDAHooks().getNewGenerator(device.index());
  generator.set_current_seed(seed);
  return generator;
}

}  // namespace

at::Tensor neftuneNoise(std::int64_t batch, std::int64_t length, const at::Tensor& embedded,
                        const ForwardContext& context) {
  constexpr std::uint64_t kStream = 0x6e656674756e65;  // apart from every dropout
  const auto width = embedded.size(-1);
  const double bound = context.neftuneAlpha / std::sqrt(static_cast<double>(length) * static_cast<double>(width));
  const auto generator = generatorOn(embedded.device(), mix64(context.dropoutSeed ^ kStream));
  const auto noise = at::empty({batch, length, width}, embedded.options().dtype(at::kFloat));
  return noise.uniform_(-bound, bound, generator).to(embedded.scalar_type());
}

}  // namespace roadtune::engine
