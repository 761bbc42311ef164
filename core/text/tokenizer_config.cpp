// SPDX-License-Identifier: GPL-3.0-or-later
// The small files beside a tokenizer. transformers 5 rebuilds Gemma's tokenizer from vocabulary and merges with a fixed
// normalizer and decoder, and lets added_tokens_decoder of tokenizer_config.json replace the list in tokenizer.json.
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/text/tokenizer_parts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace roadtune::text {
namespace {

using Json = nlohmann::json;

Result<Json> readObject(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return Json(Json::object());
  ROADTUNE_TRY(const std::string text, readFile(path));
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object()) return badInput("not a JSON object", path.string());
  return json;
}

// A token is written as text or as an object with its content.
std::string contentOf(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  return json.is_object() && json.contains("content") && json["content"].is_string()
             ? json["content"].get<std::string>()
             : std::string();
}

AddedToken tokenFrom(const Json& json, std::int64_t id, bool special) {
  AddedToken token;
  token.id = id;
  token.content = contentOf(json);
  token.special = special;
  if (json.is_object()) {
    token.special = json.value("special", special);
    token.singleWord = json.value("single_word", false);
    token.leftStrip = json.value("lstrip", false);
    token.rightStrip = json.value("rstrip", false);
    token.normalized = json.value("normalized", !token.special);
  }
  return token;
}

bool has(const TokenizerParts& parts, const std::string& content) {
  return std::any_of(parts.added.begin(), parts.added.end(),
                     [&](const AddedToken& token) { return token.content == content; });
}

void replaceAddedTokens(const Json& decoder, TokenizerParts& parts) {
  std::vector<AddedToken> tokens;
  for (const auto& [key, value] : decoder.items()) {
    const bool number = !key.empty() && key.size() < 10 &&
                        std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!number || !value.is_object()) continue;
    AddedToken token = tokenFrom(value, std::stoll(key), false);
    token.special = value.value("special", false);
    if (!token.content.empty()) tokens.push_back(std::move(token));
  }
  std::sort(tokens.begin(), tokens.end(), [](const AddedToken& a, const AddedToken& b) { return a.id < b.id; });
  parts.added = std::move(tokens);
}

void addSpecial(const Json& value, TokenizerParts& parts) {
  const std::string content = contentOf(value);
  if (content.empty()) return;
  for (AddedToken& token : parts.added)
    if (token.content == content) token.special = true;
  if (!has(parts, content)) parts.added.push_back(tokenFrom(value, -1, true));
}

void readNames(const Json& json, TokenizerParts& parts) {
  const std::pair<const char*, std::string*> names[] = {{"pad_token", &parts.pad},
                                                        {"eos_token", &parts.eos},
                                                        {"bos_token", &parts.bos},
                                                        {"unk_token", &parts.unk},
                                                        {"image_token", &parts.image}};
  for (const auto& [key, name] : names) {
    const auto found = json.find(key);
    if (found == json.end() || found->is_null()) continue;
    *name = contentOf(*found);
    addSpecial(*found, parts);
  }
  if (const auto mask = json.find("mask_token"); mask != json.end()) addSpecial(*mask, parts);
  for (const char* key : {"additional_special_tokens", "extra_special_tokens"}) {
    const auto found = json.find(key);
    if (found == json.end()) continue;
    if (found->is_array())
      for (const Json& token : *found) addSpecial(token, parts);
    if (found->is_object()) readNames(*found, parts);
  }
}

}  // namespace

Status applyTokenizerConfig(const std::filesystem::path& folder, TokenizerParts& parts) {
  ROADTUNE_TRY(const Json config, readObject(folder / "tokenizer_config.json"));
  try {
    const bool gemma = startsWith(config.value("tokenizer_class", std::string("GemmaTokenizer")), "Gemma");
    if (gemma) {
      parts.normalizer = gemmaNormalizer();
      parts.splits.clear();
      parts.decoder = gemmaDecoder();
      parts.options.byteFallback = parts.options.fuseUnknown = true;
      parts.ignoreMerges = false;
      if (!config.contains("unk_token")) parts.options.unknown = parts.unk;
    }
    if (config.contains("added_tokens_decoder") && config["added_tokens_decoder"].is_object()) {
      replaceAddedTokens(config["added_tokens_decoder"], parts);
    } else {
      ROADTUNE_TRY(const Json map, readObject(folder / "special_tokens_map.json"));
      readNames(map, parts);
      ROADTUNE_TRY(const Json added, readObject(folder / "added_tokens.json"));
      for (const auto& [content, id] : added.items()) {
        if (!id.is_number_integer() || has(parts, content)) continue;
        AddedToken token = tokenFrom(Json(content), id.get<std::int64_t>(), false);
        token.normalized = true;
        parts.added.push_back(std::move(token));
      }
    }
    readNames(config, parts);
    // What the class names by itself.
    for (const std::string& name : {parts.bos, parts.eos, parts.unk, parts.pad}) addSpecial(Json(name), parts);
    if (gemma && !config.contains("mask_token")) addSpecial(Json("<mask>"), parts);
  } catch (const nlohmann::json::exception& error) {
    return badInput(fmt::format("not a readable tokenizer configuration: {}", error.what()),
                    (folder / "tokenizer_config.json").string());
  }
  return {};
}

}  // namespace roadtune::text
