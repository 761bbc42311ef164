// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cuda/fused_loss.h"

#include "core/engine/nn/ops.h"

namespace roadtune::engine::cuda {

at::Tensor rowsCrossEntropy(const KernelTable& kernels, at::Tensor& logits, const at::Tensor& targets,
                            const at::Tensor& weights, double cap, double smoothing, bool gradients) {
  auto loss = at::empty({logits.size(0)}, logits.options().dtype(at::kFloat));
  const auto factors = weights.contiguous(), wanted = targets.contiguous();
  CrossEntropyArgs args{};
  args.type = elementOf(logits);
  args.logits = logits.mutable_data_ptr();
  args.targets = wanted.const_data_ptr<std::int64_t>();
  args.weights = factors.const_data_ptr<float>();
  args.loss = loss.mutable_data_ptr<float>();
  args.rows = logits.size(0);
  args.vocabulary = logits.size(1);
  args.cap = static_cast<float>(cap);
  args.smoothing = static_cast<float>(smoothing);
  args.gradients = gradients;
  started(kernels, kernels.crossEntropy(args), "cross entropy");
  return loss;
}

}  // namespace roadtune::engine::cuda
