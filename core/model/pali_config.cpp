// SPDX-License-Identifier: GPL-3.0-or-later
// config.json holds only what differs from the defaults of the class that wrote it, so the defaults live here.
#include "core/model/pali_config.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/model/json_fields.h"

#include <fmt/format.h>

#include <cmath>

namespace roadtune::model {
namespace {

using Json = nlohmann::json;

constexpr int kLargestWidth = 1 << 20;

// A sub-configuration that is missing altogether is PaliGemma's own, not the bare class's.
VisionConfig paliVision() {
  VisionConfig vision;
  vision.hidden = 1152;
  vision.intermediate = 4096;
  vision.layers = 27;
  vision.heads = 16;
  vision.patchSize = kPatchSize;
  return vision;
}

TextConfig paliText() {
  TextConfig text;
  text.vocab = 257152;
  text.hidden = 2048;
  text.intermediate = 16384;
  text.layers = 18;
  text.heads = 8;
  text.kvHeads = 1;
  return text;
}

TextConfig gemma2Defaults() {
  TextConfig text;
  text.hidden = 2304;
  text.intermediate = 9216;
  text.layers = 26;
  text.heads = 8;
  text.kvHeads = 4;
  text.queryPreAttnScalar = 256;
  text.attentionSoftcap = 50.0;
  text.finalSoftcap = 30.0;
  text.slidingWindow = 4096;
  return text;
}

// The reference's names; several mean the same.
void readActivation(JsonFields& fields, const char* name, Activation& activation) {
  static constexpr std::pair<const char*, Activation> kKnown[] = {{"gelu_pytorch_tanh", Activation::GeluTanh},
                                                                  {"gelu_new", Activation::GeluTanh},
                                                                  {"gelu_fast", Activation::GeluTanh},
                                                                  {"gelu_python_tanh", Activation::GeluTanh},
                                                                  {"gelu_accurate", Activation::GeluTanh},
                                                                  {"gelu", Activation::Gelu},
                                                                  {"gelu_python", Activation::Gelu},
                                                                  {"quick_gelu", Activation::QuickGelu},
                                                                  {"relu", Activation::Relu},
                                                                  {"silu", Activation::Silu},
                                                                  {"swish", Activation::Silu}};
  std::string word = "gelu_pytorch_tanh";
  fields.read({name}, word);
  for (const auto& [known, value] : kKnown)
    if (word == known) {
      activation = value;
      return;
    }
  fields.complain(name, "'" + word + "' is not supported");
}

Result<VisionConfig> readVision(const Json& json, const std::string& where) {
  VisionConfig vision;
  JsonFields fields(json, where + ": vision_config");
  fields.read({"hidden_size"}, vision.hidden, 1, kLargestWidth);
  fields.read({"intermediate_size"}, vision.intermediate, 1, kLargestWidth);
  fields.read({"num_hidden_layers"}, vision.layers, 1, 10000);
  fields.read({"num_attention_heads"}, vision.heads, 1, 10000);
  fields.read({"num_channels"}, vision.channels, 1, 64);
  fields.read({"image_size"}, vision.imageSize, 1, 1 << 14);
  fields.read({"patch_size"}, vision.patchSize, 1, 1 << 14);
  fields.read({"layer_norm_eps"}, vision.layerNormEps, 0, 1);
  fields.read({"attention_dropout"}, vision.attentionDropout, 0, 1);
  readActivation(fields, "hidden_act", vision.activation);
  ROADTUNE_CHECK(fields.status());
  if (vision.hidden % vision.heads != 0)
    return badInput("hidden_size is not a multiple of num_attention_heads", where + ": vision_config");
  if (vision.imageSize < vision.patchSize)
    return badInput("image_size is smaller than patch_size", where + ": vision_config");
  return vision;
}

// A cap that is absent keeps its default; one written as null is off.
void readCap(JsonFields& fields, const char* name, std::optional<double>& cap) {
  if (fields.hasNull(name)) {
    cap.reset();
    return;
  }
  double value = cap.value_or(0);
  fields.read({name}, value, 0, 1e9);
  if (fields.find({name})) cap = value > 0 ? std::optional<double>(value) : std::nullopt;
}

void readSlidingLayers(JsonFields& fields, TextConfig& text) {
  text.slidingLayers.assign(static_cast<std::size_t>(text.layers), false);
  if (const Json* types = fields.find({"layer_types"}); types && types->is_array()) {
    if (types->size() != text.slidingLayers.size())
      return fields.complain("layer_types", fmt::format("has {} entries for {} layers", types->size(), text.layers));
    for (std::size_t i = 0; i < types->size(); ++i) text.slidingLayers[i] = (*types)[i] == "sliding_attention";
    return;
  }
  for (std::size_t i = 0; i < text.slidingLayers.size(); i += 2) text.slidingLayers[i] = true;
}

void readGemma2(JsonFields& fields, TextConfig& text) {
  fields.read({"query_pre_attn_scalar"}, text.queryPreAttnScalar, 1e-6, 1e9);
  readActivation(fields, "hidden_activation", text.activation);
  readCap(fields, "attn_logit_softcapping", text.attentionSoftcap);
  if (fields.hasNull("sliding_window")) text.slidingWindow = 0;
  fields.read({"sliding_window"}, text.slidingWindow, 1, 1 << 30);
  readSlidingLayers(fields, text);
}

Result<TextConfig> readText(const Json& json, Family family, const std::string& where) {
  TextConfig text = family == Family::PaliGemma2 ? gemma2Defaults() : TextConfig();
  JsonFields fields(json, where + ": text_config");
  fields.read({"vocab_size"}, text.vocab, 1, std::int64_t{1} << 31);
  fields.read({"hidden_size"}, text.hidden, 1, kLargestWidth);
  fields.read({"intermediate_size"}, text.intermediate, 1, kLargestWidth);
  fields.read({"num_hidden_layers"}, text.layers, 1, 10000);
  fields.read({"num_attention_heads"}, text.heads, 1, 10000);
  fields.read({"num_key_value_heads"}, text.kvHeads, 1, 10000);
  fields.read({"head_dim"}, text.headDim, 2, kLargestWidth);
  fields.read({"rms_norm_eps"}, text.rmsNormEps, 0, 1);
  fields.read({"attention_dropout"}, text.attentionDropout, 0, 1);
  fields.read({"attention_bias"}, text.attentionBias);
  fields.read({"max_position_embeddings"}, text.maxPositions, 1, 1 << 30);
  fields.read({"rope_theta"}, text.ropeTheta, 1, 1e12);
  if (const Json* rope = fields.find({"rope_parameters"})) {
    JsonFields inner(*rope, where + ": text_config.rope_parameters");
    inner.read({"rope_theta"}, text.ropeTheta, 1, 1e12);
    std::string type = "default";
    inner.read({"rope_type", "type"}, type);
    if (type != "default") inner.complain("rope_type", "'" + type + "' is not supported (only 'default')");
    ROADTUNE_CHECK(inner.status());
  }
  readCap(fields, "final_logit_softcapping", text.finalSoftcap);  // the reference caps whatever the text model
  text.slidingLayers.assign(static_cast<std::size_t>(text.layers), false);
  if (family == Family::PaliGemma2) {
    readGemma2(fields, text);
  } else {
    readActivation(fields, "hidden_act", text.activation);
    // Early releases wrote "gelu" and meant the approximation.
    if (text.activation == Activation::Gelu) text.activation = Activation::GeluTanh;
  }
  if (text.heads % text.kvHeads != 0)
    fields.complain("num_attention_heads", "is not a multiple of num_key_value_heads");
  if (text.headDim % 2 != 0) fields.complain("head_dim", "must be even");
  ROADTUNE_CHECK(fields.status());
  return text;
}

Result<Family> familyOf(const Json& text, const std::string& where) {
  std::string type = "gemma";
  JsonFields fields(text, where + ": text_config");
  fields.read({"model_type"}, type);
  ROADTUNE_CHECK(fields.status());
  if (type == "gemma") return Family::PaliGemma1;
  if (type == "gemma2") return Family::PaliGemma2;
  return badInput(fmt::format("text model '{}' is not supported", type), where + ": text_config",
                  "PaliGemma has gemma, PaliGemma 2 has gemma2");
}

Result<std::optional<StoredQuantization>> readQuantization(const Json* json, const std::string& where) {
  if (!json) return std::optional<StoredQuantization>();
  JsonFields fields(*json, where + ": quantization_config");
  const auto wrong = [](Error error) {
    error.hint = "restore config.json as the model was published, or remove the key";
    return error;
  };
  if (!json->is_object())
    return wrong(badInput(fmt::format("quantization_config must be an object, not {}", json->type_name()), where));
  bool inFourBits = false;
  StoredQuantization stored;
  stored.type = "fp4";
  stored.computeDtype = "float32";
  fields.read({"load_in_4bit"}, inFourBits);
  fields.read({"bnb_4bit_quant_type"}, stored.type);
  fields.read({"bnb_4bit_use_double_quant"}, stored.doubleQuantized);
  fields.read({"bnb_4bit_compute_dtype"}, stored.computeDtype);
  const Json* skip = fields.find({"llm_int8_skip_modules"});
  if (skip && !skip->is_array()) fields.mismatch("llm_int8_skip_modules", "a list of names", *skip);
  if (skip && skip->is_array())
    for (const Json& name : *skip)
      name.is_string() ? stored.skip.push_back(name.get<std::string>())
                       : fields.mismatch("llm_int8_skip_modules", "a list of names", *skip);
  if (const Status read = fields.status(); !read.ok()) return wrong(read.error());
  return inFourBits ? std::optional(std::move(stored)) : std::nullopt;
}

std::string nameOfModel(const PaliGemmaConfig& config) {
  struct Known {
    Family family;
    int hidden, layers;
    const char* size;
  };
  static constexpr Known kKnown[] = {{Family::PaliGemma1, 2048, 18, "3B"},
                                     {Family::PaliGemma2, 2304, 26, "3B"},
                                     {Family::PaliGemma2, 3584, 42, "10B"},
                                     {Family::PaliGemma2, 4608, 46, "28B"}};
  const char* family = config.family == Family::PaliGemma1 ? "PaliGemma" : "PaliGemma 2";
  for (const Known& known : kKnown)
    if (known.family == config.family && known.hidden == config.text.hidden && known.layers == config.text.layers)
      return fmt::format("{} {} {}", family, known.size, config.vision.imageSize);
  return fmt::format("{} (custom) {}", family, config.vision.imageSize);
}

Result<Dtype> readDtype(JsonFields& top, const Json& text, const std::string& where) {
  JsonFields inner(text, where);
  const Json* word = top.find({"dtype", "torch_dtype"});
  if (!word) word = inner.find({"dtype", "torch_dtype"});
  if (!word) return Dtype::F32;
  const auto dtype = word->is_string() ? dtypeFromTorch(word->get<std::string>()) : std::nullopt;
  if (!dtype || !isFloating(*dtype))
    return badInput(
        "dtype names no floating type: " + (word->is_string() ? word->get<std::string>() : word->type_name()), where);
  return *dtype;
}

// eos_token_id may be a list; the first one ends a suffix.
void readTokenId(JsonFields& fields, const char* name, std::int64_t& id) {
  const Json* found = fields.find({name});
  if (found && found->is_array() && !found->empty() && found->front().is_number_integer())
    id = found->front().get<std::int64_t>();
  else
    fields.read({name}, id, -1, std::int64_t{1} << 31);
}

Result<PaliGemmaConfig> readAll(const Json& json, const std::string& where) {
  JsonFields top(json, where);
  std::string type = "paligemma";
  top.read({"model_type"}, type);
  ROADTUNE_CHECK(top.status());
  if (type != "paligemma")
    return badInput(fmt::format("model_type is '{}'", type), where, "Roadtune trains paligemma models");

  PaliGemmaConfig config;
  const Json nothing = Json::object();
  const Json* vision = top.find({"vision_config"});
  const Json* text = top.find({"text_config"});
  config.vision = paliVision();
  config.text = paliText();
  if (vision) {
    ROADTUNE_TRY(config.vision, readVision(*vision, where));
  }
  if (text) {
    ROADTUNE_TRY(config.family, familyOf(*text, where));
    ROADTUNE_TRY(config.text, readText(*text, config.family, where));
  }
  if (!text) config.text.slidingLayers.assign(static_cast<std::size_t>(config.text.layers), false);

  const Json& ids = text ? *text : nothing;
  JsonFields inner(ids, where + ": text_config");
  for (JsonFields* fields : {&inner, &top}) {
    readTokenId(*fields, "pad_token_id", config.padTokenId);
    readTokenId(*fields, "bos_token_id", config.bosTokenId);
    readTokenId(*fields, "eos_token_id", config.eosTokenId);
  }
  config.imageTokenId = 256000;  // the class default; checkpoints write their own
  top.read({"image_token_index", "image_token_id"}, config.imageTokenId, 0, std::int64_t{1} << 31);
  config.projectionDim = config.text.hidden;
  top.read({"projection_dim"}, config.projectionDim, 1, kLargestWidth);
  if (const Json* inVision = vision ? JsonFields(*vision, where).find({"projection_dim"}) : nullptr)
    if (!top.find({"projection_dim"}) && inVision->is_number_integer()) config.projectionDim = inVision->get<int>();
  inner.read({"tie_word_embeddings"}, config.tieWordEmbeddings);
  top.read({"tie_word_embeddings"}, config.tieWordEmbeddings);
  ROADTUNE_TRY(config.dtype, readDtype(top, ids, where));
  ROADTUNE_TRY(config.quantization, readQuantization(top.find({"quantization_config"}), where));
  ROADTUNE_CHECK(top.status());
  ROADTUNE_CHECK(inner.status());
  if (config.projectionDim != config.text.hidden)
    return badInput(fmt::format("projection_dim {} differs from the text model's hidden_size {}", config.projectionDim,
                                config.text.hidden),
                    where);
  config.name = nameOfModel(config);
  return config;
}

}  // namespace

double TextConfig::queryScale() const {
  return 1.0 / std::sqrt(queryPreAttnScalar > 0 ? queryPreAttnScalar : static_cast<double>(headDim));
}

Result<PaliGemmaConfig> PaliGemmaConfig::fromText(const std::string& json, const std::string& where) {
  const Json parsed = Json::parse(json, nullptr, false);
  if (parsed.is_discarded() || !parsed.is_object()) return badInput("not a JSON object", where);
  return readAll(parsed, where);
}

Result<PaliGemmaConfig> PaliGemmaConfig::fromFolder(const std::filesystem::path& folder) {
  const auto path = folder / "config.json";
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    return badInput("no config.json here", folder.string(), "point at a model folder in the Hugging Face layout");
  ROADTUNE_TRY(const std::string text, readFile(path));
  return fromText(text, path.string());
}

}  // namespace roadtune::model
