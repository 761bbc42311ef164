// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/nn/forward_context.h"
#include "core/engine/nn/parameter.h"
#include "core/engine/nn/products.h"

#include <cstdint>

namespace roadtune::engine {

class Linear;

// The trainable part beside one frozen linear: W' = W + s B A, and with DoRA its magnitude.
struct LoraAdapter {
  Parameter* a = nullptr;          // [r, in]
  Parameter* b = nullptr;          // [out, r]
  Parameter* bBias = nullptr;      // [out], lora_bias only
  Parameter* magnitude = nullptr;  // [out], DoRA only
  double scale = 1.0;              // alpha / r, or alpha / sqrt(r)
  double dropout = 0.0;
  std::uint64_t moduleSeed = 0;  // tells the modules' dropout streams apart

  // The layer's output with the adapter's part added; `base`, when it is there already, is the output without.
  at::Tensor apply(const Linear& linear, const at::Tensor& x, const ForwardContext& context) const;
  at::Tensor onto(const at::Tensor& base, const Linear& linear, const at::Tensor& x,
                  const ForwardContext& context) const;

  // The same in parts, for adapters that share their input (together.h): `input` is x as the adapter's products take
  // it, in productType() and behind the dropout (not asked for where nothing drops), and `inner` is input Aᵀ. May take
  // over the memory of `base`; `isIn` says that `base` is the whole result already.
  at::Tensor added(const at::Tensor& base, const at::Tensor& inner, const Linear& linear, const at::Tensor& input,
                   const ForwardContext& context, bool isIn = false) const;
  bool addsInPlace(at::ScalarType base, at::ScalarType inner) const { return !magnitude && !bBias && base == inner; }
  bool besideBase(const Linear& linear, const ForwardContext& context) const;  // has A the same input as the layer?
  at::ScalarType productType(const Linear& linear, const ForwardContext& context) const;
  Product innerProduct(at::ScalarType type, const ForwardContext& context) const;  // input Aᵀ
  bool drops(const ForwardContext& context) const { return context.training && dropout > 0; }

  // May the whole layer be computed by directLora()?
  bool addsDirectly(const Linear& linear, const at::Tensor& input, const ForwardContext& context) const;

  // s B A in float32: what merging adds to the weight (without DoRA).
  at::Tensor delta() const;
};

}  // namespace roadtune::engine
