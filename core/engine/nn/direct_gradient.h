// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/nn/forward_context.h"

#include <ATen/core/Tensor.h>

#include <vector>

namespace roadtune::engine {

// Gradients on the CPU are added to where they are collected as they are computed: autograd would first put each into a
// tensor of its own, and then go over both.

// May gradients of this weight be added to weight.grad() by who computes them? Only when nobody waits to be told, and
// when it is there throughout the pass.
bool addsDirectly(const at::Tensor& weight, const ForwardContext& context);

// y = x Wᵀ + b for a float32 weight that addsDirectly().
at::Tensor directLinear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

// y = x Wᵀ + b + scale (x Aᵀ) Bᵀ for float32 factors that add directly; W may be frozen, or quantised and unpacked.
at::Tensor directLora(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, const at::Tensor& a,
                      const at::Tensor& b, double scale);

// A layer with its adapter; `bias` may be undefined.
struct DirectAdapter {
  at::Tensor weight, bias, a, b;
  double scale = 1;
};

// directLora() of several layers over one input: one product with all A matrices, forward and backward.
std::vector<at::Tensor> directLoras(const at::Tensor& x, const std::vector<DirectAdapter>& layers);

}  // namespace roadtune::engine
