// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace roadtune::engine {

// One weight of the model or of an adapter. `value` is the leaf gradients are collected for; frozen weights never
// take part in a graph. Its type may differ from the type the model computes in, and from that of its gradient, which
// may be wider.
struct Parameter {
  std::string name;  // canonical: "model.language_model.layers.0.mlp.up_proj.weight"
  at::Tensor value;
  bool trainable = false;
  at::ScalarType storedType = at::kFloat;          // on disk
  std::optional<at::ScalarType> computeType = {};  // of its module alone; none: the model's
  at::Tensor rounded = {};  // `value` in 16 bits, kept up to date by the optimizer; undefined: made for every use
  bool narrow = false;      // trains in 16 bits alone: there are no float32 values of it anywhere
  bool inProducts = false;  // a linear layer's or the head's: a product is the first that adds to its gradient
  bool outdated = false;    // its gradient is that of the step before, and the first product of this one replaces it
  bool fleeting = false;    // its gradient has memory from that product on, until the next step begins

  // The weight as the model computes with it; gradients flow back to `value`.
  at::Tensor as(at::ScalarType type) const;
  // Before a product: must it replace the gradient, rather than add to it? Asked once a step.
  bool replacesGradient();
  // Before anything but a product adds to the gradient, or reads it.
  void renewGradient();
};

// sum += factor part, which is in 16 bits. The CPU converts what it adds: in parts, so that no tensor as large as a
// table is made.
void addRounded(at::Tensor sum, const at::Tensor& part, double factor = 1);

// All weights by name, in checkpoint order. Addresses stay valid for the life of the set.
class ParameterSet {
 public:
  Parameter& add(Parameter parameter);
  Parameter* find(std::string_view name) const;
  const std::vector<std::unique_ptr<Parameter>>& all() const { return m_all; }
  std::vector<Parameter*> trainable() const;
  void remove(std::string_view name);  // a weight replaced by its quantised form

 private:
  std::vector<std::unique_ptr<Parameter>> m_all;
  std::unordered_map<std::string, Parameter*> m_byName;
};

}  // namespace roadtune::engine
