// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tiny_model.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/random.h"
#include "core/model/half.h"
#include "core/model/module_tree.h"
#include "core/model/tensor_names.h"
#include "core/model/weight_files.h"
#include "core/text/tiny_tokenizer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace roadtune::model {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::int64_t kRowMultiple = 64;  // embedding rows, as in the real checkpoints

OrderedJson visionJson(const PaliGemmaConfig& config) {
  return {{"attention_dropout", 0.0},
          {"hidden_act", "gelu_pytorch_tanh"},
          {"hidden_size", config.vision.hidden},
          {"image_size", config.vision.imageSize},
          {"intermediate_size", config.vision.intermediate},
          {"layer_norm_eps", config.vision.layerNormEps},
          {"model_type", "siglip_vision_model"},
          {"num_attention_heads", config.vision.heads},
          {"num_channels", config.vision.channels},
          {"num_hidden_layers", config.vision.layers},
          {"num_image_tokens", config.imageTokens()},
          {"patch_size", config.vision.patchSize},
          {"projection_dim", config.projectionDim},
          {"vision_use_head", false}};
}

OrderedJson textJson(const PaliGemmaConfig& config) {
  const TextConfig& text = config.text;
  OrderedJson json = {{"head_dim", text.headDim},
                      {"hidden_activation", "gelu_pytorch_tanh"},
                      {"hidden_size", text.hidden},
                      {"intermediate_size", text.intermediate},
                      {"max_position_embeddings", text.maxPositions},
                      {"model_type", config.family == Family::PaliGemma2 ? "gemma2" : "gemma"},
                      {"num_attention_heads", text.heads},
                      {"num_hidden_layers", text.layers},
                      {"num_image_tokens", config.imageTokens()},
                      {"num_key_value_heads", text.kvHeads},
                      {"rms_norm_eps", text.rmsNormEps},
                      {"rope_theta", text.ropeTheta},
                      {"vocab_size", text.vocab}};
  if (config.family == Family::PaliGemma1) {
    json.erase("hidden_activation");
    json["hidden_act"] = "gelu_pytorch_tanh";
    return json;
  }
  json["attn_logit_softcapping"] = *text.attentionSoftcap;
  json["final_logit_softcapping"] = *text.finalSoftcap;
  json["query_pre_attn_scalar"] = static_cast<int>(text.queryPreAttnScalar);
  json["sliding_window"] = text.slidingWindow;
  return json;
}

OrderedJson configJson(const PaliGemmaConfig& config) {
  return {{"architectures", OrderedJson::array({"PaliGemmaForConditionalGeneration"})},
          {"bos_token_id", config.bosTokenId},
          {"dtype", torchName(config.dtype)},
          {"eos_token_id", config.eosTokenId},
          {"hidden_size", config.text.hidden},
          {"image_token_index", config.imageTokenId},
          {"model_type", "paligemma"},
          {"pad_token_id", config.padTokenId},
          {"projection_dim", config.projectionDim},
          {"text_config", textJson(config)},
          {"tie_word_embeddings", true},
          {"vision_config", visionJson(config)}};
}

OrderedJson preprocessorJson(const PaliGemmaConfig& config) {
  return {{"do_convert_rgb", true},
          {"do_normalize", true},
          {"do_rescale", true},
          {"do_resize", true},
          {"image_mean", {0.5, 0.5, 0.5}},
          {"image_processor_type", "SiglipImageProcessor"},
          {"image_seq_length", config.imageTokens()},
          {"image_std", {0.5, 0.5, 0.5}},
          {"processor_class", "PaliGemmaProcessor"},
          {"resample", 3},
          {"rescale_factor", 1.0 / 255.0},
          {"size", {{"height", config.vision.imageSize}, {"width", config.vision.imageSize}}}};
}

OrderedJson generationJson(const PaliGemmaConfig& config) {
  return {{"_from_model_config", true},
          {"bos_token_id", config.bosTokenId},
          {"eos_token_id", config.eosTokenId},
          {"pad_token_id", config.padTokenId}};
}

