// SPDX-License-Identifier: GPL-3.0-or-later
// tokenizer.json, the file of the `tokenizers` library.
#include "core/text/tokenizer_parts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roadtune::text {
namespace {

using Json = nlohmann::json;

std::string typeOf(const Json& json) { return json.is_object() ? json.value("type", std::string()) : std::string(); }

// A literal pattern: "x" or {"String": "x"}; regular expressions are not needed by any PaliGemma.
std::optional<std::string> literalPattern(const Json& json) {
  const auto pattern = json.find("pattern");
  if (pattern == json.end()) return std::nullopt;
  if (pattern->is_string()) return pattern->get<std::string>();
  if (pattern->is_object() && pattern->contains("String") && (*pattern)["String"].is_string())
    return (*pattern)["String"].get<std::string>();
  return std::nullopt;
}

Error unsupported(const std::string& what, const Json& json, const std::string& where) {
  return badInput(fmt::format("the {} '{}' is not supported", what, typeOf(json)), where,
                  "Roadtune reads the tokenizers of PaliGemma and PaliGemma 2");
}

constexpr int kMostNested = 16;  // sequences of sequences

Status readNormalizer(const Json& json, std::vector<NormalizeStep>& steps, const std::string& where, int depth = 0) {
  if (json.is_null()) return {};
  const std::string type = typeOf(json);
  if (type == "Sequence" && depth < kMostNested && json.contains("normalizers") && json["normalizers"].is_array()) {
    for (const Json& inner : json["normalizers"]) ROADTUNE_CHECK(readNormalizer(inner, steps, where, depth + 1));
    return {};
  }
  const auto pattern = type == "Replace" ? literalPattern(json) : std::nullopt;
  if (pattern) {
    steps.push_back({NormalizeStep::Kind::Replace, *pattern, json.value("content", std::string())});
    return {};
  }
  if (type == "Prepend") {
    steps.push_back({NormalizeStep::Kind::Prepend, {}, json.value("prepend", std::string())});
    return {};
  }
  return unsupported("normalizer", json, where);
}

Status readSplits(const Json& json, std::vector<SplitStep>& steps, const std::string& where, int depth = 0) {
  if (json.is_null()) return {};
  const std::string type = typeOf(json);
  if (type == "Sequence" && depth < kMostNested && json.contains("pretokenizers") && json["pretokenizers"].is_array()) {
    for (const Json& inner : json["pretokenizers"]) ROADTUNE_CHECK(readSplits(inner, steps, where, depth + 1));
    return {};
  }
  static const std::pair<const char*, SplitStep::Behaviour> kBehaviours[] = {
      {"Removed", SplitStep::Behaviour::Removed},
      {"Isolated", SplitStep::Behaviour::Isolated},
      {"MergedWithPrevious", SplitStep::Behaviour::MergedWithPrevious},
      {"MergedWithNext", SplitStep::Behaviour::MergedWithNext}};
  const auto pattern = type == "Split" ? literalPattern(json) : std::nullopt;
  const std::string behaviour = json.is_object() ? json.value("behavior", std::string()) : std::string();
  if (pattern && !pattern->empty() && !json.value("invert", false))
    for (const auto& [name, value] : kBehaviours)
      if (behaviour == name) {
        steps.push_back({*pattern, value});
        return {};
      }
  return unsupported("pre_tokenizer", json, where);
}

Status readDecoder(const Json& json, std::vector<DecodeStep>& steps, const std::string& where, int depth = 0) {
  if (json.is_null()) return {};
  const std::string type = typeOf(json);
  if (type == "Sequence" && depth < kMostNested && json.contains("decoders") && json["decoders"].is_array()) {
    for (const Json& inner : json["decoders"]) ROADTUNE_CHECK(readDecoder(inner, steps, where, depth + 1));
    return {};
  }
  const auto pattern = type == "Replace" ? literalPattern(json) : std::nullopt;
  if (pattern) {
    steps.push_back({DecodeStep::Kind::Replace, *pattern, json.value("content", std::string())});
  } else if (type == "ByteFallback") {
    steps.push_back({DecodeStep::Kind::ByteFallback});
  } else if (type == "Fuse") {
    steps.push_back({DecodeStep::Kind::Fuse});
  } else if (type == "Strip") {
    steps.push_back({DecodeStep::Kind::Strip,
                     json.value("content", std::string(" ")),
                     {},
                     json.value("start", std::size_t{0}),
                     json.value("stop", std::size_t{0})});
  } else {
    return unsupported("decoder", json, where);
  }
  return {};
}

Status readMerges(const Json& json, TokenizerParts& parts, const std::string& where) {
  if (!json.is_array()) return badInput("model.merges is not a list", where);
  parts.merges.reserve(json.size());
  for (const Json& merge : json) {
    if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
      parts.merges.emplace_back(merge[0].get<std::string>(), merge[1].get<std::string>());
      continue;
    }
    const std::string text = merge.is_string() ? merge.get<std::string>() : std::string();
    const std::size_t blank = text.find(' ');
    if (blank == std::string::npos || text.find(' ', blank + 1) != std::string::npos)
      return badInput(fmt::format("merge {} is not a pair", parts.merges.size()), where);
    parts.merges.emplace_back(text.substr(0, blank), text.substr(blank + 1));
  }
  return {};
}

