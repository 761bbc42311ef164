// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace roadtune::engine {

// A linear weight in bitsandbytes' NF4: 4-bit codes with one scale per 64 values, the scales themselves optionally in
// 8 bits. The dense weight exists only for the time of a product, in forward and again in backward.
class Nf4Weight {
 public:
  // Quantises a float32, bfloat16 or float16 matrix.
  static Nf4Weight quantise(const at::Tensor& weight, bool doubleQuant);

  // x Wᵀ + bias in the type of x, without gradients (see nn/products.h).
  at::Tensor product(const at::Tensor& x, const std::optional<at::Tensor>& bias = {}) const;
  at::Tensor dequantise(at::ScalarType type) const;

  // What bitsandbytes stores: codes uint8 [n/2, 1]; absmax float32 [n/64], or uint8 when doubly quantised.
  at::Tensor codes, absmax, nestedAbsmax;
  at::Tensor byteMap;  // float32 [256], what the 8-bit scales mean; only on a GPU
  double nestedOffset = 0;
  bool doubleQuant = false;
  at::ScalarType storedType = at::kFloat;  // the type it was quantised from
  std::vector<std::int64_t> shape;

  std::int64_t bytes() const;
};

}  // namespace roadtune::engine
