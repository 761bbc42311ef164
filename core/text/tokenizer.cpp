// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer.h"

#include "core/base/files.h"
#include "core/text/loc_codec.h"
#include "core/text/tokenizer_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace roadtune::text {

// Everything a tokenizer needs, built once.
class Tokenizer::Backend {
 public:
  static Result<std::shared_ptr<const Backend>> build(TokenizerParts parts, const std::string& where);

  void encode(std::string_view text, TokenIds& ids) const;
  void encodePiece(std::string_view piece, TokenIds& ids) const;
  std::optional<std::int64_t> idOf(std::string_view piece) const;
  const std::string& pieceOf(std::int64_t id) const;

  TokenizerParts m_parts;
  BpeModel m_model;
  std::vector<AddedToken> m_added;
  std::unordered_map<std::string, std::int64_t> m_addedIds;
  std::unordered_map<std::int64_t, std::size_t> m_addedById;
  std::unordered_map<std::int64_t, int> m_locBins, m_segCodes;
  std::unique_ptr<const AddedTokenFinder> m_rawFinder, m_normalizedFinder;
  SpecialIds m_special;
  std::int64_t m_size = 0;

 private:
  explicit Backend(BpeModel model) : m_model(std::move(model)) {}
  std::int64_t addToken(AddedToken token);
  Status addPaliGemmaTokens(const std::string& where);
  void buildFinders();
};

// A token keeps the id it has in the vocabulary, else the one its file gives it, else it is appended.
std::int64_t Tokenizer::Backend::addToken(AddedToken token) {
  if (const auto known = m_addedIds.find(token.content); known != m_addedIds.end()) return known->second;
  if (const BpeModel::Id id = m_model.idOf(token.content); id >= 0) token.id = id;
  if (token.id < 0) token.id = m_size;
  m_size = std::max(m_size, token.id + 1);
  m_addedIds.emplace(token.content, token.id);
  m_addedById.emplace(token.id, m_added.size());
  m_added.push_back(std::move(token));
  return m_added.back().id;
}

// What PaliGemmaProcessor registers when the tokenizer does not know it yet.
Status Tokenizer::Backend::addPaliGemmaTokens(const std::string& where) {
  const auto special = [&](const std::string& content) {
    return addToken({-1, content, false, false, false, false, true});
  };
  m_special.pad = special(m_parts.pad);
  m_special.eos = special(m_parts.eos);
  m_special.bos = special(m_parts.bos);
  m_special.unk = special(m_parts.unk);
  m_special.image = special(m_parts.image);
  for (int bin = 0; bin < kLocBins; ++bin)
    m_locBins.emplace(addToken({-1, locToken(bin), false, false, false, true, false}), bin);
  for (int code = 0; code < kSegCodes; ++code)
    m_segCodes.emplace(addToken({-1, segToken(code), false, false, false, true, false}), code);
  m_special.firstLoc = m_addedIds.at(locToken(0));
  m_special.firstSeg = m_addedIds.at(segToken(0));
  if (m_locBins.size() != kLocBins || m_segCodes.size() != kSegCodes)
    return badInput("two <loc> or <seg> tokens share an id", where);
  return {};
}

void Tokenizer::Backend::buildFinders() {
  std::vector<AddedToken> raw, normalized;
  for (AddedToken token : m_added) {
    if (!token.normalized) {
      raw.push_back(std::move(token));
      continue;
    }
    token.content = normalize(m_parts.normalizer, token.content);
    normalized.push_back(std::move(token));
  }
  m_rawFinder = std::make_unique<AddedTokenFinder>(raw);
  m_normalizedFinder = std::make_unique<AddedTokenFinder>(normalized);
}

Result<std::shared_ptr<const Tokenizer::Backend>> Tokenizer::Backend::build(TokenizerParts parts,
                                                                            const std::string& where) {
  auto model = BpeModel::create(std::move(parts.vocabulary), parts.merges, parts.options);
  if (!model.ok()) return badInput(model.error().what, where, "download the tokenizer again");
  parts.merges = {};
  std::shared_ptr<Backend> backend(new Backend(std::move(model).value()));
  backend->m_size = backend->m_model.size();
  for (const AddedToken& token : parts.added) {
    if (token.id > (std::int64_t{1} << 24))
      return badInput(fmt::format("'{}' has id {}", token.content, token.id), where);
    backend->addToken(token);
  }
  backend->m_parts = std::move(parts);
  ROADTUNE_CHECK(backend->addPaliGemmaTokens(where));
  backend->buildFinders();
  return std::shared_ptr<const Backend>(std::move(backend));
}

void Tokenizer::Backend::encodePiece(std::string_view piece, TokenIds& ids) const {
  for (const std::string& part : splitText(m_parts.splits, std::string(piece))) {
    const BpeModel::Id whole = m_parts.ignoreMerges ? m_model.idOf(part) : -1;
    if (whole >= 0)
      ids.push_back(whole);
    else
      m_model.encode(part, ids);
  }
}

