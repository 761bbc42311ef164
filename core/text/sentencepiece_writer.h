// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

namespace roadtune::text {

enum class PieceKind { Normal = 1, Unknown = 2, Control = 3, UserDefined = 4, Byte = 6 };

struct SentencePiece {
  std::string text;
  PieceKind kind = PieceKind::Normal;
};

// A tokenizer.model of SentencePiece: BPE with byte fallback, text taken as it is but for "▁" in place of blanks.
// Pieces have their places as ids; normal ones merge in that order. Holds <unk>, <bos>, <eos> and <pad>.
std::string sentencePieceModel(const std::vector<SentencePiece>& pieces);

}  // namespace roadtune::text
