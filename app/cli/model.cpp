// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/number_checks.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/model/pali_config.h"
#include "core/model/tiny_model.h"
#include "core/model/weight_files.h"
#include "core/text/tokenizer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>

namespace roadtune::cli {
namespace {

using Json = nlohmann::ordered_json;

struct NewTinyOptions {
  std::string out;
  std::string family = "paligemma2";
  int imageSize = 112;
  std::uint64_t seed = 0;
};

// A tiny model may take the place of another; weights that somebody keeps may not be overwritten.
Status checkReplaceable(const std::filesystem::path& folder) {
  constexpr std::uintmax_t kLargestTiny = 16'000'000;  // bytes
  std::error_code code;
  for (std::filesystem::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    const std::string name = at->path().filename().string();
    const bool weights = endsWith(name, ".safetensors") || endsWith(name, ".bin") || endsWith(name, ".index.json");
    const bool ours = name == "model.safetensors" && at->file_size(code) <= kLargestTiny;
    if (weights && !ours)
      return badInput("the folder already holds a model (" + name + ")", folder.string(), "choose another --out");
  }
  return {};
}

Result<int> runNewTiny(const NewTinyOptions& options) {
  ROADTUNE_CHECK(checkReplaceable(options.out));
  model::TinyModelOptions tiny;
  tiny.family = options.family == "paligemma" ? model::Family::PaliGemma1 : model::Family::PaliGemma2;
  tiny.imageSize = options.imageSize;
  tiny.seed = options.seed;
  std::error_code ignored;
  const bool isNew = !fs::exists(options.out, ignored);
  const Status written = model::writeTinyModel(options.out, tiny);
  if (!written.ok() && isNew) fs::remove_all(options.out, ignored);  // half a model is none
  ROADTUNE_CHECK(written);
  fmt::print("{}\n", options.out);
  return static_cast<int>(kExitDone);
}

struct InfoOptions {
  std::string folder;
  bool json = false;
};

// What the weight files hold; `problem` instead when there are none or they are broken.
struct WeightFacts {
  std::string layout, problem;
  std::int64_t parameters = 0;
  std::uint64_t bytes = 0;
  std::size_t tensors = 0;
  std::map<std::string, std::int64_t> byDtype, byPart;
};

// Of the tensors of a 4-bit layer only the codes count, two in a byte; the others say how to read them.
std::int64_t parametersOf(const model::TensorView& tensor) {
  constexpr std::string_view kWeight = ".weight";
  const auto at = tensor.name.rfind(kWeight);
  if (at == std::string::npos) return tensor.elements();
  if (at + kWeight.size() < tensor.name.size()) return 0;
  return tensor.dtype == model::Dtype::U8 ? 2 * tensor.elements() : tensor.elements();
}

WeightFacts readWeights(const std::string& folder) {
  WeightFacts facts;
  const auto weights = model::WeightFiles::open(folder);
  if (!weights.ok()) {
    facts.problem = weights.error().text();
    return facts;
  }
  facts.layout = model::nameOf(weights.value().layout());
  facts.bytes = weights.value().totalBytes();
  for (const model::TensorView& tensor : weights.value().tensors()) {
    const std::string canonical = model::canonicalName(tensor.name).value_or("other");
    const std::string part =
        canonical.starts_with("model.") ? canonical.substr(6, canonical.find('.', 6) - 6) : canonical;
    const std::int64_t parameters = parametersOf(tensor);
    if (parameters == 0) continue;
    ++facts.tensors;
    facts.parameters += parameters;
    facts.byDtype[parameters == tensor.elements() ? std::string(model::nameOf(tensor.dtype)) : "4 bits"] += parameters;
    facts.byPart[part] += parameters;
  }
  return facts;
}

Json infoJson(const model::PaliGemmaConfig& config, const WeightFacts& weights) {
  Json json;
  json["name"] = config.name;
  json["family"] = config.family == model::Family::PaliGemma1 ? "paligemma" : "paligemma2";
  json["dtype"] = model::torchName(config.dtype);
  json["image_size"] = config.vision.imageSize;
  json["image_tokens"] = config.imageTokens();
  json["image_token_id"] = config.imageTokenId;
  json["vision"] = {{"hidden", config.vision.hidden},
                    {"layers", config.vision.layers},
                    {"heads", config.vision.heads},
                    {"intermediate", config.vision.intermediate},
                    {"patch_size", config.vision.patchSize}};
  json["text"] = {{"hidden", config.text.hidden},    {"layers", config.text.layers},
                  {"heads", config.text.heads},      {"kv_heads", config.text.kvHeads},
                  {"head_dim", config.text.headDim}, {"intermediate", config.text.intermediate},
                  {"vocab", config.text.vocab}};
  if (!weights.problem.empty()) {
    json["weights"] = {{"problem", weights.problem}};
    return json;
  }
  json["weights"] = {{"layout", weights.layout}, {"tensors", weights.tensors},  {"parameters", weights.parameters},
                     {"bytes", weights.bytes},   {"by_dtype", weights.byDtype}, {"by_part", weights.byPart}};
  return json;
}

void printInfo(const model::PaliGemmaConfig& config, const WeightFacts& weights) {
  const auto& vision = config.vision;
  const auto& text = config.text;
  fmt::print("{}  ({}, {})\n", config.name, config.family == model::Family::PaliGemma1 ? "Gemma" : "Gemma 2",
             model::torchName(config.dtype));
  fmt::print("  image    {0} x {0} px, {1} tokens\n", vision.imageSize, config.imageTokens());
  fmt::print("  vision   {} layers, {} wide, {} heads\n", vision.layers, vision.hidden, vision.heads);
  fmt::print("  text     {} layers, {} wide, {} heads ({} key/value) of {}, {} words\n", text.layers, text.hidden,
             text.heads, text.kvHeads, text.headDim, formatCount(text.vocab));
  if (!weights.problem.empty()) {
    fmt::print("  weights  none: {}\n", weights.problem);
    return;
  }
  std::vector<std::string> types;
  for (const auto& [type, count] : weights.byDtype) types.push_back(type);
  fmt::print("  weights  {} parameters in {} tensors, {} ({}), names as {}\n", formatCount(weights.parameters),
             weights.tensors, formatBytes(static_cast<double>(weights.bytes)), join(types, ", "), weights.layout);
  for (const auto& [part, count] : weights.byPart) fmt::print("    {:<22} {:>15}\n", part, formatCount(count));
}

Result<int> runInfo(const InfoOptions& options) {
  ROADTUNE_TRY(const model::PaliGemmaConfig config, model::PaliGemmaConfig::fromFolder(options.folder));
  const WeightFacts weights = readWeights(options.folder);
  if (options.json)
    fmt::print("{}\n", jsonText(infoJson(config, weights)));
  else
    printInfo(config, weights);
  return static_cast<int>(kExitDone);
}

const Registration kNewTiny{
    "model new-tiny", "Write a random tiny PaliGemma with its own tokenizer", [](CLI::App& app) -> Action {
      auto options = std::make_shared<NewTinyOptions>();
      app.add_option("--out", options->out, "Folder to write")->required();
      app.add_option("--family", options->family, "paligemma or paligemma2")
          ->check(CLI::IsMember({"paligemma", "paligemma2"}));
      app.add_option("--image-size", options->imageSize, "Side of the picture in pixels, a multiple of 14");
      app.add_option("--seed", options->seed, "Equal seeds give equal weights")->check(wholeNumberFrom(0));
      return [options] { return runNewTiny(*options); };
    }};

const Registration kInfo{"model info", "What a checkpoint folder holds", [](CLI::App& app) -> Action {
                           auto options = std::make_shared<InfoOptions>();
                           app.add_option("DIR", options->folder, "Model folder")->required();
                           app.add_flag("--json", options->json, "For machines");
                           return [options] { return runInfo(*options); };
                         }};

}  // namespace
}  // namespace roadtune::cli
