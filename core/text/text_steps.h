// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::text {

// What happens to text before and after the vocabulary, as far as PaliGemma's tokenizers use it.
struct NormalizeStep {
  enum class Kind { Replace, Prepend } kind = Kind::Replace;
  std::string from = {}, to = {};
};

struct SplitStep {
  enum class Behaviour { Removed, Isolated, MergedWithPrevious, MergedWithNext };
  std::string pattern;
  Behaviour behaviour = Behaviour::MergedWithPrevious;
};

struct DecodeStep {
  enum class Kind { Replace, ByteFallback, Fuse, Strip } kind = Kind::Replace;
  std::string from = {}, to = {};  // Strip: `from` is the character
  std::size_t start = 0, stop = 0;
};

std::string normalize(const std::vector<NormalizeStep>& steps, std::string_view text);
std::vector<std::string> splitText(const std::vector<SplitStep>& steps, std::string text);
std::string decodePieces(const std::vector<DecodeStep>& steps, std::vector<std::string> pieces);

// Gemma's own: " " becomes "▁" and back, bytes come together again.
std::vector<NormalizeStep> gemmaNormalizer();
std::vector<DecodeStep> gemmaDecoder();

}  // namespace roadtune::text
