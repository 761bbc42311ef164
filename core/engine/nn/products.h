// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/kernels.h"

#include <ATen/core/Tensor.h>

#include <vector>

namespace roadtune::engine {

class Nf4Weight;
struct LastProduct;
struct Parameter;

// One of several linear layers over the same input: y = x Wᵀ + b.
struct Product {
  at::Tensor weight;                     // dense, in the type of x; undefined where it is packed
  const Nf4Weight* packed = nullptr;     // unpacked for the time of a product, forward and again backward
  at::Tensor bias = {};                  // may be undefined
  bool direct = false;                   // the weight's gradient is added where it is collected (addsDirectly)
  at::Tensor narrow = {};                // the weight in the type of x, where `weight` is the wider one that collects
  std::vector<at::Tensor> further = {};  // weights whose rows follow in `narrow`, and which collect too
  Parameter* collector = nullptr;        // that of `weight`, whose gradient may be outdated
  const LastProduct* known = nullptr;    // of a block that runs again: y is not worked out
};

// What each makes of x, in their order. Every product adds its part to one gradient of x; left to autograd, each would
// write a tensor of its own, and further passes would add those up.
std::vector<at::Tensor> products(const at::Tensor& x, const std::vector<Product>& layers);

// The same of x = gelu(gate) up, or of gelu(gate) where `up` is undefined: it is not kept but made again when it is
// needed.
std::vector<at::Tensor> gatedProducts(const cuda::KernelTable& kernels, const at::Tensor& gate, const at::Tensor& up,
                                      const std::vector<Product>& layers);

}  // namespace roadtune::engine
