// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/lora/adapter.h"

#include "core/base/hash.h"
#include "core/engine/cuda/fused_points.h"
#include "core/engine/nn/direct_gradient.h"
#include "core/engine/nn/linear.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/packed_rows.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/bernoulli.h>
#include <ATen/ops/empty.h>
#include <torch/csrc/autograd/custom_function.h>

#include <optional>

namespace roadtune::engine {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// The same mask whenever the same module is run in the same pass: recomputed blocks and resumed runs agree. Packed rows
// lose what they would lose in their rectangle.
at::Tensor dropped(const at::Tensor& x, double probability, std::uint64_t seed, const PackedRows* packed) {
  if (const auto* kernels = x.is_cpu() ? nullptr : cuda::kernelsFor(x))
    return cuda::dropped(*kernels, x, probability, seed, packed ? packed->places : at::Tensor());
  const auto generator = at::make_generator<at::CPUGeneratorImpl>(seed);
  const double keep = 1.0 - probability;
  const auto shape = packed ? std::vector<std::int64_t>{packed->batch, packed->length, x.size(1)} : x.sizes().vec();
  const auto mask = at::empty(shape, x.options().device(at::kCPU)).bernoulli_(keep, generator).div_(keep);
  const auto there = mask.to(x.device());
  return x * (packed ? packed->gathered(there) : there);
}

// base + scale inner Bᵀ in the place of base, which nobody else has: one pass over the layer's outputs, none backward.
// Where `narrow` stands for B, B collects; `isIn`: base is the sum.
struct AddedBranch : torch::autograd::Function<AddedBranch> {
  static at::Tensor forward(AutogradContext* context, at::Tensor base, const at::Tensor& inner, const at::Tensor& b,
                            const std::optional<at::Tensor>& narrow, double scale, bool isIn) {
    const auto& factor = narrow ? *narrow : b;
    if (!isIn) base.view({-1, base.size(-1)}).addmm_(flatRows(inner), factor.t(), 1, scale);
    context->mark_dirty({base});
    context->save_for_backward({inner, factor, narrow ? b : at::Tensor()});
    context->saved_data["scale"] = scale;
    return base;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto &inner = saved[0], &factor = saved[1], &collecting = saved[2];
    const double scale = context->saved_data["scale"].toDouble();
    const auto gradient = flatRows(gradients[0]);
    variable_list result(6);
    result[0] = gradients[0];
    const auto scaled = [scale](const at::Tensor& left, const at::Tensor& right) {
      return at::empty({left.size(0), right.size(1)}, left.options()).addmm_(left, right, 0, scale);
    };
    if (context->needs_input_grad(1)) result[1] = scaled(gradient, factor).view(inner.sizes());
    if (collecting.defined())
      addProduct(collecting.grad(), gradient, flatRows(inner), scale);
    else if (context->needs_input_grad(2))
      result[2] = scaled(gradient.t(), flatRows(inner));
    return result;
  }
};

}  // namespace

at::ScalarType LoraAdapter::productType(const Linear& linear, const ForwardContext& context) const {
  return context.adaptersInComputeType ? linear.typeIn(context) : a->value.scalar_type();
}

bool LoraAdapter::besideBase(const Linear& linear, const ForwardContext& context) const {
  return !drops(context) && !linear.hasOwnType() && productType(linear, context) == context.type;
}

// Is everything float32 on the CPU, and collected where it can be added to?
bool LoraAdapter::addsDirectly(const Linear& linear, const at::Tensor& input, const ForwardContext& context) const {
  if (drops(context) || magnitude || bBias || !linear.weight() || linear.hasOwnType()) return false;
  const auto& weight = linear.weight()->value;
  return input.scalar_type() == at::kFloat && weight.scalar_type() == at::kFloat &&
         engine::addsDirectly(a->value, context) && engine::addsDirectly(b->value, context) &&
         (!weight.requires_grad() || engine::addsDirectly(weight, context)) &&
         (!linear.bias() || linear.bias()->value.scalar_type() == at::kFloat);
}

at::Tensor LoraAdapter::apply(const Linear& linear, const at::Tensor& x, const ForwardContext& context) const {
  const auto input = x.to(productType(linear, context));
  if (addsDirectly(linear, input, context))
    return directLora(input, linear.weight()->value, linear.bias() ? linear.bias()->value : at::Tensor(), a->value,
                      b->value, scale);
  if (!besideBase(linear, context)) return onto(linear.base(x, context), linear, x, context);
  const auto both = products(input, {linear.product(context), innerProduct(input.scalar_type(), context)});
  return added(both[0], both[1], linear, input, context);
}

Product LoraAdapter::innerProduct(at::ScalarType type, const ForwardContext& context) const {
  if (addsWider(*a, type, context)) return {a->value, nullptr, {}, true, a->rounded};
  return {a->as(type)};
}

at::Tensor LoraAdapter::onto(const at::Tensor& base, const Linear& linear, const at::Tensor& x,
                             const ForwardContext& context) const {
  auto input = x.to(productType(linear, context));
  if (drops(context)) input = dropped(input, dropout, mix64(context.dropoutSeed ^ moduleSeed), context.packed.get());
  return added(base, at::linear(input, a->as(input.scalar_type())), linear, input, context);
}

at::Tensor LoraAdapter::added(const at::Tensor& base, const at::Tensor& inner, const Linear& linear,
                              const at::Tensor& input, const ForwardContext& context, bool isIn) const {
  const auto type = inner.scalar_type();
  if (addsInPlace(base.scalar_type(), type)) {
    if (addsWider(*b, type, context)) return AddedBranch::apply(base, inner, b->value, b->rounded, scale, isIn);
    return AddedBranch::apply(base, inner, b->as(type), std::nullopt, scale, isIn);
  }
  const auto branch = at::linear(inner, b->as(type), bBias ? bBias->as(type) : at::Tensor());
  if (!magnitude) return (base + (scale == 1.0 ? branch : branch * scale)).to(base.scalar_type());

  // DoRA: m / |W + s B A| row by row; the norm is a constant to the gradient.
  at::Tensor factor;
  {
    const c10::NoGradGuard noGrad;
    const auto full = linear.denseWeight(at::kFloat) + at::matmul(b->as(at::kFloat), a->as(at::kFloat)) * scale;
    factor = full.norm(2, {1}).to(type);
  }
  factor = magnitude->as(type) / factor;
  const auto bias = linear.bias() ? linear.bias()->as(base.scalar_type()) : at::Tensor();
  const auto plain =
      drops(context) ? at::linear(input, linear.denseWeight(type)) : (bias.defined() ? base - bias : base).to(type);
  const auto extra = (factor - 1) * plain + factor * branch * scale;
  return (base + extra).to(base.scalar_type());
}

at::Tensor LoraAdapter::delta() const {
  const c10::NoGradGuard noGrad;
  return at::matmul(b->as(at::kFloat), a->as(at::kFloat)) * scale;
}

}  // namespace roadtune::engine
