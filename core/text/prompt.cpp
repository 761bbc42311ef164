// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/prompt.h"

#include "core/base/counted.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::text {
namespace {

// Where the image word stands in the text.
std::vector<std::size_t> placesOf(std::string_view text, std::string_view word) {
  std::vector<std::size_t> places;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + word.size()))
    places.push_back(at);
  return places;
}

// The prompt as the processor writes it before tokenising: every image word in place, <bos> behind the last one, a
// newline at the end. Image words are expanded after tokenising, one id at a time.
Result<std::string> layoutText(std::string_view prompt, int images, const std::string& image, const std::string& bos) {
  const auto places = placesOf(prompt, image);
  std::string text;
  if (places.empty()) {
    for (int i = 0; i < images; ++i) text += image;
    return text.append(bos).append(prompt).append("\n");
  }
  if (places.size() != static_cast<std::size_t>(images))
    return badInput(fmt::format("the prompt holds {} {} for {}", places.size(), image, counted(images, "image")),
                    "prompt", "leave them out, or write one per image");
  const std::size_t end = places.back() + image.size();
  return text.append(prompt.substr(0, end)).append(bos).append(prompt.substr(end)).append("\n");
}

TokenIds expandImages(const TokenIds& ids, std::int64_t imageId, int imageTokens) {
  TokenIds expanded;
  expanded.reserve(ids.size() + static_cast<std::size_t>(imageTokens));
  for (const std::int64_t id : ids)
    expanded.insert(expanded.end(), id == imageId ? static_cast<std::size_t>(imageTokens) : 1, id);
  return expanded;
}

// Takes suffix tokens away in front of <eos> until everything fits.
Status cutToLength(TokenIds& suffix, std::size_t prefix, int maxLength, std::size_t& cut) {
  if (maxLength <= 0 || prefix + suffix.size() <= static_cast<std::size_t>(maxLength)) return {};
  const auto limit = static_cast<std::size_t>(maxLength);
  const std::size_t least = prefix + std::min<std::size_t>(suffix.size(), 2);  // one token to learn and <eos>
  if (least > limit)
    return badInput(fmt::format("the prompt alone takes {} tokens of {}", prefix, maxLength), "max_length",
                    "raise max_length or shorten the prompt");
  cut = prefix + suffix.size() - limit;
  suffix.erase(suffix.end() - 1 - static_cast<std::ptrdiff_t>(cut), suffix.end() - 1);
  return {};
}

}  // namespace

Result<EncodedPrompt> encodePrompt(const Tokenizer& tokenizer, std::string_view prompt,
                                   std::optional<std::string_view> suffix, const PromptOptions& options) {
  const SpecialIds& special = tokenizer.special();
  ROADTUNE_TRY(const std::string text,
               layoutText(prompt, options.images, tokenizer.pieceOf(special.image), tokenizer.pieceOf(special.bos)));
  EncodedPrompt encoded;
  encoded.inputIds = expandImages(tokenizer.encode(text), special.image, options.imageTokens);
  encoded.prefixLength = encoded.inputIds.size();
  TokenIds target;
  if (suffix) target = tokenizer.encode(std::string(*suffix) + tokenizer.pieceOf(special.eos));
  if (std::find(target.begin(), target.end(), special.image) != target.end())
    return badInput(fmt::format("the answer holds {}, which stands for a picture", tokenizer.pieceOf(special.image)),
                    "suffix", "leave it out");
  ROADTUNE_CHECK(cutToLength(target, encoded.prefixLength, options.maxLength, encoded.cutTokens));

  encoded.tokenTypeIds.assign(encoded.prefixLength, 0);
  encoded.labels.assign(encoded.prefixLength, kIgnoredLabel);
  encoded.inputIds.insert(encoded.inputIds.end(), target.begin(), target.end());
  encoded.tokenTypeIds.insert(encoded.tokenTypeIds.end(), target.size(), 1);
  encoded.labels.insert(encoded.labels.end(), target.begin(), target.end());
  return encoded;
}

PaddedBatch padBatch(const std::vector<EncodedPrompt>& samples, std::int64_t padId, PaddingSide side,
                     std::int64_t multipleOf) {
  PaddedBatch batch;
  batch.rows = static_cast<std::int64_t>(samples.size());
  for (const EncodedPrompt& sample : samples)
    batch.length = std::max(batch.length, static_cast<std::int64_t>(sample.inputIds.size()));
  if (multipleOf > 1) batch.length = (batch.length + multipleOf - 1) / multipleOf * multipleOf;
  const auto add = [&](TokenIds& out, const TokenIds& values, std::int64_t filler) {
    const auto missing = static_cast<std::size_t>(batch.length) - values.size();
    if (side == PaddingSide::Left) out.insert(out.end(), missing, filler);
    out.insert(out.end(), values.begin(), values.end());
    if (side == PaddingSide::Right) out.insert(out.end(), missing, filler);
  };
  for (const EncodedPrompt& sample : samples) {
    add(batch.inputIds, sample.inputIds, padId);
    add(batch.attentionMask, TokenIds(sample.inputIds.size(), 1), 0);
    add(batch.tokenTypeIds, sample.tokenTypeIds, 0);
    add(batch.labels, sample.labels, kIgnoredLabel);
  }
  return batch;
}

}  // namespace roadtune::text
