// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/model_state.h"

#include "core/base/text.h"
#include "core/engine/lora/attach.h"
#include "core/engine/nn/guarded.h"
#include "core/engine/nn/tensor_bytes.h"
#include "core/engine/quant/nf4_files.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <thread>

namespace roadtune::engine {
namespace {

std::string shapeText(const std::vector<std::int64_t>& shape) {
  std::vector<std::string> parts;
  for (const auto size : shape) parts.push_back(std::to_string(size));
  return "[" + join(parts, ", ") + "]";
}

using Files = std::shared_ptr<const model::WeightFiles>;

Result<at::Tensor> readBase(const Files& files, const model::Tensor& tensor, const LoadOptions& options) {
  const auto* view = files->find(tensor.name);
  if (!view) return badInput("the checkpoint has no tensor " + tensor.name, options.folder.string());
  if (view->shape != tensor.shape)
    return badInput("tensor " + view->name + " has shape " + shapeText(view->shape) + ", config.json asks for " +
                        shapeText(tensor.shape),
                    options.folder.string());
  if (!model::isFloating(view->dtype) || !scalarType(view->dtype))
    return badInput("tensor " + view->name + " has the type " + std::string(model::nameOf(view->dtype)) +
                        ", which is no weight type",
                    options.folder.string());
  return options.leaves ? lentTensor(*view, files) : tensorFrom(*view);
}

std::optional<at::ScalarType> ownType(const model::Module& module) {
  return module.dtype ? scalarType(*module.dtype) : std::nullopt;
}

// A trained copy of the embedding leaves the tied head where it was: the head keeps the table of the checkpoint.
Status keepTiedHead(ModelState& state, const Files& files, const LoadOptions& options) {
  const auto* embedding = state.tree.find(model::kEmbedTokens);
  if (!embedding || !state.tree.moduleOf(*embedding).saved || state.parameters.find(model::kLmHead)) return {};
  ROADTUNE_TRY(auto value, readBase(files, *embedding, options));
  const auto stored = value.scalar_type();
  const auto own = ownType(state.tree.moduleOf(*embedding));
  const auto type = own ? own : options.frozenType;
  state.parameters.add({std::string(model::kLmHead), type ? value.to(*type) : value, false, stored, own});
  return {};
}

bool takesFourBit(const model::Module& module, const model::Tensor& tensor, const LoadOptions& options) {
  const bool linear = module.kind == model::ModuleKind::Linear && module.path != "lm_head" && !module.saved;
  return options.quantiseAll && linear && endsWith(tensor.name, ".weight") &&
         (options.quantisedSet == model::QuantizedSet::HuggingFace || module.part == model::Part::Text);
}

// Constants that other programs keep are no weights, and neither are the parts of one in 4 bits.
std::vector<std::string> unusedOf(const ModelState& state, const Files& files) {
  std::set<std::string> known{std::string(model::kLmHead), std::string(model::kEmbedTokens)};
  for (const auto& tensor : state.tree.tensors) known.insert(tensor.name);
  std::vector<std::string> unused;
  for (const auto& view : files->tensors()) {
    const auto canonical = model::canonicalName(view.name);
    const bool part = view.name.find(".weight.") != std::string::npos;
    const bool constant = view.name.ends_with("position_ids") || view.name.ends_with("inv_freq");
    if (!part && !constant && !(canonical && known.contains(*canonical))) unused.push_back(view.name);
  }
  return unused;
}

Status readWeights(ModelState& state, const Files& files, const LoadOptions& options) {
  for (const auto& view : files->tensors())
    if (auto canonical = model::canonicalName(view.name)) state.diskNames.emplace(*canonical, view.name);
  if (const auto head = state.diskNames.find(std::string(model::kLmHead)); head != state.diskNames.end())
    state.diskNames.emplace(std::string(model::kEmbedTokens), head->second);
  std::int64_t number = 0;
  for (const auto& tensor : state.tree.tensors) {
    if (options.read && !options.read(number++, static_cast<std::int64_t>(state.tree.tensors.size())))
      return cancelled();
    if (tensor.role != model::TensorRole::Base) continue;
    const auto& module = state.tree.moduleOf(tensor);
    if (const auto* view = files->find(tensor.name); view && isStoredNf4(*files, *view)) {
      ROADTUNE_TRY(auto packed, readStoredNf4(*files, *view, tensor.shape, options.folder.string()));
      if (module.saved && !options.adapter.empty()) {  // the adapter holds a whole one
        const auto type = packed->storedType;
        state.parameters.add({tensor.name, packed->dequantise(type), false, type});
        continue;
      }
      state.quantised[tensor.name] = std::move(packed);
      state.parameters.add({tensor.name, {}, false, at::kFloat});
      continue;
    }
    ROADTUNE_TRY(auto value, readBase(files, tensor, options));
    // A checkpoint in 4 bits is so where it says; else the tree does.
    const bool nf4 = (tensor.nf4 && !state.tree.config.quantization) || takesFourBit(module, tensor, options);
    Parameter parameter{tensor.name, {}, tensor.trainable && !nf4, value.scalar_type(), ownType(module)};
    const auto kept = parameter.computeType ? parameter.computeType : options.frozenType;
    const auto type = parameter.trainable ? options.trainableType : kept;
    if (nf4) {
      state.quantised[tensor.name] = std::make_shared<Nf4Weight>(Nf4Weight::quantise(
          options.quantiseFrom ? value.to(*options.quantiseFrom) : value, state.tree.method.doubleQuant));
      value = at::Tensor();
    }
    if (value.defined()) parameter.value = type ? value.to(*type) : value;
    state.parameters.add(std::move(parameter));
  }
  return keepTiedHead(state, files, options);
}

Result<std::unique_ptr<ModelState>> load(const LoadOptions& options) {
  ROADTUNE_TRY(auto config, model::PaliGemmaConfig::fromFolder(options.folder));
  auto state = std::make_unique<ModelState>();
  ROADTUNE_TRY(state->tree, model::buildModuleTree(config, options.method));
  ROADTUNE_TRY(auto opened, model::WeightFiles::open(options.folder));
  const auto files = std::make_shared<const model::WeightFiles>(std::move(opened));
  state->layout = files->layout();
  ROADTUNE_CHECK(readWeights(*state, files, options));
  state->unused = unusedOf(*state, files);
  state->network = std::make_unique<PaliGemma>(config, state->parameters);
  for (const auto& [path, linear] : state->network->linears()) {
    const auto packed = state->quantised.find(path + ".weight");
    if (packed == state->quantised.end()) continue;
    linear->quantise(packed->second);
    state->parameters.remove(packed->first);
  }
  for (const auto& module : state->tree.modules)
    if (auto* linear = state->network->linear(module.path); linear && module.dtype) linear->computeIn(*ownType(module));
  ROADTUNE_CHECK(attachAdapters(*state, options.seed));
  if (!options.adapter.empty()) ROADTUNE_CHECK(readAdapterWeights(*state, options.adapter));
  return state;
}

}  // namespace

at::ScalarType ModelState::storedType() const {
  const auto* embedding = parameters.find(model::kEmbedTokens);
  return embedding ? embedding->storedType : at::kFloat;
}

Result<std::unique_ptr<ModelState>> loadModel(const LoadOptions& options) {
  return guarded(options.folder.string(), [&] { return load(options); });
}

void chooseThreads(std::int64_t parameters, int ranksOnThisMachine) {
  if (std::getenv("OMP_NUM_THREADS")) return;
  const auto cores =
      std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / std::max(1, ranksOnThisMachine));
  const auto useful = static_cast<int>(std::min<std::int64_t>(1 + parameters / 8'000'000, cores));
  at::set_num_threads(useful);
}

}  // namespace roadtune::engine
