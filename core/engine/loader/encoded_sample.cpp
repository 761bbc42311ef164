// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loader/encoded_sample.h"

#include "core/base/clock.h"
#include "core/data/image/decode.h"
#include "core/data/image/image_header.h"
#include "core/data/image/resize.h"
#include "core/data/source/augment_sample.h"

namespace roadtune::engine {
namespace {

constexpr std::string_view kTooLong = "the sample is longer than max_length by ";

Error named(const data::Sample& sample, const Error& error) {
  auto result = error;
  result.where = result.where.empty() ? sample.id : sample.id + ": " + result.where;
  return result;
}

}  // namespace

std::shared_ptr<const std::vector<float>> pixelLevels(const model::ProcessorConfig& processor) {
  std::vector<std::uint8_t> ramp;
  for (int level = 0; level < 256; ++level) ramp.insert(ramp.end(), 3, static_cast<std::uint8_t>(level));
  auto levels = std::make_shared<std::vector<float>>(ramp.size());
  model::normalizePixels(processor, ramp, *levels);
  return levels;
}

bool isTooLong(const Error& error) { return error.what.rfind(kTooLong, 0) == 0; }

Result<data::Image> SampleEncoder::decode(const data::Sample& sample) const {
  data::DecodeOptions options;
  options.alpha = m_processor.convertRgb ? data::AlphaPolicy::White : data::AlphaPolicy::Drop;
  return data::decodeImage(data::asBytes(sample.image), options);
}

Status SampleEncoder::square(const data::Image& image, std::vector<std::uint8_t>& pixels) const {
  const int side = m_processor.imageSize;
  ROADTUNE_TRY(auto resized, data::resizeBicubic(image, side, side));
  pixels = std::move(resized.pixels);
  return {};
}

bool SampleEncoder::findFeatures(const data::Sample& sample, EncodedSample& encoded) const {
  if (!m_extras.features) return false;
  const auto bytes = data::asBytes(sample.image);
  encoded.key = data::imageKey(bytes);
  const auto header = data::readImageHeader(bytes);
  if (!header.ok()) return false;
  encoded.features.resize(m_extras.featureBytes);
  if (!m_extras.features->find(*encoded.key, encoded.features)) {
    encoded.features.clear();
    return false;
  }
  encoded.width = header.value().width;
  encoded.height = header.value().height;
  return true;
}

// From the cache, or from the picture itself and then into the cache.
Status SampleEncoder::pixelsOf(const data::Sample& sample, EncodedSample& encoded,
                               std::vector<std::uint8_t>& pixels) const {
  const auto bytes = data::asBytes(sample.image);
  data::ImageKey key{};
  if (m_extras.cache) {
    key = data::imageKey(bytes);
    const auto header = data::readImageHeader(bytes);
    pixels.resize(3 * static_cast<std::size_t>(m_processor.imageSize) *
                  static_cast<std::size_t>(m_processor.imageSize));
    if (header.ok() && m_extras.cache->find(key, pixels)) {
      encoded.width = header.value().width;
      encoded.height = header.value().height;
      return {};
    }
  }
  ROADTUNE_TRY(const auto image, decode(sample));
  encoded.width = image.width;
  encoded.height = image.height;
  ROADTUNE_CHECK(square(image, pixels));
  if (m_extras.cache) m_extras.cache->store(key, pixels);
  return {};
}

Result<text::EncodedPrompt> SampleEncoder::promptOf(const data::Sample& sample, bool withSuffix) const {
  if (withSuffix && !sample.answered)
    return named(sample, badInput("has no suffix to learn", "", "an empty suffix is an answer, too"));
  const text::PromptOptions options{.imageTokens = m_imageTokens, .images = 1, .maxLength = m_maxLength};
  auto prompt = text::encodePrompt(m_tokenizer, sample.prefix,
                                   withSuffix ? std::optional<std::string_view>(sample.suffix) : std::nullopt, options);
  if (!prompt.ok()) return named(sample, prompt.error());
  if (prompt.value().cutTokens > 0 && m_longSamples != LongSamples::Cut)
    return named(sample, badInput(std::string(kTooLong) + std::to_string(prompt.value().cutTokens) + " tokens", "",
                                  "raise max_length, or set on_long_sample: cut"));
  return prompt;
}

Result<std::size_t> SampleEncoder::tokensOf(const data::Sample& sample) const {
  ROADTUNE_TRY(const auto prompt, promptOf(sample, true));
  return prompt.inputIds.size();
}

Result<EncodedSample> SampleEncoder::finish(const data::Sample& sample, bool withSuffix, EncodedSample encoded,
                                            const std::vector<std::uint8_t>& pixels) const {
  encoded.id = sample.id;
  if (!encoded.features.empty()) {
    // no pixels are needed
  } else if (m_extras.levels) {
    encoded.bytes = pixels;
    encoded.levels = m_extras.levels;
  } else {
    encoded.pixels.resize(pixels.size());
    model::normalizePixels(m_processor, pixels, encoded.pixels);
  }
  const double begin = monotonicSeconds();
  ROADTUNE_TRY(encoded.prompt, promptOf(sample, withSuffix));
  encoded.tokeniseSeconds = monotonicSeconds() - begin;
  return encoded;
}

Result<EncodedSample> SampleEncoder::encode(const data::Sample& sample, bool withSuffix) const {
  EncodedSample encoded;
  std::vector<std::uint8_t> pixels;
  if (!findFeatures(sample, encoded))
    if (const auto status = pixelsOf(sample, encoded, pixels); !status.ok()) return named(sample, status.error());
  return finish(sample, withSuffix, std::move(encoded), pixels);
}

Result<EncodedSample> SampleEncoder::encodeForTraining(data::Sample sample, std::uint64_t seed) const {
  if (!m_extras.augment) return encode(sample);
  auto image = decode(sample);
  if (!image.ok()) return named(sample, image.error());
  data::augmentSample(*m_extras.augment, seed, image.value(), sample);
  EncodedSample encoded;
  encoded.width = image.value().width;
  encoded.height = image.value().height;
  std::vector<std::uint8_t> pixels;
  if (const auto status = square(image.value(), pixels); !status.ok()) return named(sample, status.error());
  return finish(sample, true, std::move(encoded), pixels);
}

}  // namespace roadtune::engine
