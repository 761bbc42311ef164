// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"
#include "core/data/source/sample_source.h"
#include "core/text/tokenizer.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace roadtune::data {

// The longest text among samples: tokens of prompt and answer with all that stands between and around them, without
// those of the picture.
struct TextLength {
  int tokens = 0;
  int answer = 0;                       // tokens that are taught, of the longest answer
  std::size_t looked = 0, samples = 0;  // at so many of all, spread over them
  struct Tokens {
    int prompt = 0, answer = 0;
  };
  std::vector<Tokens> each = {};  // of those that were looked at
};

// Looks for at most `seconds`; no picture is read. Samples that cannot be told are passed over. Nothing when there was
// none that could.
std::optional<TextLength> longestText(const SampleSource& source, const text::Tokenizer& tokenizer, double seconds);

// Of what a configuration trains on; nothing where that takes an import first, or there is no tokenizer.
std::optional<TextLength> longestText(const config::RunConfig& config, double seconds);

// The length that a memory plan goes by, and why.
struct PlannedLength {
  enum class From { Data, Limit, Usual };
  int text = 64, answer = 32;  // what is usual where nobody knows better
  From from = From::Usual;
  std::size_t looked = 0, samples = 0;  // of From::Data
};

// `maxLength` of the configuration counts the picture's tokens, too; 0: none.
PlannedLength planLength(const std::optional<TextLength>& data, int maxLength, int imageTokens);

}  // namespace roadtune::data
