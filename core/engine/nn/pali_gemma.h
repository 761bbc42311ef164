// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/attention/prefix_rows.h"
#include "core/engine/loss/cross_entropy.h"
#include "core/engine/nn/asked_rows.h"
#include "core/engine/nn/gemma.h"
#include "core/engine/nn/siglip.h"
#include "core/model/pali_config.h"

#include <map>
#include <memory>
#include <string>

namespace roadtune::engine {

// What the processor makes of images and text. Undefined tensors are absent: no images, nothing padded, plain causal
// text, no labels.
struct Batch {
  at::Tensor inputIds;        // int64 [B, L]
  at::Tensor attentionMask;   // int64 [B, L]
  at::Tensor tokenTypeIds;    // int64 [B, L]
  at::Tensor labels;          // int64 [B, L], -100 where nothing is to be learned
  at::Tensor pixelValues;     // float32 [images, 3, S, S]; before placed() also bytes [images, S, S, 3]
  at::Tensor pixelTable;      // float32 [3, 256]: what those bytes mean
  at::Tensor places;          // int64: tokens in the flattened inputIds, to work on these alone; undefined: on all
  PrefixRows prefixes;        // among those places, where attention takes rows as they are
  AskedRows asked;            // of those rows; undefined: all
  at::Tensor imagePositions;  // int64: image tokens among the rows worked on; undefined: to be looked up

  // Where features of pictures are kept: the bytes of those known, one row per sample; which rows are not known
  // (int64), their pictures alone are in pixelValues; and, once all are known, the features themselves, [B, tokens,
  // hidden].
  at::Tensor keptFeatures, newRows, features;
};

// PaliGemma and PaliGemma 2: vision tower, projector, text decoder, head (tied to the embedding unless the set holds
// lm_head.weight). Holds no weights itself; it refers to
// a ParameterSet that must outlive it. One pass at a time.
class PaliGemma {
 public:
  // Every tensor of the configuration must be in `parameters`.
  PaliGemma(const model::PaliGemmaConfig& config, ParameterSet& parameters);

  // Final hidden states [B, L, H], or [rows, H] of a batch with places: of the rows that are asked for.
  at::Tensor hidden(const Batch& batch, const ForwardContext& context) const;

  // The same with a cache that is extended by the tokens of `batch`; without token types when the cache holds some.
  at::Tensor hiddenWithCache(const Batch& batch, const ForwardContext& context, KvCache& cache) const;

  // What the vision tower makes of pictures, [images, tokens, hidden]; without gradients.
  at::Tensor pictureFeatures(const at::Tensor& pixels, const ForwardContext& context) const;

  // Of any hidden states [..., H]: [..., V] in float32.
  at::Tensor logits(const at::Tensor& hidden, const ForwardContext& context) const;

  // Cross entropy at the labelled positions; logits elsewhere are never computed.
  // `rowWeights` as in crossEntropy().
  LossResult loss(const at::Tensor& hidden, const LabelRows& rows, const ForwardContext& context,
                  const at::Tensor& rowWeights = {}) const;

  Linear* linear(const std::string& path) const;  // canonical module path; null when there is none
  const std::map<std::string, std::unique_ptr<Linear>>& linears() const { return m_linears; }
  const model::PaliGemmaConfig& config() const { return m_config; }

 private:
  Linear* makeLinear(ParameterSet& parameters, const std::string& path, bool bias);
  void buildVision(ParameterSet& parameters);
  void buildText(ParameterSet& parameters);
  at::Tensor embed(const Batch& batch, const ForwardContext& context, const PackedRows* packed = nullptr) const;
  at::Tensor tokenRows(const at::Tensor& ids, const ForwardContext& context) const;
  double finalCap(const ForwardContext& context) const;

  model::PaliGemmaConfig m_config;
  std::map<std::string, std::unique_ptr<Linear>> m_linears;
  SiglipTower m_vision;
  Linear* m_projector = nullptr;
  Parameter* m_embedding = nullptr;
  Parameter* m_head = nullptr;  // the embedding itself while they are tied
  std::vector<GemmaLayer> m_layers;
  RmsNorm m_finalNorm;
  mutable std::shared_ptr<TableGradient> m_tableGradient;  // of the pass at hand, while head and embedding are tied
};

}  // namespace roadtune::engine
