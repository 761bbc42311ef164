// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/checkpoint/weights_writer.h"

#include "core/base/text.h"
#include "core/engine/checkpoint/adapter_config.h"
#include "core/engine/nn/tensor_bytes.h"
#include "core/model/safetensors_writer.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace roadtune::engine {
namespace {

constexpr std::array kTokenizerFiles{"tokenizer.json",          "tokenizer.model",    "tokenizer_config.json",
                                     "special_tokens_map.json", "added_tokens.json",  "preprocessor_config.json",
                                     "processor_config.json",   "chat_template.jinja"};
constexpr std::array kModelFiles{"config.json", "generation_config.json"};

Status copyFile(const fs::path& from, const fs::path& to) {
  std::error_code code;
  if (!fs::exists(from, code)) return {};
  ROADTUNE_TRY(const auto content, readFile(from));
  return writeFileAtomically(to, content);
}

template <class Names>
Status copyAll(const Names& names, const fs::path& from, const fs::path& to) {
  for (const char* name : names) ROADTUNE_CHECK(copyFile(from / name, to / name));
  return {};
}

model::AdapterLayout adapterLayout(const ModelState& state, const std::string& asked) {
  if (asked == "A") return model::AdapterLayout::A;
  if (asked == "B") return model::AdapterLayout::B;
  if (asked == "C") return model::AdapterLayout::C;
  return state.adapterLayout.value_or(model::AdapterLayout::C);
}

// What belongs into the adapter's file: adapters, and base tensors trained beside them.
std::vector<const Parameter*> adapterTensors(const ModelState& state) {
  std::vector<const Parameter*> result;
  for (const auto& tensor : state.tree.tensors) {
    const auto* parameter = state.parameters.find(tensor.name);
    if (parameter && (tensor.role != model::TensorRole::Base || parameter->trainable)) result.push_back(parameter);
  }
  return result;
}

}  // namespace

Status writeModel(const ModelState& state, const fs::path& folder, const WeightsWriting& options) {
  std::vector<model::TensorPlan> plan;
  std::vector<const Parameter*> parameters;
  for (const auto& tensor : state.tree.tensors) {
    const auto* parameter = state.parameters.find(tensor.name);
    if (tensor.role != model::TensorRole::Base || !parameter) continue;
    const auto onDisk = state.diskNames.find(tensor.name);
    plan.push_back({onDisk != state.diskNames.end() ? onDisk->second : model::nameIn(state.layout, tensor.name),
                    dtypeOf(parameter->storedType), tensor.shape});
    parameters.push_back(parameter);
  }
  if (!options.writes) {
    for (const auto* parameter : parameters) options.valueOf(*parameter);
    return {};
  }
  auto writer = model::ShardedWriter::create(folder, plan, options.maxShardBytes);
  Status status = writer.ok() ? Status() : Status(writer.error());
  for (std::size_t i = 0; i < plan.size(); ++i) {  // to the end even after a failure: other ranks take part in it
    if (!status.ok() && !options.whole) return status;
    const auto bytes = plain(options.valueOf(*parameters[i]), parameters[i]->storedType);
    if (status.ok()) status = writer.value().write(plan[i].name, bytesOf(bytes));
  }
  ROADTUNE_CHECK(status);
  ROADTUNE_CHECK(writer.value().finish());
  ROADTUNE_CHECK(copyAll(kModelFiles, options.base, folder));
  return copyAll(kTokenizerFiles, options.base, folder);
}

Status writeAdapter(const ModelState& state, const fs::path& folder, const WeightsWriting& options) {
  const auto layout = adapterLayout(state, options.adapterLayout);
  std::vector<at::Tensor> kept;
  std::vector<model::TensorView> views;
  for (const auto* parameter : adapterTensors(state)) {
    kept.push_back(plain(options.valueOf(*parameter), parameter->storedType));
    views.push_back({model::adapterName(layout, parameter->name), dtypeOf(parameter->storedType),
                     kept.back().sizes().vec(), bytesOf(kept.back())});
  }
  if (!options.writes) return {};
  ROADTUNE_CHECK(model::writeSafetensors(folder / "adapter_model.safetensors", views));
  ROADTUNE_CHECK(
      writeFileAtomically(folder / "adapter_config.json", adapterConfigText(state.tree, options.base.string())));
  return copyAll(kTokenizerFiles, options.base, folder);
}

}  // namespace roadtune::engine
