// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loader/encoded_sample.h"

#include "core/data/image/decode.h"
#include "core/data/image/resize.h"

namespace roadtune::engine {
namespace {

constexpr std::string_view kTooLong = "the sample is longer than max_length by ";

Error named(const data::Sample& sample, const Error& error) {
  auto result = error;
  result.where = result.where.empty() ? sample.id : sample.id + ": " + result.where;
  return result;
}

}  // namespace

bool isTooLong(const Error& error) { return error.what.rfind(kTooLong, 0) == 0; }

Result<EncodedSample> SampleEncoder::encode(const data::Sample& sample, bool withSuffix) const {
  EncodedSample encoded;
  encoded.id = sample.id;
  data::DecodeOptions decode;
  decode.alpha = m_processor.convertRgb ? data::AlphaPolicy::White : data::AlphaPolicy::Drop;
  auto image = data::decodeImage(data::asBytes(sample.image), decode);
  if (!image.ok()) return named(sample, image.error());
  encoded.width = image.value().width;
  encoded.height = image.value().height;
  const int side = m_processor.imageSize;
  auto square = data::resizeBicubic(image.value(), side, side);
  if (!square.ok()) return named(sample, square.error());
  encoded.pixels.resize(square.value().pixels.size());
  model::normalizePixels(m_processor, square.value().pixels, encoded.pixels);

  const text::PromptOptions options{.imageTokens = m_imageTokens, .images = 1, .maxLength = m_maxLength};
  auto prompt = text::encodePrompt(m_tokenizer, sample.prefix,
                                   withSuffix ? std::optional<std::string_view>(sample.suffix) : std::nullopt, options);
  if (!prompt.ok()) return named(sample, prompt.error());
  if (prompt.value().cutTokens > 0 && m_longSamples != LongSamples::Cut)
    return named(sample, badInput(std::string(kTooLong) + std::to_string(prompt.value().cutTokens) + " tokens", "",
                                  "raise max_length, or set on_long_sample: cut"));
  encoded.prompt = std::move(prompt).value();
  return encoded;
}

}  // namespace roadtune::engine
