// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/image/augment.h"
#include "core/data/image/image_cache.h"
#include "core/data/source/sample_source.h"
#include "core/model/processor_config.h"
#include "core/text/prompt.h"
#include "core/text/tokenizer.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::engine {

// A sample as the model takes it.
struct EncodedSample {
  std::string id;
  text::EncodedPrompt prompt;
  std::vector<float> pixels;                              // 3 * side * side; empty where there are bytes instead
  std::vector<std::uint8_t> bytes = {};                   // side * side * 3, as decoded
  std::shared_ptr<const std::vector<float>> levels = {};  // [3, 256]: what the bytes mean
  std::optional<data::ImageKey> key = {};                 // of the picture, where its features are kept
  std::vector<std::uint8_t> features = {};                // what the vision tower made of it, if known; then no pixels
  int width = 0, height = 0;                              // of the image before it became square
  double readSeconds = 0, tokeniseSeconds = 0;            // that it took
};

enum class LongSamples { Cut, Skip, Stop };

// Is this the error of a sample beyond max_length?
bool isTooLong(const Error& error);

// What the encoder keeps and changes besides.
struct EncoderExtras {
  std::shared_ptr<data::ImageCache> cache = {};           // pictures at model size; null: none
  std::optional<data::AugmentSpec> augment = {};          // of samples that are encoded with a seed for it
  std::shared_ptr<const std::vector<float>> levels = {};  // set: pictures stay bytes, for a device to normalise
  std::shared_ptr<data::ImageCache> features = {};        // what a frozen vision tower made of pictures; null: none
  std::size_t featureBytes = 0;                           // of one picture
};

// What each level of each channel becomes, [3, 256].
std::shared_ptr<const std::vector<float>> pixelLevels(const model::ProcessorConfig& processor);

// Decodes, resizes, normalises and tokenises. One serves all threads.
class SampleEncoder {
 public:
  SampleEncoder(text::Tokenizer tokenizer, model::ProcessorConfig processor, int imageTokens, int maxLength,
                LongSamples longSamples, EncoderExtras extras = {})
      : m_tokenizer(std::move(tokenizer)),
        m_processor(processor),
        m_imageTokens(imageTokens),
        m_maxLength(maxLength),
        m_longSamples(longSamples),
        m_extras(std::move(extras)) {}

  // Without `withSuffix` only the prompt is encoded, as for prediction. An error names the sample.
  Result<EncodedSample> encode(const data::Sample& sample, bool withSuffix = true) const;

  // The same for training: changed at random by the seed where that was asked for.
  Result<EncodedSample> encodeForTraining(data::Sample sample, std::uint64_t seed) const;

  // How many tokens encode() would make of a sample with its answer; the picture is not looked at.
  Result<std::size_t> tokensOf(const data::Sample& sample) const;

  const text::Tokenizer& tokenizer() const { return m_tokenizer; }
  int imageSize() const { return m_processor.imageSize; }
  const model::ProcessorConfig& processor() const { return m_processor; }
  // Before the first sample: features are looked up here, and pictures whose features are known are not decoded.
  void keepFeatures(std::shared_ptr<data::ImageCache> features, std::size_t bytesOfOne) {
    m_extras.features = std::move(features);
    m_extras.featureBytes = bytesOfOne;
  }

 private:
  Result<data::Image> decode(const data::Sample& sample) const;
  Status square(const data::Image& image, std::vector<std::uint8_t>& pixels) const;
  bool findFeatures(const data::Sample& sample, EncodedSample& encoded) const;
  Status pixelsOf(const data::Sample& sample, EncodedSample& encoded, std::vector<std::uint8_t>& pixels) const;
  Result<text::EncodedPrompt> promptOf(const data::Sample& sample, bool withSuffix) const;
  Result<EncodedSample> finish(const data::Sample& sample, bool withSuffix, EncodedSample encoded,
                               const std::vector<std::uint8_t>& pixels) const;

  text::Tokenizer m_tokenizer;
  model::ProcessorConfig m_processor;
  int m_imageTokens;
  int m_maxLength;
  LongSamples m_longSamples;
  EncoderExtras m_extras;
};

}  // namespace roadtune::engine
