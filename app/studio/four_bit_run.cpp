// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/four_bit_run.h"

#include "core/model/target_match.h"

#include <algorithm>

namespace roadtune::studio {
namespace {

// How a module is trained, in the words of a rule.
struct ModuleState {
  std::string method = "frozen";  // full, lora
  int rank = 0;
  double alpha = 0, dropout = 0;
  bool nf4 = false;

  bool sameMethod(const ModuleState& other) const {
    return method == other.method && rank == other.rank && alpha == other.alpha && dropout == other.dropout;
  }
};

std::vector<ModuleState> statesOf(const model::ModuleTree& tree) {
  std::vector<ModuleState> states(tree.modules.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    const model::Module& module = tree.modules[i];
    states[i].nf4 = module.nf4;
    if (!module.lora) continue;
    states[i].method = "lora";
    states[i].rank = module.lora->r;
    states[i].alpha = module.lora->alpha;
    states[i].dropout = module.lora->dropout;
  }
  for (const model::Tensor& tensor : tree.tensors)
    if (tensor.role == model::TensorRole::Base && tensor.trainable && !tree.moduleOf(tensor).lora)
      states[tensor.module].method = "full";
  return states;
}

// A module that has weights, before and after.
struct ModuleChange {
  std::string path;  // without "model."
  ModuleState before, after;
  bool decided = false;  // by a rule that comes later: what stands here does not matter
};

using ModuleChanges = std::vector<const ModuleChange*>;

// By the next word of their paths, in the order they come.
template <class Visit>
void forParts(const std::string& path, const ModuleChanges& all, const Visit& visit) {
  std::vector<std::pair<std::string, ModuleChanges>> parts;
  for (const ModuleChange* one : all) {
    const std::size_t from = path.empty() ? 0 : path.size() + 1;
    const std::string part = one->path.substr(0, one->path.find('.', from));
    if (parts.empty() || parts.back().first != part) parts.push_back({part, {}});
    parts.back().second.push_back(one);
  }
  for (const auto& [part, inside] : parts) visit(part, inside);
}

config::ModuleOverride ruleFor(const std::string& path, const ModuleState& state) {
  config::ModuleOverride rule{path, state.method};
  if (state.method != "lora") return rule;
  rule.r = state.rank;
  rule.loraAlpha = state.alpha;
  rule.loraDropout = state.dropout;
  return rule;
}

// The fewest names that take all changes of method at and below `path` back.
void keepMethods(const std::string& path, const ModuleChanges& all, std::vector<config::ModuleOverride>& rules) {
  const auto changed = [](const ModuleChange* one) { return !one->decided && !one->before.sameMethod(one->after); };
  if (std::none_of(all.begin(), all.end(), changed)) return;
  const ModuleState& state = (*std::find_if(all.begin(), all.end(), changed))->before;
  const bool leaf = all.size() == 1 && all[0]->path == path;
  const bool alike = std::all_of(all.begin(), all.end(), [&](const ModuleChange* one) {
    return one->decided || (one->before.method == state.method && state.method != "lora");
  });
  if (!path.empty() && (leaf || alike)) return rules.push_back(ruleFor(path, state));
  forParts(path, all, [&](const std::string& part, const ModuleChanges& inside) { keepMethods(part, inside, rules); });
}

// Whole towers in which something would be kept in four bits now.
std::vector<std::string> keptWhole(const ModuleChanges& all) {
  std::vector<std::string> names;
  forParts({}, all, [&](const std::string& part, const ModuleChanges& inside) {
    const auto coarser = [](const ModuleChange* one) {
      return !one->decided && one->before.method != "full" && one->after.nf4 && !one->before.nf4;
    };
    if (std::any_of(inside.begin(), inside.end(), coarser)) names.push_back("model." + part);
  });
  return names;
}

std::string withoutModel(const std::string& path) { return path.rfind("model.", 0) == 0 ? path.substr(6) : path; }

std::vector<ModuleChange> changesBetween(const model::ModuleTree& before, const model::ModuleTree& after,
                                         const QStringList& painted) {
  const auto was = statesOf(before), is = statesOf(after);
  std::vector<bool> hasWeights(before.modules.size(), false);  // a tied head has none
  for (const model::Tensor& tensor : before.tensors) hasWeights[tensor.module] = true;
  std::vector<ModuleChange> changes;
  for (std::size_t i = 0; i < was.size() && i < is.size(); ++i) {
    if (!hasWeights[i]) continue;
    const std::string& path = before.modules[i].path;
    ModuleChange change{withoutModel(path), was[i], is[i]};
    for (const QString& one : painted) {
      const std::string name = withoutModel(one.toStdString());
      change.decided |= change.path == name || change.path.rfind(name + ".", 0) == 0;
    }
    for (const model::ModuleRule& rule : before.method.rules)
      change.decided |= rule.mode && *rule.mode != model::ModuleMode::Frozen && model::ruleCovers(rule.path, path);
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace

FourBitRun fourBitRun(const config::RunConfig& config, const model::ModuleTree* tree, const QStringList& painted) {
  const auto method = model::methodFrom(config);
  if (!tree || !method.ok()) return {};
  const auto before = model::buildModuleTree(tree->config, method.value());
  model::Method fourBit = method.value();
  fourBit.type = model::FinetuningType::Qlora;
  fourBit.load4bit = true;
  if (method.value().targets.empty()) fourBit.targets = {{}, {}, true};
  const auto after = model::buildModuleTree(tree->config, fourBit);
  if (!before.ok() || !after.ok()) return {};
  const std::vector<ModuleChange> changes = changesBetween(before.value(), after.value(), painted);
  ModuleChanges all;
  for (const ModuleChange& one : changes) all.push_back(&one);
  FourBitRun run;
  keepMethods({}, all, run.rules);
  const std::vector<std::string> whole = keptWhole(all);
  if (whole.empty()) return run;
  run.unquantized = config.list("llm_int8_skip_modules");
  run.unquantized.insert(run.unquantized.end(), whole.begin(), whole.end());
  return run;
}

}  // namespace roadtune::studio
