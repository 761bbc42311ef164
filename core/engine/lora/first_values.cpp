// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/lora/first_values.h"

#include "core/base/hash.h"
#include "core/engine/nn/ops.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/linalg_qr.h>
#include <ATen/ops/randn.h>

#include <cmath>
#include <string>

namespace roadtune::engine {
namespace {

using model::AdapterInit;
using model::TensorRole;

at::Generator generatorFor(const std::string& name, std::uint64_t seed) {
  return at::make_generator<at::CPUGeneratorImpl>(hash64(name, seed));
}

at::Tensor uniform(const model::Tensor& tensor, std::int64_t width, std::uint64_t seed) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(width));
  return at::empty(tensor.shape, at::TensorOptions().dtype(at::kFloat))
      .uniform_(-bound, bound, generatorFor(tensor.name, seed));
}

// Each matrix in its own half of a rotated basis, which the two share, so that their product is zero.
at::Tensor orthogonal(const model::Tensor& tensor, const std::string& path, std::uint64_t seed) {
  const auto options = at::TensorOptions().dtype(at::kFloat);
  const bool first = tensor.role == TensorRole::LoraA;
  const auto rank = first ? tensor.shape.front() : tensor.shape.back();
  const auto width = first ? tensor.shape.back() : tensor.shape.front();
  const auto basis = std::get<0>(at::linalg_qr(at::randn({rank, rank}, generatorFor(path, seed), options)));
  const auto half = basis.slice(0, first ? 0 : 1, rank, 2);
  const auto drawn = at::matmul(at::randn({width, rank / 2}, generatorFor(tensor.name, seed), options), half) / 10.0;
  return (first ? drawn.t() : drawn).contiguous();
}

}  // namespace

at::Tensor firstValue(const model::Tensor& tensor, const model::Module& module, AdapterInit init, std::uint64_t seed) {
  const bool matrix = tensor.role == TensorRole::LoraA || tensor.role == TensorRole::LoraB;
  if (init == AdapterInit::Orthogonal && matrix) return orthogonal(tensor, module.path, seed);
  if (tensor.role == TensorRole::LoraA) {
    if (init != AdapterInit::Gaussian) return uniform(tensor, tensor.shape.back(), seed);
    return at::randn(tensor.shape, generatorFor(tensor.name, seed), at::TensorOptions().dtype(at::kFloat)) /
           static_cast<double>(tensor.shape.front());
  }
  if (init == AdapterInit::Random) return uniform(tensor, module.lora->r, seed);
  return at::zeros(tensor.shape, at::TensorOptions().dtype(at::kFloat));
}

}  // namespace roadtune::engine
