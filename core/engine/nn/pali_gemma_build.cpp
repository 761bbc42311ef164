// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the modules together from the names of their weights.
#include "core/engine/nn/pali_gemma.h"
#include "core/model/tensor_names.h"

#include <cstdio>
#include <cstdlib>

namespace roadtune::engine {
namespace {

// The set was filled from the same module tree: a missing name is a mistake of ours.
Parameter* need(const ParameterSet& parameters, const std::string& name) {
  auto* found = parameters.find(name);
  if (!found) {
    std::fprintf(stderr, "weight %s is not in the parameter set\n", name.c_str());
    std::abort();
  }
  return found;
}

LayerNorm layerNorm(const ParameterSet& parameters, const std::string& path, double eps) {
  return {need(parameters, path + ".weight"), need(parameters, path + ".bias"), eps};
}

RmsNorm rmsNorm(const ParameterSet& parameters, const std::string& path, double eps) {
  return {need(parameters, path + ".weight"), eps};
}

}  // namespace

PaliGemma::PaliGemma(const model::PaliGemmaConfig& config, ParameterSet& parameters) : m_config(config) {
  buildVision(parameters);
  m_projector = makeLinear(parameters, "model.multi_modal_projector.linear", true);
  buildText(parameters);
}

Linear* PaliGemma::makeLinear(ParameterSet& parameters, const std::string& path, bool bias) {
  auto& slot = m_linears[path];
  slot = std::make_unique<Linear>(path, need(parameters, path + ".weight"),
                                  bias ? need(parameters, path + ".bias") : nullptr);
  return slot.get();
}

void PaliGemma::buildVision(ParameterSet& parameters) {
  const auto& config = m_config.vision;
  const std::string root = "model.vision_tower.";
  m_vision.patchWeight = need(parameters, root + "embeddings.patch_embedding.weight");
  m_vision.patchBias = need(parameters, root + "embeddings.patch_embedding.bias");
  m_vision.positions = need(parameters, root + "embeddings.position_embedding.weight");
  m_vision.patchSize = config.patchSize;
  m_vision.finalNorm = layerNorm(parameters, root + "post_layernorm", config.layerNormEps);
  m_vision.layers.resize(static_cast<std::size_t>(config.layers));
  for (std::size_t i = 0; i < m_vision.layers.size(); ++i) {
    const auto path = root + "encoder.layers." + std::to_string(i);
    auto& layer = m_vision.layers[i];
    layer.norm1 = layerNorm(parameters, path + ".layer_norm1", config.layerNormEps);
    layer.norm2 = layerNorm(parameters, path + ".layer_norm2", config.layerNormEps);
    layer.q = makeLinear(parameters, path + ".self_attn.q_proj", true);
    layer.k = makeLinear(parameters, path + ".self_attn.k_proj", true);
    layer.v = makeLinear(parameters, path + ".self_attn.v_proj", true);
    layer.out = makeLinear(parameters, path + ".self_attn.out_proj", true);
    layer.fc1 = makeLinear(parameters, path + ".mlp.fc1", true);
    layer.fc2 = makeLinear(parameters, path + ".mlp.fc2", true);
    layer.heads = config.heads;
    layer.activation = config.activation;
  }
}

void PaliGemma::buildText(ParameterSet& parameters) {
  const auto& config = m_config.text;
  const std::string root = "model.language_model.";
  m_embedding = need(parameters, root + "embed_tokens.weight");
  m_head = parameters.find(model::kLmHead);
  if (!m_head) m_head = m_embedding;
  m_head->inProducts = true;
  m_finalNorm = rmsNorm(parameters, root + "norm", config.rmsNormEps);
  m_layers.resize(static_cast<std::size_t>(config.layers));
  for (std::size_t i = 0; i < m_layers.size(); ++i) {
    const auto path = root + "layers." + std::to_string(i);
    auto& layer = m_layers[i];
    layer.inputNorm = rmsNorm(parameters, path + ".input_layernorm", config.rmsNormEps);
    layer.postAttentionNorm = rmsNorm(parameters, path + ".post_attention_layernorm", config.rmsNormEps);
    if (m_config.family == model::Family::PaliGemma2) {
      layer.preMlp = rmsNorm(parameters, path + ".pre_feedforward_layernorm", config.rmsNormEps);
      layer.postMlp = rmsNorm(parameters, path + ".post_feedforward_layernorm", config.rmsNormEps);
    }
    const auto projection = [&](const char* name) {
      return makeLinear(parameters, path + ".self_attn." + name, config.attentionBias);
    };
    layer.q = projection("q_proj");
    layer.k = projection("k_proj");
    layer.v = projection("v_proj");
    layer.o = projection("o_proj");
    layer.gate = makeLinear(parameters, path + ".mlp.gate_proj", false);
    layer.up = makeLinear(parameters, path + ".mlp.up_proj", false);
    layer.down = makeLinear(parameters, path + ".mlp.down_proj", false);
    layer.heads = config.heads;
    layer.kvHeads = config.kvHeads;
    layer.headDim = config.headDim;
    layer.scale = config.queryScale();
    layer.activation = config.activation;
    layer.cap = config.attentionSoftcap.value_or(0.0);
    layer.sliding = i < config.slidingLayers.size() && config.slidingLayers[i];
  }
}

}  // namespace roadtune::engine
