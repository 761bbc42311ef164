// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/neftune.h"

#include "core/base/hash.h"
#include "core/engine/nn/ops.h"

#include <ATen/CPUGeneratorImpl.h>

#include <cmath>

namespace roadtune::engine {

at::Tensor neftuneNoise(std::int64_t batch, std::int64_t length, const at::Tensor& embedded,
                        const ForwardContext& context) {
  constexpr std::uint64_t kStream = 0x6e656674756e65;  // apart from every dropout
  const auto width = embedded.size(-1);
  const double bound = context.neftuneAlpha / std::sqrt(static_cast<double>(length) * static_cast<double>(width));
  const auto generator = at::make_generator<at::CPUGeneratorImpl>(mix64(context.dropoutSeed ^ kStream));
  const auto noise = at::empty({batch, length, width}, at::TensorOptions().dtype(at::kFloat));
  return noise.uniform_(-bound, bound, generator).to(embedded.options());
}

}  // namespace roadtune::engine
