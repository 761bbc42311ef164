// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/processor_config.h"

#include "core/base/files.h"
#include "core/model/json_fields.h"
#include "core/model/pali_config.h"

#include <fmt/format.h>

namespace roadtune::model {
namespace {

using Json = nlohmann::json;

// {"height": 224, "width": 224}. One number alone is the shorter edge to the reference, which then does not see a
// square.
Status readSize(JsonFields& fields, ProcessorConfig& config, const std::string& where) {
  const Json* size = fields.find({"size"});
  if (!size) return {};
  if (size->is_number())
    return badInput("one number is the length of the shorter edge", where + ": size",
                    fmt::format("\"size\": {{\"height\": {0}, \"width\": {0}}}", size->dump()));
  JsonFields inner(*size, where + ": size");
  int height = 0, width = 0;
  inner.read({"height"}, height, 1, 1 << 14);
  inner.read({"width"}, width, 1, 1 << 14);
  ROADTUNE_CHECK(inner.status());
  if (height == 0 || height != width)
    return badInput("height and width must be given and equal", where + ": size", "PaliGemma sees squares");
  config.imageSize = height;
  return {};
}

void readTriple(JsonFields& fields, const char* name, std::array<double, 3>& triple) {
  const Json* found = fields.find({name});
  if (!found) return;
  if (found->is_number()) return triple.fill(found->get<double>());
  if (!found->is_array() || found->size() != 3) return fields.complain(name, "must hold three numbers");
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(*found)[i].is_number()) return fields.complain(name, "must hold three numbers");
    triple[i] = (*found)[i].get<double>();
  }
}

Result<ProcessorConfig> readProcessor(const Json& json, const std::string& where) {
  ProcessorConfig config;
  JsonFields fields(json, where);
  ROADTUNE_CHECK(readSize(fields, config, where));
  fields.read({"do_resize"}, config.resize);
  fields.read({"do_rescale"}, config.rescale);
  fields.read({"do_normalize"}, config.normalize);
  fields.read({"do_convert_rgb"}, config.convertRgb);
  if (fields.hasNull("do_convert_rgb")) config.convertRgb = false;
  fields.read({"rescale_factor"}, config.rescaleFactor, 0, 1e6);
  readTriple(fields, "image_mean", config.mean);
  readTriple(fields, "image_std", config.deviation);
  int resample = 3;
  fields.read({"resample"}, resample, 0, 5);
  if (resample != 3) fields.complain("resample", "other than 3 (bicubic) is not supported");
  config.imageTokens = imageTokensAt(config.imageSize);
  fields.read({"image_seq_length"}, config.imageTokens, 1, 1 << 20);
  ROADTUNE_CHECK(fields.status());
  return config;
}

}  // namespace

Result<ProcessorConfig> ProcessorConfig::fromFolder(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const char* name : {"processor_config.json", "preprocessor_config.json"}) {
    const auto path = folder / name;
    if (!std::filesystem::exists(path, ignored)) continue;
    ROADTUNE_TRY(const std::string text, readFile(path));
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded() || !json.is_object()) return badInput("not a JSON object", path.string());
    if (std::string(name) == "preprocessor_config.json") return readProcessor(json, path.string());
    if (const auto inner = json.find("image_processor"); inner != json.end() && inner->is_object())
      return readProcessor(*inner, path.string());
  }
  ROADTUNE_TRY(const PaliGemmaConfig model, PaliGemmaConfig::fromFolder(folder));
  ProcessorConfig config;
  config.imageSize = model.vision.imageSize;
  config.imageTokens = model.imageTokens();
  return config;
}

void normalizePixels(const ProcessorConfig& config, std::span<const std::uint8_t> rgb, std::span<float> out) {
  std::array<std::array<float, 256>, 3> table;
  for (std::size_t channel = 0; channel < 3; ++channel)
    for (std::size_t level = 0; level < 256; ++level) {
      float value = static_cast<float>(level);
      if (config.rescale) value = static_cast<float>(static_cast<double>(level) * config.rescaleFactor);
      if (config.normalize)
        value = (value - static_cast<float>(config.mean[channel])) / static_cast<float>(config.deviation[channel]);
      table[channel][level] = value;
    }
  const std::size_t pixels = rgb.size() / 3;
  for (std::size_t channel = 0; channel < 3; ++channel)
    for (std::size_t i = 0; i < pixels; ++i) out[channel * pixels + i] = table[channel][rgb[3 * i + channel]];
}

}  // namespace roadtune::model
