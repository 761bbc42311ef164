// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feature_cache.h"

#include <fmt/format.h>

namespace roadtune::model {

namespace {

constexpr double kMemoryGb = 16, kDiskGb = 200;

}  // namespace

std::uint64_t featureBytes(const PaliGemmaConfig& config, Dtype computeDtype) {
  return static_cast<std::uint64_t>(config.imageTokens()) * static_cast<std::uint64_t>(config.vision.hidden) *
         sizeOf(computeDtype);
}

std::uint64_t featureLimit(const config::RunConfig& run) {
  const double usual = run.text("cache_vision_features") == "memory" ? kMemoryGb : kDiskGb;
  return static_cast<std::uint64_t>((run.has("vision_cache_limit") ? run.number("vision_cache_limit") : usual) * 1e9);
}

std::optional<MemoryItem> takenByFeatures(const config::RunConfig& run, const PaliGemmaConfig& config,
                                          std::optional<std::uint64_t> samples) {
  if (run.text("cache_vision_features") != "memory") return std::nullopt;
  const std::uint64_t limit = featureLimit(run), one = featureBytes(config, stepShapeFrom(run).computeDtype);
  const bool fits = samples && *samples <= limit / one;
  return MemoryItem{
      .key = "feature_cache",
      .label = "kept vision features",
      .bytes = fits ? *samples * one : limit,
      .persistent = true,
      .formula = fits ? fmt::format("{} pictures x {} bytes", *samples, one) : "at most: vision_cache_limit"};
}

}  // namespace roadtune::model
