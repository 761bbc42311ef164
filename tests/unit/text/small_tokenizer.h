// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/text/tiny_tokenizer.h"
#include "core/text/tokenizer.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace roadtune::testing {

// The tokenizer of the tiny models, made once.
inline const text::Tokenizer& smallTokenizer() {
  static const text::Tokenizer tokenizer = [] {
    const TempFolder folder;
    EXPECT_TRUE(text::writeTinyTokenizer(folder.path()).ok());
    return text::Tokenizer::load(folder.path()).value();
  }();
  return tokenizer;
}

// tokenizer.json around a model of a few pieces.
inline std::string tokenizerJson(const std::string& vocabulary, const std::string& merges,
                                 const std::string& added = "[]", const std::string& more = "") {
  return R"({"added_tokens":)" + added + R"(,"normalizer":{"type":"Replace","pattern":{"String":" "},"content":"▁"},)" +
         R"("decoder":{"type":"Sequence","decoders":[{"type":"Replace","pattern":{"String":"▁"},"content":" "},)" +
         R"({"type":"ByteFallback"},{"type":"Fuse"}]},"model":{"type":"BPE","unk_token":"<unk>","fuse_unk":true,)" +
         R"("byte_fallback":true,"vocab":)" + vocabulary + R"(,"merges":)" + merges + "}" + more + "}";
}

}  // namespace roadtune::testing