// Zero for biases and RMS norms (stored as an offset from one), one for LayerNorm; matrices keep the size of what
// passes through them, embeddings start small so that the first loss is close to log(vocabulary).
std::vector<float> firstValues(const Module& module, const Tensor& tensor, std::uint64_t seed) {
  std::vector<float> values(static_cast<std::size_t>(tensor.elements()), 0.0f);
  const bool bias = tensor.name.ends_with(".bias");
  if (module.kind == ModuleKind::LayerNorm && !bias) values.assign(values.size(), 1.0f);
  if (bias || module.kind == ModuleKind::LayerNorm || module.kind == ModuleKind::RmsNorm) return values;
  double deviation = 0.02;
  if (module.kind == ModuleKind::Linear) deviation = 0.7 / std::sqrt(static_cast<double>(module.in));
  if (module.kind == ModuleKind::Conv2d)
    deviation = 1.0 / std::sqrt(static_cast<double>(tensor.elements()) / static_cast<double>(tensor.shape[0]));
  if (module.kind == ModuleKind::Embedding) deviation = 0.05;
  Random random(hash64(tensor.name, seed));
  for (float& value : values) value = static_cast<float>(deviation * random.normal());
  return values;
}

Status writeWeights(const std::filesystem::path& folder, const PaliGemmaConfig& config, std::uint64_t seed) {
  Method everything;
  everything.type = FinetuningType::Full;
  ROADTUNE_TRY(const ModuleTree tree, buildModuleTree(config, everything));
  std::vector<TensorPlan> plan;
  for (const Tensor& tensor : tree.tensors)
    plan.push_back({nameIn(NameLayout::L0, tensor.name), tensor.dtype, tensor.shape});
  ROADTUNE_TRY(const auto writer, SafetensorsWriter::create(folder / "model.safetensors", plan));
  for (const Tensor& tensor : tree.tensors) {
    const auto bytes = fromFloats(tensor.dtype, firstValues(tree.moduleOf(tensor), tensor, seed));
    ROADTUNE_CHECK(writer->write(nameIn(NameLayout::L0, tensor.name), bytes));
  }
  return writer->finish();
}

}  // namespace

PaliGemmaConfig tinyConfig(const TinyModelOptions& options) {
  PaliGemmaConfig config;
  config.family = options.family;
  config.dtype = Dtype::F32;
  config.vision.hidden = 96;
  config.vision.intermediate = 192;
  config.vision.layers = 3;
  config.vision.heads = 4;
  config.vision.imageSize = options.imageSize;
  config.vision.patchSize = kPatchSize;
  config.text.hidden = config.projectionDim = 128;
  config.text.intermediate = 256;
  config.text.layers = 4;
  config.text.heads = 4;
  config.text.kvHeads = options.family == Family::PaliGemma2 ? 2 : 1;
  config.text.headDim = 32;
  config.text.slidingLayers.assign(4, false);
  if (options.family == Family::PaliGemma2) {
    config.text.queryPreAttnScalar = 32;
    config.text.attentionSoftcap = 50.0;
    config.text.finalSoftcap = 30.0;
    config.text.slidingWindow = 4096;
    config.text.slidingLayers = {true, false, true, false};
  }
  config.name = options.family == Family::PaliGemma2 ? "PaliGemma 2 (tiny)" : "PaliGemma (tiny)";
  return config;
}

Status writeTinyModel(const std::filesystem::path& folder, const TinyModelOptions& options) {
  if (options.imageSize < kPatchSize || options.imageSize > 1792 || options.imageSize % kPatchSize != 0)
    return badInput(fmt::format("{} is not a multiple of {} up to 1792", options.imageSize, kPatchSize), "--image-size",
                    "112, 224 or 448");
  ROADTUNE_CHECK(makeFolders(folder));
  ROADTUNE_TRY(const text::TinyTokenizer tokenizer, text::writeTinyTokenizer(folder));
  PaliGemmaConfig config = tinyConfig(options);
  config.imageTokenId = tokenizer.imageId;
  config.text.vocab = (tokenizer.size + kRowMultiple - 1) / kRowMultiple * kRowMultiple;
  const auto save = [&](const char* name, const OrderedJson& json) {
    return writeFileAtomically(folder / name, json.dump(2) + "\n");
  };
  ROADTUNE_CHECK(save("config.json", configJson(config)));
  ROADTUNE_CHECK(save("generation_config.json", generationJson(config)));
  ROADTUNE_CHECK(save("preprocessor_config.json", preprocessorJson(config)));
  return writeWeights(folder, config, options.seed);
}

}  // namespace roadtune::model
