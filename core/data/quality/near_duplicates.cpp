// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/quality/near_duplicates.h"

#include "core/data/image/decode.h"
#include "core/data/image/perceptual_hash.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <thread>
#include <unordered_map>

namespace roadtune::data {

namespace {

constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();
constexpr int kHashWidth = 128;  // pixels; the hash looks at much less

// Bits [64 k / bands, 64 (k + 1) / bands) of a hash, with the number of the band in front. Two hashes that differ in
// fewer bits than there are bands share one band at least.
std::uint64_t bandOf(std::uint64_t hash, int band, int bands) {
  const int begin = 64 * band / bands, end = 64 * (band + 1) / bands;
  const std::uint64_t bits = end - begin == 64 ? hash : hash >> begin & ((1ull << (end - begin)) - 1);
  return bands == 1 ? bits : static_cast<std::uint64_t>(band) << 33 ^ bits;
}

}  // namespace

std::vector<std::size_t> groupHashes(const std::vector<std::optional<std::uint64_t>>& hashes, int distance) {
  const int bands = std::clamp(distance, 0, 15) + 1;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> firsts;  // by band
  std::vector<std::size_t> result(hashes.size(), kNobody);
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (!hashes[i]) continue;
    std::size_t best = kNobody;
    for (int band = 0; band < bands; ++band) {
      const auto found = firsts.find(bandOf(*hashes[i], band, bands));
      if (found == firsts.end()) continue;
      for (const std::size_t first : found->second)
        if (first < best && hashDistance(*hashes[first], *hashes[i]) <= distance) best = first;
    }
    result[i] = best == kNobody ? i : best;
    if (best != kNobody) continue;
    for (int band = 0; band < bands; ++band) firsts[bandOf(*hashes[i], band, bands)].push_back(i);
  }
  return result;
}

Result<NearDuplicates> findNearDuplicates(const Index& index, int distance, int jobs, ProgressSink& progress) {
  std::vector<std::optional<std::uint64_t>> hashes(index.imageCount());
  std::atomic<std::size_t> next{0}, done{0};
  std::atomic<bool> stop{false};
  const auto work = [&] {
    for (std::size_t i = next++; i < hashes.size() && !stop; i = next++) {
      const Result<std::string> bytes = index.imageBytes(static_cast<ImageId>(i));
      if (bytes.ok()) {
        const Result<Image> image = decodeThumbnail(asBytes(bytes.value()), kHashWidth, kHashWidth);
        if (image.ok()) hashes[i] = perceptualHash(image.value());
      }
      if (!progress.report({"comparing pictures", ++done, hashes.size(), "images"})) stop = true;
    }
  };
  std::vector<std::thread> threads;
  const unsigned wanted = jobs > 0 ? static_cast<unsigned>(jobs) : std::thread::hardware_concurrency();
  for (unsigned i = 1; i < wanted; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (stop) return cancelled();

  NearDuplicates result;
  result.images = hashes.size();
  std::map<std::size_t, std::size_t> sizes;
  for (const std::size_t first : groupHashes(hashes, distance)) first == kNobody ? ++result.unreadable : ++sizes[first];
  for (const auto& [first, size] : sizes) {
    if (size < 2) continue;
    result.redundant += size - 1;
    result.groups.emplace_back(static_cast<ImageId>(first), size);
  }
  std::stable_sort(result.groups.begin(), result.groups.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return result;
}

}  // namespace roadtune::data
