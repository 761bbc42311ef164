// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/nn/forward_context.h"
#include "core/engine/nn/parameter.h"

#include <ATen/core/Tensor.h>

#include <vector>

namespace roadtune::engine {

// Gradients are added to where they are collected as they are computed: autograd would first put each into a tensor of
// its own, and then go over both. Who waits for a gradient is told by autograd all the same, when all is added.

// May gradients of this weight be added to weight.grad() by who computes them? It has to be there throughout the pass.
bool collects(const at::Tensor& weight, const ForwardContext& context);

// The same, by products in its own type: on the CPU, and where it is what the model computes with in 16 bits.
bool addsDirectly(const at::Tensor& weight, const ForwardContext& context);

// The same of a weight that computes in 16 bits on a GPU, whose products add to float32 by themselves.
bool addsWider(const Parameter& parameter, at::ScalarType type, const ForwardContext& context);

// sum += factor yᵀ x, where y and x may be narrower than the sum
void addProduct(at::Tensor sum, const at::Tensor& y, const at::Tensor& x, double factor = 1);

// sum = yᵀ x
void setProduct(at::Tensor sum, const at::Tensor& y, const at::Tensor& x);

// As addProduct() for weights of which each has its share of the columns of y: one product for all.
void addProducts(at::TensorList weights, const at::Tensor& y, const at::Tensor& x);

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
