// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/checkpoint/weights_writer.h"
#include "core/engine/nn/guarded.h"
#include "core/engine/nn/model_state.h"
#include "core/engine/nn/tell_tensors.h"
#include "core/engine/nn/tensor_bytes.h"
#include "core/engine/quantize.h"

namespace roadtune::engine {
namespace {

Result<LoadOptions> quantizeOptions(const QuantizeRequest& request) {
  LoadOptions options;
  options.folder = request.model;
  options.method.type = model::FinetuningType::Full;
  options.method.doubleQuant = request.doubleQuant;
  options.quantiseAll = true;
  if (request.scope == "language_model")
    options.quantisedSet = model::QuantizedSet::TextOnly;
  else if (request.scope != "hf")
    return badInput("unknown scope '" + request.scope + "'", "--scope", "use hf or language_model");
  if (request.dtype == "auto") return options;
  const auto dtype = model::dtypeFromTorch(request.dtype);
  const auto type = dtype ? scalarType(*dtype) : std::nullopt;
  if (!type || !model::isFloating(*dtype))
    return badInput("unknown type '" + request.dtype + "'", "--dtype", "use auto, float32 or bfloat16");
  options.quantiseFrom = options.frozenType = options.trainableType = type;
  return options;
}

Result<std::int64_t> quantizeUnguarded(const QuantizeRequest& request, ProgressSink& progress) {
  ROADTUNE_CHECK(requireNewFolder(request.out));
  ROADTUNE_TRY(auto options, quantizeOptions(request));
  options.read = [&progress](auto done, auto of) { return tellTensors(progress, "quantizing", done, of); };
  ROADTUNE_TRY(const auto state, loadModel(options));
  if (options.frozenType)
    for (const auto& parameter : state->parameters.all()) parameter->storedType = *options.frozenType;
  ROADTUNE_CHECK(writeNewModel(*state, request.out, request.model, request.maxShardBytes, progress));
  return static_cast<std::int64_t>(state->quantised.size());
}

}  // namespace

Result<std::int64_t> quantize(const QuantizeRequest& request, ProgressSink& progress) {
  return guarded("quantize", [&] { return quantizeUnguarded(request, progress); });
}

}  // namespace roadtune::engine
