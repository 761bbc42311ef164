// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/merge.h"

#include "core/engine/checkpoint/weights_writer.h"
#include "core/engine/lora/adapter.h"
#include "core/engine/nn/guarded.h"
#include "core/engine/nn/model_state.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/tell_tensors.h"
#include "core/model/adapter_config.h"

namespace roadtune::engine {
namespace {

// W + s B A; with DoRA each row scaled to its magnitude.
at::Tensor merged(const Linear& linear) {
  const auto& adapter = *linear.adapter();
  const auto full = linear.denseWeight(at::kFloat) + adapter.delta();
  if (!adapter.magnitude) return full;
  return full * (adapter.magnitude->as(at::kFloat) / full.norm(2, {1})).unsqueeze(1);
}

// A merged model holds plain weights: what was packed is unpacked to the type it was quantised from.
void unpack(ModelState& state, Linear& linear) {
  const auto type = linear.quantised()->storedType;
  auto& weight = state.parameters.add({linear.path() + ".weight", linear.denseWeight(type), false, type});
  linear.restore(&weight);
}

Result<std::int64_t> mergeUnguarded(const MergeRequest& request, ProgressSink& progress) {
  ROADTUNE_CHECK(requireNewFolder(request.out));
  LoadOptions options;
  options.folder = request.model;
  options.adapter = request.adapter;
  options.read = [&progress](auto done, auto of) { return tellTensors(progress, "reading", done, of); };
  ROADTUNE_TRY(options.method, model::readAdapterConfig(request.adapter));
  ROADTUNE_TRY(const auto state, loadModel(options));
  const c10::NoGradGuard noGrad;
  std::int64_t count = 0;
  for (const auto& [path, linear] : state->network->linears()) {
    if (linear->quantised()) unpack(*state, *linear);
    if (!linear->adapter()) continue;
    linear->weight()->value = merged(*linear).to(linear->weight()->storedType);
    if (linear->adapter()->bBias) {
      if (!linear->bias())
        return badInput("lora_bias cannot be merged into " + path + ", which has no bias", request.adapter.string());
      auto* bias = linear->bias();
      bias->value = (bias->as(at::kFloat) + linear->adapter()->bBias->as(at::kFloat) * linear->adapter()->scale)
                        .to(bias->storedType);
    }
    ++count;
    if (!progress.report({.stage = "merging", .done = static_cast<std::uint64_t>(count), .unit = "layers"}))
      return cancelled();
  }
  // Tensors trained beside the adapters were read into the base's place, but are named after the adapter's file.
  for (const auto& tensor : state->tree.tensors)
    if (tensor.role == model::TensorRole::Base && state->diskNames[tensor.name].rfind("base_model.", 0) == 0)
      state->diskNames[tensor.name] = model::nameIn(state->layout, tensor.name);
  ROADTUNE_CHECK(writeNewModel(*state, request.out, request.model, request.maxShardBytes, progress));
  return count;
}

}  // namespace

Result<std::int64_t> merge(const MergeRequest& request, ProgressSink& progress) {
  return guarded("merge", [&] { return mergeUnguarded(request, progress); });
}

}  // namespace roadtune::engine
