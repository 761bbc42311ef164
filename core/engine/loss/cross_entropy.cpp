// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loss/cross_entropy.h"

#include "core/engine/cuda/fused_loss.h"
#include "core/engine/nn/direct_gradient.h"
#include "core/engine/nn/ops.h"
#include "core/model/memory_plan.h"

#include <ATen/ops/bincount.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/searchsorted.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

namespace roadtune::engine {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct HeadArguments {
  at::Tensor targets, weights;
  double cap = 0, smoothing = 0;
  bool gradients = false, direct = false, anew = false;
  std::int64_t chunkRows = 1;
  std::shared_ptr<TableGradient> forLookUp = {};
  at::Tensor narrow = {};
};

// Loss of one chunk of rows, and d(loss)/d(logits) in the type of the logits when `gradient` is asked for.
struct ChunkLoss {
  at::Tensor rowLoss, gradient;
};

// Takes `raw` over: at most three tensors of its size live at a time.
ChunkLoss chunkLoss(at::Tensor raw, const at::Tensor& targets, const at::Tensor& weights,
                    const HeadArguments& arguments, bool wantGradient) {
  if (const auto* kernels = cuda::kernelsFor(raw)) {
    const auto loss =
        cuda::rowsCrossEntropy(*kernels, raw, targets, weights, arguments.cap, arguments.smoothing, wantGradient);
    return {loss, raw};
  }
  const bool capped = arguments.cap > 0;
  const auto type = raw.scalar_type();
  const auto bent = capped ? raw.div_(arguments.cap).tanh_() : at::Tensor();
  auto logits = (capped ? bent * arguments.cap : raw).to(at::kFloat);
  raw.reset();
  const auto logProbability = at::log_softmax(logits, -1, at::kFloat);
  logits.reset();
  const auto column = targets.unsqueeze(1);
  auto rowLoss = logProbability.gather(1, column).squeeze(1).neg();
  const double s = arguments.smoothing;
  if (s > 0) rowLoss = rowLoss * (1 - s) - logProbability.mean(-1) * s;
  if (!wantGradient) return {rowLoss, {}};

  auto gradient = logProbability.exp_();
  gradient.scatter_add_(1, column, at::full({column.size(0), 1}, s - 1.0, gradient.options()));
  if (s > 0) gradient.sub_(s / static_cast<double>(gradient.size(1)));
  gradient.mul_(weights.unsqueeze(1));
  gradient = gradient.to(type);
  if (capped) gradient.mul_(bent.mul_(bent).neg_().add_(1));
  return {rowLoss, gradient};
}

struct HeadHolder : torch::CustomClassHolder {
  explicit HeadHolder(std::shared_ptr<TableGradient> g) : gradient(std::move(g)) {}
  std::shared_ptr<TableGradient> gradient;
};

struct HeadLoss : torch::autograd::Function<HeadLoss> {
  static variable_list forward(AutogradContext* context, const at::Tensor& hidden, const at::Tensor& table,
                               const HeadArguments& arguments) {
    const bool forHidden = arguments.gradients && hidden.requires_grad();
    const bool forTable = arguments.gradients && table.requires_grad();
    const auto rows = hidden.size(0);
    const auto& factor = arguments.narrow.defined() ? arguments.narrow : table;
    at::Tensor hiddenGradient = forHidden ? at::empty_like(hidden) : at::Tensor();
    // Added to what is collected already: the loss is where the backward pass starts (see backward).
    at::Tensor tableGradient = !forTable ? at::Tensor() : arguments.direct ? table.grad() : at::zeros_like(table);
    auto rowLoss = at::empty({rows}, hidden.options().dtype(at::kFloat));
    for (std::int64_t begin = 0; begin < rows; begin += arguments.chunkRows) {
      const auto count = std::min(arguments.chunkRows, rows - begin);
      const auto part = hidden.narrow(0, begin, count);
      const bool wantGradient = forHidden || forTable;
      const auto chunk = chunkLoss(at::linear(part, factor), arguments.targets.narrow(0, begin, count),
                                   arguments.weights.narrow(0, begin, count), arguments, wantGradient);
      rowLoss.narrow(0, begin, count).copy_(chunk.rowLoss);
      if (forHidden) hiddenGradient.narrow(0, begin, count).copy_(at::mm(chunk.gradient, factor));
      if (forTable && arguments.anew && begin == 0)
        setProduct(tableGradient, chunk.gradient, part);
      else if (forTable)
        addProduct(tableGradient, chunk.gradient, part);
    }
    if (arguments.direct) tableGradient.reset();
    context->saved_data["direct"] = arguments.direct;
    context->save_for_backward({hiddenGradient, tableGradient});
    if (arguments.forLookUp)
      context->saved_data["holder"] = c10::IValue::make_capsule(c10::make_intrusive<HeadHolder>(arguments.forLookUp));
    const auto loss = (rowLoss * arguments.weights).sum();
    context->mark_non_differentiable({rowLoss});
    return {loss, rowLoss};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    // The loss is nearly always where the backward pass starts; a pass over a gradient as large as the table is spared.
    // A GPU is not asked whether it does.
    const bool direct = context->saved_data["direct"].toBool(), onCpu = gradients[0].is_cpu();
    const bool starts = onCpu ? gradients[0].item<double>() == 1.0 : direct;
    TORCH_CHECK(starts || !direct, "the backward pass must start at the loss");
    const auto scaled = [&](at::Tensor gradient) {  // in place: a second one of the table's size is not needed
      return !gradient.defined() || starts ? gradient : gradient.mul_(gradients[0].to(gradient.scalar_type()));
    };
    const auto holder = context->saved_data.find("holder");
    if (holder == context->saved_data.end()) return {scaled(saved[0]), scaled(saved[1]), at::Tensor()};
    c10::static_intrusive_pointer_cast<HeadHolder>(holder->second.toCapsule())->gradient->value = scaled(saved[1]);
    return {scaled(saved[0]), at::Tensor(), at::Tensor()};
  }
};

}  // namespace

