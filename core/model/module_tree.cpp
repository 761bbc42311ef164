// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/module_tree.h"

#include "core/base/text.h"
#include "core/model/module_list.h"
#include "core/model/target_match.h"
#include "core/model/tree_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roadtune::model {
namespace {

bool canCarryLora(ModuleKind kind) {
  return kind == ModuleKind::Linear || kind == ModuleKind::Embedding || kind == ModuleKind::PositionTable ||
         kind == ModuleKind::Conv2d;
}

Result<LoraBranch> makeBranch(const Method& method, const Module& module, int r, double alpha) {
  if (r < 1) return badInput(fmt::format("rank {} for {}", r, module.path), "r", "a rank is at least 1");
  if (method.init == AdapterInit::Orthogonal && r % 2 != 0)
    return badInput(fmt::format("orthogonal first values need an even rank, {} has {}", module.path, r),
                    "init_lora_weights", "an even r, or init_lora_weights: true");
  LoraBranch branch;
  branch.r = r;
  branch.alpha = alpha;
  branch.dropout = method.loraDropout;
  branch.scale = method.rslora ? alpha / std::sqrt(static_cast<double>(r)) : alpha / r;
  branch.dora = method.dora;
  branch.loraBias = method.loraBias;
  const bool embedding = module.kind == ModuleKind::Embedding || module.kind == ModuleKind::PositionTable;
  if (embedding && method.loraBias)
    return badInput(fmt::format("{} is an embedding and cannot have one", module.path), "lora_bias");
  return branch;
}

// What is known about each leaf module while rules are applied; index by index beside BareModel::modules.
struct Decision {
  bool full = false;
  std::optional<bool> nf4 = {};  // a rule's word; else the method decides
};

class TreeBuilder {
 public:
  TreeBuilder(const PaliGemmaConfig& config, const Method& method, TargetMatcher matcher)
      : m_bare(listModules(config)), m_matcher(std::move(matcher)), m_decisions(m_bare.modules.size()) {
    m_tree.config = config;
    m_tree.method = method;
  }

  Result<ModuleTree> build() {
    if (m_tree.method.type == FinetuningType::Full)
      markFull();
    else
      ROADTUNE_CHECK(applyTargets());
    ROADTUNE_CHECK(markSaved());
    for (const ModuleRule& rule : m_tree.method.rules) ROADTUNE_CHECK(applyRule(rule));
    ROADTUNE_CHECK(markQuantized());
    addTensors();
    ROADTUNE_CHECK(checkSomethingTrains());
    addNotes(m_tree);
    return std::move(m_tree);
  }

 private:
  Module& at(std::size_t i) { return m_bare.modules[i].module; }
  std::size_t count() const { return m_bare.modules.size(); }

  void markFull() {
    const Method& method = m_tree.method;
    for (std::size_t i = 0; i < count(); ++i) {
      const Part part = at(i).part;
      m_decisions[i].full =
          !(part == Part::Vision ? method.freezeVisionTower
                                 : (part == Part::Projector ? method.freezeProjector : method.freezeLanguageModel));
    }
  }

