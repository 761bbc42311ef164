// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tiny_tokenizer.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/text/bpe_trainer.h"
#include "core/text/loc_codec.h"
#include "core/text/sentencepiece_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

namespace roadtune::text {
namespace {

using OrderedJson = nlohmann::ordered_json;

const std::string kBlank = "\xE2\x96\x81";  // "▁"
constexpr int kLongestRun = 8;
constexpr int kUnusedTokens = 8;

// Words at the start of a text, and words behind a blank.
constexpr const char* kFirstWords =
    "detect caption answer describe cap ocr segment vehicle pedestrian cyclist sign unknown yes no a the";
constexpr const char* kInnerWords =
    "vehicle pedestrian cyclist sign unknown ; en how many what is are there in the image a an of and or on at with no "
    "yes none zero one two three four five six seven eight nine ten night day dawn dusk dawn/dusk sunny rain cloudy "
    "fog "
    "time weather location camera front left right side street scene road city car truck bus person bicycle traffic "
    "light vehicles pedestrians cyclists signs driving parked";

class VocabularyWriter {
 public:
  // The id of a piece, new or known.
  std::int64_t add(const std::string& piece) {
    const auto [at, isNew] = m_ids.emplace(piece, static_cast<std::int64_t>(m_order.size()));
    if (isNew) m_order.push_back(piece);
    return at->second;
  }
  void addToken(const std::string& content, bool special) {
    OrderedJson token;
    token["id"] = add(content);
    token["content"] = content;
    token["single_word"] = token["lstrip"] = token["rstrip"] = token["normalized"] = false;
    token["special"] = special;
    m_tokens.push_back(std::move(token));
  }
  void addMerge(const std::string& left, const std::string& right) {
    add(left);
    add(right);
    add(left + right);
    m_merges.push_back({left, right});
  }
  std::int64_t size() const { return static_cast<std::int64_t>(m_order.size()); }
  const OrderedJson& tokens() const { return m_tokens; }

  OrderedJson vocabulary() const {
    OrderedJson json = OrderedJson::object();
    for (const std::string& piece : m_order)
      if (piece != "<image>") json[piece] = m_ids.at(piece);
    return json;
  }
  const OrderedJson& merges() const { return m_merges; }

  // The same as pieces of SentencePiece; <image> is added on top, as for the real models.
  std::vector<SentencePiece> pieces() const {
    std::vector<SentencePiece> pieces;
    for (const std::string& text : m_order)
      if (text != "<image>") pieces.push_back({text, kindOf(text)});
    return pieces;
  }

 private:
  PieceKind kindOf(const std::string& text) const {
    if (text == "<unk>") return PieceKind::Unknown;
    if (text.size() == 6 && startsWith(text, "<0x")) return PieceKind::Byte;
    for (const OrderedJson& token : m_tokens)
      if (token["content"] == text)
        return token["special"].get<bool>() && text != "<mask>" ? PieceKind::Control : PieceKind::UserDefined;
    return PieceKind::Normal;
  }

