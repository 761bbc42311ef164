// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/text/tokenizer.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace roadtune::text {

inline constexpr std::int64_t kIgnoredLabel = -100;

struct PromptOptions {
  int imageTokens = 256;  // per image
  int images = 1;
  int maxLength = 0;  // 0: no limit; counts every token, image tokens too
};

// One sample in the layout of PaliGemmaProcessor:
//   <image> x N  <bos>  prompt  \n | suffix  <eos>
//   token types 0 ............... 0 | 1 ........ 1
//   labels   -100 ............ -100 | suffix ids, <eos>
struct EncodedPrompt {
  TokenIds inputIds, tokenTypeIds, labels;
  std::size_t prefixLength = 0;  // tokens of type 0
  std::size_t cutTokens = 0;     // suffix tokens lost to maxLength; <eos> is kept
};

// A prompt that holds <image> itself is expanded in place and must hold as many as there are images. Text that does
// not fit is cut at the end of the suffix, before <eos>; a prefix that alone does not fit is an error, and so is a
// suffix with <image>.
Result<EncodedPrompt> encodePrompt(const Tokenizer& tokenizer, std::string_view prompt,
                                   std::optional<std::string_view> suffix, const PromptOptions& options);

enum class PaddingSide { Left, Right };

// Samples made equally long; rows are consecutive in each vector.
struct PaddedBatch {
  std::int64_t rows = 0, length = 0;
  TokenIds inputIds, attentionMask, tokenTypeIds, labels;
};
PaddedBatch padBatch(const std::vector<EncodedPrompt>& samples, std::int64_t padId,
                     PaddingSide side = PaddingSide::Left, std::int64_t multipleOf = 1);

}  // namespace roadtune::text