  Status applyTargets() {
    const Method& method = m_tree.method;
    const bool ruleTrains = std::any_of(method.rules.begin(), method.rules.end(), [](const ModuleRule& rule) {
      return rule.mode && *rule.mode != ModuleMode::Frozen;
    });
    if (method.targets.empty()) {
      if (ruleTrains) return {};
      return badInput("is empty", "target_modules",
                      "PaliGemma has no default; the usual list is q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, "
                      "down_proj");
    }
    for (const std::string& path : m_bare.otherPaths)
      if (m_matcher.answer(path, false) == TargetMatcher::Answer::Yes)
        return badInput(fmt::format("matches {}, which is not a layer that can carry LoRA", path), "target_modules",
                        "name linear layers, or use a pattern that ends in their names");
    std::size_t hits = 0, excluded = 0, elsewhere = 0;
    for (std::size_t i = 0; i < count(); ++i) {
      const auto answer = m_matcher.answer(at(i).path, at(i).kind == ModuleKind::Linear);
      excluded += answer == TargetMatcher::Answer::Excluded;
      elsewhere += answer == TargetMatcher::Answer::OtherLayer;
      if (answer != TargetMatcher::Answer::Yes) continue;
      if (!canCarryLora(at(i).kind))
        return badInput(fmt::format("matches {}, which is not a layer that can carry LoRA", at(i).path),
                        "target_modules", "norms cannot; list them in modules_to_save to train them");
      ROADTUNE_TRY(at(i).lora, makeBranch(method, at(i), m_matcher.rankOf(at(i).path), m_matcher.alphaOf(at(i).path)));
      ++hits;
    }
    if (hits == 0 && !ruleTrains && elsewhere > 0)
      return badInput("none of the modules that target_modules names is in these layers", "layers_to_transform",
                      "they count from 0");
    if (hits == 0 && !ruleTrains)
      return badInput(excluded > 0 ? "everything it names is excluded" : "matches no module of this model",
                      "target_modules", "`roadtune model tree` lists the names");
    return {};
  }

  Status markSaved() {
    const Method& method = m_tree.method;
    if (method.type == FinetuningType::Full || method.modulesToSave.empty()) return {};
    std::vector<std::string> roots;
    for (const std::string& path : m_bare.otherPaths)
      if (m_matcher.isSaved(path)) roots.push_back(path + ".");
    for (std::size_t i = 0; i < count(); ++i) {
      Module& module = at(i);
      const bool below = std::any_of(roots.begin(), roots.end(),
                                     [&](const std::string& root) { return startsWith(module.path, root); });
      if (!below && !m_matcher.isSaved(module.path)) continue;
      module.saved = true;
      m_savedHits = true;
    }
    if (!m_savedHits)
      return badInput(fmt::format("{} matches no module", join(method.modulesToSave, ", ")), "modules_to_save",
                      "`roadtune model tree` lists the names");
    return {};
  }

  Status applyRule(const ModuleRule& rule) {
    std::vector<std::size_t> covered;
    for (std::size_t i = 0; i < count(); ++i)
      if (ruleCovers(rule.path, at(i).path)) covered.push_back(i);
    if (covered.empty())
      return badInput(fmt::format("'{}' names no module of this model", rule.path), "modules",
                      "`roadtune model tree` lists the names");
    const bool weighs = rule.dtype || rule.mode == ModuleMode::Full || rule.mode == ModuleMode::Frozen;
    if (weighs && covered.size() == 1 && at(covered[0]).path == "lm_head" && m_tree.config.tieWordEmbeddings)
      return badInput(rule.dtype ? "lm_head has no weights of its own that could have a dtype"
                                 : "lm_head has no weights of its own that could be trained or frozen",
                      "modules", "it shares those of embed_tokens: name that instead");
    for (const std::size_t i : covered) {
      if (rule.learningRate) at(i).learningRate = rule.learningRate;
      if (rule.dtype) at(i).dtype = *rule.dtype;
      if (!rule.mode) continue;
      at(i).lora.reset();
      at(i).saved = false;
      m_decisions[i].full = rule.mode == ModuleMode::Full;
      if (rule.mode == ModuleMode::Lora || rule.mode == ModuleMode::Qlora)
        m_decisions[i].nf4 = rule.mode == ModuleMode::Qlora;
    }
    if (rule.mode == ModuleMode::Lora || rule.mode == ModuleMode::Qlora) return addBranches(rule, covered);
    return {};
  }