void Tokenizer::Backend::encode(std::string_view text, TokenIds& ids) const {
  for (const auto& raw : m_rawFinder->split(text)) {
    if (raw.id >= 0) {
      ids.push_back(raw.id);
      continue;
    }
    const std::string normal = normalize(m_parts.normalizer, raw.text);
    for (const auto& piece : m_normalizedFinder->split(normal)) {
      if (piece.id >= 0)
        ids.push_back(piece.id);
      else
        encodePiece(piece.text, ids);
    }
  }
}

std::optional<std::int64_t> Tokenizer::Backend::idOf(std::string_view piece) const {
  if (const auto added = m_addedIds.find(std::string(piece)); added != m_addedIds.end()) return added->second;
  const BpeModel::Id id = m_model.idOf(piece);
  return id < 0 ? std::nullopt : std::optional<std::int64_t>(id);
}

const std::string& Tokenizer::Backend::pieceOf(std::int64_t id) const {
  if (const auto added = m_addedById.find(id); added != m_addedById.end()) return m_added[added->second].content;
  return m_model.pieceOf(id);
}

Tokenizer::Tokenizer(std::shared_ptr<const Backend> backend) : m_backend(std::move(backend)) {}

Result<Tokenizer> Tokenizer::load(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (!std::filesystem::exists(folder, ignored))
    return badInput("there is no such folder", folder.string(), "check the path");
  const bool json = std::filesystem::exists(folder / "tokenizer.json", ignored);
  const std::filesystem::path path = folder / (json ? "tokenizer.json" : "tokenizer.model");
  if (!json && !std::filesystem::exists(path, ignored))
    return badInput("neither tokenizer.json nor tokenizer.model here", folder.string(),
                    "copy the tokenizer files of the model into this folder");
  TokenizerParts parts;
  if (json) {
    ROADTUNE_TRY(const std::string text, readFile(path));
    ROADTUNE_TRY(parts, partsFromJson(text, path.string()));
  } else {
    ROADTUNE_TRY(parts, partsFromSentencePiece(path));
  }
  ROADTUNE_CHECK(applyTokenizerConfig(folder, parts));
  ROADTUNE_TRY(auto backend, Backend::build(std::move(parts), path.string()));
  return Tokenizer(std::move(backend));
}

Result<Tokenizer> Tokenizer::fromJson(const std::string& json, const std::string& where) {
  ROADTUNE_TRY(TokenizerParts parts, partsFromJson(json, where));
  ROADTUNE_TRY(auto backend, Backend::build(std::move(parts), where));
  return Tokenizer(std::move(backend));
}

Result<Tokenizer> Tokenizer::fromSentencePiece(const std::filesystem::path& model) {
  ROADTUNE_TRY(TokenizerParts parts, partsFromSentencePiece(model));
  ROADTUNE_TRY(auto backend, Backend::build(std::move(parts), model.string()));
  return Tokenizer(std::move(backend));
}

TokenIds Tokenizer::encode(std::string_view text) const {
  TokenIds ids;
  m_backend->encode(text, ids);
  return ids;
}

std::string Tokenizer::decode(std::span<const std::int64_t> ids, bool skipSpecial) const {
  std::vector<std::string> pieces;
  for (const std::int64_t id : ids) {
    if (skipSpecial && isSpecial(id)) continue;
    const std::string& piece = m_backend->pieceOf(id);
    if (!piece.empty()) pieces.push_back(piece);
  }
  return decodePieces(m_backend->m_parts.decoder, std::move(pieces));
}

std::optional<std::int64_t> Tokenizer::idOf(std::string_view piece) const { return m_backend->idOf(piece); }

std::string Tokenizer::pieceOf(std::int64_t id) const {
  const std::string& piece = m_backend->pieceOf(id);
  return piece.empty() ? m_backend->m_parts.unk : piece;
}

bool Tokenizer::isSpecial(std::int64_t id) const {
  const auto added = m_backend->m_addedById.find(id);
  return added != m_backend->m_addedById.end() && m_backend->m_added[added->second].special;
}

std::int64_t Tokenizer::size() const { return m_backend->m_size; }
const SpecialIds& Tokenizer::special() const { return m_backend->m_special; }

std::optional<int> Tokenizer::locBin(std::int64_t id) const {
  const auto found = m_backend->m_locBins.find(id);
  return found == m_backend->m_locBins.end() ? std::nullopt : std::optional<int>(found->second);
}

std::optional<int> Tokenizer::segCode(std::int64_t id) const {
  const auto found = m_backend->m_segCodes.find(id);
  return found == m_backend->m_segCodes.end() ? std::nullopt : std::optional<int>(found->second);
}

}  // namespace roadtune::text
