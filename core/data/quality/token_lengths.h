// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/data/source/sample_source.h"
#include "core/text/tokenizer.h"

#include <cstddef>
#include <string>
#include <vector>

namespace roadtune::data {

// How long the samples of a source are once they are tokens: pictures, prompt and answer together.
struct TokenLengths {
  std::size_t samples = 0;   // of the source
  std::size_t measured = 0;  // evenly spread over them
  std::size_t imageTokens = 0;
  double mean = 0;
  std::size_t median = 0, p95 = 0, p99 = 0, longest = 0;
  std::string longestSample;
  struct Bin {
    std::size_t upTo = 0, samples = 0;  // lengths above the bin before and not above this
  };
  std::vector<Bin> histogram;                // bins of equal width, without empty ones at the end
  std::size_t maxLength = 0, truncated = 0;  // with a limit: samples that are longer
  std::vector<std::string> cut;              // their names, when asked for, in the order of the source
};

struct TokenLengthOptions {
  int imageTokens = 256;
  std::size_t maxLength = 0;  // 0: no limit
  std::size_t most = 20'000;  // samples to measure; 0: all
  int jobs = 0;
  bool nameCut = false;  // also tell which samples are longer than the limit
};

Result<TokenLengths> measureTokenLengths(const SampleSource& source, const text::Tokenizer& tokenizer,
                                         const TokenLengthOptions& options, ProgressSink& progress);

}  // namespace roadtune::data