  // A rule that names one layer adapts it; a rule for a block adapts what target_modules names in it, or every linear
  // layer when it names none there.
  Status addBranches(const ModuleRule& rule, const std::vector<std::size_t>& covered) {
    const bool exact = covered.size() == 1 && endsWith(at(covered[0]).path, rule.path);
    std::vector<std::size_t> linears, named;
    for (const std::size_t i : covered) {
      const bool linear = at(i).kind == ModuleKind::Linear;
      if (exact ? canCarryLora(at(i).kind) : linear) linears.push_back(i);
      if (linear && m_matcher.isNamed(at(i).path, true)) named.push_back(i);
    }
    if (linears.empty()) return badInput(fmt::format("'{}' holds no layer that can carry LoRA", rule.path), "modules");
    for (const std::size_t i : named.empty() ? linears : named) {
      const int r = rule.r.value_or(m_matcher.rankOf(at(i).path));
      ROADTUNE_TRY(at(i).lora, makeBranch(m_tree.method, at(i), r, rule.alpha.value_or(m_matcher.alphaOf(at(i).path))));
      if (rule.dropout) at(i).lora->dropout = *rule.dropout;
    }
    return {};
  }

  Status markQuantized() {
    const Method& method = m_tree.method;
    const bool wanted = method.load4bit || method.type == FinetuningType::Qlora;
    const auto& stored = m_tree.config.quantization;  // then nothing else is made so
    for (std::size_t i = 0; i < count(); ++i) {
      Module& module = at(i);
      const bool linear = module.kind == ModuleKind::Linear && module.path != "lm_head";
      if (stored) {
        ROADTUNE_TRY(const bool kept, isSkipped(module.path, stored->skip));
        module.nf4 = linear && !kept;
        continue;
      }
      const bool suits = linear && !m_decisions[i].full;
      const bool chosen = wanted && (method.quantizedSet == QuantizedSet::HuggingFace || module.part == Part::Text);
      ROADTUNE_TRY(const bool skipped, isSkipped(module.path, method.quantizeSkip));
      module.nf4 = suits && m_decisions[i].nf4.value_or(chosen && !skipped);
    }
    return {};
  }

  void addTensor(std::size_t index, const std::string& suffix, std::vector<std::int64_t> shape, TensorRole role,
                 bool trainable) {
    Tensor tensor;
    tensor.name = m_tree.modules[index].path + suffix;
    tensor.shape = std::move(shape);
    const Dtype base = m_tree.method.weightDtype.value_or(m_tree.config.dtype);
    tensor.dtype = role == TensorRole::Base || !m_tree.method.adapterDtype32 ? base : Dtype::F32;
    tensor.role = role;
    tensor.module = index;
    tensor.trainable = trainable;
    m_tree.tensors.push_back(std::move(tensor));
  }

  void addTensors() {
    const BiasMode bias = m_tree.method.bias;
    const bool lora = m_tree.method.type != FinetuningType::Full;
    for (std::size_t i = 0; i < count(); ++i) {
      const BareModule& bare = m_bare.modules[i];
      const Module& module = bare.module;
      m_tree.modules.push_back(module);
      const bool whole = m_decisions[i].full || module.saved, stored = module.nf4 && m_tree.config.quantization;
      if (whole && stored) m_tree.untrainable.push_back(module.path);
      const bool tiedHead = module.path == "lm_head" && m_tree.config.tieWordEmbeddings;
      if (!tiedHead || module.saved) {
        addTensor(i, ".weight", bare.weight, TensorRole::Base, whole && !stored);
        m_tree.tensors.back().nf4 = module.nf4 && (stored || !module.saved);
        m_tree.tensors.back().doubleQuant =
            stored ? m_tree.config.quantization->doubleQuantized : m_tree.method.doubleQuant;
      }
      if (!bare.bias.empty()) {
        const bool extra = lora && (bias == BiasMode::All || (bias == BiasMode::LoraOnly && module.lora));
        addTensor(i, ".bias", bare.bias, TensorRole::Base, whole || extra);
      }
      if (module.lora) addAdapters(i, bare);
    }
  }