Status readModel(const Json& json, TokenizerParts& parts, const std::string& where) {
  if (!json.is_object()) return badInput("has no model", where);
  const std::string type = typeOf(json);
  if (!(type == "BPE" || (type.empty() && json.contains("merges")))) return unsupported("model", json, where);
  for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"})
    if (json.contains(key) && !json[key].is_null() && json[key] != "")
      return badInput(fmt::format("model.{} is not supported", key), where);
  parts.options.byteFallback = json.value("byte_fallback", false);
  parts.options.fuseUnknown = json.value("fuse_unk", false);
  parts.ignoreMerges = json.value("ignore_merges", false);
  const auto unknown = json.find("unk_token");
  parts.options.unknown = unknown != json.end() && unknown->is_string() ? unknown->get<std::string>() : std::string();
  const auto vocabulary = json.find("vocab");
  if (vocabulary == json.end() || !vocabulary->is_object()) return badInput("model.vocab is not an object", where);
  parts.vocabulary.reserve(vocabulary->size());
  for (const auto& [piece, id] : vocabulary->items()) {
    if (!id.is_number_integer()) return badInput(fmt::format("'{}' has no id", piece), where);
    parts.vocabulary.emplace_back(piece, id.get<BpeModel::Id>());
  }
  const auto merges = json.find("merges");
  return readMerges(merges == json.end() ? Json::array() : *merges, parts, where);
}

}  // namespace

Result<TokenizerParts> partsFromJson(const std::string& text, const std::string& where) {
  try {
    const Json json = Json::parse(text);
    TokenizerParts parts;
    if (!json.is_object()) return badInput("not a JSON object", where);
    const Json nothing;
    const auto part = [&](const char* name) -> const Json& { return json.contains(name) ? json[name] : nothing; };
    ROADTUNE_CHECK(readModel(part("model"), parts, where));
    ROADTUNE_CHECK(readNormalizer(part("normalizer"), parts.normalizer, where));
    ROADTUNE_CHECK(readSplits(part("pre_tokenizer"), parts.splits, where));
    ROADTUNE_CHECK(readDecoder(part("decoder"), parts.decoder, where));
    for (const Json& token : part("added_tokens")) {
      AddedToken added;
      added.id = token.value("id", std::int64_t{-1});
      added.content = token.at("content").get<std::string>();
      added.singleWord = token.value("single_word", false);
      added.leftStrip = token.value("lstrip", false);
      added.rightStrip = token.value("rstrip", false);
      added.special = token.value("special", false);
      added.normalized = token.value("normalized", !added.special);
      parts.added.push_back(std::move(added));
    }
    return parts;
  } catch (const nlohmann::json::exception& error) {
    return badInput(fmt::format("not a readable tokenizer: {}", error.what()), where, "download the file again");
  }
}

}  // namespace roadtune::text