LabelRows labelRows(const at::Tensor& labels, const at::Tensor& places, const at::Tensor& asked) {
  const c10::NoGradGuard noGrad;
  const auto length = labels.size(1);
  const auto next = labels.narrow(1, 1, length - 1);
  const auto where = next.ne(-100).nonzero();  // [T, 2]: example, position
  const auto examples = where.select(1, 0), positions = where.select(1, 1);
  const auto flat = examples * length + positions;
  const auto rows = places.defined() ? at::searchsorted(places, flat) : flat;
  return {asked.defined() ? at::searchsorted(asked, rows) : rows, next.masked_select(next.ne(-100)), examples};
}

at::Tensor perExampleWeights(const LabelRows& rows, std::int64_t examples) {
  const auto counts = at::bincount(rows.examples, {}, examples).to(at::kFloat);
  return (counts * static_cast<double>(examples)).reciprocal().index_select(0, rows.examples);
}

LossResult crossEntropy(const at::Tensor& hidden, const at::Tensor& table, const LabelRows& rows, double cap,
                        const at::Tensor& rowWeights, double smoothing, std::int64_t maxLogitBytes,
                        const std::shared_ptr<TableGradient>& forLookUp, bool addsDirectly, const at::Tensor& narrow,
                        bool anew) {
  HeadArguments arguments;
  arguments.targets = rows.targets;
  arguments.weights = rowWeights.defined() ? rowWeights : at::ones({rows.count()}, hidden.options().dtype(at::kFloat));
  arguments.cap = cap;
  arguments.smoothing = smoothing;
  arguments.gradients = c10::GradMode::is_enabled();
  const auto chunkBytes =
      table.is_cpu() ? maxLogitBytes : maxLogitBytes * static_cast<std::int64_t>(model::kLogitChunksOnGpu);
  arguments.chunkRows = std::max<std::int64_t>(1, chunkBytes / (4 * table.size(0)));
  if (arguments.gradients && table.requires_grad()) arguments.forLookUp = forLookUp;
  arguments.direct = addsDirectly;
  arguments.narrow = narrow;
  arguments.anew = anew;
  const auto result = HeadLoss::apply(hidden, table, arguments);
  return {result[0], result[1]};
}

}  // namespace roadtune::engine
