// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/lora/attach.h"

#include "core/base/hash.h"
#include "core/engine/lora/adapter.h"
#include "core/engine/lora/first_values.h"
#include "core/engine/nn/model_state.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/tensor_bytes.h"
#include "core/model/safetensors.h"

#include <set>

namespace roadtune::engine {
namespace {

using model::TensorRole;

at::Tensor freshValue(const ModelState& state, const model::Tensor& tensor, const LoraAdapter& adapter,
                      std::uint64_t seed) {
  const auto& module = state.tree.moduleOf(tensor);
  if (tensor.role == TensorRole::Magnitude)
    return (state.network->linear(module.path)->denseWeight(at::kFloat).detach() + adapter.delta())
        .norm(2, {1})
        .contiguous();
  return firstValue(tensor, module, state.tree.method.init, seed);
}

Parameter*& slotOf(LoraAdapter& adapter, TensorRole role) {
  switch (role) {
    case TensorRole::LoraA: return adapter.a;
    case TensorRole::LoraB: return adapter.b;
    case TensorRole::LoraBBias: return adapter.bBias;
    default: return adapter.magnitude;
  }
}

Result<LoraAdapter*> adapterFor(ModelState& state, const model::Module& module) {
  auto* linear = state.network->linear(module.path);
  if (!linear || !module.lora)
    return badInput("an adapter on " + module.path + " is not supported", "target_modules",
                    "adapters go on linear layers; list embeddings under modules_to_save");
  if (!linear->adapter()) {
    auto adapter = std::make_shared<LoraAdapter>();
    adapter->scale = module.lora->scale;
    adapter->dropout = module.lora->dropout;
    adapter->moduleSeed = hash64(module.path);
    linear->attach(std::move(adapter));
  }
  return linear->adapter();
}

}  // namespace

Status attachAdapters(ModelState& state, std::uint64_t seed) {
  const c10::NoGradGuard noGrad;
  const auto stored = state.tree.method.adapterDtype32 ? at::kFloat : state.storedType();
  const auto attach = [&](bool magnitudes) -> Status {
    for (const auto& tensor : state.tree.tensors) {
      if (tensor.role == TensorRole::Base || (tensor.role == TensorRole::Magnitude) != magnitudes) continue;
      const auto& module = state.tree.moduleOf(tensor);
      ROADTUNE_TRY(auto* adapter, adapterFor(state, module));
      const auto value = freshValue(state, tensor, *adapter, seed);
      slotOf(*adapter, tensor.role) = &state.parameters.add({tensor.name, value, tensor.trainable, stored});
    }
    return {};
  };
  ROADTUNE_CHECK(attach(false));
  return attach(true);
}

Status readAdapterWeights(ModelState& state, const std::filesystem::path& folder) {
  const c10::NoGradGuard noGrad;
  const auto path = folder / "adapter_model.safetensors";
  ROADTUNE_TRY(auto file, model::SafetensorsFile::open(path));
  std::set<std::string> seen;
  std::vector<std::string> names;
  for (const auto& view : file->tensors()) {
    names.push_back(view.name);
    if (model::isOriginalCopy(view.name)) continue;
    const auto canonical = model::canonicalAdapterName(view.name);
    if (canonical && seen.contains(*canonical)) continue;  // peft may store a trained copy's bias twice
    auto* parameter = canonical ? state.parameters.find(*canonical) : nullptr;
    if (!parameter && canonical == model::kLmHead && state.parameters.find(model::kEmbedTokens)) continue;  // tied
    if (!parameter)
      return badInput("tensor " + view.name + " belongs to no adapter that adapter_config.json describes",
                      path.string());
    if (parameter->value.sizes().vec() != view.shape)
      return badInput("tensor " + view.name + " has another shape than adapter_config.json asks for", path.string());
    parameter->value = tensorFrom(view, parameter->value.scalar_type()).requires_grad_(parameter->trainable);
    // What is kept in float32 is also written so, whatever it was.
    if (parameter->storedType != at::kFloat) parameter->storedType = scalarType(view.dtype).value_or(at::kFloat);
    state.diskNames[*canonical] = view.name;
    seen.insert(*canonical);
  }
  for (const auto& tensor : state.tree.tensors)
    if (tensor.role != TensorRole::Base && !seen.contains(tensor.name))
      return badInput("adapter tensor " + tensor.name + " is missing", path.string(),
                      "the adapter was made for another target_modules or another model");
  state.adapterLayout = model::detectAdapterLayout(names);
  return {};
}

}  // namespace roadtune::engine
