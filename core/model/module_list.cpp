// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/module_list.h"

#include <fmt/format.h>

#include <set>

namespace roadtune::model {
namespace {

// Collects modules of one part under a moving path.
class ModuleCollector {
 public:
  ModuleCollector(BareModel& model, Part part) : m_model(model), m_part(part) {}

  void enter(std::string prefix, int layer = -1) {
    m_prefix = std::move(prefix);
    m_layer = layer;
  }

  void linear(const std::string& name, std::int64_t in, std::int64_t out, bool bias) {
    add(name, ModuleKind::Linear, in, out, {out, in}, bias);
  }
  void embedding(const std::string& name, ModuleKind kind, std::int64_t rows, std::int64_t width) {
    add(name, kind, rows, width, {rows, width}, false);
  }
  void norm(const std::string& name, ModuleKind kind, std::int64_t width) {
    add(name, kind, width, width, {width}, kind == ModuleKind::LayerNorm);
  }
  void convolution(const std::string& name, std::int64_t in, std::int64_t out, std::int64_t kernel) {
    add(name, ModuleKind::Conv2d, in, out, {out, in, kernel, kernel}, true);
  }
  void other(const std::string& name) { m_model.otherPaths.push_back(m_prefix + name); }

 private:
  void add(const std::string& name, ModuleKind kind, std::int64_t in, std::int64_t out,
           std::vector<std::int64_t> weight, bool bias) {
    BareModule entry;
    entry.module.path = m_prefix + name;
    entry.module.kind = kind;
    entry.module.part = m_part;
    entry.module.layer = m_layer;
    entry.module.in = in;
    entry.module.out = out;
    entry.weight = std::move(weight);
    if (bias) entry.bias = {entry.weight.front()};
    m_model.modules.push_back(std::move(entry));
  }

  BareModel& m_model;
  Part m_part;
  std::string m_prefix;
  int m_layer = -1;
};

void addVision(BareModel& model, const VisionConfig& vision) {
  ModuleCollector at(model, Part::Vision);
  at.enter("model.vision_tower.embeddings.");
  at.convolution("patch_embedding", vision.channels, vision.hidden, vision.patchSize);
  at.embedding("position_embedding", ModuleKind::PositionTable, vision.tokens(), vision.hidden);
  for (int i = 0; i < vision.layers; ++i) {
    at.enter(fmt::format("model.vision_tower.encoder.layers.{}.", i), i);
    at.norm("layer_norm1", ModuleKind::LayerNorm, vision.hidden);
    for (const char* name : {"k_proj", "v_proj", "q_proj", "out_proj"})
      at.linear(std::string("self_attn.") + name, vision.hidden, vision.hidden, true);
    at.norm("layer_norm2", ModuleKind::LayerNorm, vision.hidden);
    at.other("mlp.activation_fn");
    at.linear("mlp.fc1", vision.hidden, vision.intermediate, true);
    at.linear("mlp.fc2", vision.intermediate, vision.hidden, true);
  }
  at.enter("model.vision_tower.");
  at.norm("post_layernorm", ModuleKind::LayerNorm, vision.hidden);
}

void addText(BareModel& model, const TextConfig& text, Family family) {
  ModuleCollector at(model, Part::Text);
  at.enter("model.language_model.");
  at.embedding("embed_tokens", ModuleKind::Embedding, text.vocab, text.hidden);
  const std::int64_t queries = std::int64_t{text.heads} * text.headDim,
                     keys = std::int64_t{text.kvHeads} * text.headDim;
  for (int i = 0; i < text.layers; ++i) {
    at.enter(fmt::format("model.language_model.layers.{}.", i), i);
    at.linear("self_attn.q_proj", text.hidden, queries, text.attentionBias);
    at.linear("self_attn.k_proj", text.hidden, keys, text.attentionBias);
    at.linear("self_attn.v_proj", text.hidden, keys, text.attentionBias);
    at.linear("self_attn.o_proj", queries, text.hidden, text.attentionBias);
    at.linear("mlp.gate_proj", text.hidden, text.intermediate, false);
    at.linear("mlp.up_proj", text.hidden, text.intermediate, false);
    at.linear("mlp.down_proj", text.intermediate, text.hidden, false);
    at.other("mlp.act_fn");
    at.norm("input_layernorm", ModuleKind::RmsNorm, text.hidden);
    at.norm("post_attention_layernorm", ModuleKind::RmsNorm, text.hidden);
    if (family == Family::PaliGemma1) continue;
    at.norm("pre_feedforward_layernorm", ModuleKind::RmsNorm, text.hidden);
    at.norm("post_feedforward_layernorm", ModuleKind::RmsNorm, text.hidden);
  }
  at.enter("model.language_model.");
  at.norm("norm", ModuleKind::RmsNorm, text.hidden);
  at.other("rotary_emb");
}

void addContainers(BareModel& model) {
  std::set<std::string> containers;
  for (const BareModule& entry : model.modules) {
    const std::string& path = entry.module.path;
    for (std::size_t dot = path.rfind('.'); dot != std::string::npos; dot = path.rfind('.', dot - 1))
      containers.insert(path.substr(0, dot));
  }
  model.otherPaths.insert(model.otherPaths.end(), containers.begin(), containers.end());
}

}  // namespace

BareModel listModules(const PaliGemmaConfig& config) {
  BareModel model;
  addVision(model, config.vision);
  ModuleCollector projector(model, Part::Projector);
  projector.enter("model.multi_modal_projector.");
  projector.linear("linear", config.vision.hidden, config.projectionDim, true);
  addText(model, config.text, config.family);
  ModuleCollector head(model, Part::Text);
  head.enter("");
  head.linear("lm_head", config.text.hidden, config.text.vocab, false);
  addContainers(model);
  return model;
}

}  // namespace roadtune::model
