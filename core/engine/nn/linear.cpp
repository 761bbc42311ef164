// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/linear.h"

#include "core/engine/lora/adapter.h"
#include "core/engine/nn/direct_gradient.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/recompute.h"
#include "core/engine/quant/nf4_weight.h"

namespace roadtune::engine {

Product Linear::product(const ForwardContext& context) const {
  const auto type = typeIn(context);
  const auto bias = m_bias ? m_bias->as(type) : at::Tensor();
  if (m_quantised) return {{}, m_quantised.get(), bias};
  if (addsWider(*m_weight, type, context))
    return {m_weight->value, nullptr, bias, true, m_weight->rounded, {}, m_weight};
  const auto weight = m_weight->as(type);
  const bool direct = addsDirectly(weight, context);
  if (!direct && c10::GradMode::is_enabled()) m_weight->renewGradient();
  return {weight, nullptr, bias, direct, {}, {}, direct ? m_weight : nullptr};
}

at::Tensor Linear::base(const at::Tensor& x, const ForwardContext& context) const {
  return products(x.to(typeIn(context)), {product(context)})[0].to(context.type);
}

at::Tensor Linear::forward(const at::Tensor& x, const ForwardContext& context) const {
  if (!m_adapter) return base(x, context);
  return m_adapter->apply(*this, x, context);
}

at::Tensor Linear::forwardLast(const at::Tensor& x, const ForwardContext& context) const {
  auto* last = context.lastProduct;
  if (!last || m_adapter || hasOwnType()) return forward(x, context);
  auto own = product(context);
  if (last->isKnown()) own.known = last;
  const auto result = products(x.to(context.type), {own})[0];
  last->made(result);
  return result;
}

bool Linear::trains() const { return m_adapter || (m_weight && m_weight->trainable) || (m_bias && m_bias->trainable); }

at::Tensor Linear::denseWeight(at::ScalarType type) const {
  return m_quantised ? m_quantised->dequantise(type) : m_weight->as(type);
}

// An adapter takes the weight for products of its own.
void Linear::attach(std::shared_ptr<LoraAdapter> adapter) {
  m_adapter = std::move(adapter);
  if (m_weight) m_weight->inProducts = false;
}

void Linear::restore(Parameter* weight) {
  m_weight = weight;
  m_quantised.reset();
}

void Linear::quantise(std::shared_ptr<Nf4Weight> weight) {
  m_quantised = std::move(weight);
  m_weight = nullptr;
}

}  // namespace roadtune::engine
