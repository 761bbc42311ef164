// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/nn/forward_context.h"
#include "core/engine/nn/parameter.h"
#include "core/engine/nn/products.h"

#include <memory>

namespace roadtune::engine {

struct LoraAdapter;

// y = x Wᵀ + b, where W may be quantised and may carry a low-rank adapter.
class Linear {
 public:
  Linear(std::string path, Parameter* weight, Parameter* bias)
      : m_path(std::move(path)), m_weight(weight), m_bias(bias) {
    if (m_weight) m_weight->inProducts = true;
  }

  at::Tensor forward(const at::Tensor& x, const ForwardContext& context) const;

  // The same as a block's last product, which one that is computed again may know.
  at::Tensor forwardLast(const at::Tensor& x, const ForwardContext& context) const;

  // Without the adapter.
  at::Tensor base(const at::Tensor& x, const ForwardContext& context) const;
  Product product(const ForwardContext& context) const;  // the same, beside others over its input in typeIn()
  at::Tensor denseWeight(at::ScalarType type) const;     // dequantised when it has to be

  void attach(std::shared_ptr<LoraAdapter> adapter);
  void quantise(std::shared_ptr<Nf4Weight> weight);  // the dense weight is no longer needed afterwards
  void restore(Parameter* weight);                   // back to a dense weight
  void computeIn(at::ScalarType type) { m_type = type; }

  bool trains() const;                                // weight, bias or adapter collects gradients
  const std::string& path() const { return m_path; }  // "model.language_model.layers.0.self_attn.q_proj"
  Parameter* weight() const { return m_weight; }
  Parameter* bias() const { return m_bias; }
  bool hasOwnType() const { return m_type.has_value(); }
  at::ScalarType typeIn(const ForwardContext& context) const { return m_type.value_or(context.type); }
  LoraAdapter* adapter() const { return m_adapter.get(); }
  const Nf4Weight* quantised() const { return m_quantised.get(); }

 private:
  std::string m_path;
  Parameter* m_weight;
  Parameter* m_bias;
  std::shared_ptr<LoraAdapter> m_adapter;
  std::shared_ptr<Nf4Weight> m_quantised;
  std::optional<at::ScalarType> m_type;  // of its products, when it is not the model's
};

}  // namespace roadtune::engine
