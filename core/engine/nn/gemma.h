// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/attention/mask.h"
#include "core/engine/attention/rope.h"
#include "core/engine/nn/asked_rows.h"
#include "core/engine/nn/linear.h"
#include "core/engine/nn/norm.h"
#include "core/model/pali_config.h"

#include <optional>
#include <vector>

namespace roadtune::engine {

// Keys and values of the tokens seen so far, one entry per layer; grows along the length.
struct KvCache {
  struct Layer {
    at::Tensor keys, values;  // [B, kvHeads, S, d]
  };
  std::vector<Layer> layers;
  std::int64_t length = 0;
};

// One block of Gemma (two norms) or Gemma 2 (four norms, soft cap, sliding window on some layers).
struct GemmaLayer {
  Linear *q = nullptr, *k = nullptr, *v = nullptr, *o = nullptr, *gate = nullptr, *up = nullptr, *down = nullptr;
  RmsNorm inputNorm;
  RmsNorm postAttentionNorm;               // Gemma: before the MLP; Gemma 2: after the attention
  std::optional<RmsNorm> preMlp, postMlp;  // Gemma 2
  std::int64_t heads = 1, kvHeads = 1, headDim = 1;
  double scale = 1.0, cap = 0.0;
  bool sliding = false;
  model::Activation activation = model::Activation::GeluTanh;

  // An undefined mask means that the context's packed rows say which are prefixes; the table is then that of the rows.
  // With `asked` the output is of those rows alone, and so are the mask's queries.
  at::Tensor forward(const at::Tensor& x, const RopeTable& rope, const at::Tensor& mask, const ForwardContext& context,
                     KvCache::Layer* cache = nullptr, const AskedRows* asked = nullptr) const;
  bool trains() const;

 private:
  at::Tensor attention(const at::Tensor& normed, const RopeTable& rope, const at::Tensor& mask,
                       const ForwardContext& context, KvCache::Layer* cache) const;
  at::Tensor attentionOfAsked(const at::Tensor& normed, const RopeTable& rope, const at::Tensor& mask,
                              const ForwardContext& context, const AskedRows& asked) const;
  at::Tensor attentionOfRows(const std::vector<at::Tensor>& projected, const RopeTable& rope,
                             const PackedRows& rows) const;
  at::Tensor mlp(const at::Tensor& normed, const ForwardContext& context) const;
};

}  // namespace roadtune::engine
