// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/image_cache.h"

#include "core/base/hash.h"
#include "core/base/this_user.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <vector>

namespace roadtune::data {
namespace {

std::uint8_t hexDigit(char c) { return static_cast<std::uint8_t>(c <= '9' ? c - '0' : c - 'a' + 10); }

class MemoryCache : public ImageCache {
 public:
  explicit MemoryCache(std::uint64_t limitBytes) : m_limit(limitBytes) {}

  bool find(const ImageKey& key, std::span<std::uint8_t> pixels) override {
    const std::lock_guard lock(m_mutex);
    const auto found = m_pictures.find(key);
    const bool hit = found != m_pictures.end() && found->second.size() == pixels.size();
    ++(hit ? m_counts.hits : m_counts.misses);
    if (hit) std::copy(found->second.begin(), found->second.end(), pixels.begin());
    return hit;
  }

  void store(const ImageKey& key, std::span<const std::uint8_t> pixels) override {
    const std::lock_guard lock(m_mutex);
    if (m_bytes + pixels.size() > m_limit) return;
    if (!m_pictures.emplace(key, std::vector<std::uint8_t>(pixels.begin(), pixels.end())).second) return;
    m_bytes += pixels.size();
    ++m_counts.stored;
  }

  Counts counts() const override {
    const std::lock_guard lock(m_mutex);
    return m_counts;
  }

 private:
  mutable std::mutex m_mutex;
  std::map<ImageKey, std::vector<std::uint8_t>> m_pictures;
  std::uint64_t m_limit, m_bytes = 0;
  Counts m_counts;
};

}  // namespace

ImageKey imageKey(std::span<const std::uint8_t> encoded) {
  const std::string hex = sha256Hex(encoded);
  ImageKey key{};
  for (std::size_t i = 0; i < key.size(); ++i)
    key[i] = static_cast<std::uint8_t>(hexDigit(hex[2 * i]) * 16 + hexDigit(hex[2 * i + 1]));
  return key;
}

std::unique_ptr<ImageCache> makeMemoryCache(std::uint64_t limitBytes) {
  return std::make_unique<MemoryCache>(limitBytes);
}

fs::path defaultImageCacheFolder() { return userCacheFolder() / "roadtune" / "images"; }

}  // namespace roadtune::data
