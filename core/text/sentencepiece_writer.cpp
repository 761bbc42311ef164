// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/sentencepiece_writer.h"

#include <bit>
#include <cstdint>
#include <string_view>

namespace roadtune::text {
namespace {

// One protobuf message being written.
class Message {
 public:
  Message& integer(int field, std::int64_t value) {
    key(field, 0);
    varint(static_cast<std::uint64_t>(value));
    return *this;
  }
  Message& text(int field, std::string_view value) {
    key(field, 2);
    varint(value.size());
    m_bytes += value;
    return *this;
  }
  Message& number(int field, float value) {
    key(field, 5);
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (int shift = 0; shift < 32; shift += 8) m_bytes += static_cast<char>(bits >> shift);
    return *this;
  }
  const std::string& bytes() const { return m_bytes; }

 private:
  void key(int field, int wire) { varint(static_cast<std::uint64_t>(field) << 3 | static_cast<std::uint64_t>(wire)); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) m_bytes += static_cast<char>(value | 0x80);
    m_bytes += static_cast<char>(value);
  }
  std::string m_bytes;
};

std::int64_t idOf(const std::vector<SentencePiece>& pieces, std::string_view text) {
  for (std::size_t i = 0; i < pieces.size(); ++i)
    if (pieces[i].text == text) return static_cast<std::int64_t>(i);
  return -1;
}

// Field numbers are those of sentencepiece_model.proto.
std::string trainerSpec(const std::vector<SentencePiece>& pieces) {
  constexpr int kBpe = 2;
  Message spec;
  spec.integer(3, kBpe).integer(4, static_cast<std::int64_t>(pieces.size())).integer(26, 1).integer(35, 1);
  int field = 40;
  for (const char* name : {"<unk>", "<bos>", "<eos>", "<pad>"}) spec.integer(field++, idOf(pieces, name));
  field = 45;
  for (const char* name : {"<unk>", "<bos>", "<eos>", "<pad>"}) spec.text(field++, name);
  return spec.bytes();
}

std::string normalizerSpec() { return Message().text(1, "identity").integer(3, 0).integer(4, 0).integer(5, 1).bytes(); }

}  // namespace

std::string sentencePieceModel(const std::vector<SentencePiece>& pieces) {
  Message model;
  float rank = 0;
  for (const auto& piece : pieces) {
    Message entry;
    entry.text(1, piece.text).number(2, piece.kind == PieceKind::Normal ? -rank++ : 0.0f);
    if (piece.kind != PieceKind::Normal) entry.integer(3, static_cast<int>(piece.kind));
    model.text(1, entry.bytes());
  }
  model.text(2, trainerSpec(pieces)).text(3, normalizerSpec());
  return model.bytes();
}

}  // namespace roadtune::text