  void addAdapters(std::size_t i, const BareModule& bare) {
    const Module& module = bare.module;
    const std::int64_t r = module.lora->r;
    const bool convolution = module.kind == ModuleKind::Conv2d;
    if (module.kind == ModuleKind::Embedding || module.kind == ModuleKind::PositionTable) {
      addTensor(i, ".lora_embedding_A", {r, module.in}, TensorRole::LoraEmbeddingA, true);
      addTensor(i, ".lora_embedding_B", {module.out, r}, TensorRole::LoraEmbeddingB, true);
    } else if (convolution) {
      addTensor(i, ".lora_A.weight", {r, bare.weight[1], bare.weight[2], bare.weight[3]}, TensorRole::LoraA, true);
      addTensor(i, ".lora_B.weight", {module.out, r, 1, 1}, TensorRole::LoraB, true);
    } else {
      addTensor(i, ".lora_A.weight", {r, module.in}, TensorRole::LoraA, true);
      addTensor(i, ".lora_B.weight", {module.out, r}, TensorRole::LoraB, true);
    }
    if (module.lora->loraBias) addTensor(i, ".lora_B.bias", {module.out}, TensorRole::LoraBBias, true);
    if (!module.lora->dora) return;
    const auto shape = convolution ? std::vector<std::int64_t>{1, module.out, 1, 1} : std::vector{module.out};
    addTensor(i, ".lora_magnitude_vector", shape, TensorRole::Magnitude, true);
  }

  Status checkSomethingTrains() const {
    if (std::any_of(m_tree.tensors.begin(), m_tree.tensors.end(), [](const Tensor& t) { return t.trainable; }))
      return {};
    return badInput("every part is frozen: nothing would be trained", "freeze_*",
                    "set one of freeze_vision_tower, freeze_multi_modal_projector, freeze_language_model to false");
  }

  ModuleTree m_tree;
  BareModel m_bare;
  TargetMatcher m_matcher;
  std::vector<Decision> m_decisions;
  bool m_savedHits = false;
};

// Exceptions may change what is trained beside an adapter that is there already, but not the adapter.
Status requireSameAdapter(const ModuleTree& tree) {
  auto method = tree.method;
  method.rules.clear();
  ROADTUNE_TRY(const ModuleTree plain, buildModuleTree(tree.config, method));
  for (std::size_t i = 0; i < tree.modules.size(); ++i) {
    const auto &now = tree.modules[i].lora, &there = plain.modules[i].lora;
    if (now.has_value() == there.has_value() && (!now || now->r == there->r)) continue;
    const std::string& path = tree.modules[i].path;
    return badInput(there ? fmt::format("the adapter to start from has rank {} on {}", there->r, path)
                          : fmt::format("the adapter to start from has nothing on {}", path),
                    "modules", "keep the adapter as it is there, or begin without adapter_name_or_path");
  }
  return {};
}

}  // namespace

bool ModuleTree::writesAdapter() const {
  return method.type != FinetuningType::Full ||
         std::any_of(modules.begin(), modules.end(), [](const Module& module) { return module.lora.has_value(); });
}

Status requireTrainable(const ModuleTree& tree) {
  if (tree.method.startsFromAdapter && !tree.method.rules.empty()) ROADTUNE_CHECK(requireSameAdapter(tree));
  for (const Module& module : tree.modules)
    if (module.lora && (module.kind != ModuleKind::Linear || module.path == "lm_head"))
      return badInput("an adapter on " + module.path + " is not supported", "target_modules",
                      "adapters go on linear layers; list embeddings under modules_to_save");
  if (tree.untrainable.empty()) return {};
  return badInput(tree.untrainable.front() + " is stored in 4 bits and cannot be trained in full", "model_name_or_path",
                  "finetuning_type: lora, or a model in 16 bits");
}

Result<ModuleTree> buildModuleTree(const PaliGemmaConfig& config, const Method& method) {
  ROADTUNE_TRY(TargetMatcher matcher, TargetMatcher::create(method));
  return TreeBuilder(config, method, std::move(matcher)).build();
}

}  // namespace roadtune::model
