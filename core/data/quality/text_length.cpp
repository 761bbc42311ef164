// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/quality/text_length.h"

#include "core/base/clock.h"
#include "core/data/source/run_sources.h"
#include "core/text/prompt.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace roadtune::data {

namespace {

// 0, the middle, the quarters, the eighths ...: every place below `samples` once, and wherever one stops they are
// spread evenly.
class SpreadPlaces {
 public:
  explicit SpreadPlaces(std::size_t samples)
      : m_samples(samples), m_bits(std::bit_width(std::max<std::size_t>(samples, 1) - 1)) {}

  std::optional<std::size_t> next() {
    while (m_turn >> m_bits == 0) {
      std::size_t place = 0;
      for (int bit = 0; bit < m_bits; ++bit) place |= (m_turn >> bit & 1) << (m_bits - 1 - bit);
      ++m_turn;
      if (place < m_samples) return place;
    }
    return std::nullopt;
  }

 private:
  std::size_t m_samples, m_turn = 0;
  int m_bits;
};

}  // namespace

std::optional<TextLength> longestText(const SampleSource& source, const text::Tokenizer& tokenizer, double seconds) {
  TextLength longest{.samples = source.size()};
  if (longest.samples == 0) return std::nullopt;
  const text::PromptOptions layout{.imageTokens = 0, .images = 1, .maxLength = 0};
  const double deadline = monotonicSeconds() + seconds;
  SpreadPlaces places(longest.samples);
  for (auto place = places.next(); place; place = places.next()) {
    const auto sample = source.text(*place);
    if (!sample.ok()) continue;
    const auto encoded =
        text::encodePrompt(tokenizer, sample.value().prefix, std::string_view(sample.value().suffix), layout);
    if (!encoded.ok()) continue;
    const auto tokens = static_cast<int>(encoded.value().inputIds.size());
    const auto prompt = static_cast<int>(encoded.value().prefixLength);
    longest.tokens = std::max(longest.tokens, tokens);
    longest.answer = std::max(longest.answer, tokens - prompt);
    longest.each.push_back({prompt, tokens - prompt});
    ++longest.looked;
    if (monotonicSeconds() > deadline) break;
  }
  return longest.looked > 0 ? std::optional(longest) : std::nullopt;
}

std::optional<TextLength> longestText(const config::RunConfig& config, double seconds) {
  const auto sources = trainingSources(config);
  if (!openAtOnce(sources)) return std::nullopt;
  const auto tokenizer = text::Tokenizer::load(tokenizerFolder(config));
  if (!tokenizer.ok()) return std::nullopt;
  auto mix = openMix(sources, trainingTask(config));
  if (!mix.ok()) return std::nullopt;
  const auto learnt = learntFrom(config, std::move(mix).value());
  return learnt.ok() ? longestText(*learnt.value(), tokenizer.value(), seconds) : std::nullopt;
}

PlannedLength planLength(const std::optional<TextLength>& data, int maxLength, int imageTokens) {
  PlannedLength plan;
  if (data) {
    plan = {.text = data->tokens,
            .answer = data->answer,
            .from = PlannedLength::From::Data,
            .looked = data->looked,
            .samples = data->samples};
  }
  const int room = maxLength - imageTokens;
  if (maxLength > 0 && room > 0 && (!data || data->tokens > room)) {
    plan.text = room;
    plan.from = PlannedLength::From::Limit;
  }
  plan.answer = std::min(plan.answer, plan.text);
  return plan;
}

}  // namespace roadtune::data
