// SPDX-License-Identifier: GPL-3.0-or-later
// A pack is a row of records of equal size: key, checksum, pixels. Its length says how many are whole.
#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/base/unique_fd.h"
#include "core/data/image/image_cache.h"

#include <cstring>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace roadtune::data {
namespace {

constexpr std::size_t kHead = sizeof(ImageKey) + sizeof(std::uint64_t);
constexpr double kLookAgain = 2.0;  // seconds between looks at what others added

std::uint64_t checksum(std::span<const std::uint8_t> pixels) {
  return hash64({reinterpret_cast<const char*>(pixels.data()), pixels.size()});
}

bool readAt(int fd, void* into, std::size_t bytes, std::uint64_t offset) {
  auto* at = static_cast<char*>(into);
  while (bytes > 0) {
    const auto got = ::pread(fd, at, bytes, static_cast<off_t>(offset));
    if (got <= 0) return false;
    at += got;
    offset += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

class DiskCache : public ImageCache {
 public:
  DiskCache(fs::path folder, std::size_t pixelBytes, std::uint64_t limitBytes)
      : m_folder(std::move(folder)), m_pixelBytes(pixelBytes), m_limit(limitBytes) {
    lookAgain();
  }

  bool find(const ImageKey& key, std::span<std::uint8_t> pixels) override {
    const auto place = placeOf(key);
    std::uint64_t sum = 0;
    const bool hit = place.fd >= 0 && pixels.size() == m_pixelBytes &&
                     readAt(place.fd, &sum, sizeof sum, place.offset + sizeof(ImageKey)) &&
                     readAt(place.fd, pixels.data(), pixels.size(), place.offset + kHead) && checksum(pixels) == sum;
    const std::lock_guard lock(m_mutex);
    ++(hit ? m_counts.hits : m_counts.misses);
    if (!hit && place.fd >= 0) m_places.erase(key);
    return hit;
  }

  void store(const ImageKey& key, std::span<const std::uint8_t> pixels) override {
    if (pixels.size() != m_pixelBytes) return;
    std::vector<std::uint8_t> record(recordBytes());
    const std::uint64_t sum = checksum(pixels);
    std::memcpy(record.data(), key.data(), sizeof(ImageKey));
    std::memcpy(record.data() + sizeof(ImageKey), &sum, sizeof sum);
    std::memcpy(record.data() + kHead, pixels.data(), pixels.size());
    const std::lock_guard lock(m_mutex);
    if (m_full || m_places.contains(key)) return;
    m_full = m_bytes + record.size() > m_limit || !append(record);
    if (m_full) return;
    m_places[key] = {m_packs[m_own].fd.get(), m_packs[m_own].read};
    m_packs[m_own].read += record.size();
    m_bytes += record.size();
    ++m_counts.stored;
  }

  Counts counts() const override {
    const std::lock_guard lock(m_mutex);
    return m_counts;
  }

 private:
  struct Pack {
    UniqueFd fd;
    std::uint64_t read = 0;  // bytes whose keys are known
  };
  struct Place {
    int fd = -1;
    std::uint64_t offset = 0;
  };

  std::size_t recordBytes() const { return kHead + m_pixelBytes; }

  Place placeOf(const ImageKey& key) {
    const std::lock_guard lock(m_mutex);
    auto found = m_places.find(key);
    if (found == m_places.end() && monotonicSeconds() - m_looked > kLookAgain) {
      lookAgain();
      found = m_places.find(key);
    }
    return found == m_places.end() ? Place() : found->second;
  }

  // New packs, and new records of those known.
  void lookAgain() {
    m_looked = monotonicSeconds();
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(m_folder, code)) {
      const auto name = entry.path().filename().string();
      if (entry.path().extension() != ".pack" || !m_names.insert(name).second) continue;
      UniqueFd fd(::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC));
      if (fd.valid()) m_packs.push_back({std::move(fd), 0});
    }
    m_bytes = 0;
    for (Pack& pack : m_packs) m_bytes += readKeys(pack);
  }

  std::uint64_t readKeys(Pack& pack) {
    const auto size = static_cast<std::uint64_t>(std::max<off_t>(0, ::lseek(pack.fd.get(), 0, SEEK_END)));
    for (; pack.read + recordBytes() <= size; pack.read += recordBytes()) {
      ImageKey key{};
      if (!readAt(pack.fd.get(), key.data(), key.size(), pack.read)) break;
      m_places.try_emplace(key, Place{pack.fd.get(), pack.read});
    }
    return size;
  }

  bool append(std::span<const std::uint8_t> record) {
    if (m_own == kNone && !openOwn()) return false;
    const int fd = m_packs[m_own].fd.get();
    const auto written = ::write(fd, record.data(), record.size());
    if (written == static_cast<ssize_t>(record.size())) return true;
    // The disk is full. What cannot be cut off again is a torn record; its checksum tells.
    if (::ftruncate(fd, static_cast<off_t>(m_packs[m_own].read)) != 0) m_own = kNone;
    return false;
  }

  bool openOwn() {
    for (int attempt = 0; attempt < 100; ++attempt) {
      const auto name = std::to_string(::getpid()) + "-" + std::to_string(static_cast<std::int64_t>(wallSeconds())) +
                        "-" + std::to_string(attempt) + ".pack";
      UniqueFd fd(::open((m_folder / name).c_str(), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644));
      if (!fd.valid()) continue;
      m_names.insert(name);
      m_own = m_packs.size();
      m_packs.push_back({std::move(fd), 0});
      return true;
    }
    return false;
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  fs::path m_folder;
  std::size_t m_pixelBytes;
  std::uint64_t m_limit, m_bytes = 0;
  mutable std::mutex m_mutex;
  std::vector<Pack> m_packs;
  std::set<std::string> m_names;
  std::map<ImageKey, Place> m_places;
  std::size_t m_own = kNone;
  double m_looked = 0;
  bool m_full = false;
  Counts m_counts;
};

}  // namespace

Result<std::unique_ptr<ImageCache>> openDiskCache(const fs::path& folder, const std::string& variant,
                                                  std::size_t pixelBytes, std::uint64_t limitBytes) {
  const auto own = folder / variant;
  ROADTUNE_CHECK(makeFolders(own));
  return std::unique_ptr<ImageCache>(std::make_unique<DiskCache>(own, pixelBytes, limitBytes));
}

}  // namespace roadtune::data
