// SPDX-License-Identifier: GPL-3.0-or-later
// tokenizer.model is a protobuf message: repeated pieces (field 1) of {1: text, 2: score, 3: type}. transformers 5 does
// not run SentencePiece on it but turns the pieces into merges, so the same is done here; the message is walked by hand
// because the SentencePiece library does not tell which pieces are user-defined.
#include "core/base/mapped_file.h"
#include "core/text/tokenizer_parts.h"
#include "core/text/utf8.h"

#include <fmt/format.h>

#include <unordered_set>

namespace roadtune::text {
namespace {

constexpr int kControl = 3, kUserDefined = 4;

// Reads the fields of one protobuf message; `ok` turns false at the first thing that does not fit.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : m_rest(bytes) {}

  bool atEnd() const { return m_rest.empty() || !m_ok; }
  bool ok() const { return m_ok; }

  struct Field {
    std::uint32_t number = 0;
    std::uint64_t integer = 0;    // of a varint
    std::string_view bytes = {};  // of a length-delimited field
  };

  Field next() {
    Field field;
    const std::uint64_t key = varint();
    field.number = static_cast<std::uint32_t>(key >> 3);
    switch (key & 7) {
      case 0: field.integer = varint(); break;
      case 1: field.bytes = take(8); break;
      case 2: field.bytes = take(varint()); break;
      case 5: field.bytes = take(4); break;
      default: m_ok = false;
    }
    return field;
  }

 private:
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (m_rest.empty()) break;
      const auto byte = static_cast<unsigned char>(m_rest.front());
      m_rest.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    m_ok = false;
    return 0;
  }

  std::string_view take(std::uint64_t count) {
    if (count > m_rest.size()) {
      m_ok = false;
      return {};
    }
    const std::string_view taken = m_rest.substr(0, count);
    m_rest.remove_prefix(count);
    return taken;
  }

  std::string_view m_rest;
  bool m_ok = true;
};

struct Piece {
  std::string text;
  std::uint64_t type = 1;
};

std::optional<Piece> readPiece(std::string_view bytes) {
  Piece piece;
  WireReader reader(bytes);
  while (!reader.atEnd()) {
    const auto field = reader.next();
    if (field.number == 1) piece.text = field.bytes;
    if (field.number == 3) piece.type = field.integer;
  }
  return reader.ok() && isUtf8(piece.text) ? std::optional<Piece>(std::move(piece)) : std::nullopt;
}

// Every way to cut a piece into two pieces, the pieces in the order of their ids and the cuts from the left.
void addMerges(TokenizerParts& parts) {
  std::unordered_set<std::string_view> known;
  for (const auto& [text, id] : parts.vocabulary) known.insert(text);
  for (const auto& [text, id] : parts.vocabulary) {
    const std::string_view whole = text;
    for (std::size_t cut = utf8Length(whole, 0); cut < whole.size(); cut += utf8Length(whole, cut))
      if (known.count(whole.substr(0, cut)) && known.count(whole.substr(cut)))
        parts.merges.emplace_back(whole.substr(0, cut), whole.substr(cut));
  }
}

}  // namespace

Result<TokenizerParts> partsFromSentencePiece(const std::filesystem::path& path) {
  ROADTUNE_TRY(const MappedFile file, MappedFile::open(path, MappedFile::Access::Sequential));
  TokenizerParts parts;
  parts.normalizer = gemmaNormalizer();
  parts.decoder = gemmaDecoder();
  std::unordered_set<std::string> seen;
  WireReader reader(file.text());
  BpeModel::Id id = 0;
  while (!reader.atEnd()) {
    const auto field = reader.next();
    if (field.number != 1) continue;
    auto piece = readPiece(field.bytes);
    if (!piece || piece->text.empty()) return badInput(fmt::format("piece {} is broken", id), path.string());
    if (piece->type == kControl || piece->type == kUserDefined) {
      AddedToken token;
      token.id = id;
      token.content = piece->text;
      token.special = piece->type == kControl;
      parts.added.push_back(std::move(token));
    }
    if (!seen.insert(piece->text).second)
      return badInput(fmt::format("'{}' is in the vocabulary twice", piece->text), path.string());
    parts.vocabulary.emplace_back(std::move(piece->text), id++);
  }
  if (!reader.ok() || parts.vocabulary.empty())
    return badInput("not a SentencePiece model, or cut short", path.string(), "download the file again");
  addMerges(parts);
  return parts;
}

}  // namespace roadtune::text