  std::map<std::string, std::int64_t> m_ids;
  std::vector<std::string> m_order;
  OrderedJson m_tokens = OrderedJson::array(), m_merges = OrderedJson::array();
};

std::string repeated(const std::string& piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

void addWords(VocabularyWriter& vocabulary) {
  std::vector<std::string> words;
  for (const std::string& word : split(kFirstWords, ' ')) words.push_back(word);
  for (const std::string& word : split(kInnerWords, ' ')) words.push_back(kBlank + word);
  for (const auto& [left, right] : trainMerges(words)) vocabulary.addMerge(left, right);
}

VocabularyWriter fillVocabulary() {
  VocabularyWriter vocabulary;
  for (const char* special : {"<pad>", "<eos>", "<bos>", "<unk>", "<mask>"}) vocabulary.addToken(special, true);
  for (int i = 0; i < kUnusedTokens; ++i) vocabulary.addToken(fmt::format("<unused{}>", i), false);
  for (int count = 1; count <= kLongestRun; ++count) vocabulary.addToken(repeated("\n", count), false);
  for (int count = 2; count <= kLongestRun; ++count) vocabulary.addToken(repeated(kBlank, count), false);
  for (int byte = 0; byte < 256; ++byte) vocabulary.add(fmt::format("<0x{:02X}>", byte));
  for (int count = 2; count <= kLongestRun; ++count)
    for (int cut = 1; cut < count; ++cut) vocabulary.addMerge(repeated(kBlank, cut), repeated(kBlank, count - cut));
  addWords(vocabulary);
  for (char c = '!'; c <= '~'; ++c) vocabulary.add(std::string(1, c));
  for (int bin = 0; bin < kLocBins; ++bin) vocabulary.addToken(locToken(bin), false);
  for (int code = 0; code < kSegCodes; ++code) vocabulary.addToken(segToken(code), false);
  vocabulary.addToken("<image>", true);
  return vocabulary;
}

OrderedJson replaceStep(const char* from, const std::string& to) {
  return {{"type", "Replace"}, {"pattern", {{"String", from}}}, {"content", to}};
}

OrderedJson tokenizerJson(const VocabularyWriter& vocabulary) {
  OrderedJson model;
  model["type"] = "BPE";
  for (const char* key : {"dropout", "continuing_subword_prefix", "end_of_word_suffix"}) model[key] = nullptr;
  model["unk_token"] = "<unk>";
  model["fuse_unk"] = true;
  model["byte_fallback"] = true;
  model["ignore_merges"] = false;
  model["vocab"] = vocabulary.vocabulary();
  model["merges"] = vocabulary.merges();

  const auto sequence = [](const char* name) {
    return OrderedJson{{"Sequence", {{"id", name}, {"type_id", name[0] - 'A'}}}};
  };
  OrderedJson json;
  json["version"] = "1.0";
  json["truncation"] = json["padding"] = nullptr;
  json["added_tokens"] = vocabulary.tokens();
  json["normalizer"] = replaceStep(" ", kBlank);
  json["pre_tokenizer"] = {
      {"type", "Split"}, {"pattern", {{"String", " "}}}, {"behavior", "MergedWithPrevious"}, {"invert", false}};
  json["post_processor"] = {{"type", "TemplateProcessing"},
                            {"single", OrderedJson::array({sequence("A")})},
                            {"pair", OrderedJson::array({sequence("A"), sequence("B")})},
                            {"special_tokens", OrderedJson::object()}};
  json["decoder"] = {
      {"type", "Sequence"},
      {"decoders", OrderedJson::array({replaceStep(kBlank.c_str(), " "), OrderedJson{{"type", "ByteFallback"}},
                                       OrderedJson{{"type", "Fuse"}}})}};
  json["model"] = std::move(model);
  return json;
}

OrderedJson specialNames() {
  OrderedJson names;
  for (const char* word : {"bos", "eos", "mask", "pad", "unk"})
    names[std::string(word) + "_token"] = fmt::format("<{}>", word);
  return names;
}

OrderedJson configJson(const VocabularyWriter& vocabulary) {
  OrderedJson json = specialNames();
  json["add_bos_token"] = false;
  json["add_eos_token"] = false;
  json["clean_up_tokenization_spaces"] = false;
  json["extra_special_tokens"] = {{"image_token", "<image>"}};
  json["image_token"] = "<image>";
  json["model_max_length"] = 1000000000;
  json["processor_class"] = "PaliGemmaProcessor";
  json["tokenizer_class"] = "GemmaTokenizer";
  for (const OrderedJson& token : vocabulary.tokens()) {
    OrderedJson entry = token;
    entry.erase("id");
    json["added_tokens_decoder"][std::to_string(token["id"].get<std::int64_t>())] = std::move(entry);
  }
  return json;
}

}  // namespace

Result<TinyTokenizer> writeTinyTokenizer(const std::filesystem::path& folder) {
  const VocabularyWriter vocabulary = fillVocabulary();
  OrderedJson map = specialNames();
  map["additional_special_tokens"] = OrderedJson::array({"<image>"});
  ROADTUNE_CHECK(writeFileAtomically(folder / "tokenizer.json", tokenizerJson(vocabulary).dump(1) + "\n"));
  ROADTUNE_CHECK(writeFileAtomically(folder / "tokenizer.model", sentencePieceModel(vocabulary.pieces())));
  ROADTUNE_CHECK(writeFileAtomically(folder / "tokenizer_config.json", configJson(vocabulary).dump(2) + "\n"));
  ROADTUNE_CHECK(writeFileAtomically(folder / "special_tokens_map.json", map.dump(2) + "\n"));
  return TinyTokenizer{vocabulary.size(), vocabulary.size() - 1};
}

}  // namespace roadtune::text
