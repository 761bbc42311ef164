// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/quality/token_lengths.h"

#include "core/text/prompt.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>

namespace roadtune::data {

namespace {

constexpr std::size_t kBins = 16;

// The smallest length that `share` of the samples do not exceed.
std::size_t quantile(const std::vector<std::size_t>& sorted, double share) {
  const auto at = static_cast<std::size_t>(share * static_cast<double>(sorted.size()));
  return sorted[std::min(at, sorted.size() - 1)];
}

std::vector<TokenLengths::Bin> histogramOf(const std::vector<std::size_t>& sorted) {
  const std::size_t low = sorted.front(), span = sorted.back() - low + 1;
  const std::size_t width = (span + kBins - 1) / kBins;
  std::vector<TokenLengths::Bin> bins;
  for (std::size_t upTo = low + width - 1; bins.empty() || bins.back().upTo < sorted.back(); upTo += width)
    bins.push_back({upTo, 0});
  for (const std::size_t length : sorted) ++bins[(length - low) / width].samples;
  return bins;
}

}  // namespace

Result<TokenLengths> measureTokenLengths(const SampleSource& source, const text::Tokenizer& tokenizer,
                                         const TokenLengthOptions& options, ProgressSink& progress) {
  TokenLengths result;
  result.samples = source.size();
  result.measured = options.most > 0 ? std::min(options.most, source.size()) : source.size();
  result.imageTokens = static_cast<std::size_t>(options.imageTokens);
  result.maxLength = options.maxLength;
  if (result.measured == 0) return result;
  const text::PromptOptions layout{.imageTokens = options.imageTokens, .images = 1, .maxLength = 0};
  const auto sampleAt = [&](std::size_t i) { return i * source.size() / result.measured; };
  std::vector<std::size_t> lengths(result.measured);
  std::atomic<std::size_t> next{0}, done{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::optional<Error> error;
  const auto measure = [&](std::size_t i) -> Status {
    ROADTUNE_TRY(const Sample sample, source.text(sampleAt(i)));
    ROADTUNE_TRY(const text::EncodedPrompt encoded,
                 text::encodePrompt(tokenizer, sample.prefix, std::string_view(sample.suffix), layout));
    lengths[i] = encoded.inputIds.size();
    return {};
  };
  const auto work = [&] {
    for (std::size_t i = next++; i < lengths.size() && !stop; i = next++) {
      if (const Status measured = measure(i); !measured.ok()) {
        const std::lock_guard lock(mutex);
        if (!error) error = measured.error();
        stop = true;
      }
      if (!progress.report({"counting tokens", ++done, lengths.size(), "samples"})) stop = true;
    }
  };
  std::vector<std::thread> threads;
  const unsigned wanted = options.jobs > 0 ? static_cast<unsigned>(options.jobs) : std::thread::hardware_concurrency();
  for (unsigned i = 1; i < wanted; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (error) return *error;
  if (stop) return cancelled();

  if (options.nameCut && options.maxLength > 0) {
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      if (lengths[i] <= options.maxLength) continue;
      ROADTUNE_TRY(Sample one, source.text(sampleAt(i)));
      result.cut.push_back(std::move(one.id));
    }
  }
  const auto longest = std::max_element(lengths.begin(), lengths.end());
  ROADTUNE_TRY(const Sample sample, source.text(sampleAt(static_cast<std::size_t>(longest - lengths.begin()))));
  result.longestSample = sample.id;
  std::sort(lengths.begin(), lengths.end());
  result.longest = lengths.back();
  result.mean = std::accumulate(lengths.begin(), lengths.end(), 0.0) / static_cast<double>(lengths.size());
  result.median = quantile(lengths, 0.5);
  result.p95 = quantile(lengths, 0.95);
  result.p99 = quantile(lengths, 0.99);
  result.histogram = histogramOf(lengths);
  if (result.maxLength > 0)
    result.truncated =
        static_cast<std::size_t>(lengths.end() - std::upper_bound(lengths.begin(), lengths.end(), result.maxLength));
  return result;
}

}  // namespace roadtune::data
