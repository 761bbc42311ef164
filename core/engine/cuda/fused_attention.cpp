// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cuda/fused_attention.h"

#include "core/engine/cuda/kept_kernels.h"
#include "core/engine/nn/ops.h"

#include <optional>

namespace roadtune::engine::cuda {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// One call's sizes. The query heads of one key head are folded into its rows, so keys and values are never repeated.
struct Shape {
  std::int64_t batch, heads, length, width, kvHeads, keys;

  Shape(const at::Tensor& q, const at::Tensor& k)
      : batch(q.size(0)), heads(q.size(1)), length(q.size(2)), width(q.size(3)), kvHeads(k.size(1)), keys(k.size(2)) {}
  std::int64_t folded() const { return heads / kvHeads * length; }
  at::Tensor fold(const at::Tensor& x) const { return x.reshape({batch, kvHeads, folded(), x.size(-1)}); }
  at::Tensor scores(const at::Tensor& q, const at::Tensor& k) const {
    return at::matmul(fold(q), k.transpose(2, 3)).view({batch, heads, length, keys});
  }
  at::Tensor unfolded(const at::Tensor& x) const { return x.view({batch, heads, length, width}); }
};

// The mask with keys side by side; rows and examples keep their strides.
template <class Args>
void setScores(Args& args, const at::Tensor& scores, const at::Tensor& mask, double scale, double cap) {
  args.type = elementOf(scores);
  args.scores = scores.const_data_ptr();
  args.batch = scores.size(0);
  args.heads = scores.size(1);
  args.queries = scores.size(2);
  args.keys = scores.size(3);
  args.scale = static_cast<float>(scale);
  args.cap = static_cast<float>(cap);
  if (!mask.defined()) return;
  args.mask = mask.const_data_ptr();
  args.maskBatch = mask.size(0) == 1 ? 0 : mask.stride(0);
  args.maskRow = mask.stride(2);
}

void probabilities(const KernelTable& kernels, at::Tensor& scores, const at::Tensor& mask, at::Tensor& out,
                   at::Tensor& logSum, bool known, double scale, double cap) {
  ProbabilityArgs args{};
  setScores(args, scores, mask, scale, cap);
  args.out = out.mutable_data_ptr();
  args.logSum = logSum.mutable_data_ptr<float>();
  args.known = known;
  started(kernels, kernels.probabilities(args), "attention probabilities");
}

struct DenseAttention : torch::autograd::Function<DenseAttention> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                            const std::optional<at::Tensor>& givenMask, const KernelTable* kernels, double scale,
                            double cap) {
    const auto mask = givenMask.value_or(at::Tensor());
    const Shape shape(q, k);
    auto scores = shape.scores(q, k);
    auto logSum = at::empty({scores.numel() / shape.keys}, q.options().dtype(at::kFloat));
    probabilities(*kernels, scores, mask, scores, logSum, false, scale, cap);
    context->save_for_backward({q, k, v, mask, logSum});
    keepKernels(context, kernels);
    context->saved_data["scale"] = scale;
    context->saved_data["cap"] = cap;
    return shape.unfolded(at::matmul(shape.fold(scores), v));
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto &q = saved[0], &k = saved[1], &v = saved[2], &mask = saved[3];
    auto logSum = saved[4];
    const auto& kernels = kernelsIn(context);
    const double scale = context->saved_data["scale"].toDouble(), cap = context->saved_data["cap"].toDouble();
    const Shape shape(q, k);
    const auto gradient = shape.fold(gradients[0].contiguous());
    auto scores = shape.scores(q, k);
    at::Tensor forV;
    {
      auto weights = at::empty_like(scores);
      probabilities(kernels, scores, mask, weights, logSum, true, scale, cap);
      forV = at::matmul(shape.fold(weights).transpose(2, 3), gradient);
    }
    auto slope = at::matmul(gradient, v.transpose(2, 3)).view(scores.sizes());
    ScoreGradientArgs args{};
    setScores(args, scores, mask, scale, cap);
    args.gradient = slope.const_data_ptr();
    args.logSum = logSum.const_data_ptr<float>();
    args.out = slope.mutable_data_ptr();
    started(kernels, kernels.scoreGradient(args), "gradient of attention scores");
    const auto folded = shape.fold(slope);
    return {shape.unfolded(at::matmul(folded, k)),
            at::matmul(folded.transpose(2, 3), shape.fold(q)),
            forV,
            at::Tensor(),
            at::Tensor(),
            at::Tensor(),
            at::Tensor()};
  }
};

}  // namespace

at::Tensor attendDense(const KernelTable& kernels, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                       const at::Tensor& mask, double scale, double cap) {
  const auto rows = mask.defined() && mask.stride(3) != 1 ? mask.contiguous() : mask;
  const auto given = rows.defined() ? std::optional<at::Tensor>(rows) : std::nullopt;
  return DenseAttention::apply(q.contiguous(), k.contiguous(), v.contiguous(), given, &kernels, scale, cap);
}

}  // namespace roadtune::engine::cuda
