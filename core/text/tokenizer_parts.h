// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/text/added_tokens.h"
#include "core/text/bpe_model.h"
#include "core/text/text_steps.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace roadtune::text {

// What the files of a tokenizer say, before anything is built from it.
struct TokenizerParts {
  std::vector<std::pair<std::string, BpeModel::Id>> vocabulary;
  std::vector<std::pair<std::string, std::string>> merges;
  BpeModel::Options options;
  bool ignoreMerges = false;  // a piece that is in the vocabulary as a whole is taken as it is
  std::vector<NormalizeStep> normalizer;
  std::vector<SplitStep> splits;
  std::vector<DecodeStep> decoder;
  std::vector<AddedToken> added;  // ids may be -1: look them up in the vocabulary, or append
  std::string pad = "<pad>", eos = "<eos>", bos = "<bos>", unk = "<unk>", image = "<image>";
};

Result<TokenizerParts> partsFromJson(const std::string& json, const std::string& where);

// tokenizer.model: a SentencePiece BPE model, turned into merges the way transformers does.
Result<TokenizerParts> partsFromSentencePiece(const std::filesystem::path& path);

// tokenizer_config.json, special_tokens_map.json and added_tokens.json of a folder, as far as they are there.
Status applyTokenizerConfig(const std::filesystem::path& folder, TokenizerParts& parts);

}  // namespace roadtune::text
