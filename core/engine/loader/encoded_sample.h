// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/source/sample_source.h"
#include "core/model/processor_config.h"
#include "core/text/prompt.h"
#include "core/text/tokenizer.h"

#include <string>
#include <vector>

namespace roadtune::engine {

// A sample as the model takes it.
struct EncodedSample {
  std::string id;
  text::EncodedPrompt prompt;
  std::vector<float> pixels;  // 3 * side * side
  int width = 0, height = 0;  // of the image before it became square
};

enum class LongSamples { Cut, Skip, Stop };

// Is this the error of a sample beyond max_length?
bool isTooLong(const Error& error);

// Decodes, resizes, normalises and tokenises. Immutable; one serves all threads.
class SampleEncoder {
 public:
  SampleEncoder(text::Tokenizer tokenizer, model::ProcessorConfig processor, int imageTokens, int maxLength,
                LongSamples longSamples)
      : m_tokenizer(std::move(tokenizer)),
        m_processor(processor),
        m_imageTokens(imageTokens),
        m_maxLength(maxLength),
        m_longSamples(longSamples) {}

  // Without `withSuffix` only the prompt is encoded, as for prediction. An error names the sample.
  Result<EncodedSample> encode(const data::Sample& sample, bool withSuffix = true) const;

  const text::Tokenizer& tokenizer() const { return m_tokenizer; }
  int imageSize() const { return m_processor.imageSize; }

 private:
  text::Tokenizer m_tokenizer;
  model::ProcessorConfig m_processor;
  int m_imageTokens;
  int m_maxLength;
  LongSamples m_longSamples;
};

}  // namespace roadtune::engine
