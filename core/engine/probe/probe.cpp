// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/probe.h"

#include "core/engine/attention/attention.h"
#include "core/engine/loader/pack.h"
#include "core/engine/nn/device.h"
#include "core/engine/nn/guarded.h"
#include "core/engine/nn/model_state.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/packed_rows.h"
#include "core/engine/nn/placement.h"
#include "core/engine/nn/tensor_bytes.h"
#include "core/model/adapter_config.h"
#include "core/model/safetensors.h"
#include "core/model/safetensors_writer.h"

#include <limits>

namespace roadtune::engine {
namespace {

struct Outputs {
  std::vector<std::pair<std::string, at::Tensor>> tensors;

  void add(std::string name, const at::Tensor& tensor) {
    tensors.emplace_back(std::move(name), plain(tensor, at::kFloat));
  }
};

Result<Batch> readBatch(const std::filesystem::path& path) {
  ROADTUNE_TRY(auto file, model::SafetensorsFile::open(path));
  Batch batch;
  const auto take = [&](const char* name, at::ScalarType type, std::size_t dimensions, at::Tensor& into) -> Status {
    const auto* view = file->find(name);
    if (!view) return {};
    if (view->shape.size() != dimensions)
      return badInput(std::string(name) + " has the wrong number of dimensions", path.string());
    into = tensorFrom(*view, type);
    if (dimensions == 2 && batch.inputIds.defined() && into.sizes() != batch.inputIds.sizes())
      return badInput(std::string(name) + " has another shape than input_ids", path.string());
    return {};
  };
  ROADTUNE_CHECK(take("input_ids", at::kLong, 2, batch.inputIds));
  if (!batch.inputIds.defined())
    return badInput("no tensor input_ids", path.string(), "make one with `roadtune encode`");
  ROADTUNE_CHECK(take("attention_mask", at::kLong, 2, batch.attentionMask));
  ROADTUNE_CHECK(take("token_type_ids", at::kLong, 2, batch.tokenTypeIds));
  ROADTUNE_CHECK(take("labels", at::kLong, 2, batch.labels));
  ROADTUNE_CHECK(take("pixel_values", at::kFloat, 4, batch.pixelValues));
  return batch;
}

// What would fail deep inside, said in the user's words.
Status checkBatch(const Batch& batch, const model::PaliGemmaConfig& config, const std::string& where) {
  const auto vocabulary = config.text.vocab;
  const auto expected = batch.pixelValues.defined() ? batch.pixelValues.size(0) * config.imageTokens() : 0;
  const auto isImage = batch.inputIds.eq(config.imageTokenId);
  const auto places = isImage.sum().item<std::int64_t>();
  if (places != expected)
    return badInput(std::to_string(places) + " image tokens in input_ids, but the images have " +
                        std::to_string(expected) + " features",
                    where);
  const auto text = batch.inputIds.masked_fill(isImage, 0);
  if (text.numel() > 0 && (text.min().item<std::int64_t>() < 0 || text.max().item<std::int64_t>() >= vocabulary))
    return badInput("input_ids outside the vocabulary of " + std::to_string(vocabulary), where);
  if (batch.pixelValues.defined() &&
      (batch.pixelValues.size(1) != config.vision.channels || batch.pixelValues.size(2) != config.vision.imageSize ||
       batch.pixelValues.size(3) != config.vision.imageSize))
    return badInput("pixel_values are not " + std::to_string(config.vision.imageSize) + " pixels square", where);
  if (batch.labels.defined() && batch.labels.max().item<std::int64_t>() >= vocabulary)
    return badInput("labels outside the vocabulary of " + std::to_string(vocabulary), where);
  return {};
}

Result<LoadOptions> loadOptions(const ProbeRequest& request) {
  LoadOptions options;
  options.folder = request.model;
  options.method.type = model::FinetuningType::Full;
  if (!request.adapter.empty()) {
    ROADTUNE_TRY(options.method, model::readAdapterConfig(request.adapter));
    options.adapter = request.adapter;
  }
  if (!request.quantize.empty() && request.quantize != "nf4" && request.quantize != "nf4-dq")
    return badInput("unknown quantisation '" + request.quantize + "'", "--quantize", "use nf4 or nf4-dq");
  options.quantiseAll = !request.quantize.empty();
  options.method.doubleQuant = request.quantize == "nf4-dq";
  if (request.dtype == "float32")
    options.frozenType = options.trainableType = options.quantiseFrom = at::kFloat;
  else if (request.dtype == "bfloat16")
    options.frozenType = options.trainableType = options.quantiseFrom = at::kBFloat16;
  else if (request.dtype != "auto")
    return badInput("unknown type '" + request.dtype + "'", "--dtype", "use auto, float32 or bfloat16");
  return options;
}

void backward(const ModelState& state, const at::Tensor& loss, Outputs& outputs, ProbeReport& report) {
  if (loss.requires_grad()) loss.backward();
  for (const auto* parameter : state.parameters.trainable()) {
    const auto& gradient = parameter->value.grad();
    const auto found = state.diskNames.find(parameter->name);
    const auto& name = found == state.diskNames.end() ? parameter->name : found->second;
    outputs.add("grad." + name, gradient.defined() ? gradient : at::zeros_like(parameter->value));
    ++report.gradients;
  }
}

ProbeReport run(const ModelState& state, const Batch& batch, const ProbeRequest& request, const ForwardContext& context,
                Outputs& outputs) {
  const c10::AutoGradMode graph(request.gradients);
  ProbeReport report;
  report.loss = std::numeric_limits<double>::quiet_NaN();
  const auto hidden = state.network->hidden(batch, context);
  if (request.logits) {
    const c10::NoGradGuard noGrad;
    const PackedRows packed{batch.places, batch.inputIds.size(0), batch.inputIds.size(1)};
    outputs.add("logits", state.network->logits(batch.places.defined() ? packed.spread(hidden) : hidden, context));
  }
  auto loss = at::full({}, report.loss, at::TensorOptions().dtype(at::kFloat));
  if (batch.labels.defined()) {
    const auto rows = labelRows(batch.labels, batch.places, batch.asked.rows);
    report.targets = rows.count();
    if (rows.count() > 0) {
      const auto weights = context.numerics.perExampleLoss
                               ? perExampleWeights(rows, batch.labels.size(0))
                               : at::full({rows.count()}, 1.0 / static_cast<double>(rows.count()),
                                          at::TensorOptions().dtype(at::kFloat).device(rows.positions.device()));
      loss = state.network->loss(hidden, rows, context, weights).loss;
    }
  }
  report.loss = loss.item<double>();
  outputs.add("loss", loss);
  if (request.gradients) backward(state, loss, outputs, report);
  return report;
}

Status write(const Outputs& outputs, const std::filesystem::path& path) {
  std::vector<model::TensorView> views;
  for (const auto& [name, tensor] : outputs.tensors)
    views.push_back({name, model::Dtype::F32, tensor.sizes().vec(), bytesOf(tensor)});
  return model::writeSafetensors(path, views);
}

Result<ProbeReport> probeUnguarded(const ProbeRequest& request) {
  ForwardContext context;
  ROADTUNE_TRY(context.numerics, model::numericsOf(request.profile));
  ROADTUNE_TRY(const auto device, openDevice(request.device));
  ROADTUNE_TRY(auto batch, readBatch(request.batch));
  ROADTUNE_TRY(auto options, loadOptions(request));
  ROADTUNE_TRY(auto state, loadModel(options));
  chooseThreads(state->tree.allParameters(), 1);
  ROADTUNE_CHECK(checkBatch(batch, state->tree.config, request.batch.string()));
  context.type = options.frozenType.value_or(state->storedType());
  if (request.packed)
    takesRows(state->tree.config.text, context.numerics, context.type, device) ? packExamples(batch)
                                                                               : packTokens(batch, 0);
  if (request.packed && !request.logits) askForLabels(batch);
  if (request.checkpointActivations) context.recomputedUnits = kAllUnits;
  placeOn(device, *state);
  Outputs outputs;
  const auto report = run(*state, placed(batch, device, state->tree.config.imageTokenId), request, context, outputs);
  ROADTUNE_CHECK(write(outputs, request.out));
  return report;
}

}  // namespace

Result<ProbeReport> probe(const ProbeRequest& request) {
  return guarded("probe", [&] { return probeUnguarded(request); });
}

}  // namespace roadtune::engine
